//! Tables of other libraries: the items that each of them wrote are read, written back byte for byte, changed and joined by others, and
//! then are what the library itself leaves after the same changes. `tests/interop/run` does this with the libraries.

mod modyne;
mod serde_dynamo;

use dyna_interop::{
    CHANGED, Model, State, WRITTEN, at, boto3, contents, differences, electrodb, from_json, java,
    onetable, round_trip, store, to_json, toolbox,
};
use dyna_runtime::Table;
use dyna_runtime::codec::Item;
use dyna_runtime::embedded::Embedded;

/// What a library wrote, or left after its changes.
fn items(library: &str, state: &str) -> Vec<Item> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../interop/items");
    let path = format!("{folder}/{library}.{state}.json");
    from_json(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Runs a model on the items that its library wrote: so many are the same after a round trip, and after the same changes, and the others
/// are not for reasons that the model names, item by item.
async fn holds<M: Model>(after_round_trip: usize, after_changes: usize) {
    let written = items(M::LIBRARY, "written");
    let changed = items(M::LIBRARY, "changed");
    let db = Table::<M>::embedded().await.unwrap();
    store(&db, &written).await.unwrap();
    assert_eq!(to_json(&contents(&db).await.unwrap()), to_json(&written));

    let found = round_trip(&at(db.clone(), WRITTEN)).await.unwrap();
    assert_eq!(found.unknown, [""; 0]);
    assert_eq!(found.identical, after_round_trip);
    assert_eq!(found.items, written.len());

    M::change(&at(db.clone(), CHANGED)).await.unwrap();
    let found = differences::<M>(State::Changed, &changed, &contents(&db).await.unwrap());
    assert_eq!(found.unknown, [""; 0]);
    assert_eq!(found.identical, after_changes);
}

/// The same beside the library itself, which writes and changes a table of its own.
async fn beside<M: Model>(
    items: usize,
    write: impl AsyncFn(&Table<M>),
    change: impl AsyncFn(&Table<M>),
) {
    let engine = Embedded::in_memory().unwrap();
    let open = |copy| Table::<M>::open(engine.client()).with_variable("copy", copy);
    let (ours, theirs) = (open("dyna"), open("library"));
    for db in [&ours, &theirs] {
        db.create_table().await.unwrap();
        write(db).await;
    }
    let found = round_trip(&at(ours.clone(), WRITTEN)).await.unwrap();
    assert_eq!(found.unknown, [""; 0]);
    assert_eq!((found.identical, found.items), (items, items));

    M::change(&at(ours.clone(), CHANGED)).await.unwrap();
    change(&theirs).await;
    let (ours, theirs) = (contents(&ours).await.unwrap(), contents(&theirs).await);
    let found = differences::<M>(State::Changed, &theirs.unwrap(), &ours);
    assert_eq!(found.unknown, [""; 0]);
    assert_eq!(found.identical, found.items);
}

#[tokio::test]
async fn items_of_boto3_are_written_back_as_they_were() {
    holds::<boto3::Ledger>(5, 6).await;
}

#[tokio::test]
async fn items_of_electrodb_are_written_back_as_they_were() {
    holds::<electrodb::Shop>(34, 40).await;
}

/// A collection that is told apart by its index, and one whose members stand side by side: `type: "clustered"`.
#[tokio::test]
async fn collections_of_electrodb_are_read_in_one_request() {
    use electrodb::company::{Agenda, Workplaces};
    let db = Table::<electrodb::Shop>::embedded().await.unwrap();
    store(&db, &items("electrodb", "written")).await.unwrap();
    let workplaces = Workplaces::query("KÖLN").all(&db).await.unwrap();
    let offices = workplaces.iter();
    let offices = offices.filter(|it| matches!(it, Workplaces::Office(_)));
    assert_eq!((workplaces.len(), offices.count()), (4, 1));
    let agenda = || Agenda::query("p-1");
    let kinds = |page: Vec<Agenda>| -> Vec<&str> {
        let kind = |it: &Agenda| match it {
            Agenda::Task(_) => "task",
            Agenda::Meeting(_) => "meeting",
        };
        page.iter().map(kind).collect()
    };
    let all = kinds(agenda().all(&db).await.unwrap());
    assert_eq!(all, ["meeting", "task", "meeting", "task"]);
    let day = kinds(agenda().day("2026-11-18").all(&db).await.unwrap());
    assert_eq!(day, ["meeting", "task"]);
    let later = agenda().day_starts_with("2026-11-19").send(&db);
    let later = later.await.unwrap();
    assert_eq!(kinds(later.items), ["meeting", "task"]);
}

#[tokio::test]
async fn items_of_onetable_are_written_back_as_they_were_but_for_half_an_index_key() {
    holds::<onetable::Team>(8, 13).await;
}

#[tokio::test]
async fn items_of_dynamodb_toolbox_are_written_back_as_they_were() {
    holds::<toolbox::Catalog>(6, 8).await;
}

/// These were not written by the client: they have the form that its documentation states.
#[tokio::test]
async fn items_of_the_java_enhanced_client_are_written_back_as_they_were() {
    holds::<java::Devices>(3, 4).await;
}
