//! The law of unique values that expire: each value of a live item is held by it for as long as it lives, and no live item shares it.

use super::unique_ttl::seat;
use super::{Raw, Seat, Venue, db, instant, raw, reap};
use dyna_runtime::{DynaTable as _, Error, Table};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// One write, or a moment in which DynamoDB deletes what has expired.
#[derive(Debug, Clone, Copy)]
struct Step {
    id: u8,
    verb: u8,
    code: u8,
    row: Option<u8>,
    /// Seconds from now.
    lasts: Option<i8>,
    passes: u8,
    is_late: bool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let row = proptest::option::of(0..3_u8);
    let lasts = proptest::option::of(-2..12_i8);
    let values = (
        0..3_u8,
        0..10_u8,
        0..3_u8,
        row,
        lasts,
        0..4_u8,
        any::<bool>(),
    );
    let step = values.prop_map(|(id, verb, code, row, lasts, passes, is_late)| Step {
        id,
        verb,
        code,
        row,
        lasts,
        passes,
        is_late,
    });
    proptest::collection::vec(step, 1..32)
}

fn given(id: u8, step: Step, now: i64) -> Seat {
    Seat {
        row: step.row.map(u64::from),
        ends: step.lasts.map(|lasts| instant(now + i64::from(lasts))),
        ..seat(&id.to_string(), &step.code.to_string(), None)
    }
}

/// A refusal is an outcome; everything else must succeed.
fn allow(sent: Result<(), Error>) {
    if let Err(error) = sent {
        let refused = error.is_condition_failed() || error.is_not_unique();
        assert!(refused, "{error}");
    }
}

async fn make(db: &Table<Venue>, step: Step, now: i64, ago: &mut [Option<Seat>; 3]) {
    let given = self::given(step.id, step, now);
    let stored = Seat::get(given.id.as_str()).send(db).await.unwrap();
    let late = &mut ago[usize::from(step.id)];
    let loaded = if step.is_late {
        std::mem::replace(late, stored)
    } else {
        stored
    };
    let Some(loaded) = loaded else {
        return allow(given.create().or_expired().send(db).await);
    };
    let to = self::given((step.id + 1) % 3, step, now);
    let update = Seat::update_loaded(&loaded);
    allow(match step.verb {
        0 => given.create().send(db).await,
        1 => given.create().or_expired().send(db).await,
        2 => update.set(Seat::CODE, given.code).send(db).await,
        3 => update.set(Seat::ROW, given.row).send(db).await,
        4 => update.set(Seat::ENDS, given.ends).send(db).await,
        5 => {
            let all = update
                .set(Seat::CODE, given.code)
                .set(Seat::ENDS, given.ends);
            db.transact()
                .update(all.set(Seat::ROW, given.row))
                .send()
                .await
        }
        6 => update.set(Seat::NOTE, "n").send(db).await,
        7 => Seat::delete_loaded(&loaded).send(db).await,
        8 => Seat::rekey_loaded(&loaded, &to).send(db).await,
        _ => return collect(db, now, step.code).await,
    });
}

/// DynamoDB deletes one of the items that have expired.
async fn collect(db: &Table<Venue>, now: i64, which: u8) {
    let items = raw(db).await;
    let expired: Vec<_> = items
        .iter()
        .filter(|(_, item)| !is_live(item, now))
        .collect();
    if let Some((pk, _)) = expired.get(usize::from(which) % expired.len().max(1)) {
        reap(db, pk).await;
    }
}

fn is_live(item: &Raw, now: i64) -> bool {
    let ttl = item
        .get("ttl")
        .map(|ttl| ttl.as_n().unwrap().parse::<i64>().unwrap());
    ttl.is_none_or(|ttl| ttl > now)
}

/// What live items have, and what is held, by whom and how long.
async fn assert_held(db: &Table<Venue>, now: i64) {
    let (mut had, mut held) = (BTreeSet::new(), BTreeSet::new());
    let mut count = 0;
    for (pk, item) in raw(db).await {
        if !is_live(&item, now) {
            continue;
        }
        let ttl = item.get("ttl").map(|ttl| ttl.as_n().unwrap().clone());
        if let Some(owner) = item.get("dyna:owner") {
            let owner = owner.as_l().unwrap()[0].as_s().unwrap().clone();
            held.insert((pk, owner, ttl));
            continue;
        }
        let Venue::Seat(seat) = Venue::from_item(item).unwrap() else {
            panic!("{pk}")
        };
        let row = seat.row.map(|row| format!("UNIQUE#Seat#row#{row}"));
        for value in [Some(format!("UNIQUE#Seat#code#{}", seat.code)), row]
            .into_iter()
            .flatten()
        {
            had.insert((value, pk.clone(), ttl.clone()));
            count += 1;
        }
    }
    assert_eq!(held, had);
    let values: BTreeSet<_> = had.iter().map(|(value, ..)| value).collect();
    assert_eq!(values.len(), count, "two live items share a value");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// After any sequence of writes and deletions by DynamoDB, what is held is what live items have.
    #[test]
    fn values_are_held_by_the_live_items_that_have_them(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (db, clock) = db().await;
            let (mut now, mut ago) = (1_000_i64, [None, None, None]);
            for step in steps {
                now += i64::from(step.passes);
                clock.set(now.unsigned_abs());
                make(&db, step, now, &mut ago).await;
                assert_held(&db, now).await;
            }
        });
    }
}
