//! Random writes: by key and of items that were loaded just now, long ago, or changed by hand.

mod decided;
mod plain;

use super::model::decided::{Alarm, Job, Ticket, alarm, job, ticket};
use super::model::{
    Account, Card, Doc, Event, Law, Mail, Match, Player, Point, Status, account, at, card, doc,
    event, game, mail, player, text,
};
use dyna_runtime::request::HasEntity;
use dyna_runtime::request::returning::Nothing;
use dyna_runtime::{DynaEntity, Error, Table, Update};
use proptest::prelude::*;

/// One write: of which entity, which verb, with which values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    entity: u8,
    verb: u8,
    a: u8,
    b: u8,
    from: From,
    /// Sent in a transaction.
    together: bool,
}

/// Which item an update starts from.
#[derive(Debug, Clone, Copy)]
enum From {
    Now,
    LongAgo,
    /// The item as it is, but for what the caller made of it.
    Altered,
}

pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let from = prop_oneof![Just(From::Now), Just(From::LongAgo), Just(From::Altered)];
    let values = (0..10_u8, 0..10_u8, 0..4_u8, 0..4_u8, from, any::<bool>());
    let step = values.prop_map(|(entity, verb, a, b, from, together)| Step {
        entity,
        verb,
        a,
        b,
        from,
        together,
    });
    proptest::collection::vec(step, 1..32)
}

/// What was loaded some steps ago.
pub(super) struct Loaded {
    doc: Doc,
    game: Match,
    mail: Mail,
    event: Event,
    account: Account,
    player: Player,
    card: Card,
    ticket: Ticket,
    job: Job,
    alarm: Alarm,
}

impl Loaded {
    /// Creates one item of each.
    pub(super) async fn new(db: &Table<Law>) -> Self {
        let (doc, game, mail, event) = (doc(0), game(), mail(false), event(1));
        doc.create().send(db).await.unwrap();
        game.create().send(db).await.unwrap();
        mail.create().send(db).await.unwrap();
        event.create().send(db).await.unwrap();
        let (player, card) = (player(), card());
        player.create().send(db).await.unwrap();
        card.create().send(db).await.unwrap();
        let (ticket, job, alarm) = (ticket(), job(), alarm());
        ticket.create().send(db).await.unwrap();
        job.create().send(db).await.unwrap();
        alarm.create().send(db).await.unwrap();
        let account = account().create().returning_new().send(db).await.unwrap();
        Self {
            doc,
            game,
            mail,
            event,
            account,
            player,
            card,
            ticket,
            job,
            alarm,
        }
    }
}

/// A condition that fails is an outcome; everything else must succeed.
fn allow<T>(sent: Result<T, Error>) {
    if let Err(error) = sent {
        let is_refused = error.is_condition_failed() || error.is_version_conflict();
        assert!(is_refused, "{error}");
    }
}

async fn send<E: DynaEntity, M>(db: &Table<Law>, step: Step, update: Update<E, Nothing, M>)
where
    Law: HasEntity<E>,
{
    allow(if step.together {
        db.transact().update(update).send().await
    } else {
        update.send(db).await
    });
}

/// The item to start from, and what is remembered instead.
fn start<E: Clone>(step: Step, now: Option<E>, ago: &mut E, alter: impl Fn(&mut E)) -> E {
    let mut now = now.unwrap_or_else(|| ago.clone());
    match step.from {
        From::Now => now,
        From::LongAgo => std::mem::replace(ago, now),
        From::Altered => {
            alter(&mut now);
            now
        }
    }
}

pub(super) async fn make(db: &Table<Law>, step: Step, loaded: &mut Loaded) {
    match step.entity {
        0 => write_doc(db, step, &mut loaded.doc).await,
        1 => write_match(db, step, &mut loaded.game).await,
        2 => write_mail(db, step, &mut loaded.mail).await,
        3 => write_event(db, step, &mut loaded.event).await,
        4 => write_account(db, step, &mut loaded.account).await,
        5 => plain::write_player(db, step, &mut loaded.player).await,
        6 => plain::write_card(db, step, &mut loaded.card).await,
        7 => decided::write_ticket(db, step, &mut loaded.ticket).await,
        8 => decided::write_job(db, step, &mut loaded.job).await,
        _ => decided::write_alarm(db, step, &mut loaded.alarm).await,
    }
}

async fn write_doc(db: &Table<Law>, step: Step, ago: &mut Doc) {
    let Step { a, b, .. } = step;
    let status = [None, Some(Status::Open), Some(Status::Done), None][usize::from(a)];
    let due = (b > 0).then(|| text("due", b));
    let point = Point {
        x: a.into(),
        y: b.into(),
    };
    let id = || ago.id.clone();
    let now = Doc::get(id()).send(db).await.unwrap();
    let update = Doc::update(id());
    let whole = Doc {
        id: id(),
        status,
        due: due.clone(),
        point,
        seen: 1,
    };
    if step.verb == 0 {
        let to = doc(a % 2);
        let moved = Doc::rekey(Doc::key(id()), &to);
        if moved.send(db).await.is_ok() {
            *ago = to;
        }
        return;
    }
    let of = start(step, now, ago, |doc| {
        (doc.status, doc.due) = (status, due.clone());
    });
    let of = Doc::update_loaded(&of);
    match step.verb {
        1 => send(db, step, update.set_by_status(status)).await,
        2 => send(db, step, update.set_by_due_and_by_point(due, point)).await,
        3 => send(db, step, of.set(Doc::STATUS, status)).await,
        4 => send(db, step, of.set(Doc::DUE, due)).await,
        5 => send(db, step, of.set(Doc::POINT.field(Point::X), point.x)).await,
        6 => send(db, step, of.set(Doc::POINT, point).set(Doc::STATUS, status)).await,
        7 => send(db, step, update.add(Doc::SEEN, 1).set_by_status(status)).await,
        8 => allow(whole.put().send(db).await),
        _ => {
            let upsert = Doc::upsert(ago.id.clone())
                .set(Doc::SEEN, 0)
                .set_by_status(status);
            send(db, step, upsert.set_by_due_and_by_point(due, point)).await;
        }
    }
}

async fn write_match(db: &Table<Law>, step: Step, ago: &mut Match) {
    let Step { a, b, .. } = step;
    let region = (b > 0).then(|| text("region", b));
    let (cup, round, day) = (text("cup", a), i32::from(a) - 2, u16::from(b));
    let now = Match::get("m").send(db).await.unwrap();
    let update = Match::update("m");
    let whole = Match {
        cup: cup.clone(),
        region: region.clone(),
        round,
        day,
        ..game()
    };
    let of = start(step, now, ago, |game| {
        (game.region, game.day) = (region.clone(), day);
    });
    let of = Match::update_loaded(&of);
    match step.verb {
        0 | 1 => send(db, step, update.set_rounds(cup, region, round, day)).await,
        2 | 3 => send(db, step, of.set(Match::REGION, region)).await,
        4 => send(db, step, of.set(Match::DAY, day)).await,
        5 => send(db, step, of.set(Match::ROUND, round).set(Match::CUP, cup)).await,
        6 => allow(Match::delete("m").send(db).await),
        7 => allow(whole.create().send(db).await),
        8 => allow(db.batch_write().put(&whole).send().await),
        _ => {
            let upsert = Match::upsert("m").set_rounds(cup, region, round, day);
            send(db, step, upsert).await;
        }
    }
}

async fn write_mail(db: &Table<Law>, step: Step, ago: &mut Mail) {
    let Step { a, b, .. } = step;
    let now = Mail::get("ANN").send(db).await.unwrap();
    let other = Mail {
        rank: a,
        ..mail(b % 2 == 0)
    };
    let of = start(step, now, ago, |mail| {
        mail.address.clone_from(&other.address);
    });
    match step.verb {
        0..4 => send(db, step, Mail::update_loaded(&of).set(Mail::RANK, a)).await,
        4..8 => {
            let update = Mail::update("Ann").set_by_rank(a, &other.address);
            send(db, step, update).await;
        }
        _ => allow(other.put().send(db).await),
    }
}

async fn write_event(db: &Table<Law>, step: Step, ago: &mut Event) {
    let Step { a, b, .. } = step;
    let now = Event::get("e", at(0)).send(db).await.unwrap();
    let room = text("room", a);
    let of = start(step, now, ago, |event| event.at = at(b));
    match step.verb {
        0..3 => send(db, step, Event::update_loaded(&of).set(Event::ROOM, room)).await,
        3..6 => send(db, step, Event::update("e", at(b)).set_by_room(room)).await,
        6 => send(db, step, Event::upsert("e", at(b)).set_by_room(room)).await,
        7 => allow(Event::delete_loaded(&of).send(db).await),
        _ => allow(event(b).put().send(db).await),
    }
}

async fn write_account(db: &Table<Law>, step: Step, ago: &mut Account) {
    let Step { a, b, .. } = step;
    let now = Account::get("a").send(db).await.unwrap();
    let (owner, plan) = (text("owner", a), text("plan", b));
    let update = Account::update("a");
    let of = start(step, now, ago, |account| {
        (account.owner, account.plan) = (owner.clone(), plan.clone());
    });
    let loaded = Account::update_loaded(&of);
    match step.verb {
        0..3 => send(db, step, loaded.set(Account::OWNER, owner)).await,
        3..5 => send(db, step, loaded.set(Account::PLAN, plan)).await,
        5 => send(db, step, update.set_by_plan(owner, plan)).await,
        6 => allow(of.put().send(db).await),
        7 => allow(of.replace().send(db).await),
        8 => allow(Account::delete_loaded(&of).send(db).await),
        _ => send(db, step, Account::upsert("a").set_by_plan(owner, plan)).await,
    }
}
