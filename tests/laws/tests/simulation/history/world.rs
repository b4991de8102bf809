//! The table that the programs run on: a plain entity with an index, one with a version, one with a unique value that expires, and records
//! of operations that run once.

use dyna_runtime::request::{OnceRecord, OnceState};
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "world",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    ttl = "expires",
    index(groups, pk = "gpk", sk = "gsk")
)]
pub(crate) enum World {
    Note(Note),
    Page(Page),
    Account(Account),
    Job(Job),
}

/// `by` is the number of the operation that wrote an item last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = World,
    pk = "NOTE#<id>",
    sk = "NOTE",
    groups(as = by_group, pk = "GROUP#<group>", sk = "<rank:03>#<id>"),
)]
pub(crate) struct Note {
    pub(crate) id: String,
    pub(crate) group: String,
    pub(crate) rank: u32,
    pub(crate) by: u64,
    pub(crate) count: u64,
    pub(crate) log: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = World, pk = "PAGE#<id>", sk = "PAGE")]
pub(crate) struct Page {
    pub(crate) id: String,
    pub(crate) by: u64,
    #[dyna(version)]
    pub(crate) version: u64,
    #[dyna(updated_at)]
    pub(crate) updated: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = World, pk = "ACCOUNT#<id>", sk = "ACCOUNT")]
pub(crate) struct Account {
    pub(crate) id: String,
    pub(crate) by: u64,
    #[dyna(unique)]
    pub(crate) mail: String,
    #[dyna(ttl)]
    pub(crate) expires: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = World, pk = "JOB#<id>", sk = "JOB")]
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) holder: Option<String>,
    pub(crate) output: Option<u64>,
    #[dyna(ttl)]
    pub(crate) expires: u64,
}

impl OnceRecord for Job {
    type Output = u64;

    fn state(&self) -> OnceState<u64> {
        match (self.output, &self.holder) {
            (Some(output), _) => OnceState::Done(output),
            (None, holder) => OnceState::Running {
                holder: holder.clone().unwrap_or_default(),
            },
        }
    }

    fn set_state(&mut self, state: OnceState<u64>, expires: SystemTime) {
        (self.holder, self.output) = match state {
            OnceState::Running { holder } => (Some(holder), None),
            OnceState::Done(output) => (None, Some(output)),
        };
        self.expires = expires.duration_since(UNIX_EPOCH).unwrap().as_secs();
    }
}

/// The same items, declared wrongly: without the unique value and without the index.
pub(crate) mod bare {
    use dyna_runtime::{DynaEntity, DynaTable};
    use serde::{Deserialize, Serialize};

    #[derive(Debug, DynaTable)]
    #[dyna(
        name = "world",
        pk = "pk",
        sk = "sk",
        tag = "kind",
        ttl = "expires",
        index(groups, pk = "gpk", sk = "gsk")
    )]
    pub(crate) enum World {
        Note(Note),
        Account(Account),
    }

    #[derive(Debug, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = World, pk = "NOTE#<id>", sk = "NOTE")]
    pub(crate) struct Note {
        pub(crate) id: String,
        pub(crate) group: String,
        pub(crate) rank: u32,
        pub(crate) by: u64,
    }

    #[derive(Debug, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = World, pk = "ACCOUNT#<id>", sk = "ACCOUNT")]
    pub(crate) struct Account {
        pub(crate) id: String,
        pub(crate) by: u64,
        pub(crate) mail: String,
        #[dyna(ttl)]
        pub(crate) expires: u64,
    }
}
