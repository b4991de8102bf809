//! The same tests with a client that carries an interceptor, so that all items travel in the SDK's maps.

#![allow(
    clippy::duplicate_mod,
    reason = "the tests are the same, on another client"
)]

mod faults;
#[path = "../once.rs"]
mod once;
#[path = "../operations.rs"]
mod operations;
#[path = "../rows.rs"]
mod rows;
#[path = "../table.rs"]
mod table;

use super::{Account, Counter, Lost, Page, account, counter, page};
