//! The law of updates: whatever is sent through the public API, every stored key is what the stored fields make of it.

use super::{Details, Player, Status, Task, assert_keys_are_fresh, db, task};
use dyna_runtime::Table;
use proptest::prelude::*;

/// One write of a task or a player.
#[derive(Debug, Clone)]
enum Step {
    ByStatus(Status, Option<u8>),
    ByOwner(u8, u8),
    Both(Status, Option<u8>, u8),
    LoadedStatus(Status),
    LoadedDue(Option<u8>),
    LoadedOwner(u8),
    LoadedDetails(u8, u8),
    /// From an item that was loaded some steps ago.
    StaleStatus(Status),
    Title(u8),
    Put(Status, Option<u8>, u8),
    Score(u8),
    Game(Option<u8>),
    LoadedGame(Option<u8>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let status = || prop_oneof![Just(Status::Open), Just(Status::Done)];
    let due = || proptest::option::of(0..3_u8);
    let step = prop_oneof![
        (status(), due()).prop_map(|(a, b)| Step::ByStatus(a, b)),
        (0..3_u8, 0..9_u8).prop_map(|(a, b)| Step::ByOwner(a, b)),
        (status(), due(), 0..3_u8).prop_map(|(a, b, c)| Step::Both(a, b, c)),
        status().prop_map(Step::LoadedStatus),
        due().prop_map(Step::LoadedDue),
        (0..3_u8).prop_map(Step::LoadedOwner),
        (0..3_u8, 0..9_u8).prop_map(|(a, b)| Step::LoadedDetails(a, b)),
        status().prop_map(Step::StaleStatus),
        (0..9_u8).prop_map(Step::Title),
        (status(), due(), 0..3_u8).prop_map(|(a, b, c)| Step::Put(a, b, c)),
        (0..9_u8).prop_map(Step::Score),
        due().prop_map(Step::Game),
        due().prop_map(Step::LoadedGame),
    ];
    proptest::collection::vec(step, 1..24)
}

fn date(day: Option<u8>) -> Option<String> {
    day.map(|day| format!("2026-01-0{}", day + 1))
}

fn owner(n: u8) -> String {
    ["Ann", "Bob", "Eve"][usize::from(n)].to_owned()
}

fn game(n: Option<u8>) -> Option<String> {
    n.map(|n| format!("game{n}"))
}

/// Makes one step. A refused condition is an outcome; everything else must succeed.
async fn make(db: &Table<super::Board>, step: Step, stale: &mut Task) {
    let loaded = super::stored(db).await;
    let player = Player::get("ann").send(db).await.unwrap().unwrap();
    let update = || Task::update("b", "1");
    let of = || Task::update_of(&loaded);
    let details = |n, rank| Details {
        owner: owner(n),
        rank,
        ..loaded.details.clone()
    };
    let sent = match step {
        Step::ByStatus(a, b) => update().set_by_status(a, date(b)).send(db).await,
        Step::ByOwner(a, b) => update().set_by_owner(owner(a), b).send(db).await,
        Step::Both(a, b, c) => {
            let both = update().set_by_status(a, date(b)).set_by_owner(owner(c), 1);
            both.send(db).await
        }
        Step::LoadedStatus(a) => of().set(Task::STATUS, a).send(db).await,
        Step::LoadedDue(a) => of().set(Task::DUE, date(a)).send(db).await,
        Step::LoadedOwner(a) => {
            let owner = owner(a);
            of().set(Task::DETAILS.then(Details::OWNER), owner)
                .send(db)
                .await
        }
        Step::LoadedDetails(a, b) => of().set(Task::DETAILS, details(a, b)).send(db).await,
        Step::StaleStatus(a) => {
            let old = std::mem::replace(stale, loaded.clone());
            Task::update_of(&old).set(Task::STATUS, a).send(db).await
        }
        Step::Title(a) => update().set(Task::TITLE, a.to_string()).send(db).await,
        Step::Put(a, b, c) => {
            let (status, due) = (a, date(b));
            let task = Task {
                status,
                due,
                details: details(c, 3),
                ..task()
            };
            task.put().send(db).await
        }
        Step::Score(a) => {
            Player::update("ann")
                .add(Player::SCORE, u64::from(a))
                .send(db)
                .await
        }
        Step::Game(a) => {
            Player::update("ann")
                .set(Player::GAME, game(a))
                .send(db)
                .await
        }
        Step::LoadedGame(a) => {
            Player::update_of(&player)
                .set(Player::GAME, game(a))
                .send(db)
                .await
        }
    };
    assert!(sent.is_ok() || sent.unwrap_err().is_condition_failed());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// After any sequence of writes, stored keys equal recomputed keys.
    #[test]
    fn keys_are_never_stale(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let db = db().await;
            task().create().send(&db).await.unwrap();
            let ann = Player { name: "ann".to_owned(), game: None, score: 0 };
            ann.create().send(&db).await.unwrap();
            let mut stale = task();
            for step in steps {
                make(&db, step, &mut stale).await;
                assert_keys_are_fresh(&db).await;
            }
        });
    }
}
