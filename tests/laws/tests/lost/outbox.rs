//! The outbox of `dyna_runtime::guide::outbox`, under faults and crashes.

use super::faults::{Fault, Faults};
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Mutex;

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "outbox",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    index(outbox, pk = "outboxPk", sk = "outboxSk")
)]
enum Shop {
    Order(Order),
    Event(Event),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Shop, pk = "ORDER#<id>", sk = "ORDER")]
struct Order {
    id: String,
    status: u32,
    #[dyna(version)]
    version: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    pk = "ORDER#<order_id>",
    sk = "EVENT#<sequence:020>",
    outbox(as = to_send, pk = "<state>", sk = "<order_id>#<sequence:020>"),
)]
struct Event {
    order_id: String,
    sequence: u64,
    status: u32,
    state: Option<String>,
}

fn event(order: &Order, sequence: u64, status: u32) -> Event {
    Event {
        order_id: order.id.clone(),
        sequence,
        status,
        state: Some("pending".to_owned()),
    }
}

/// Adds to an order, and stores the event that tells of it.
async fn add_one(db: &Table<Shop>, id: &str) -> Result<(), Error> {
    loop {
        let order = Order::get(id).consistent().send(db).await?.unwrap();
        let status = order.status + 1;
        let event = event(&order, order.version + 1, status);
        let change = Order::update_loaded(&order).set(Order::STATUS, status);
        match db.transact().update(change).create(&event).send().await {
            Err(error) if error.is_version_conflict() => {}
            sent => return sent,
        }
    }
}

/// Sends what is to be sent. Stops, as in a crash, where `send` says so.
async fn relay(db: &Table<Shop>, mut send: impl FnMut(&Event) -> bool) -> Result<(), Error> {
    let pending = Event::to_send("pending").all(db).await?;
    let mut orders: Vec<String> = pending.into_iter().map(|event| event.order_id).collect();
    orders.dedup();
    for order in orders {
        let events = Event::query(order).consistent();
        for event in events.filter(Event::STATE.exists()).all(db).await? {
            if !send(&event) {
                return Ok(());
            }
            let done = Event::update_loaded(&event).set(Event::STATE, None);
            done.once().send(db).await?;
        }
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn every_write_is_published_at_least_once_and_in_order() {
    for seed in 0..6 {
        let rng = Mutex::new(fastrand::Rng::with_seed(seed));
        let lost = [
            Fault::AppliedThenReset,
            Fault::AppliedThen500,
            Fault::Reset,
            Fault::Throttled,
        ];
        let (server, db) = Faults::planned::<Shop>(move |_, _| {
            let mut rng = rng.lock().unwrap();
            match rng.u8(..5) {
                0 => *rng.choice(&lost).unwrap(),
                _ => Fault::None,
            }
        })
        .await;
        let direct = server.direct::<Shop>();
        for id in ["a", "b"] {
            let order = Order {
                id: id.to_owned(),
                status: 0,
                version: 0,
            };
            let first = direct.transact().create(&order);
            first.create(&event(&order, 1, 0)).send().await.unwrap();
        }
        let mut writers = tokio::task::JoinSet::new();
        for writer in 0..4 {
            let db = db.clone();
            writers.spawn(async move {
                let id = if writer % 2 == 0 { "a" } else { "b" };
                let mut acknowledged = 0;
                for _ in 0..25 {
                    acknowledged += u32::from(add_one(&db, id).await.is_ok());
                }
                (id, acknowledged)
            });
        }
        // The receiver, and a relay that crashes after every seventh event, before it notes that it sent it.
        let received = Mutex::new(BTreeMap::<String, Vec<(u64, u32)>>::new());
        let mut count = 0;
        let mut send = |event: &Event| {
            let mut received = received.lock().unwrap();
            let of_order = received.entry(event.order_id.clone()).or_default();
            // A repeat has no number above the last.
            match of_order.last() {
                Some((highest, _)) if event.sequence <= *highest => {}
                _ => of_order.push((event.sequence, event.status)),
            }
            count += 1;
            count % 7 != 0
        };
        for _ in 0..10 {
            // What fails is sent by the next one.
            let _ = relay(&db, &mut send).await;
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let written = writers.join_all().await;
        while !Event::to_send("pending")
            .all(&direct)
            .await
            .unwrap()
            .is_empty()
        {
            let _ = relay(&db, &mut send).await;
        }
        for id in ["a", "b"] {
            let order = Order::get(id).send(&direct).await.unwrap().unwrap();
            let acknowledged = written.iter().filter(|(of, _)| *of == id);
            let acknowledged: u32 = acknowledged.map(|(_, count)| count).sum();
            assert!(order.status >= acknowledged, "seed {seed}");
            let told = &received.lock().unwrap()[id];
            let all = (0..=order.status).map(|n| (u64::from(n) + 1, n));
            assert_eq!(*told, all.collect::<Vec<_>>(), "seed {seed}");
        }
    }
}
