//! Writes of entities whose index keys are more than their fields side by side.

use super::super::model::decided::{Alarm, Job, Ticket, alarm, job, ticket};
use super::super::model::{Law, text};
use super::{Step, allow, send, start};
use dyna_runtime::Table;

pub(super) async fn write_ticket(db: &Table<Law>, step: Step, ago: &mut Ticket) {
    let Step { a, b, .. } = step;
    let (buyer, day) = (text("buyer", a), u16::from(b));
    let gate = (a > 1).then(|| text("gate", a));
    let now = Ticket::get("t").send(db).await.unwrap();
    let update = Ticket::update("t");
    let of = start(step, now, ago, |ticket| {
        (ticket.day, ticket.gate) = (day, gate.clone());
    });
    let loaded = Ticket::update_loaded(&of);
    let whole = Ticket {
        buyer: buyer.clone(),
        day,
        gate: gate.clone(),
        ..ticket()
    };
    match step.verb {
        0..3 => {
            let update = update.set_by_buyer_and_by_day(buyer, day, gate);
            send(db, step, update).await;
        }
        3..5 => send(db, step, loaded.set(Ticket::GATE, gate)).await,
        5 => send(db, step, update.add(Ticket::SEEN, 1)).await,
        6 => allow(whole.put().send(db).await),
        7 => allow(of.replace().send(db).await),
        8 => allow(Ticket::delete("t").send(db).await),
        _ => {
            let upsert = Ticket::upsert("t").set(Ticket::SEEN, 2);
            let upsert = upsert.set_by_buyer_and_by_day(buyer, day, gate);
            send(db, step, upsert).await;
        }
    }
}

pub(super) async fn write_job(db: &Table<Law>, step: Step, ago: &mut Job) {
    let Step { a, b, .. } = step;
    let (owner, level, is_running) = (text("owner", a), b, a % 2 == 0);
    let class = (a > 1).then(|| text("class", a));
    let now = Job::get("j").send(db).await.unwrap();
    let update = Job::update("j");
    let of = start(step, now, ago, |job| {
        (job.is_running, job.class) = (is_running, class.clone());
    });
    let loaded = Job::update_loaded(&of);
    let whole = Job {
        owner: owner.clone(),
        level,
        is_running,
        class: class.clone(),
        ..job()
    };
    match step.verb {
        0 | 1 => {
            let update = update.set_running_and_by_level(owner, level, is_running, class);
            send(db, step, update.add(Job::SEEN, 1)).await;
        }
        2 => send(db, step, loaded.set(Job::IS_RUNNING, is_running)).await,
        3 => send(db, step, loaded.set(Job::CLASS, class)).await,
        4 => send(db, step, loaded.set(Job::LEVEL, level)).await,
        5 => {
            let update = loaded.set(Job::OWNER, owner);
            send(db, step, update.set(Job::IS_RUNNING, is_running)).await;
        }
        6 => allow(whole.put().send(db).await),
        7 => allow(Job::delete_loaded(&of).send(db).await),
        8 => allow(db.batch_write().put(&whole).send().await),
        _ => {
            let upsert = Job::upsert("j").set(Job::SEEN, 2);
            let upsert = upsert.set_running_and_by_level(owner, level, is_running, class);
            send(db, step, upsert).await;
        }
    }
}

pub(super) async fn write_alarm(db: &Table<Law>, step: Step, ago: &mut Alarm) {
    let Step { a, b, .. } = step;
    let (room, muted) = (text("room", a), (b > 1).then(|| text("by", b)));
    let now = Alarm::get("a").send(db).await.unwrap();
    let of = start(step, now, ago, |alarm| {
        (alarm.volume, alarm.muted) = (a, muted.clone());
    });
    let loaded = Alarm::update_loaded(&of);
    let whole = Alarm {
        room: room.clone(),
        volume: b,
        muted: muted.clone(),
        ..alarm()
    };
    match step.verb {
        0..3 => send(db, step, loaded.set(Alarm::MUTED, muted)).await,
        3..5 => send(db, step, loaded.set(Alarm::VOLUME, b)).await,
        5 => send(db, step, loaded.set(Alarm::ROOM, room)).await,
        6 => {
            let update = loaded.set(Alarm::VOLUME, a).set(Alarm::MUTED, muted);
            send(db, step, update).await;
        }
        7 => allow(of.put().send(db).await),
        8 => allow(Alarm::delete("a").send(db).await),
        _ => allow(whole.put().send(db).await),
    }
}
