//! Indexes that share attributes or fields, and what reads and updates make of them.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{DynaCollection, DynaEntity, DynaProjection, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

type Item = HashMap<String, AttributeValue>;

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

async fn store<T: DynaTable>(db: &Table<T>, item: &[(&str, AttributeValue)]) {
    let item = item.iter().map(|(k, v)| ((*k).to_owned(), v.clone()));
    let item: Item = item.collect();
    let put = db.client().put_item().table_name(db.name().unwrap());
    put.set_item(Some(item)).send().await.unwrap();
}

/// The owner is in two index keys alone; only the second holds every item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "owned",
        pk = "pk",
        index(gsi1, pk = "g1", sk = "g1s"),
        index(gsi2, pk = "g2", sk = "g2s")
    ),
    pk = "T#<id>",
    gsi1(as = by_city, pk = "CITY#<city>", sk = "<owner>"),
    gsi2(as = by_owner, pk = "OWNER#<owner>", sk = "<rank:03>"),
)]
struct Owned {
    id: String,
    city: Option<String>,
    #[dyna(key_only)]
    owner: String,
    rank: u16,
}

#[tokio::test]
async fn update_loaded_does_not_revert_a_field_of_the_second_index_key() {
    let db = Owned::embedded().await.unwrap();
    let loaded = Owned {
        id: "1".to_owned(),
        city: None,
        owner: "ann".to_owned(),
        rank: 1,
    };
    loaded.create().send(&db).await.unwrap();
    let other = Owned::update("1").set_by_city_and_by_owner(None, "bob", 1);
    other.send(&db).await.unwrap();
    let stale = Owned::update_loaded(&loaded).set(Owned::RANK, 2);
    let result = stale.send(&db).await;
    let now = Owned::get("1").send(&db).await.unwrap().unwrap();
    assert_eq!(now.owner, "bob", "acknowledged, and lost: {result:?}");
}

/// The same of an item that was in both indexes when it was loaded.
#[tokio::test]
async fn update_loaded_does_not_revert_a_field_of_an_item_that_left_the_first_index() {
    let db = Owned::embedded().await.unwrap();
    let loaded = Owned {
        id: "1".to_owned(),
        city: Some("Rome".to_owned()),
        owner: "ann".to_owned(),
        rank: 1,
    };
    loaded.create().send(&db).await.unwrap();
    let other = Owned::update("1").set_by_city_and_by_owner(None, "bob", 1);
    other.send(&db).await.unwrap();
    let stale = Owned::update_loaded(&loaded).set(Owned::RANK, 2);
    let result = stale.send(&db).await;
    let now = Owned::get("1").send(&db).await.unwrap().unwrap();
    assert_eq!(now.owner, "bob", "acknowledged, and lost: {result:?}");
}

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "orders",
    pk = "pk",
    tag = "kind",
    index(gsi1, pk = "g1", sk = "g1s"),
    index(gsi2, pk = "g2", sk = "g2s"),
    index(brief, pk = "b", projection = "keys_only"),
    index(some, pk = "s", projection = include("g1", "g1s", "g2", "g2s"))
)]
enum Shop {
    Order(Order),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    pk = "O#<id>",
    gsi1(as = by_city, pk = "CITY#<city>", sk = "<customer>"),
    gsi2(as = by_zone, pk = "ZONE#<zone>", sk = "<customer>"),
    brief(as = by_state, pk = "S#<state>"),
    some(as = by_some, pk = "S#<state>"),
)]
struct Order {
    id: String,
    city: Option<String>,
    zone: Option<String>,
    #[dyna(key_only)]
    customer: Option<String>,
    state: String,
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Order)]
struct Head {
    customer: Option<String>,
    state: String,
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = Order, index = some)]
struct Buyer {
    customer: Option<String>,
}

fn order() -> Order {
    Order {
        id: "1".to_owned(),
        city: Some("Rome".to_owned()),
        zone: None,
        customer: Some("ann".to_owned()),
        state: "open".to_owned(),
    }
}

#[tokio::test]
async fn hydrated_projection_has_the_fields_that_other_index_keys_hold() {
    let db = Shop::embedded().await.unwrap();
    order().create().send(&db).await.unwrap();
    let whole = Order::by_state("open").hydrate().all(&db).await.unwrap();
    assert_eq!(whole, [order()]);
    let query = Order::by_state("open").project::<Head>().hydrate();
    let heads = query.all(&db).await.unwrap();
    assert_eq!(heads[0].customer.as_deref(), Some("ann"));
}

#[tokio::test]
async fn projection_of_an_index_has_the_fields_that_other_index_keys_hold() {
    let db = Shop::embedded().await.unwrap();
    order().create().send(&db).await.unwrap();
    let query = Order::by_some("open").project::<Buyer>();
    let buyers = query.all(&db).await.unwrap();
    assert_eq!(buyers[0].customer.as_deref(), Some("ann"));
}

/// Nobody was the customer when the order was loaded, so that no index key had one.
#[tokio::test]
async fn update_loaded_does_not_remove_a_field_that_index_keys_hold_since() {
    let db = Shop::embedded().await.unwrap();
    let loaded = Order {
        customer: None,
        ..order()
    };
    loaded.create().send(&db).await.unwrap();
    let other =
        Order::update("1").set_by_city_and_by_zone("Rome".to_owned(), "ann".to_owned(), None);
    other.send(&db).await.unwrap();
    let stale = Order::update_loaded(&loaded).set(Order::CITY, "Oslo".to_owned());
    let error = stale.send(&db).await.unwrap_err();
    assert!(error.is_condition_failed(), "{error}");
    let fresh = Order::update_loaded(&order()).set(Order::CITY, "Oslo".to_owned());
    fresh.send(&db).await.unwrap();
    let found = Order::by_city("Oslo").all(&db).await.unwrap();
    assert_eq!(found[0].customer.as_deref(), Some("ann"));
}

#[tokio::test]
async fn hydrated_projection_leaves_out_what_another_tag_names() {
    let db = Shop::embedded().await.unwrap();
    store(
        &db,
        &[
            ("pk", text("O#9")),
            ("kind", text("Invoice")),
            ("b", text("S#open")),
            ("id", text("9")),
            ("state", text("open")),
        ],
    )
    .await;
    let whole = Order::by_state("open").hydrate().all(&db).await.unwrap();
    assert_eq!(whole, []);
    let query = Order::by_state("open").project::<Head>().hydrate();
    assert_eq!(query.all(&db).await.unwrap(), []);
}

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "kinds",
    pk = "pk",
    tag = "kind",
    index(gsi1, pk = "kind", sk = "g1s")
)]
enum Kinds {
    Task(Task),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Kinds, pk = "TASK#<id>", gsi1(as = by_due, pk = "Task", sk = "<due>"))]
struct Task {
    id: String,
    due: Option<String>,
}

#[tokio::test]
async fn checked_keys_of_an_item_that_is_not_in_an_index_of_the_tag_fit() {
    let db = Kinds::embedded().await.unwrap();
    let task = Task {
        id: "1".to_owned(),
        due: None,
    };
    task.create().send(&db).await.unwrap();
    let db = db.check_keys();
    let read = Task::get("1").send(&db).await;
    assert_eq!(read.unwrap(), Some(task));
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "plain", pk = "pk", sk = "sk", tag = "kind"),
    pk = "P#<of>",
    sk = "N#<n:plain>"
)]
struct Numbered {
    of: String,
    #[dyna(key_only)]
    n: u32,
    note: String,
}

#[tokio::test]
async fn key_with_zeros_in_front_is_no_key_of_a_plain_number() {
    let db = Numbered::embedded().await.unwrap();
    let item = |sk: &'static str| {
        let fields = [("pk", "P#a"), ("sk", sk), ("of", "a"), ("note", sk)];
        fields.map(|(name, value)| (name, text(value)))
    };
    store(&db, &item("N#7")).await;
    store(&db, &item("N#007")).await;
    let found = Numbered::query("a").all(&db).await.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].note, "N#7");
    // One that says whose it is does not vanish: neither get, nor update, nor delete would find it by its number.
    let tagged = item("N#007")
        .into_iter()
        .chain([("kind", text("Numbered"))]);
    store(&db, &tagged.collect::<Vec<_>>()).await;
    let error = Numbered::query("a").all(&db).await.unwrap_err();
    assert!(matches!(error, Error::Misfit { .. }), "{error}");
}

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "house", pk = "pk", sk = "sk", tag = "kind")]
enum House {
    Door(doors::Door),
    Window(windows::Window),
}

mod doors {
    use super::House;
    use dyna_runtime::DynaEntity;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub(super) enum Status {
        Open,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = House, pk = "H#<house>", sk = "DOOR#<id>")]
    pub(super) struct Door {
        pub(super) house: String,
        pub(super) id: String,
        pub(super) status: Status,
    }
}

mod windows {
    use super::House;
    use dyna_runtime::DynaEntity;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "UPPERCASE")]
    pub(super) enum Status {
        Open,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = House, pk = "H#<house>", sk = "WINDOW#<id>")]
    pub(super) struct Window {
        pub(super) house: String,
        pub(super) id: String,
        pub(super) status: Status,
    }
}

#[derive(Debug, PartialEq, DynaCollection)]
enum Openings {
    Door(doors::Door),
    Window(windows::Window),
}

#[tokio::test]
async fn filter_of_a_collection_refuses_fields_whose_types_have_one_name() {
    let db = House::embedded().await.unwrap();
    let (house, id) = ("h".to_owned(), "1".to_owned());
    let door = doors::Door {
        house: house.clone(),
        id: id.clone(),
        status: doors::Status::Open,
    };
    let window = windows::Window {
        house,
        id,
        status: windows::Status::Open,
    };
    door.create().send(&db).await.unwrap();
    window.create().send(&db).await.unwrap();
    let open = Openings::for_all(doors::Door::STATUS.eq(doors::Status::Open));
    let found = Openings::query("h").filter(open).all(&db).await;
    // Both are open, or the request fails before it is made.
    assert!(
        found.as_ref().map_or(true, |found| found.len() == 2),
        "{found:?}"
    );
}

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "parts", pk = "pk", sk = "sk", tag = "kind")]
enum Parts {
    Bolt(Bolt),
    Nut(Nut),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Parts, pk = "P#<of>", sk = "BOLT#<id>")]
struct Bolt {
    of: String,
    id: String,
    #[serde(alias = "amount")]
    stock: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Parts, pk = "P#<of>", sk = "NUT#<id>")]
struct Nut {
    of: String,
    id: String,
    #[serde(alias = "amount")]
    stock: u32,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum Stock {
    Bolt(Bolt),
    Nut(Nut),
}

#[tokio::test]
async fn filter_of_a_collection_takes_a_field_that_all_members_have_under_an_alias() {
    let db = Parts::embedded().await.unwrap();
    let (of, id) = ("a".to_owned(), "1".to_owned());
    let bolt = Bolt { of, id, stock: 7 };
    bolt.create().send(&db).await.unwrap();
    let some = || Bolt::STOCK.gt(5);
    let alone = Bolt::query("a").filter(some()).all(&db).await.unwrap();
    assert_eq!(alone, std::slice::from_ref(&bolt));
    let query = Stock::query("a").filter(Stock::for_all(some()));
    assert_eq!(query.all(&db).await.unwrap(), [Stock::Bolt(bolt)]);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "notes",
        pk = "pk",
        index(gsi1, pk = "all", sk = "g1s"),
        index(gsi2, pk = "all", sk = "g2s")
    ),
    pk = "N#<id>",
    gsi1(as = by_due, pk = "ALL", sk = "<due>"),
    gsi2(as = by_done, pk = "ALL", sk = "<done>"),
)]
struct Note {
    id: String,
    due: Option<String>,
    done: Option<String>,
}

fn note(due: Option<&str>, done: Option<&str>) -> Note {
    Note {
        id: "1".to_owned(),
        due: due.map(str::to_owned),
        done: done.map(str::to_owned),
    }
}

/// The attribute that both indexes have may stay behind: without the rest of a key the item is in neither.
#[tokio::test]
async fn item_that_leaves_its_last_index_has_keys_that_fit() {
    for by_key in [true, false] {
        let db = Note::embedded().await.unwrap().check_keys();
        let due = note(Some("x"), None);
        due.create().send(&db).await.unwrap();
        if by_key {
            let update = Note::update("1").set_by_due(None);
            update.send(&db).await.unwrap();
        } else {
            let update = Note::update_loaded(&due).set(Note::DUE, None);
            update.send(&db).await.unwrap();
        }
        let read = Note::get("1").send(&db).await;
        assert_eq!(read.unwrap(), Some(note(None, None)), "by key: {by_key}");
        assert_eq!(Note::by_due().all(&db).await.unwrap(), []);
        assert_eq!(Note::by_done().all(&db).await.unwrap(), []);
    }
}

/// Other software has left the item in an index that its fields say it is not in.
#[tokio::test]
async fn item_in_an_index_that_it_should_have_left_is_a_misfit() {
    let db = Note::embedded().await.unwrap().check_keys();
    let fields = [("pk", "N#1"), ("all", "ALL"), ("g1s", "x"), ("id", "1")];
    store(&db, &fields.map(|(name, value)| (name, text(value)))).await;
    let error = Note::get("1").send(&db).await.unwrap_err();
    assert!(matches!(error, Error::Misfit { .. }), "{error}");
}

#[tokio::test]
async fn item_that_leaves_one_of_two_indexes_stays_in_the_other() {
    let db = Note::embedded().await.unwrap().check_keys();
    let both = note(Some("x"), Some("y"));
    both.create().send(&db).await.unwrap();
    let update = Note::update_loaded(&both).set(Note::DUE, None);
    update.send(&db).await.unwrap();
    let done = Note::by_done().all(&db).await.unwrap();
    assert_eq!(done, [note(None, Some("y"))]);
    assert_eq!(Note::by_due().all(&db).await.unwrap(), []);
}

/// The item has come into the other index since it was loaded.
#[tokio::test]
async fn update_loaded_does_not_take_an_item_out_of_the_other_index() {
    let db = Note::embedded().await.unwrap().check_keys();
    let due = note(Some("x"), None);
    due.create().send(&db).await.unwrap();
    let other = Note::update("1").set_by_done("y".to_owned());
    other.send(&db).await.unwrap();
    let stale = Note::update_loaded(&due).set(Note::DUE, None);
    let result = stale.send(&db).await;
    let done = Note::by_done().all(&db).await.unwrap();
    assert_eq!(done.len(), 1, "{result:?}");
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "todos",
        pk = "pk",
        index(gsi1, pk = "all", sk = "g1s"),
        index(gsi2, pk = "all", sk = "g2s")
    ),
    pk = "N#<id>",
    gsi1(as = by_open, pk = "ALL", sk = "<id>", when = is_open),
    gsi2(as = by_due, pk = "ALL", sk = "<due>"),
)]
struct Todo {
    id: String,
    is_open: bool,
    due: Option<String>,
}

#[tokio::test]
async fn item_leaves_an_index_by_an_update_as_it_does_by_a_put() {
    for write in ["put", "by key", "loaded"] {
        let db = Todo::embedded().await.unwrap().check_keys();
        let todo = Todo {
            id: "1".to_owned(),
            is_open: true,
            due: None,
        };
        todo.create().send(&db).await.unwrap();
        let closed = Todo {
            is_open: false,
            ..todo.clone()
        };
        match write {
            "put" => closed.put().send(&db).await.unwrap(),
            "by key" => {
                let update = Todo::update("1").set_by_open(false);
                update.send(&db).await.unwrap();
            }
            _ => {
                let update = Todo::update_loaded(&todo).set(Todo::IS_OPEN, false);
                update.send(&db).await.unwrap();
            }
        }
        assert_eq!(Todo::by_open().all(&db).await.unwrap(), [], "{write}");
        let read = Todo::get("1").send(&db).await;
        assert_eq!(read.unwrap(), Some(closed), "{write}");
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "bugs", pk = "pk", index(gsi1, pk = "g1")),
    pk = "BUG#<id>",
    gsi1(as = by_open, pk = "OPEN", when = Self::is_open),
)]
struct Bug {
    id: String,
    title: String,
    fixed: bool,
    origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Origin {
    file: String,
    /// Newer than some items.
    #[serde(default)]
    line: u32,
    column: Option<u32>,
}

impl Bug {
    fn is_open(&self) -> bool {
        !self.fixed
    }
}

fn old_bug(origin: &[(&str, AttributeValue)]) -> [(&'static str, AttributeValue); 6] {
    let origin = origin
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    [
        ("pk", text("BUG#1")),
        ("g1", text("OPEN")),
        ("id", text("1")),
        ("title", text("old")),
        ("fixed", AttributeValue::Bool(false)),
        ("origin", AttributeValue::M(origin.collect())),
    ]
}

#[tokio::test]
async fn item_that_is_older_than_a_nested_default_is_updated_as_loaded() {
    let db = Bug::embedded().await.unwrap();
    store(&db, &old_bug(&[("file", text("a.rs"))])).await;
    let bug = Bug::get("1").send(&db).await.unwrap().unwrap();
    let update = Bug::update_loaded(&bug).set(Bug::FIXED, true);
    update.send(&db).await.unwrap();
    assert_eq!(Bug::by_open().all(&db).await.unwrap(), []);
}

#[tokio::test]
async fn item_that_changed_beside_a_nested_default_is_a_conflict() {
    let db = Bug::embedded().await.unwrap();
    store(&db, &old_bug(&[("file", text("a.rs"))])).await;
    let bug = Bug::get("1").send(&db).await.unwrap().unwrap();
    let number = |number: &str| AttributeValue::N(number.to_owned());
    let changed: [&[_]; 3] = [
        &[("file", text("b.rs"))],
        &[("file", text("a.rs")), ("line", number("7"))],
        &[("file", text("a.rs")), ("column", number("7"))],
    ];
    for origin in changed {
        store(&db, &old_bug(origin)).await;
        let update = Bug::update_loaded(&bug).set(Bug::FIXED, true);
        let error = update.send(&db).await.unwrap_err();
        assert!(error.is_condition_failed(), "{error}");
    }
}
