//! What the entities that a table lists cost: a page of a hundred items of all of them, or of one.

use super::{DYNA, SERDE_DYNAMO};
use crate::answers::page;
use crate::caller::Caller;
use crate::sdk::{query_items, scan_items};
use crate::work::{Contestant, Work};
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

const ITEMS: u32 = 100;

/// A table of entities that differ in their names and in how their sort keys begin. Without Dyna, an enum with a tag reads them.
macro_rules! table {
    ($first:ident $first_sk:literal $($entity:ident $sk:literal)*) => {
        use super::*;

        #[derive(Serialize, Deserialize, DynaTable)]
        #[dyna(name = "chat", pk = "pk", sk = "sk", tag = "entity_type")]
        #[serde(tag = "entity_type")]
        enum Table {
            $first($first),
            $($entity($entity)),*
        }

        table!(@entity $first $first_sk);
        $(table!(@entity $entity $sk);)*

        pub(super) fn scan() -> [Contestant; 2] {
            let entities = [$first::nth, $($entity::nth),*];
            let items = entities.iter().cycle().zip(0..ITEMS).map(|(nth, n)| nth(n).to_item());
            let caller = Caller::new(page(items.map(|item| item.expect("right keys"))));
            let (db, client) = (Table::open(caller.client.clone()), caller.client.clone());
            let ours = caller.clone().reading(DYNA, async move || {
                Table::scan().send(&db).await.expect("the answer is right").items
            });
            let read = |item| serde_dynamo::from_item::<_, Table>(item).expect("it was written");
            let theirs = async move || scan_items(&client, read).await;
            [ours, caller.reading(SERDE_DYNAMO, theirs)]
        }

        pub(super) fn query() -> [Contestant; 2] {
            let items = (0..ITEMS).map(|n| $first::nth(n).to_item().expect("right keys"));
            let caller = Caller::new(page(items));
            let (db, client) = (Table::open(caller.client.clone()), caller.client.clone());
            let ours = caller.clone().reading(DYNA, async move || {
                $first::query("general").send(&db).await.expect("the answer is right").items
            });
            let read = |item| serde_dynamo::from_item::<_, $first>(item).expect("it was written");
            let theirs = async move || query_items(&client, "OF#general", "E01#", read).await;
            [ours, caller.reading(SERDE_DYNAMO, theirs)]
        }
    };
    (@entity $entity:ident $sk:literal) => {
        #[derive(Serialize, Deserialize, DynaEntity)]
        #[dyna(table = Table, pk = "OF#<of>", sk = $sk)]
        struct $entity {
            of: String,
            at: u32,
            text: String,
        }

        impl $entity {
            fn nth(at: u32) -> Table {
                let (of, text) = ("general".to_owned(), format!("The text of the item {at}"));
                Table::$entity(Self { of, at, text })
            }
        }
    };
}

mod two {
    table! { E01 "E01#<at:08>" E02 "E02#<at:08>" }
}

mod eight {
    table! {
        E01 "E01#<at:08>" E02 "E02#<at:08>" E03 "E03#<at:08>" E04 "E04#<at:08>"
        E05 "E05#<at:08>" E06 "E06#<at:08>" E07 "E07#<at:08>" E08 "E08#<at:08>"
    }
}

mod thirty_two {
    table! {
        E01 "E01#<at:08>" E02 "E02#<at:08>" E03 "E03#<at:08>" E04 "E04#<at:08>"
        E05 "E05#<at:08>" E06 "E06#<at:08>" E07 "E07#<at:08>" E08 "E08#<at:08>"
        E09 "E09#<at:08>" E10 "E10#<at:08>" E11 "E11#<at:08>" E12 "E12#<at:08>"
        E13 "E13#<at:08>" E14 "E14#<at:08>" E15 "E15#<at:08>" E16 "E16#<at:08>"
        E17 "E17#<at:08>" E18 "E18#<at:08>" E19 "E19#<at:08>" E20 "E20#<at:08>"
        E21 "E21#<at:08>" E22 "E22#<at:08>" E23 "E23#<at:08>" E24 "E24#<at:08>"
        E25 "E25#<at:08>" E26 "E26#<at:08>" E27 "E27#<at:08>" E28 "E28#<at:08>"
        E29 "E29#<at:08>" E30 "E30#<at:08>" E31 "E31#<at:08>" E32 "E32#<at:08>"
    }
}

pub(super) fn works() -> Vec<Work> {
    vec![
        Work::new("scan/2-entities", two::scan),
        Work::new("scan/8-entities", eight::scan),
        Work::new("scan/32-entities", thirty_two::scan),
        Work::new("query/2-entities", two::query),
        Work::new("query/8-entities", eight::query),
        Work::new("query/32-entities", thirty_two::query),
    ]
}
