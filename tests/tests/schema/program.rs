//! The program that `dyna_cli::main` makes.

use super::{Library, Loan, described};
use dyna_cli::{Catalog, Format, Program, main};
use dyna_runtime::embedded::Embedded;

fn program(engine: &Embedded) -> Program {
    let client = engine.client();
    main::<Library>()
        .table::<Loan>()
        .client(move || std::future::ready(client))
}

async fn answer(arguments: &str) -> Result<String, String> {
    let engine = Embedded::in_memory().unwrap();
    ask(&engine, arguments).await
}

async fn ask(engine: &Embedded, arguments: &str) -> Result<String, String> {
    let arguments = arguments.split_whitespace().map(ToOwned::to_owned);
    program(engine).output(arguments).await
}

#[tokio::test]
async fn every_form_has_a_command() {
    let catalog = Catalog::of::<Library>().table::<Loan>();
    for format in Format::ALL {
        assert_eq!(answer(format.name()).await, Ok(catalog.to_text(format)));
    }
}

#[tokio::test]
async fn help_names_all_there_is() {
    let help = answer("--help").await.unwrap();
    let commands = Format::ALL.map(Format::name);
    let others = [
        "create",
        "verify",
        "add-indexes",
        "--table",
        "--set stage=..",
    ];
    for word in commands.into_iter().chain(others) {
        assert!(help.contains(&format!("\n  {word} ")), "{word} in {help}");
    }
    assert!(help.starts_with("The schema of `Library`, `Loan`,"));
    assert!(help.lines().all(|line| line.chars().count() <= 100));
    assert_eq!(answer("").await, Err(help));
}

#[tokio::test]
async fn tables_can_be_chosen() {
    let loan = Catalog::of::<Loan>().to_text(Format::Terraform);
    assert_eq!(answer("terraform --table Loan").await, Ok(loan.clone()));
    assert_eq!(answer("--table=Loan terraform").await, Ok(loan));
    let both = answer("--table Loan --table Library mermaid").await;
    assert_eq!(both, answer("mermaid").await);
}

#[tokio::test]
async fn invalid_arguments_are_reported() {
    for (arguments, message) in [
        ("teraform", "there is no command `teraform`; see `--help`"),
        (
            "html shell",
            "one command at a time, and `shell` is another",
        ),
        ("--tables x", "there is no option `--tables`; see `--help`"),
        ("html --table", "`--table` needs a value; see `--help`"),
        (
            "html --table Book",
            "there is no table `Book`; there is `Library`, `Loan`",
        ),
        (
            "html --set stage",
            "`--set stage` has no value: write `--set stage=..`",
        ),
        (
            "html --set app=x",
            "no table has a variable `app` without a value in its name; there is `stage`",
        ),
        (
            "html --set stage=a/b",
            "`a/b` cannot be in the name of a table: it takes letters, digits, `_`, `-` and `.`",
        ),
        (
            "html --set=stage=",
            "`` cannot be in the name of a table: it takes letters, digits, `_`, `-` and `.`",
        ),
        (
            "html --set stage=a --set stage=b",
            "no table has a variable `stage` without a value in its name; there is none",
        ),
        ("html --out=x", "there is no option `--out`; see `--help`"),
        (
            "create",
            "the name of a table has a variable: write `--set stage=..`",
        ),
    ] {
        assert_eq!(
            answer(arguments).await,
            Err(message.to_owned()),
            "{arguments}"
        );
    }
    let without = main::<Loan>().output(["verify".to_owned()]).await;
    let message = "`verify` needs a client: give the program one with `.client(..)`";
    assert_eq!(without, Err(message.to_owned()));
}

#[tokio::test]
async fn tables_are_created_and_verified() {
    let engine = Embedded::in_memory().unwrap();
    let missing = ask(&engine, "verify --set stage=test").await.unwrap_err();
    assert_eq!(
        missing,
        "table `library-test` is not as declared:
  table: declared partition pk (S), sort no (N), not there
table `loans` is not as declared:
  table: declared partition pk (S), sort sk (S), not there
"
    );
    let created =
        "table `library-test` is there, as declared\ntable `loans` is there, as declared\n";
    for _ in 0..2 {
        let answer = ask(&engine, "create --set stage=test").await;
        assert_eq!(answer, Ok(created.to_owned()));
    }
    let verified = "table `library-test` is as declared\ntable `loans` is as declared\n";
    let answer = ask(&engine, "verify --set stage=test").await;
    assert_eq!(answer, Ok(verified.to_owned()));
    described(&engine.client(), "loans").await;
}

#[tokio::test]
async fn indexes_are_added() {
    let engine = Embedded::in_memory().unwrap();
    ask(&engine, "create --table Loan").await.unwrap();
    let answer = ask(&engine, "add-indexes --table Loan").await;
    assert_eq!(answer, Ok("table `loans` lacks no index\n".to_owned()));
    let deletion = engine.client().update_table().table_name("loans");
    let index = aws_sdk_dynamodb::types::DeleteGlobalSecondaryIndexAction::builder()
        .index_name("by_reader")
        .build()
        .unwrap();
    let update = aws_sdk_dynamodb::types::GlobalSecondaryIndexUpdate::builder().delete(index);
    let deletion = deletion.global_secondary_index_updates(update.build());
    deletion.send().await.unwrap();
    let answer = ask(&engine, "add-indexes --table Loan").await;
    assert_eq!(answer, Ok("table `loans` has now `by_reader`\n".to_owned()));
}
