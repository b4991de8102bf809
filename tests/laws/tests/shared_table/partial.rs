//! `#[dyna(partial)]`: some entities of a table that belongs to others, who have more in it than is declared.

use aws_sdk_dynamodb::types::AttributeValue::{N, S};
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Error, Rekey, Table};
use serde::{Deserialize, Serialize};

/// The table of others.
mod theirs {
    use super::{Deserialize, DynaEntity, DynaTable, Serialize};

    #[derive(Debug, PartialEq, DynaTable)]
    #[dyna(
        name = "shop",
        pk = "pk",
        sk = "sk",
        tag = "type",
        ttl = "expires",
        stream = "new_image",
        deletion_protection,
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk"),
        index(gsi2, pk = "gsi2pk")
    )]
    pub(super) enum Shop {
        User(User),
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = Shop, pk = "USER#<id>", sk = "@", gsi1(as = by_mail, pk = "MAIL#<mail>", sk = "@"))]
    pub(super) struct User {
        pub(super) id: String,
        pub(super) mail: String,
        pub(super) points: u32,
    }
}

/// What this program knows of it.
#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "shop",
    pk = "pk",
    sk = "sk",
    tag = "type",
    partial,
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk", projection = "keys_only")
)]
enum Known {
    User(User),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Known, pk = "USER#<id>", sk = "@", partial, gsi1(as = by_mail, pk = "MAIL#<mail>", sk = "@"))]
struct User {
    id: String,
    mail: String,
}

/// It declares an index that the table has not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "shop",
        pk = "pk",
        sk = "sk",
        partial,
        ttl = "other",
        index(gsi9, pk = "gsi9pk")
    ),
    pk = "USER#<id>",
    sk = "@"
)]
struct Wrong {
    id: String,
}

async fn both() -> (Table<theirs::Shop>, Table<Known>) {
    let engine = Embedded::in_memory().unwrap();
    let shop = Table::<theirs::Shop>::embedded_in(&engine).await.unwrap();
    let user = theirs::User {
        id: "ann".to_owned(),
        mail: "a@x".to_owned(),
        points: 7,
    };
    user.create().send(&shop).await.unwrap();
    (shop, Known::open(engine.client()))
}

#[tokio::test]
async fn verify_compares_only_declared_parts() {
    let (_, db) = both().await;
    db.verify().await.unwrap();
    assert!(db.differences().await.unwrap().is_empty());
    let wrong = Wrong::open(db.client().clone());
    let differences = wrong.differences().await.unwrap().to_string();
    assert_eq!(differences.lines().count(), 3, "{differences}");
    assert!(differences.contains("index `gsi9`"), "{differences}");
    assert!(differences.contains("time to live"), "{differences}");
    assert!(wrong.verify().await.is_err());
}

#[tokio::test]
async fn create_table_refuses_a_table_that_is_declared_in_part() {
    let engine = Embedded::in_memory().unwrap();
    let error = Known::open(engine.client())
        .create_table()
        .await
        .unwrap_err();
    assert!(matches!(error, Error::PartialTable { .. }));
    assert_eq!(
        error.to_string(),
        "table `shop` is declared `partial`; `create_table` needs the complete declaration"
    );
    let list = engine.client().list_tables().send().await.unwrap();
    assert_eq!(list.table_names(), [] as [String; 0]);
    // In an engine of one's own there is nobody else.
    Known::embedded().await.unwrap();
}

#[tokio::test]
async fn updates_leave_the_attributes_of_others_as_they_are() {
    let (shop, db) = both().await;
    let user = User::get("ann").send(&db).await.unwrap().unwrap();
    User::update("ann")
        .set_by_mail("b@x")
        .send(&db)
        .await
        .unwrap();
    User::update_loaded(&User {
        mail: "b@x".to_owned(),
        ..user.clone()
    })
    .set(User::MAIL, "c@x")
    .send(&db)
    .await
    .unwrap();
    User::upsert("ann")
        .set_by_mail("d@x")
        .send(&db)
        .await
        .unwrap();
    let found = theirs::User::get("ann").send(&shop).await.unwrap().unwrap();
    assert_eq!((found.points, found.mail.as_str()), (7, "d@x"));
    let by_mail = theirs::User::by_mail("d@x").all(&shop).await.unwrap();
    assert_eq!(by_mail, [found]);
    // Under another key it would be written anew.
    let to = User {
        id: "bob".to_owned(),
        ..user
    };
    let moved = Rekey::loaded(&User::get("ann").send(&db).await.unwrap().unwrap(), &to);
    let error = moved.send(&db).await.unwrap_err();
    assert!(matches!(
        error,
        Error::PartialTable {
            operation: "rekey",
            ..
        }
    ));
}

#[tokio::test]
async fn new_items_are_created_and_old_ones_deleted() {
    let (_, db) = both().await;
    let bob = User {
        id: "bob".to_owned(),
        mail: "b@x".to_owned(),
    };
    bob.create().send(&db).await.unwrap();
    assert!(
        bob.create()
            .send(&db)
            .await
            .unwrap_err()
            .is_condition_failed()
    );
    db.transact()
        .create(&User {
            id: "eve".to_owned(),
            ..bob.clone()
        })
        .send()
        .await
        .unwrap();
    User::delete("bob").send(&db).await.unwrap();
    User::delete_loaded(&User {
        id: "eve".to_owned(),
        ..bob
    })
    .send(&db)
    .await
    .unwrap();
    let left = db
        .batch_write()
        .delete(User::key("ann"))
        .send()
        .await
        .unwrap();
    assert!(left.is_empty());
    assert_eq!(User::scan().count(&db).await.unwrap(), 0);
}

/// Nobody knows what else is in the table: that is no error of the entities that are declared.
#[tokio::test]
async fn items_of_others_are_left_out() {
    let (_, db) = both().await;
    let put = db.client().put_item().table_name("shop");
    let put = put
        .item("pk", S("USER#ann".to_owned()))
        .item("sk", S("CART#1".to_owned()));
    put.item("n", N("1".to_owned())).send().await.unwrap();
    assert_eq!(User::scan().all(&db).await.unwrap().len(), 1);
    assert_eq!(
        Known::scan().skip_unknown().all(&db).await.unwrap().len(),
        1
    );
}
