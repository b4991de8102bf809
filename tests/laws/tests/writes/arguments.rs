//! What updates take as arguments.

use super::{Mailbox, Venue, Wallet, db, instant, raw};
use dyna_runtime::{DynaTable as _, Table};
use rust_decimal::Decimal;
use std::collections::{BTreeSet, HashSet};

fn mailbox(address: &str) -> Mailbox {
    Mailbox {
        address: address.to_owned(),
        opened: instant(1_000),
        rank: 1,
        host: "h".to_owned(),
        size: 1,
    }
}

/// Every stored key is what the stored fields make of it.
async fn assert_fresh(db: &Table<Venue>) {
    for item in raw(db).await.into_values() {
        let entity = Venue::from_item(item.clone()).unwrap();
        assert_eq!(entity.to_item().unwrap(), item);
    }
}

#[tokio::test]
async fn an_index_that_lowers_a_field_as_the_key_does_is_set_in_any_case() {
    let (db, _) = db().await;
    mailbox("Ann@X").create().send(&db).await.unwrap();
    for address in ["Ann@X", "ann@x", "ANN@X"] {
        // In the order of the template, without what the key of the item has: its address, and its month.
        let update = Mailbox::update(address, instant(2_000)).set_by_rank(7, "mail");
        update.send(&db).await.unwrap();
        assert_fresh(&db).await;
        let found = Mailbox::by_rank("aNN@x")
            .opened(instant(7))
            .rank(7)
            .one(&db)
            .await
            .unwrap();
        assert_eq!(found.unwrap().host, "mail");
        let item = &raw(&db).await["BOX#ann@x"];
        assert_eq!(item["gsi1sk"].as_s().unwrap(), "1970-01#007#MAIL");
        let back = Mailbox::update(address, instant(0)).set_by_rank(1, "h");
        back.send(&db).await.unwrap();
    }
}

#[tokio::test]
async fn update_loaded_with_other_case_keeps_index_keys() {
    let (db, _) = db().await;
    mailbox("Ann@X").create().send(&db).await.unwrap();
    let loaded = Mailbox {
        opened: instant(5),
        ..mailbox("ann@x")
    };
    // An index has the address as it is stored, so it must be the one that was loaded.
    for update in [
        Mailbox::update_loaded(&loaded).set(Mailbox::RANK, 9),
        Mailbox::update_loaded(&loaded).set(Mailbox::SIZE, 9),
    ] {
        assert!(update.send(&db).await.unwrap_err().is_condition_failed());
        assert_fresh(&db).await;
    }
}

#[tokio::test]
async fn a_setter_takes_its_arguments_in_the_order_of_the_template() {
    let (db, _) = db().await;
    mailbox("Ann@X").create().send(&db).await.unwrap();
    // `SIZE#<address>`, then `<size:05>`: the address is asked for, because the key has it in lower case.
    let set = |address: &str| Mailbox::update("ann@x", instant(0)).set_by_size(address, 9);
    assert!(
        set("ann@x")
            .send(&db)
            .await
            .unwrap_err()
            .is_condition_failed()
    );
    set("Ann@X").send(&db).await.unwrap();
    assert_fresh(&db).await;
    assert_eq!(
        Mailbox::by_size("Ann@X").size(9).count(&db).await.unwrap(),
        1
    );
}

fn wallet() -> Wallet {
    let ten = Decimal::new(1_000, 2);
    Wallet {
        id: "a".to_owned(),
        balance: ten,
        limit: None,
        text: ten,
        tags: BTreeSet::new(),
        days: None,
        hashes: Vec::new(),
    }
}

#[tokio::test]
async fn decimals_are_added_and_subtracted_exactly() {
    let (db, _) = db().await;
    wallet().create().send(&db).await.unwrap();
    let cent = Decimal::new(1, 2);
    let update = Wallet::update("a")
        .add(Wallet::BALANCE, cent)
        .returning_new();
    assert_eq!(
        update.send(&db).await.unwrap().balance,
        Decimal::new(1_001, 2)
    );
    let update = Wallet::update("a").subtract(Wallet::BALANCE, Decimal::new(2_002, 2));
    let update = update.returning_new().send(&db).await.unwrap();
    assert_eq!(update.balance, Decimal::new(-1_001, 2));
    let zero = Wallet::update("a").subtract(Wallet::BALANCE, Decimal::ZERO);
    zero.send(&db).await.unwrap();
}

#[tokio::test]
async fn sets_take_whatever_yields_their_elements() {
    let (db, _) = db().await;
    wallet().create().send(&db).await.unwrap();
    let start = || Wallet::update("a");
    let send = async |update: dyna_runtime::Update<Wallet>| {
        update.returning_new().send(&db).await.unwrap()
    };
    send(start().add_elements(Wallet::TAGS, ["a", "b"])).await;
    send(start().add_elements(Wallet::TAGS, vec!["c".to_owned()])).await;
    let whole = BTreeSet::from(["d".to_owned()]);
    send(start().add_elements(Wallet::TAGS, &whole)).await;
    assert_eq!(whole.len(), 1);
    let more = "e".split(' ').map(str::to_owned);
    let stored = send(start().add_elements(Wallet::TAGS, more)).await;
    let tags: Vec<_> = stored.tags.iter().map(String::as_str).collect();
    assert_eq!(tags, ["a", "b", "c", "d", "e"]);
    let stored = send(start().delete_elements(Wallet::TAGS, stored.tags.iter().skip(1))).await;
    assert_eq!(stored.tags, BTreeSet::from(["a".to_owned()]));
    let days = start()
        .add_elements(Wallet::DAYS, [1, 2])
        .add_elements(Wallet::HASHES, [vec![7]]);
    let stored = send(days).await;
    assert_eq!(stored.days, Some(HashSet::from([1, 2])));
    assert_eq!(stored.hashes, [[7]]);
    let stored = send(start().delete_elements(Wallet::DAYS, 1..=2)).await;
    assert_eq!(stored.days, None);
    let none: [&str; 0] = [];
    let empty = start()
        .add_elements(Wallet::TAGS, none)
        .send(&db)
        .await
        .unwrap_err();
    assert!(empty.to_string().contains("empty"), "{empty}");
}
