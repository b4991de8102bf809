//! Daily deals: partitions by day, an index of unread messages alone, a front page in several copies.

use super::keys;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, DynaTable)]
#[dyna(
    name = "deals",
    pk = "PK",
    sk = "SK",
    tag = "Type",
    index(gsi1, pk = "GSI1PK", sk = "GSI1SK"),
    index(gsi2, pk = "GSI2PK", sk = "GSI2SK")
)]
enum Deals {
    Deal(Deal),
    Message(Message),
    FrontPage(FrontPage),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Deals,
    pk = "DEAL#<id>",
    sk = "DEAL#<id>",
    gsi1(as = of_day, pk = "DEALS#<created:%Y-%m-%dT00:00:00>", sk = "DEAL#<id>"),
    gsi2(as = of_brand, pk = "BRAND#<brand|upper>#<created:%Y-%m-%dT00:00:00>", sk = "DEAL#<id>")
)]
struct Deal {
    id: String,
    created: DateTime,
    brand: String,
    price: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Deals,
    pk = "MESSAGES#<user>",
    sk = "MESSAGE#<id>",
    gsi1(as = unread, pk = "MESSAGES#<user>", sk = "MESSAGE#<id>", when = is_unread)
)]
struct Message {
    user: String,
    id: String,
    is_unread: bool,
}

/// One of several copies, so that many readers do not meet at one partition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Deals, pk = "DEALSCACHE#<copy:plain>", sk = "DEALSCACHE#<copy:plain>")]
struct FrontPage {
    #[dyna(key_only)]
    copy: u32,
    deals: Vec<String>,
}

fn deal(id: &str, created: &str, brand: &str) -> Deal {
    Deal {
        id: id.into(),
        created: created.parse().unwrap(),
        brand: brand.into(),
        price: 10,
    }
}

async fn deals() -> Table<Deals> {
    let db = Deals::embedded().await.unwrap();
    let all = [
        deal("1", "2026-11-17T08:00:00", "Acme"),
        deal("2", "2026-11-18T07:00:00", "Acme"),
        deal("3", "2026-11-18T09:30:00", "Best"),
    ];
    assert!(
        db.batch_write()
            .put_all(&all)
            .send()
            .await
            .unwrap()
            .is_empty()
    );
    db
}

fn ids(deals: Vec<Deal>) -> Vec<String> {
    deals.into_iter().map(|deal| deal.id).collect()
}

#[tokio::test]
async fn keys_are_those_of_the_design() {
    let db = Deals::embedded().await.unwrap();
    deal("2", "2026-11-18T07:00:00", "Acme")
        .create()
        .send(&db)
        .await
        .unwrap();
    let copies = [0, 11].map(|copy| FrontPage {
        copy,
        deals: vec!["2".into()],
    });
    assert!(
        db.batch_write()
            .put_all(&copies)
            .send()
            .await
            .unwrap()
            .is_empty()
    );
    let day = "2026-11-18T00:00:00";
    let (of_day, of_brand) = (format!("DEALS#{day}"), format!("BRAND#ACME#{day}"));
    let expected = [
        ["DEAL#2", "DEAL#2", &of_day, "DEAL#2", &of_brand, "DEAL#2"],
        ["DEALSCACHE#0", "DEALSCACHE#0", "-", "-", "-", "-"],
        ["DEALSCACHE#11", "DEALSCACHE#11", "-", "-", "-", "-"],
    ];
    let names = ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"];
    assert_eq!(keys(&db, names).await, expected);
    let page = FrontPage::get(11).send(&db).await.unwrap();
    assert_eq!(page.unwrap().deals, ["2"]);
}

#[tokio::test]
async fn latest_deals_of_several_days_and_of_a_brand() {
    let db = deals().await;
    let day = |day: &str| -> DateTime { format!("2026-11-{day}T12:00").parse().unwrap() };
    let today = Deal::of_day(day("18")).descending().all(&db).await.unwrap();
    assert_eq!(ids(today), ["3", "2"]);
    let week = Deal::of_day_many([day("17"), day("18")])
        .descending()
        .limit(2);
    assert_eq!(ids(week.all(&db).await.unwrap()), ["3", "2"]);
    let brand = Deal::of_brand("acme", day("17")).all(&db).await.unwrap();
    assert_eq!(ids(brand), ["1"]);
}

#[tokio::test]
async fn unread_messages_alone() {
    let db = deals().await;
    let message = |id: &str| Message {
        user: "ann".into(),
        id: id.into(),
        is_unread: true,
    };
    let all = [message("1"), message("2")];
    assert!(
        db.batch_write()
            .put_all(&all)
            .send()
            .await
            .unwrap()
            .is_empty()
    );
    let read = Message::update_loaded(&all[0]).set(Message::IS_UNREAD, false);
    read.send(&db).await.unwrap();
    let unread = Message::unread("ann").all(&db).await.unwrap();
    assert_eq!(unread, [message("2")]);
    assert_eq!(Message::query("ann").all(&db).await.unwrap().len(), 2);
}
