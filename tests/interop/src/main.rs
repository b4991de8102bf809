//! Dyna's part of `tests/interop/run`: `interop COMMAND LIBRARY URL`.

use dyna_examples::Engine;
use dyna_interop::{
    CHANGED, Model, RoundTrip, State, WRITTEN, at, boto3, contents, differences, electrodb,
    onetable, round_trip, to_json, toolbox,
};
use dyna_runtime::Table;
use std::error::Error;
use std::net::TcpListener;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;
use std::{env, fs};

const USAGE: &str = "interop COMMAND LIBRARY URL

create      creates two tables, LIBRARY-dyna and LIBRARY-library, which the library then fills alike
items       compares LIBRARY-library with the file of items; with DYNA_INTEROP_SAVE it writes the file
use         reads the items of LIBRARY-dyna, writes them back, changes some and creates others
compare     compares the two tables, and LIBRARY-library with the file, after the library has done the same";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["port"] => return free_port(),
        ["wait", url] => return wait_for(url).await,
        _ => {}
    }
    let [command, library, url] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    match library.as_str() {
        "boto3" => run::<boto3::Ledger>(command, url).await,
        "electrodb" => run::<electrodb::Shop>(command, url).await,
        "onetable" => run::<onetable::Team>(command, url).await,
        "toolbox" => run::<toolbox::Catalog>(command, url).await,
        library => Err(format!("no model for {library}\n\n{USAGE}").into()),
    }
}

async fn run<M: Model>(command: &str, url: &str) -> Result<ExitCode, Box<dyn Error>> {
    let engine = Engine::at(url)?;
    let open = |copy| Table::<M>::open(engine.client().clone()).with_variable("copy", copy);
    let (ours, theirs) = (open("dyna"), open("library"));
    match command {
        "create" => {
            ours.create_table().await?;
            theirs.create_table().await?;
            Ok(ExitCode::SUCCESS)
        }
        "items" => file::<M>("written", &theirs).await,
        "use" => {
            let found = round_trip(&at(ours.clone(), WRITTEN)).await?;
            M::change(&at(ours, CHANGED)).await?;
            Ok(tell::<M>("identical after a round trip", &found))
        }
        "compare" => {
            let found = differences::<M>(
                State::Changed,
                &contents(&theirs).await?,
                &contents(&ours).await?,
            );
            let same = tell::<M>("identical after the same changes", &found);
            let file = file::<M>("changed", &theirs).await?;
            Ok(if file == ExitCode::SUCCESS {
                same
            } else {
                file
            })
        }
        command => Err(format!("no command {command}\n\n{USAGE}").into()),
    }
}

/// Prints a port that nobody uses.
fn free_port() -> Result<ExitCode, Box<dyn Error>> {
    println!("{}", TcpListener::bind("127.0.0.1:0")?.local_addr()?.port());
    Ok(ExitCode::SUCCESS)
}

/// Waits until a server answers.
async fn wait_for(url: &str) -> Result<ExitCode, Box<dyn Error>> {
    let client = Engine::at(url)?.client().clone();
    for _ in 0..100 {
        if client.list_tables().send().await.is_ok() {
            return Ok(ExitCode::SUCCESS);
        }
        thread::sleep(Duration::from_millis(100));
    }
    Err(format!("no server answers at {url}").into())
}

/// What was found, in lines.
fn tell<M: Model>(what: &str, found: &RoundTrip) -> ExitCode {
    println!(
        "{}: {} of {} items {what}",
        M::LIBRARY,
        found.identical,
        found.items
    );
    for (reason, items) in &found.known {
        println!("  {items} not: {reason}");
    }
    for difference in &found.unknown {
        println!("  NOT KNOWN: {difference}");
    }
    if found.unknown.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Compares the items of a table with those that the tests have of it.
async fn file<M: Model>(state: &str, db: &Table<M>) -> Result<ExitCode, Box<dyn Error>> {
    let library = M::LIBRARY;
    let path = format!(
        "{}/items/{library}.{state}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let items = to_json(&contents(db).await?);
    if env::var_os("DYNA_INTEROP_SAVE").is_some() {
        fs::write(&path, &items)?;
    }
    if fs::read_to_string(&path).is_ok_and(|saved| saved == items) {
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "{library}: items/{library}.{state}.json is not what the library writes; renew it with DYNA_INTEROP_SAVE=1"
    );
    Ok(ExitCode::FAILURE)
}
