//! Every interleaving of two clients, with a crash and a lost response, on the real code: unique values, changes of keys, and operations
//! that run once.

mod jobs;
mod schedule;

use super::history::model::{NEVER, State, account};
use super::history::program::Write;
use super::history::world::{Account, World, bare};
use super::settings::number;
use dyna_runtime::{Error, Table};
use schedule::{Budget, Choices, Run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// One crash, and one response that is lost or late. Together they are tried in the long run.
fn budgets() -> Vec<Budget> {
    let budget = |crashes, losses| Budget { crashes, losses };
    match number("DYNA_SIM_BOTH", 0) {
        0 => vec![budget(1, 0), budget(0, 1)],
        _ => vec![budget(1, 1)],
    }
}

/// Runs every interleaving, and returns how many there are.
fn every(budget: Budget, leaf: impl AsyncFn(&mut Choices, Budget)) -> usize {
    let (mut choices, mut leaves) = (Choices::default(), 0);
    loop {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().start_paused(true).build().unwrap();
        runtime.block_on(leaf(&mut choices, budget));
        leaves += 1;
        match choices.next() {
            Some(next) => choices = next,
            None => return leaves,
        }
    }
}

/// What became of a write: what it loaded, and what its client was told. A client that crashed was told nothing.
type Loaded = Arc<Mutex<Option<World>>>;

async fn act(db: Table<World>, write: Write, by: u64, memory: Loaded) -> Result<(), Error> {
    let load = async |id: &str| {
        let loaded = Account::get(id).consistent().send(&db).await?;
        *memory.lock().unwrap() = loaded.clone().map(World::Account);
        Ok::<_, Error>(loaded)
    };
    match write {
        Write::CreateAccount(id, mail) => account(id, mail, by).create().send(&db).await,
        Write::ChangeLoadedMail(id, mail) => {
            let Some(loaded) = load(id).await? else {
                return Ok(());
            };
            let update = Account::update_loaded(&loaded).set(Account::MAIL, mail);
            update.set(Account::BY, by).send(&db).await
        }
        Write::DeleteLoadedAccount(id) => {
            let Some(loaded) = load(id).await? else {
                return Ok(());
            };
            Account::delete_loaded(&loaded).send(&db).await
        }
        Write::RekeyLoadedAccount(id, to) => {
            let Some(loaded) = load(id).await? else {
                return Ok(());
            };
            let new = account(to, &loaded.mail, by);
            Account::rekey_loaded(&loaded, &new).send(&db).await
        }
        other => unreachable!("{other:?}"),
    }
}

/// As [`act`], by someone who declared no unique value, and asks first whether it is free.
async fn act_without_sentinels(
    db: Table<World>,
    write: Write,
    by: u64,
    memory: Loaded,
) -> Result<(), Error> {
    let Write::CreateAccount(id, mail) = write else {
        return act(db, write, by, memory).await;
    };
    let db = Table::<bare::World>::open(db.client().clone());
    let all = bare::Account::scan().consistent().all(&db).await?;
    if all.iter().any(|other| other.mail == mail) {
        return Ok(());
    }
    let account = bare::Account {
        id: id.to_owned(),
        by,
        mail: mail.to_owned(),
        expires: NEVER,
    };
    account.create().send(&db).await
}

/// Whether a write was made, by what its client was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Made {
    Yes,
    No,
    Perhaps,
}

/// Runs the writes in one order. What is wrong then, if anything is.
async fn leaf<F: Future<Output = Result<(), Error>> + Send + 'static>(
    writes: [Write; 2],
    act: impl Fn(Table<World>, Write, u64, Loaded) -> F,
    choices: &mut Choices,
    budget: Budget,
) -> Result<(), String> {
    let (mut run, direct) = Run::new::<World>(budget).await;
    let mut begin = State::default();
    for (id, mail) in [("a", "m1"), ("b", "m2")] {
        let is_created = writes.contains(&Write::CreateAccount("b", "m1"));
        if id == "a" || !is_created {
            let account = account(id, mail, 0);
            account.create().send(&direct).await.unwrap();
            begin.accounts.insert(id.to_owned(), account);
        }
    }
    let mut memories = Vec::new();
    for (write, by) in writes.into_iter().zip(1..) {
        let memory = Loaded::default();
        memories.push(memory.clone());
        run.start(act(run.table(), write, by, memory));
    }
    choices.drive(&mut run).await;
    let made = run.outcomes().await.into_iter().map(|told| match told {
        Some(Ok(())) => Made::Yes,
        Some(Err(error)) if !error.is_outcome_unknown() => Made::No,
        _ => Made::Perhaps,
    });
    let made: Vec<Made> = made.collect();
    let loaded: Vec<_> = memories
        .iter()
        .map(|it| it.lock().unwrap().clone())
        .collect();
    let found = items(&direct).await;
    let can_be = possible(&begin, writes, &made, &loaded);
    if can_be.iter().any(|state| state.items() == found) {
        return Ok(());
    }
    Err(format!(
        "{writes:?} {made:?}: {choices}\nstored: {found:#?}"
    ))
}

/// The states that are possible by what the clients were told: the writes in some order, without those that were not made.
fn possible(
    begin: &State,
    writes: [Write; 2],
    made: &[Made],
    loaded: &[Option<World>],
) -> Vec<State> {
    let mut states = Vec::new();
    for order in [[0, 1], [1, 0]] {
        for left_out in [[false, false], [true, false], [false, true], [true, true]] {
            let is_told = |n: usize| {
                let is_nothing = writes[n].loads().is_some() && loaded[n].is_none();
                match made[n] {
                    Made::Yes => left_out[n] == is_nothing,
                    Made::No => left_out[n],
                    Made::Perhaps => !is_nothing || left_out[n],
                }
            };
            if !is_told(0) || !is_told(1) {
                continue;
            }
            let in_order = order.into_iter().filter(|n| !left_out[*n]);
            let state = in_order.clone().try_fold(begin.clone(), |state, n| {
                let by = if n == 0 { 1 } else { 2 };
                state.apply_all(&[(writes[n], loaded[n].clone())], by)
            });
            states.extend(state);
        }
    }
    states
}

/// Every item of the table, sentinels included.
async fn items(direct: &Table<World>) -> BTreeMap<(String, String), Value> {
    let scan = direct.client().scan().table_name(direct.name().unwrap());
    let found = scan.consistent_read(true).send().await.unwrap();
    let items = found.items().iter().map(|item| {
        let item: Value = item
            .iter()
            .map(|(name, value)| (name.clone(), json(value)))
            .collect();
        let text = |name: &str| item[name]["S"].as_str().unwrap().to_owned();
        ((text("pk"), text("sk")), item)
    });
    items.collect()
}

fn json(value: &aws_sdk_dynamodb::types::AttributeValue) -> Value {
    use aws_sdk_dynamodb::types::AttributeValue as A;
    match value {
        A::S(text) => serde_json::json!({ "S": text }),
        A::N(digits) => serde_json::json!({ "N": digits }),
        A::L(list) => serde_json::json!({ "L": list.iter().map(json).collect::<Vec<_>>() }),
        other => panic!("{other:?}"),
    }
}

/// `DYNA_SIM_BOTH=1 cargo test --release -p dyna-laws --test simulation interleavings -- --nocapture`
#[test]
fn interleavings_of_unique_values_keep_items_and_sentinels_equal() {
    use Write::{ChangeLoadedMail, CreateAccount, DeleteLoadedAccount, RekeyLoadedAccount};
    let pairs = [
        [CreateAccount("b", "m1"), CreateAccount("c", "m3")],
        [CreateAccount("b", "m3"), CreateAccount("c", "m3")],
        [CreateAccount("b", "m1"), DeleteLoadedAccount("a")],
        [CreateAccount("b", "m1"), ChangeLoadedMail("a", "m3")],
        [ChangeLoadedMail("a", "m3"), ChangeLoadedMail("b", "m3")],
        [ChangeLoadedMail("a", "m3"), ChangeLoadedMail("a", "m4")],
        [ChangeLoadedMail("a", "m3"), DeleteLoadedAccount("a")],
        [RekeyLoadedAccount("a", "c"), ChangeLoadedMail("a", "m3")],
        [RekeyLoadedAccount("a", "c"), DeleteLoadedAccount("a")],
        [RekeyLoadedAccount("a", "c"), RekeyLoadedAccount("a", "d")],
        [RekeyLoadedAccount("a", "c"), RekeyLoadedAccount("b", "c")],
        [RekeyLoadedAccount("a", "c"), CreateAccount("c", "m3")],
    ];
    for writes in pairs {
        let runs = budgets().into_iter().map(|budget| {
            every(budget, async |choices, budget| {
                let done = leaf(writes, act, choices, budget).await;
                done.unwrap_or_else(|problem| panic!("{problem}"));
            })
        });
        let leaves: usize = runs.sum();
        let [one, other] = writes;
        println!("| `{one:?}`, `{other:?}` | {leaves} | 0 |");
        assert!(leaves > 20, "{writes:?}: {leaves}");
    }
}

#[test]
fn interleavings_show_a_value_that_is_not_unique() {
    let writes = [
        Write::CreateAccount("b", "m3"),
        Write::CreateAccount("c", "m3"),
    ];
    let (wrong, budget) = (AtomicUsize::new(0), budgets()[0]);
    let leaves = every(budget, async |choices, budget| {
        let done = leaf(writes, act_without_sentinels, choices, budget).await;
        wrong.fetch_add(usize::from(done.is_err()), Ordering::Relaxed);
    });
    let wrong = wrong.into_inner();
    println!("| planted: a value that is looked for before it is written | {leaves} | {wrong} |");
    assert!(wrong > 0);
}
