//! Values at the edges, through every write of a whole item: they come back as they are, or are refused and nothing changes.

use super::case::{Case, Edge, How};
use super::known::{is_known, tell};
use super::rng::Rng;
use super::values::{Any, LONG};
use super::world::{Checked, Must, Want, World};
use dyna_runtime::{Error, Get, Put, ResponseFuture};
use rust_decimal::Decimal;

/// The edges of an entity. Each name that means something is one of a flattened map.
pub(crate) fn edges<C: Case>() -> Vec<Edge<C>> {
    let mut edges = C::edges();
    if !C::FEATURES.contains(&"flat_map") {
        return edges;
    }
    let collision = |name: &'static str, point: u8, value: Any| Edge {
        name: format!("a flattened entry called `{name}`"),
        point,
        refused: true,
        apply: Box::new(move |v: &mut C| {
            let extra = v.extra().unwrap();
            extra.insert(name.to_owned(), value.clone());
        }),
    };
    for name in C::DECLARED {
        edges.push(collision(name, 1, Any::Text("eve".to_owned())));
        edges.push(collision(name, 1, Any::Amount(Decimal::ONE)));
    }
    if let Some((_, alias)) = C::ALIAS {
        edges.push(collision(alias, 102, Any::Text("eve".to_owned())));
    }
    edges
}

const KINDS: &[&str] = &[
    "put",
    "put over another",
    "put in a transaction",
    "create",
    "create in a transaction",
    "replace",
    "rekey_loaded",
    "rekey",
    "batch_write",
];

/// Tries every edge with every kind of write.
pub(crate) async fn try_edges<C: Case>() -> Vec<String> {
    let mut failures = Vec::new();
    let mut world = begin::<C>().await;
    for edge in edges::<C>() {
        for kind in KINDS {
            let Err(problem) = try_edge(&mut world, &edge, kind).await else {
                continue;
            };
            let problem = format!("{kind} of {}: {problem}", edge.name);
            // The table may hold anything now.
            world = begin().await;
            if is_known(edge.point) {
                tell(edge.point, &problem);
                break;
            }
            failures.push(format!("(point {}) {problem}", edge.point));
        }
    }
    failures
}

/// A table with one item.
async fn begin<C: Case>() -> World<C> {
    let mut rng = Rng::new(3);
    let mut world = World::new(C::make(&mut rng)).await;
    restore(&mut world, &mut rng).await.unwrap();
    world
}

async fn restore<C: Case>(world: &mut World<C>, rng: &mut Rng) -> Checked {
    let first = C::make(rng);
    let (want, sent) = (world.create(&first), Put::create(&first).send(&world.db));
    let sent = sent.await;
    world.settle(want, sent).await
}

async fn try_edge<C: Case>(world: &mut World<C>, edge: &Edge<C>, kind: &str) -> Checked {
    world.tick();
    let stored = world.model.values().next().cloned().unwrap();
    let mut given = stored.clone();
    // A new item, whose values no other has.
    let mut rng = Rng::new(4);
    while kind != "replace" && kind != "put over another" && given.id() == stored.id() {
        given = C::make(&mut rng);
    }
    let is_move = kind.starts_with("rekey");
    if let (true, Some(version), Some(old)) = (is_move, given.version(), stored.clone().version()) {
        *version = *old;
    }
    (edge.apply)(&mut given);
    let Some((mut want, sent)) = write(world, kind, &stored, &given) else {
        return Ok(());
    };
    let sent: Result<(), Error> = sent.await;
    want.must = edge.must(kind, want.must);
    let (must, key) = (want.must, given.id());
    world.settle(want, sent).await?;
    if must == Must::Succeed {
        let found = Get::new(given.key_of()).send(&world.db).await;
        let found = found.map_err(|error| format!("cannot be read: {error}"))?;
        if found.as_ref() != world.model.get(&key) {
            return Err(format!("reads as {found:?}"));
        }
        if kind == "create" {
            world.read_all(&given).await?;
        }
        // One item again.
        *world = begin().await;
    }
    Ok(())
}

fn write<'a, C: Case>(
    world: &'a World<C>,
    kind: &str,
    stored: &C,
    given: &'a C,
) -> Option<(Want<C>, ResponseFuture<'a, ()>)> {
    let db = &world.db;
    Some(match kind {
        "put" | "put over another" => (world.put(given), given.put_of()?.send(db)),
        "put in a transaction" => (world.put(given), How::Together.put(db, given.put_of()?)),
        "create" => (world.create(given), Put::create(given).send(db)),
        "create in a transaction" => {
            let create = Put::create(given);
            (world.create(given), How::Together.put(db, create))
        }
        "replace" => (world.replace(given), given.replace_of()?.send(db)),
        "rekey_loaded" => {
            let moved = stored.move_loaded(given);
            (world.rekey_loaded(stored, given), moved.send(db))
        }
        "rekey" => {
            let moved = stored.move_at(given)?;
            (world.rekey(stored, given), moved.send(db))
        }
        _ => {
            let sent = C::batch(db, std::slice::from_ref(given), &[])?;
            (world.put(given), sent)
        }
    })
}

/// A number is unique however it is written, and so is what is stored of it.
pub(crate) async fn try_spellings<C: Case>() -> Vec<String> {
    let mut failures = Vec::new();
    if !C::FEATURES.contains(&"unique") {
        return failures;
    }
    let zero = Decimal::new(0, 1);
    let spellings = [
        (Decimal::new(110, 2), Decimal::new(11, 1)),
        (Decimal::new(10, 1), Decimal::ONE),
        (zero, -zero),
        (LONG, LONG),
    ];
    for (one, other) in spellings {
        if let Err(problem) = try_spelling::<C>(one, other).await {
            let problem = format!("unique {one} beside {other}: {problem}");
            if is_known(5) {
                tell(5, &problem);
            } else {
                failures.push(format!("(point 5) {problem}"));
            }
        }
    }
    failures
}

async fn try_spelling<C: Case>(one: Decimal, other: Decimal) -> Checked {
    let mut rng = Rng::new(5);
    let mut first = C::make(&mut rng);
    let mut world = World::new(first.clone()).await;
    first.spell(one);
    let want = world.create(&first);
    let sent = Put::create(&first).send(&world.db).await;
    world.settle(want, sent).await?;
    let mut second = first.clone();
    while second.id() == first.id() {
        second = C::make(&mut rng);
    }
    second.spell(other);
    let want = world.create(&second);
    let sent = Put::create(&second).send(&world.db).await;
    world.settle(want, sent).await?;
    // What is read, and what was written but for what is filled in, lets the item go.
    let loaded = Get::new(first.key_of()).send(&world.db).await;
    let loaded = loaded.map_err(|error| error.to_string())?.unwrap();
    let want = world.delete_loaded(&loaded);
    let sent = loaded.delete_loaded().send(&world.db).await;
    world.settle(want, sent).await
}
