//! The command line of a model.

use crate::{Account, Answers, Declared, Engine, Result, coverage};
use dyna_cli::Program;
use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

/// A data model that is a program.
pub trait Model {
    /// The name of the program.
    const NAME: &'static str;

    /// Opens the tables, writes the sample data and runs every access pattern, telling what was asked and what came back.
    fn tell(engine: &Engine, to: &mut Account) -> impl Future<Output = Result<()>>;

    /// Opens the tables, writes the same data and answers every access pattern, each with [`Answers::ask`] or [`Answers::page`] and under
    /// the name that the document gives it. The same run on any engine must give the same answers.
    ///
    /// ```text
    /// let db = &engine.open::<Discord>("example").await?;
    /// sample::write(db).await?;
    /// to.ask("Get user by ID", patterns::user_by_id(db, TESTUSER)).await;
    /// ```
    fn answer(engine: &Engine, to: &mut Answers) -> impl Future<Output = Result<()>>;

    /// Answers what only the embedded engine is asked, for the coverage: the streams of a server may be elsewhere.
    fn answer_here(_engine: &Engine, _to: &mut Answers) -> impl Future<Output = Result<()>> {
        std::future::ready(Ok(()))
    }

    /// What the document has, for the coverage: a line for each table with its key, its expiry and its stream, for each entity with the
    /// struct that it became and its attributes, for each index with its key, and for each access pattern.
    ///
    /// ```text
    /// table discord-{stage}: pk sk, ttl = ttl, stream = NEW_AND_OLD_IMAGES
    /// entity Server Membership = Membership: pk sk userId serverId
    /// index gsi1: gsi1pk gsi1sk
    /// pattern Get user by ID
    /// ```
    const DOCUMENT: &'static str = "";

    /// The tables, for the coverage: `vec![Declared::of::<Discord>()]`.
    fn tables() -> Vec<Declared> {
        Vec::new()
    }
}

/// The whole program of a model: does what the command line says.
pub async fn main<M: Model>() -> Result<ExitCode> {
    match run::<M>().await {
        Ok(code) => Ok(code),
        Err(error) => {
            eprintln!("{}: {error}", M::NAME);
            Ok(ExitCode::FAILURE)
        }
    }
}

async fn run<M: Model>() -> Result<ExitCode> {
    let mut arguments = env::args().skip(1);
    let (mut command, mut endpoint) = (None, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--endpoint" => endpoint = Some(arguments.next().ok_or("`--endpoint` needs a URL")?),
            "answers" | "coverage" if command.is_none() => command = Some(argument),
            "help" | "--help" | "-h" => {
                print(&help::<M>())?;
                return Ok(ExitCode::SUCCESS);
            }
            _ => {
                eprintln!("{}", help::<M>());
                return Ok(ExitCode::from(2));
            }
        }
    }
    let engine = match &endpoint {
        Some(url) => Engine::at(url)?,
        None => Engine::embedded()?,
    };
    let text = match command.as_deref() {
        Some("coverage") => coverage::<M>(&engine).await,
        Some(_) => answers::<M>(&engine).await,
        None => account::<M>(&engine).await,
    };
    // Also after a failure, which is what is told then: a server keeps what is left behind.
    let closed = engine.close().await;
    let text = text?;
    closed?;
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a text. Whoever has read enough of it may close the pipe.
fn print(text: &str) -> Result<()> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// The schema of a model: what its program does after `schema`. With `--endpoint <url>` it reaches a server.
pub async fn schema(
    mut program: Program,
    arguments: impl Iterator<Item = String>,
) -> Result<ExitCode> {
    let mut arguments: Vec<String> = arguments.collect();
    if let Some(at) = arguments.iter().position(|word| word == "--endpoint") {
        let mut endpoint = arguments.drain(at..arguments.len().min(at + 2));
        let url = endpoint.nth(1).ok_or("`--endpoint` needs a URL")?;
        let client = Engine::at(&url)?.client().clone();
        program = program.client(move || std::future::ready(client));
    }
    Ok(program.run(arguments).await)
}

async fn account<M: Model>(engine: &Engine) -> Result<String> {
    let mut account = Account::default();
    M::tell(engine, &mut account).await?;
    Ok(account.to_string())
}

/// One answer on each line, as JSON.
async fn answers<M: Model>(engine: &Engine) -> Result<String> {
    let mut answers = Answers::after(engine.lag());
    M::answer(engine, &mut answers).await?;
    let tables = engine.verified().into_vec();
    let lines: Vec<_> = tables
        .iter()
        .chain(&answers.into_vec())
        .map(serde_json::to_string)
        .collect::<serde_json::Result<_>>()?;
    Ok(lines.join("\n"))
}

/// What of the document is in the code, in Markdown.
async fn coverage<M: Model>(engine: &Engine) -> Result<String> {
    let mut answers = Answers::after(engine.lag());
    M::answer(engine, &mut answers).await?;
    M::answer_here(engine, &mut answers).await?;
    coverage::section(M::NAME, M::DOCUMENT, &M::tables(), &answers.into_vec())
}

fn help<M: Model>() -> String {
    let name = M::NAME;
    format!(
        "{name}                  every access pattern on the embedded engine, and what it gets
{name} --endpoint URL   the same on a server; its tables are made, and deleted at the end
{name} answers          only the answers, as JSON, to be compared between engines
{name} coverage         what of its document is in the code, in Markdown
{name} schema           the schema in every form: see `{name} schema --help`"
    )
}
