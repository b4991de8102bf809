//! `#[dyna(shares_key_with = ..)]`: two entities have the same keys on purpose, and no write of one touches an item of the other.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::error::{Misfit, Unmet};
use dyna_runtime::{DynaCollection, DynaEntity, DynaProjection, DynaTable, Error, Rekey, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(name = "accounts", pk = "pk", sk = "sk", tag = "type", ttl = "ttl")]
enum Accounts {
    User(User),
    Organization(Organization),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ACCOUNT#<name>", sk = "ACCOUNT#<name>", shares_key_with = Organization)]
struct User {
    name: String,
    age: u8,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    #[dyna(ttl)]
    until: Option<u64>,
}

/// It has a version, so that `put` has a condition of its own too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ACCOUNT#<name>", sk = "ACCOUNT#<name>", shares_key_with = User)]
struct Organization {
    name: String,
    seats: u32,
    #[dyna(version)]
    version: u64,
}

#[derive(Debug, PartialEq, DynaCollection)]
enum Account {
    User(User),
    Organization(Organization),
}

#[derive(Debug, PartialEq, Deserialize, DynaProjection)]
#[dyna(of = User)]
struct Age {
    age: u8,
}

fn user(name: &str) -> User {
    User {
        name: name.to_owned(),
        age: 7,
        note: None,
        until: None,
    }
}

fn organization(name: &str) -> Organization {
    Organization {
        name: name.to_owned(),
        seats: 3,
        version: 0,
    }
}

/// `acme` is an organization, `ann` a user.
async fn both() -> Table<Accounts> {
    let db = Accounts::embedded().await.unwrap();
    organization("acme").create().send(&db).await.unwrap();
    user("ann").create().send(&db).await.unwrap();
    db
}

fn is_other(error: &Error) -> bool {
    matches!(error, Error::ConditionFailed { unmet, .. } if *unmet == Unmet::OtherEntity)
}

/// The organization is as it was created.
async fn assert_untouched(db: &Table<Accounts>) {
    let found = Organization::get("acme").consistent().send(db).await;
    let want = Organization {
        version: 1,
        ..organization("acme")
    };
    assert_eq!(found.unwrap(), Some(want));
}

#[tokio::test]
async fn no_write_overwrites_the_other_entity() {
    let db = both().await;
    let other = user("acme");
    let errors = [
        other.put().send(&db).await.unwrap_err(),
        other.put().returning_old().send(&db).await.unwrap_err(),
        other.replace().send(&db).await.unwrap_err(),
        User::update("acme")
            .set(User::AGE, 8)
            .send(&db)
            .await
            .unwrap_err(),
        User::update_loaded(&other)
            .set(User::AGE, 8)
            .send(&db)
            .await
            .unwrap_err(),
        User::upsert("acme")
            .set(User::AGE, 8)
            .send(&db)
            .await
            .unwrap_err(),
        User::delete("acme").send(&db).await.unwrap_err(),
        User::delete("acme")
            .returning_old()
            .send(&db)
            .await
            .map(drop)
            .unwrap_err(),
        User::delete_loaded(&other).send(&db).await.unwrap_err(),
    ];
    for (n, error) in errors.iter().enumerate() {
        assert!(is_other(error), "{n}: {error:?}");
        assert!(error.is_condition_failed(), "{n}");
        assert!(error.to_string().contains("another entity"), "{n}: {error}");
    }
    let created = other.create().send(&db).await.unwrap_err();
    assert!(created.is_condition_failed());
    let expired = other.create().or_expired().send(&db).await.unwrap_err();
    assert!(expired.is_condition_failed());
    let moved = User::rekey(User::key("ann"), &other).send(&db).await;
    assert!(moved.unwrap_err().is_condition_failed());
    let moved = Rekey::loaded(&user("ann"), &other).send(&db).await;
    assert!(moved.unwrap_err().is_condition_failed());
    assert_untouched(&db).await;
    assert_eq!(User::get("ann").send(&db).await.unwrap(), Some(user("ann")));
}

#[tokio::test]
async fn version_does_not_let_the_other_entity_in() {
    let db = both().await;
    // Version 0 asks for no version, and a user has none.
    let error = organization("ann").put().send(&db).await.unwrap_err();
    assert!(is_other(&error), "{error:?}");
    assert_eq!(User::get("ann").send(&db).await.unwrap(), Some(user("ann")));
}

#[tokio::test]
async fn transactions_carry_the_condition_too() {
    let db = both().await;
    let other = user("acme");
    let transactions = [
        db.transact().put(&other).send().await,
        db.transact().put(other.replace()).send().await,
        db.transact().create(&other).send().await,
        db.transact()
            .update(User::update("acme").set(User::AGE, 8))
            .send()
            .await,
        db.transact()
            .update(User::upsert("acme").set(User::AGE, 8))
            .send()
            .await,
        db.transact().delete(User::delete("acme")).send().await,
        db.transact()
            .check(User::check("acme").exists())
            .put(&user("bob"))
            .send()
            .await,
        db.transact()
            .check(User::check("acme").when(User::NOTE.missing()))
            .put(&user("bob"))
            .send()
            .await,
    ];
    for (n, sent) in transactions.into_iter().enumerate() {
        let error = sent.unwrap_err();
        assert!(error.is_condition_failed(), "{n}: {error:?}");
    }
    assert_untouched(&db).await;
    assert_eq!(User::get("bob").send(&db).await.unwrap(), None);
}

#[tokio::test]
async fn writes_of_ones_own_go_through() {
    let db = both().await;
    let ann = User {
        age: 8,
        ..user("ann")
    };
    ann.put().send(&db).await.unwrap();
    ann.replace().send(&db).await.unwrap();
    user("new").put().send(&db).await.unwrap();
    User::update("ann")
        .set(User::AGE, 9)
        .send(&db)
        .await
        .unwrap();
    User::upsert("ann")
        .set(User::AGE, 10)
        .send(&db)
        .await
        .unwrap();
    User::upsert("fresh")
        .set(User::AGE, 1)
        .send(&db)
        .await
        .unwrap();
    User::delete("new").send(&db).await.unwrap();
    // There is nothing any more.
    User::delete("new").send(&db).await.unwrap();
    db.transact()
        .put(&user("ann"))
        .delete(User::delete("fresh"))
        .send()
        .await
        .unwrap();
    assert_eq!(User::scan().all(&db).await.unwrap(), [user("ann")]);
    assert_untouched(&db).await;
}

#[tokio::test]
async fn reads_distinguish_entities_by_tag() {
    let db = both().await;
    assert_eq!(User::get("acme").send(&db).await.unwrap(), None);
    assert_eq!(User::query("acme").all(&db).await.unwrap(), []);
    assert_eq!(User::query("acme").count(&db).await.unwrap(), 0);
    assert_eq!(User::scan().count(&db).await.unwrap(), 1);
    let batch = db
        .batch_get([User::key("acme"), User::key("ann")])
        .await
        .unwrap();
    assert_eq!(batch.items, [None, Some(user("ann"))]);
    let (one, two) = db
        .transact_get((User::key("acme"), User::key("ann")))
        .await
        .unwrap();
    assert_eq!((one, two), (None, Some(user("ann"))));
    let account = Account::query("acme").one(&db).await.unwrap();
    assert!(matches!(account, Some(Account::Organization(_))));
    let account = Account::query("ann").one(&db).await.unwrap();
    assert_eq!(account, Some(Account::User(user("ann"))));
    assert_eq!(Accounts::scan().all(&db).await.unwrap().len(), 2);
}

/// Without a tag it is neither's, since nobody can tell: who asks for its key is told so, other reads count it.
#[tokio::test]
async fn item_without_a_tag_is_reported_and_not_overwritten() {
    let is_untagged = |error: &Error| {
        let is_misfit = matches!(error, Error::Misfit { entity: "User", misfit, .. } if *misfit == Misfit::Untagged);
        is_misfit && error.key().is_some()
    };
    for tag in [None, Some(AttributeValue::Null(true))] {
        let db = both().await;
        let key = || AttributeValue::S("ACCOUNT#bob".to_owned());
        let put = db.client().put_item().table_name("accounts");
        let put = put.item("pk", key()).item("sk", key());
        let put = put.item("name", AttributeValue::S("bob".to_owned()));
        let put = put.item("age", AttributeValue::N("7".to_owned()));
        let put = match tag {
            Some(tag) => put.item("type", tag),
            None => put,
        };
        put.send().await.unwrap();
        let errors = [
            User::get("bob").send(&db).await.unwrap_err(),
            User::get("bob").consistent().send(&db).await.unwrap_err(),
            db.batch_get([User::key("ann"), User::key("bob")])
                .await
                .unwrap_err(),
            db.transact_get((User::key("bob"), User::key("ann")))
                .await
                .unwrap_err(),
        ];
        for (n, error) in errors.iter().enumerate() {
            assert!(is_untagged(error), "{n}: {error}");
        }
        let age = User::get("bob").project::<Age>().send(&db).await;
        assert!(matches!(age, Err(Error::Misfit { .. })));
        let keys = [User::key("ann"), User::key("bob")];
        let batch = db.batch_get(keys).skip_unreadable().await.unwrap();
        assert_eq!(batch.items, [Some(user("ann")), None]);
        assert!(is_untagged(&batch.unreadable[0]));

        let page = User::query("bob").send(&db).await.unwrap();
        assert_eq!((page.items.len(), page.skipped.unknown), (0, 1));
        assert_eq!(User::scan().all(&db).await.unwrap(), [user("ann")]);
        assert!(is_other(&user("bob").put().send(&db).await.unwrap_err()));
        assert!(matches!(
            Accounts::scan().all(&db).await,
            Err(Error::UnknownItem { .. })
        ));
    }
}
