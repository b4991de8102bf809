//! dynoxide in memory, on a port of this machine: `dyna-conformance-server 8000`.

use dynoxide::{Database, server};
use std::error::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let port = std::env::args().nth(1).ok_or("the port is missing")?;
    let database = Database::memory()?;
    Ok(server::start("127.0.0.1", port.parse()?, database).await?)
}
