//! What the example programs share: their command line, the engines they run on, the account they give and the answers that are
//! compared between engines.
//!
//! A program is a [`Model`] and one line:
//!
//! ```no_run
//! # struct Shop;
//! # impl dyna_examples::Model for Shop {
//! #     const NAME: &'static str = "shop";
//! #     async fn tell(_: &dyna_examples::Engine, _: &mut dyna_examples::Account) -> dyna_examples::Result<()> { Ok(()) }
//! #     async fn answer(_: &dyna_examples::Engine, _: &mut dyna_examples::Answers) -> dyna_examples::Result<()> { Ok(()) }
//! # }
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> dyna_examples::Result<std::process::ExitCode> {
//!     dyna_examples::main::<Shop>().await
//! }
//! ```

mod account;
mod answers;
mod contents;
mod coverage;
mod document;
mod engine;
mod http;
mod program;
mod programs;
mod time;

pub use account::{Account, COLUMNS, Show, compact, filled};
pub use answers::{Answer, Answers};
pub use contents::{Contents, contents};
pub use coverage::Declared;
pub use document::{Designed, item, stored, written_back};
pub use engine::Engine;
pub use program::{Model, main, schema};
pub use programs::{MODELS, printed};
pub use time::Time;

/// What a program returns: an error of Dyna, or one of its own in plain words.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
