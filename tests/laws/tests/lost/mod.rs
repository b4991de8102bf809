//! Writes whose responses are lost: what was acknowledged is stored once, and what may be stored is not called failed.

mod docs;
pub(crate) mod faults;
mod intercepted;
mod limits;
mod once;
mod operations;
mod outbox;
mod rows;
mod table;

use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "lost", pk = "pk", tag = "kind", ttl = "ttl")]
enum Lost {
    Counter(Counter),
    Page(Page),
    Account(Account),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Lost, pk = "COUNTER#<id>")]
struct Counter {
    id: String,
    count: u64,
    log: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Lost, pk = "PAGE#<id>")]
struct Page {
    id: String,
    text: String,
    #[dyna(version)]
    version: u64,
    #[dyna(created_at)]
    created: u64,
    #[dyna(updated_at)]
    updated: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Lost, pk = "ACCOUNT#<id>")]
struct Account {
    id: String,
    #[dyna(unique)]
    email: String,
    #[dyna(ttl)]
    ends: u64,
}

fn counter(id: &str) -> Counter {
    Counter {
        id: id.to_owned(),
        count: 0,
        log: Vec::new(),
    }
}

fn page(id: &str, text: &str) -> Page {
    Page {
        id: id.to_owned(),
        text: text.to_owned(),
        version: 0,
        created: 0,
        updated: 0,
    }
}

fn account(id: &str) -> Account {
    Account {
        id: id.to_owned(),
        email: format!("{id}@example.com"),
        ends: 4_000_000_000,
    }
}
