use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "type", rename_all = "snake_case")]
#[dyna(
    table(name = "orders", pk = "pk", sk = "sk"),
    pk = "ORDER#<order_id>",
    sk = "EVT#<seq:010>"
)]
pub enum Event {
    Placed {
        order_id: String,
        seq: u32,
        by: String,
        items: Vec<String>,
    },
    Shipped {
        order_id: String,
        seq: u32,
        by: String,
        carrier: Option<String>,
    },
    Cancelled {
        order_id: String,
        seq: u32,
        by: String,
    },
}

pub async fn shipped(db: &Table<Event>) -> dyna_runtime::Result<Vec<Event>> {
    let events = Event::query("o-1").seq_range(1..);
    let shipped = Event::TYPE.eq("shipped").and(Event::BY.eq("ann"));
    events.filter(shipped).all(db).await
}
