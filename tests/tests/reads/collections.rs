//! Several entities of a partition in one query.

use super::collected;
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "money",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
    index(keys, pk = "gsi2pk", projection = "keys_only")
)]
enum Money {
    User(User),
    Account(Account),
    Label(Label),
    Payment(Payment),
    Split(Split),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Money, pk = "USER#<id>", sk = "@PROFILE")]
struct User {
    id: String,
}

/// The field of the partition has another name than the user's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Money,
    pk = "USER#<user>",
    sk = "ACCOUNT#<n:03>",
    gsi1(as = by_bank, pk = "BANK#<bank>", sk = "ACCOUNT#<user>#<n:03>"),
    keys(as = keys_by_bank, pk = "BANK#<bank>"),
)]
struct Account {
    #[dyna(key_only)]
    user: String,
    n: u32,
    bank: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Money, pk = "USER#<user>", sk = "LABEL#<text>")]
struct Label {
    user: String,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Money,
    pk = "USER#<user>",
    sk = "PAYMENT#<n:03>",
    gsi1(as = by_bank, pk = "BANK#<bank>", sk = "PAYMENT#<user>#<n:03>"),
    keys(as = keys_by_bank, pk = "BANK#<bank>"),
)]
struct Payment {
    user: String,
    n: u32,
    bank: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Money, pk = "USER#<user>", sk = "PAYMENT#<n:03>#SPLIT#<part:03>")]
struct Split {
    user: String,
    n: u32,
    part: u32,
}

/// Not all of the partition: payments and splits are foreign.
#[derive(Debug, Clone, PartialEq, DynaCollection)]
enum Startup {
    Profile(User),
    Account(Account),
    Label(Label),
}

/// All that begins with `PAYMENT#`: nothing is foreign.
#[derive(Debug, Clone, PartialEq, DynaCollection)]
enum Payments {
    Payment(Payment),
    Split(Split),
}

#[derive(Debug, Clone, PartialEq, DynaCollection)]
#[dyna(index = gsi1)]
enum OfBank {
    Payment(Payment),
    Account(Account),
}

/// An index that holds keys alone.
#[derive(Debug, Clone, PartialEq, DynaCollection)]
#[dyna(index = keys)]
enum KeysOfBank {
    Payment(Payment),
    Account(Account),
}

fn account(n: u32) -> Account {
    Account {
        user: "ann".to_owned(),
        n,
        bank: "b".to_owned(),
    }
}

fn label(text: &str) -> Label {
    Label {
        user: "ann".to_owned(),
        text: text.to_owned(),
    }
}

fn payment(n: u32) -> Payment {
    Payment {
        user: "ann".to_owned(),
        n,
        bank: "b".to_owned(),
    }
}

fn split(n: u32, part: u32) -> Split {
    let user = "ann".to_owned();
    Split { user, n, part }
}

fn startup() -> Vec<Startup> {
    let mut items = vec![Startup::Profile(User {
        id: "ann".to_owned(),
    })];
    items.extend((0..5).map(|n| Startup::Account(account(n))));
    items.extend(["a", "b", "c"].map(|text| Startup::Label(label(text))));
    items
}

fn payments() -> Vec<Payments> {
    (0..7)
        .flat_map(|n| [Payments::Payment(payment(n)), Payments::Split(split(n, 1))])
        .collect()
}

async fn money() -> (Embedded, Table<Money>) {
    let engine = Embedded::in_memory().unwrap();
    let db = Table::embedded_in(&engine).await.unwrap();
    for user in ["ann", "bob"] {
        let id = user.to_owned();
        User { id }.create().send(&db).await.unwrap();
    }
    for n in 0..5 {
        account(n).create().send(&db).await.unwrap();
    }
    for text in ["c", "a", "b"] {
        label(text).create().send(&db).await.unwrap();
    }
    for n in 0..7 {
        payment(n).create().send(&db).await.unwrap();
        split(n, 1).create().send(&db).await.unwrap();
    }
    (engine, db)
}

#[tokio::test]
async fn members_come_in_the_order_of_their_keys() {
    let (_, db) = money().await;
    assert_eq!(Startup::query("ann").all(&db).await.unwrap(), startup());
    let mut backward = startup();
    backward.reverse();
    let query = Startup::query("ann".to_owned()).descending().consistent();
    assert_eq!(query.all(&db).await.unwrap(), backward);
    assert_eq!(Startup::query("ann").count(&db).await.unwrap(), 9);
    let first = Startup::query("ann").first(&db).await.unwrap();
    assert_eq!(first, startup().first().cloned());
    assert_eq!(Startup::query("nobody").one(&db).await.unwrap(), None);
    let error = Startup::query("ann").one(&db).await.unwrap_err();
    assert!(matches!(error, Error::MoreThanOne { entity: "Startup" }));
    assert_eq!(Payments::query("ann").all(&db).await.unwrap(), payments());
}

/// Law: whatever the size of the pages, they are the collection, and exact where there are foreign items in between.
#[tokio::test]
async fn pages_of_a_collection_are_exact() {
    let (_, db) = money().await;
    for (limit, size) in [(1, 1), (2, 3), (4, 100), (9, 2)] {
        let (mut items, mut cursor) = (Vec::new(), None);
        loop {
            let query = Startup::query("ann").limit(limit).page_size(size);
            let page = query.after(cursor).send(&db).await.unwrap();
            assert!(page.items.len() == limit || page.next.is_none());
            items.extend(page.items);
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(items, startup());
        let stream = Payments::query("ann").page_size(size).stream(&db);
        assert_eq!(collected(stream).await, payments());
    }
}

#[tokio::test]
async fn cursor_of_a_collection_is_its_own() {
    let (engine, db) = money().await;
    let cursor = Startup::query("ann").limit(2).send(&db).await.unwrap().next;
    let before = engine.requests();
    let error = Startup::query("bob").after(cursor.clone()).send(&db).await;
    assert!(matches!(
        error.unwrap_err(),
        Error::Cursor {
            entity: "Startup",
            ..
        }
    ));
    let error = Payments::query("ann").after(cursor).send(&db).await;
    assert!(matches!(error.unwrap_err(), Error::Cursor { .. }));
    let error = Startup::query("a#b").send(&db).await.unwrap_err();
    assert!(error.is_invalid_key());
    assert_eq!(engine.requests(), before);
}

/// Items that other software wrote are told apart by their keys.
#[tokio::test]
async fn items_without_a_tag_are_recognized_by_key() {
    let (_, db) = money().await;
    for item in Money::scan().all(&db).await.unwrap() {
        let mut item = item.to_item().unwrap();
        assert!(matches!(item.remove("type"), Some(AttributeValue::S(_))));
        let put = db.client().put_item().table_name(db.name().unwrap());
        put.set_item(Some(item)).send().await.unwrap();
    }
    assert_eq!(Startup::query("ann").all(&db).await.unwrap(), startup());
    assert_eq!(Payments::query("ann").all(&db).await.unwrap(), payments());
}

#[tokio::test]
async fn collections_through_an_index() {
    let (_, db) = money().await;
    let expected: Vec<OfBank> = (0..5)
        .map(|n| OfBank::Account(account(n)))
        .chain((0..7).map(|n| OfBank::Payment(payment(n))))
        .collect();
    assert_eq!(OfBank::query("b").all(&db).await.unwrap(), expected);
    let last = OfBank::query("b").descending().limit(1).send(&db).await;
    assert_eq!(last.unwrap().items, [OfBank::Payment(payment(6))]);
    // Keys alone do not make entities, but lead to them.
    let whole = KeysOfBank::query("b").hydrate().all(&db).await.unwrap();
    assert_eq!(whole.len(), 12);
    assert!(whole.contains(&KeysOfBank::Account(account(3))));
}

#[test]
fn queries_are_as_narrow_as_their_members() {
    let explain = Startup::query("ann").explain();
    assert_eq!(
        explain.get("KeyConditionExpression"),
        Some("pk = :p AND sk BETWEEN :s AND :t")
    );
    assert_eq!(explain.get(":p"), Some("\"USER#ann\""));
    assert_eq!(explain.get(":s"), Some("\"@PROFILE\""));
    assert_eq!(explain.get(":t"), Some("\"LABEL#\\u{10ffff}\""));
    let explain = Payments::query("ann").explain();
    assert_eq!(
        explain.get("KeyConditionExpression"),
        Some("pk = :p AND begins_with(sk, :s)")
    );
    assert_eq!(explain.get(":s"), Some("\"PAYMENT#\""));
    let debug = format!("{:?}", Startup::query("ann"));
    assert_eq!(debug, "Query(Startup)");
}

/// Only where there are foreign items, a query filters: the answers of the others are full.
#[tokio::test]
async fn only_foreign_items_are_filtered_out() {
    let (engine, db) = money().await;
    let before = engine.requests();
    let page = Payments::query("ann").limit(5).send(&db).await.unwrap();
    assert_eq!(page.items, payments()[..5]);
    assert_eq!(engine.requests() - before, 1);
    // The tag of a foreign item keeps it out, though its key would fit.
    let mut item = Money::from(label("z")).to_item().unwrap();
    let tag = AttributeValue::S("Elsewhere".to_owned());
    item.insert("type".to_owned(), tag);
    let put = db.client().put_item().table_name(db.name().unwrap());
    put.set_item(Some(item)).send().await.unwrap();
    assert_eq!(Startup::query("ann").all(&db).await.unwrap(), startup());
}

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "teams", pk = "pk", sk = "sk")]
enum Teams {
    Team(Team),
    Member(Member),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Teams, pk = "ORG#<org>#<team:03>", sk = "TEAM")]
struct Team {
    org: String,
    team: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Teams, pk = "ORG#<org>#<team:03>", sk = "TEAM#<name>")]
struct Member {
    org: String,
    team: u32,
    name: String,
}

#[derive(Debug, Clone, PartialEq, DynaCollection)]
enum WholeTeam {
    Team(Team),
    Member(Member),
}

/// A table without a tag, and a partition of two fields.
#[tokio::test]
async fn partition_of_several_fields_is_given_as_a_tuple() {
    let db = Teams::embedded().await.unwrap();
    let (org, team) = ("acme".to_owned(), 7);
    let whole = Team {
        org: org.clone(),
        team,
    };
    let name = "ann".to_owned();
    let member = Member { org, team, name };
    whole.create().send(&db).await.unwrap();
    member.create().send(&db).await.unwrap();
    let query = WholeTeam::query(("acme", 7_u32));
    assert_eq!(query.explain().get(":s"), Some("\"TEAM\""));
    let expected = [WholeTeam::Team(whole), WholeTeam::Member(member)];
    assert_eq!(query.all(&db).await.unwrap(), expected);
}
