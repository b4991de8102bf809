//! `PūteaMātai`, a personal finance application, in one table: every access pattern of its design, with a year of transactions.
//!
//! `model` is all there is to write; `patterns` is how it is used. The program writes a household's year, runs the patterns of the document,
//! then the conditions that do not do what it says, and at last some writes, and prints what it asked and what it got.
//!
//! `putea-matai schema` prints the schema of the table instead: `cargo run --bin putea-matai schema --help`.

#![expect(
    unreachable_pub,
    reason = "the model and its patterns read as they would in a library"
)]

mod account;
mod answers;
mod changes;
mod model;
mod patterns;
mod sample;
#[cfg(test)]
mod tests;
mod traps;

use changes::{annotate, redate, rename_tag};
use dyna_examples::{
    Account, Answers, Declared, Designed, Engine, Model, Result, compact, contents, show,
};
use dyna_runtime::Table;
use jiff::civil::date;
use model::{PuteaMatai, Startup, Tag, Transaction, Upload};
use patterns::{
    months, multiple_months, multiple_months_in_pages, single_month, startup, tags_for_user,
    uploads_for_account,
};
use sample::{EVERYDAY, GROCERIES, NEIGHBOUR, USER};
use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("schema") {
        let program = dyna_cli::main::<PuteaMatai>().samples(sample::shown());
        return dyna_examples::schema(program, arguments).await;
    }
    dyna_examples::main::<PuteaMatai>().await
}

impl Model for PuteaMatai {
    const NAME: &'static str = "putea-matai";
    const DOCUMENT: &'static str = include_str!("document.txt");

    fn tables() -> Vec<Declared> {
        vec![Declared::of::<PuteaMatai>()]
    }

    async fn tell(engine: &Engine, to: &mut Account) -> Result<()> {
        let db = opened(engine).await?;
        to.heading("PūteaMātai: one table, 5 entities, no index, a year of a household");
        to.contents(&contents(&db).await?);
        run_patterns(to, &db).await?;
        run_traps(to, &db).await?;
        run_changes(to, &db).await
    }

    async fn answer(engine: &Engine, to: &mut Answers) -> Result<()> {
        let db = opened(engine).await?;
        answers::of_patterns(to, &db).await;
        answers::of_traps(to, &db).await?;
        answers::of_changes(to, &db).await;
        Ok(())
    }
}

/// The table with its sample items.
async fn opened(engine: &Engine) -> Result<Table<PuteaMatai>> {
    let db = engine.open::<PuteaMatai>("example").await?;
    sample::write(&db).await?;
    Ok(db)
}

async fn run_patterns(to: &mut Account, db: &Table<PuteaMatai>) -> Result<()> {
    to.heading("The access patterns");
    to.say("Each pattern: the request in Rust, what it asks DynamoDB, and what it gets.");
    let account = (USER, EVERYDAY);

    show!(to, "4.1  Fetch user profile, accounts, and tags in one query":
        Startup::query(USER) => startup(db, USER));

    let (from, until) = (date(2025, 8, 11), date(2025, 8, 14));
    show!(to, "4.2  Query a single month":
        Transaction::query(USER, EVERYDAY, from).date_range(from..=until)
            => single_month(db, account, from, until));

    let (from, until) = (date(2025, 7, 30), date(2025, 8, 2));
    let each_month = || months(from, until).map(|month| (USER, EVERYDAY, month));
    show!(to, "4.2  Query multiple months":
        Transaction::query_many(each_month()).date_range(from..=until)
            => multiple_months(db, account, from, until));

    let (from, until) = (date(2025, 11, 1), date(2025, 12, 2));
    let each_month = || months(from, until).map(|month| (USER, EVERYDAY, month));
    let page = |after| multiple_months_in_pages(db, account, (from, until), 3, after);
    let first = show!(to, "     in pages, newest first":
        Transaction::query_many(each_month()).date_range(from..=until).descending().limit(3)
            => page(None));
    let cursor = first.next.as_ref();
    let days = || Transaction::query_many(each_month()).date_range(from..=until);
    show!(to, "     and the page after it":
        days().descending().limit(3).after(cursor.cloned()) => page(cursor.cloned()));

    show!(to, "4.3  Fetch uploads for an account":
        Upload::query(USER, EVERYDAY) => uploads_for_account(db, USER, EVERYDAY));
    show!(to, "4.4  Fetch all tags for a user":
        Tag::query(USER) => tags_for_user(db, USER));
    Ok(())
}

async fn run_traps(to: &mut Account, db: &Table<PuteaMatai>) -> Result<()> {
    to.heading("Four keys of the design that do something else, and the way out");
    to.say("Each condition as designed, sent to DynamoDB as it stands; then what works.");

    let title = " A  Query a single month, from 29 to 31 August";
    designed(to, db, title, &traps::TO_THE_LAST_DAY).await?;
    to.remark(
        "The 31st is not there: its keys go on after the date, and so sort after the end. A range says \
         whether its last day belongs to it, and is exact either way.",
    );
    let (from, until) = (date(2025, 8, 29), date(2025, 8, 31));
    show!(to, Transaction::query(USER, EVERYDAY, from).date_range(from..=until)
        => single_month(db, (USER, EVERYDAY), from, until));

    let title = " B  The transactions of the account, under the id that the sample transaction has";
    designed(to, db, title, &traps::OTHER_ID).await?;
    to.remark(
        "The document's account is `account-5678efgh`, but its transaction and its upload are of \
         `5678efgh`: whoever has the one does not find the other. Here all have the account's own id.",
    );
    let day = date(2025, 8, 13);
    show!(to, Transaction::query(USER, EVERYDAY, day).date(day)
        => Transaction::query(USER, EVERYDAY, day).date(day).all(db));

    traps::add_basket(db).await?;
    let title = " C  Fetch all tags for a user, one of which has the id 🧺";
    designed(to, db, title, &traps::ALL_TAGS).await?;
    to.remark(
        "U+FFFF is not the last character: whatever needs two units in UTF-16, as emoji do, sorts \
         after it. The tags are what begins with TAG#.",
    );
    show!(to, Tag::query(NEIGHBOUR) => tags_for_user(db, NEIGHBOUR));

    to.title(" D  Start up as the user \"user-1234abcd#ACCOUNT#account-5678efgh\"");
    to.remark(
        "The key of that user's partition is the key of another user's uploads. Nothing in the design \
         keeps ids free of `#`; Dyna makes no such request.",
    );
    let intruder = format!("{USER}#ACCOUNT#{EVERYDAY}");
    to.code("Startup::query(&intruder)");
    to.gets(&startup(db, &intruder).await.err());
    Ok(())
}

async fn run_changes(to: &mut Account, db: &Table<PuteaMatai>) -> Result<()> {
    to.heading("Writes");
    let mut shopping = sample::shopping();
    let day = shopping.date;

    to.say("An annotation is appended where the transaction is stored, without reading it.");
    let remark = sample::remark();
    to.title(" E  Annotate a transaction");
    to.code(
        "Transaction::update(user, account, date, id).append(Transaction::ANNOTATIONS, [&remark])",
    );
    to.asks(&compact(&annotate(&shopping, &remark).explain()));
    shopping = annotate(&shopping, &remark)
        .returning_new()
        .send(db)
        .await?;
    to.gets(&Some(&shopping));

    to.title(" F  Give a transaction another date");
    to.remark(
        "The document has `txn-abc123` on 13 August, and in its summary on the 1st. Both would be stored \
         side by side: an id is unique on its day only. A date is changed by a move, which is one \
         transaction, also to another month, and fails if someone has annotated it meanwhile.",
    );
    shopping.date = date(2025, 7, 31);
    redate(day, &shopping).send(db).await?;
    let days = (date(2025, 7, 31), date(2025, 8, 1));
    to.code("Transaction::rekey(old_key, &shopping).when(Transaction::ANNOTATIONS.eq(as_loaded))");
    to.gets(&multiple_months(db, (USER, EVERYDAY), days.0, days.1).await?);

    to.title(" G  Rename a tag");
    to.remark(
        "The texts in the transactions are copies, and stay as they are. The ids are what counts; the \
         application has loaded the tags when it started.",
    );
    to.code("Tag::update(user, tag).set(Tag::TEXT, \"Food\")");
    to.asks(&compact(&rename_tag(USER, GROCERIES, "Food").explain()));
    rename_tag(USER, GROCERIES, "Food").send(db).await?;
    let tags = tags_for_user(db, USER).await?;
    let (stored, now) = (&shopping.tags, traps::tag_texts(&shopping, &tags));
    to.gets(&vec![format!(
        "{}: stored {stored:?}, now {now:?}",
        shopping.merchant
    )]);

    to.title(" H  Import the statement of a month: its transactions, and then that it is there");
    to.code("db.batch_write().put_all(&transactions).send()\nupload.put()");
    let (upload, transactions) = sample::statement();
    changes::import(db, &upload, &transactions).await?;
    let (from, until) = (upload.date_range.start, upload.date_range.end);
    let found = single_month(db, (USER, EVERYDAY), from, until).await?;
    to.gets(&vec![
        upload.to_string(),
        format!("{} transactions of {}", found.len(), from.strftime("%Y-%m")),
    ]);
    Ok(())
}

async fn designed(
    to: &mut Account,
    db: &Table<PuteaMatai>,
    title: &str,
    query: &Designed,
) -> Result<()> {
    to.title(title);
    to.asks(&query.to_string());
    to.gets(&query.ask(db).await?);
    Ok(())
}
