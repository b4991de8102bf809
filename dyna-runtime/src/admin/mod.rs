//! Creating tables as they are declared, comparing them with DynamoDB, and adding what they lack.
//!
//! [`Table`](crate::Table) has the same as methods: `db.create_table()`. The functions here are for tools that know a table by its
//! [schema](crate::schema::TableSchema) and its name alone:
//!
//! ```
//! use dyna_runtime::admin;
//! use dyna_runtime::schema::Schema;
//! # use dyna_runtime::{DynaEntity, DynaTable};
//! # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
//! # #[dyna(table(name = "users-{stage}", pk = "pk"), pk = "USER#<id>")]
//! # struct User { id: String }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> dyna_runtime::Result<()> {
//! # let client = dyna_runtime::embedded::Embedded::in_memory()?.client();
//! admin::create_table(&client, User::SCHEMA, "users-test").await?;
//! assert!(admin::differences(&client, User::SCHEMA, "users-test").await?.is_empty());
//! # Ok(()) }
//! ```

mod create;
mod describe;
#[cfg(feature = "embedded")]
mod embedded;
mod live;
mod sdk;
mod verify;
mod wait;

#[cfg(feature = "simulate")]
pub(crate) use create::create_or_verify;
pub use create::{add_missing_indexes, create_table, enable_missing_settings};
pub use verify::differences;
