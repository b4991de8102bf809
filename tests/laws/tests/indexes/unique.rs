//! `#[dyna(unique = "..")]`: the items that stand for unique values have the keys that other software gives them.

use super::{item, store, stored, text};
use dyna_runtime::codec::Item;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(name = "unique", pk = "pk", sk = "sk", tag = "_type")]
enum Bank {
    Account(Account),
    Card(Card),
}

/// As `OneTable` stores accounts with a unique name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Bank, pk = "account#<id>", sk = "account#")]
struct Account {
    id: String,
    #[dyna(unique(pk = "_unique#Account#name#<name>", sk = "_unique#"))]
    name: String,
    #[dyna(unique = "_unique#Account#mail#<mail..>")]
    mail: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Bank, pk = "card#<id>", sk = "card#")]
struct Card {
    id: String,
    #[dyna(unique = "<code>#<<code>")]
    code: u64,
}

fn account(id: &str, name: &str, mail: Option<&str>) -> Account {
    Account {
        id: id.to_owned(),
        name: name.to_owned(),
        mail: mail.map(str::to_owned),
    }
}

/// The keys of all items but the accounts and cards.
async fn sentinels(db: &dyna_runtime::Table<Bank>) -> Vec<(String, String)> {
    let items = stored(db).await;
    let others = items.iter().filter(|item| !item.contains_key("_type"));
    let key = |name| move |item| text(item, name).unwrap().to_owned();
    others
        .map(|item| (key("pk")(item), key("sk")(item)))
        .collect()
}

fn keys<const N: usize>(keys: [(&str, &str); N]) -> Vec<(String, String)> {
    let owned = |(pk, sk): (&str, &str)| (pk.to_owned(), sk.to_owned());
    keys.map(owned).into()
}

#[tokio::test]
async fn a_unique_value_has_the_key_that_is_declared() {
    let db = Bank::embedded().await.unwrap();
    let ann = account("1", "ann", Some("a#b"));
    ann.create().send(&db).await.unwrap();
    let card = Card {
        id: "1".to_owned(),
        code: 7,
    };
    card.create().send(&db).await.unwrap();
    let both = [
        ("7#<code>", "UNIQUE"),
        ("_unique#Account#mail#a#b", "UNIQUE"),
        ("_unique#Account#name#ann", "_unique#"),
    ];
    assert_eq!(sentinels(&db).await, keys(both));
    let taken = account("2", "ann", None).create().send(&db).await;
    assert!(taken.unwrap_err().is_not_unique());
    // The items that stand for values are nobody's.
    assert_eq!(Bank::scan().all(&db).await.unwrap().len(), 2);
    let update = Account::update_loaded(&ann).set(Account::NAME, "bob");
    update.send(&db).await.unwrap();
    let bob = Account::get("1").send(&db).await.unwrap().unwrap();
    let mut renamed = both;
    renamed[2].0 = "_unique#Account#name#bob";
    assert_eq!(sentinels(&db).await, keys(renamed));
    Account::delete_loaded(&bob).send(&db).await.unwrap();
    assert_eq!(sentinels(&db).await, keys([both[0]]));
}

#[tokio::test]
async fn the_values_of_items_that_other_software_wrote_are_held_and_given_up() {
    let db = Bank::embedded().await.unwrap();
    let stored = [
        ("pk", "account#1"),
        ("sk", "account#"),
        ("_type", "Account"),
    ];
    let mut one = item(stored);
    one.extend(item([("id", "1"), ("name", "ann")]));
    store(&db, one).await;
    let sentinel = [("pk", "_unique#Account#name#ann"), ("sk", "_unique#")];
    store(&db, item(sentinel)).await;
    let taken = account("2", "ann", None).create().send(&db).await;
    assert!(taken.unwrap_err().is_not_unique());
    let ann = Account::get("1").send(&db).await.unwrap().unwrap();
    let update = Account::update_loaded(&ann).set(Account::NAME, "bob");
    update.send(&db).await.unwrap();
    let bob = Account::get("1").send(&db).await.unwrap().unwrap();
    let left = [("_unique#Account#name#bob", "_unique#")];
    assert_eq!(sentinels(&db).await, keys(left));
    account("2", "ann", None).create().send(&db).await.unwrap();
    // A value that another item of ours holds is not given up with it.
    let stale = Account {
        name: "ann".to_owned(),
        ..bob
    };
    Account::delete_loaded(&stale).send(&db).await.unwrap_err();
    assert_eq!(sentinels(&db).await.len(), 2);
}

#[tokio::test]
async fn sentinels_of_other_software_are_nobodys_whatever_their_tag() {
    let db = Bank::embedded().await.unwrap();
    let ann = account("1", "ann", None);
    ann.create().send(&db).await.unwrap();
    for (name, tag) in [("bob", "_Unique"), ("cy", "Account"), ("dan", "Card")] {
        let pk = format!("_unique#Account#name#{name}");
        let sentinel = [("pk", pk.as_str()), ("sk", "_unique#"), ("_type", tag)];
        store(&db, item(sentinel)).await;
    }
    let found = Bank::scan().all(&db).await.unwrap();
    assert_eq!(found, [Bank::Account(ann.clone())]);
    let page = Bank::scan().send(&db).await.unwrap();
    assert_eq!((page.items.len(), page.skipped.foreign), (1, 4));
    assert_eq!(Account::scan().all(&db).await.unwrap(), [ann]);
    assert!(Card::scan().all(&db).await.unwrap().is_empty());
    // They hold their values.
    for name in ["bob", "cy", "dan"] {
        let taken = account("2", name, None).create().send(&db).await;
        assert!(taken.unwrap_err().is_not_unique(), "{name}");
    }
    // An item of no template.
    let other = [
        ("pk", "_unique#Account#other#x"),
        ("sk", "_unique#"),
        ("_type", "_Unique"),
    ];
    store(&db, item(other)).await;
    let unknown = Bank::scan().all(&db).await.unwrap_err();
    assert!(
        matches!(unknown, dyna_runtime::Error::UnknownItem { .. }),
        "{unknown}"
    );
}

#[tokio::test]
async fn a_value_with_the_delimiter_is_refused_unless_the_template_takes_it() {
    let db = Bank::embedded().await.unwrap();
    let error = account("1", "a#b", None).create().send(&db).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("contains the delimiter '#'"), "{error}");
    assert!(stored(&db).await.is_empty());
}

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(name = "scopes", pk = "pk", sk = "sk", tag = "_type", ttl = "until")]
enum Firm {
    Member(Member),
    Guest(Guest),
}

/// The phone is unique within an account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Firm, pk = "account#<account>", sk = "member#<id:04>")]
struct Member {
    account: String,
    id: u32,
    #[dyna(unique(
        pk = "_unique#<account>#phone#<phone>",
        sk = "_unique#",
        tag = "_Unique"
    ))]
    phone: Option<String>,
}

/// An item with unique values that expires.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Firm, pk = "account#<account>", sk = "guest#<id>")]
struct Guest {
    account: String,
    id: String,
    #[dyna(unique(
        pk = "_unique#<account>#guest#<name>",
        sk = "_unique#",
        tag = "_Unique"
    ))]
    name: String,
    #[dyna(ttl)]
    until: Option<u64>,
}

fn member(account: &str, id: u32, phone: Option<&str>) -> Member {
    Member {
        account: account.to_owned(),
        id,
        phone: phone.map(str::to_owned),
    }
}

/// The sentinels that are stored, whole.
async fn unique_items(db: &dyna_runtime::Table<Firm>) -> Vec<Item> {
    let items = stored(db).await.into_iter();
    let is_sentinel = |item: &Item| text(item, "pk").is_some_and(|pk| pk.starts_with("_unique#"));
    items.filter(is_sentinel).collect()
}

fn sentinel(pk: &str) -> Item {
    item([("pk", pk), ("sk", "_unique#"), ("_type", "_Unique")])
}

#[tokio::test]
async fn a_value_is_unique_within_fields_of_the_primary_key() {
    let db = Firm::embedded().await.unwrap();
    let ann = member("a", 1, Some("+49 1"));
    ann.create().send(&db).await.unwrap();
    let same = member("a", 2, Some("+49 1")).create().send(&db).await;
    assert!(same.unwrap_err().is_not_unique());
    let elsewhere = member("b", 1, Some("+49 1"));
    elsewhere.create().send(&db).await.unwrap();
    member("a", 3, None).create().send(&db).await.unwrap();
    // They have the attributes that other software gives them, and no others.
    let both = ["_unique#a#phone#+49 1", "_unique#b#phone#+49 1"];
    assert_eq!(unique_items(&db).await, both.map(sentinel));

    // Values are taken and given up within the account.
    let update = Member::update_loaded(&ann).set(Member::PHONE, "+49 2".to_owned());
    update.send(&db).await.unwrap();
    let changed = ["_unique#a#phone#+49 2", "_unique#b#phone#+49 1"];
    assert_eq!(unique_items(&db).await, changed.map(sentinel));
    let again = member("a", 2, Some("+49 1"));
    again.create().send(&db).await.unwrap();
    // A member that moves to another account takes the value there.
    let moved = member("b", 2, Some("+49 1"));
    let taken = Member::rekey_loaded(&again, &moved).send(&db).await;
    assert!(taken.unwrap_err().is_not_unique());
    Member::delete_loaded(&elsewhere).send(&db).await.unwrap();
    let rekey = Member::rekey_loaded(&again, &moved);
    rekey.send(&db).await.unwrap();
    assert_eq!(unique_items(&db).await, changed.map(sentinel));
    Member::delete_loaded(&moved).send(&db).await.unwrap();
    assert_eq!(unique_items(&db).await, [sentinel(changed[0])]);
}

#[tokio::test]
async fn a_late_write_does_not_give_up_the_value_of_another_item() {
    let db = Firm::embedded().await.unwrap();
    let ann = member("a", 1, Some("+49 1"));
    ann.create().send(&db).await.unwrap();
    let update = Member::update_loaded(&ann).set(Member::PHONE, None);
    update.send(&db).await.unwrap();
    let bob = member("a", 2, Some("+49 1"));
    bob.create().send(&db).await.unwrap();
    // `ann` is what was loaded before both.
    Member::delete_loaded(&ann).send(&db).await.unwrap_err();
    let late = Member::update_loaded(&ann).set(Member::PHONE, "+49 9".to_owned());
    late.send(&db).await.unwrap_err();
    let held = ["_unique#a#phone#+49 1"].map(sentinel);
    assert_eq!(unique_items(&db).await, held);
}

#[tokio::test]
async fn a_unique_value_that_expires_has_an_owner() {
    let db = Firm::embedded().await.unwrap();
    let guest = Guest {
        account: "a".to_owned(),
        id: "g".to_owned(),
        name: "Cy".to_owned(),
        until: Some(4_000_000_000),
    };
    guest.create().send(&db).await.unwrap();
    let [item] = unique_items(&db).await.try_into().unwrap();
    assert_eq!(text(&item, "_type"), Some("_Unique"));
    assert!(item.contains_key("dyna:owner") && item.contains_key("until"));
}

#[tokio::test]
async fn a_field_that_a_value_is_unique_within_keeps_to_its_place_in_the_key() {
    let db = Firm::embedded().await.unwrap();
    let split = member("a#phone", 1, Some("x")).create().send(&db).await;
    let message = split.unwrap_err().to_string();
    assert_eq!(
        message,
        "Member: key field `account` contains the delimiter '#'"
    );
    let split = member("a", 1, Some("x#y")).create().send(&db).await;
    let message = split.unwrap_err().to_string();
    assert_eq!(
        message,
        "Member: key field `phone` contains the delimiter '#'"
    );
}
