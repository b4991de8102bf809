//! `skip_expired` leaves out the same items whatever is read of them: projections without the time of expiry, and items that an index
//! holds only the keys of. So does `check_keys` refuse them.

use dyna_runtime::error::Misfit;
use dyna_runtime::{DynaEntity, DynaProjection, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "sessions",
    pk = "pk",
    sk = "sk",
    tag = "type",
    ttl = "expires",
    index(all, pk = "gsi1pk", sk = "gsi1sk"),
    index(keys, pk = "gsi2pk", sk = "gsi2sk", projection = "keys_only")
)]
enum Sessions {
    Session(Session),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Sessions, pk = "USER#<user>", sk = "SESSION#<n:03>",
    all(as = by_device, pk = "DEVICE#<device>", sk = "<n:03>"),
    keys(as = keys_by_device, pk = "DEVICE#<device>", sk = "<n:03>"),
)]
struct Session {
    user: String,
    n: u16,
    device: String,
    note: String,
    #[dyna(ttl)]
    ends: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaProjection)]
#[dyna(of = Session)]
struct Head {
    n: u16,
    note: String,
}

const NOW: u64 = 1_000_000;

async fn sessions() -> Table<Sessions> {
    let db = Sessions::embedded().await.unwrap();
    let db = db.with_clock(|| SystemTime::UNIX_EPOCH + Duration::from_secs(NOW));
    let ends = [
        None,
        Some(NOW - 1),
        Some(NOW),
        Some(NOW + 1),
        Some(NOW + 500),
    ];
    for (n, ends) in (1..).zip(ends) {
        let session = Session {
            user: "ann".to_owned(),
            n,
            device: "phone".to_owned(),
            note: format!("note {n}"),
            ends,
        };
        session.put().send(&db).await.unwrap();
    }
    db
}

/// Those that have not expired.
const LIVE: [u16; 3] = [1, 4, 5];

fn heads(heads: Vec<Head>) -> Vec<u16> {
    let mut numbers: Vec<u16> = heads.iter().map(|head| head.n).collect();
    numbers.sort_unstable();
    numbers
}

fn whole(sessions: &[Session]) -> Vec<u16> {
    sessions.iter().map(|session| session.n).collect()
}

#[tokio::test]
async fn projections_skip_expired_items() {
    let db = sessions().await;
    let query = || Session::query("ann").skip_expired().project::<Head>();
    assert_eq!(heads(query().all(&db).await.unwrap()), LIVE);
    assert_eq!(heads(query().page_size(1).all(&db).await.unwrap()), LIVE);
    let page = query().limit(2).send(&db).await.unwrap();
    assert_eq!(heads(page.items), LIVE[..2]);
    let page = query().limit(2).after(page.next.unwrap());
    assert_eq!(heads(page.send(&db).await.unwrap().items), LIVE[2..]);
    let query = Session::query("ann").project::<Head>().skip_expired();
    assert_eq!(heads(query.all(&db).await.unwrap()), LIVE);
    let index = Session::by_device("phone").skip_expired().project::<Head>();
    assert_eq!(heads(index.all(&db).await.unwrap()), LIVE);
    let scan = Session::scan().skip_expired().project::<Head>();
    assert_eq!(heads(scan.all(&db).await.unwrap()), LIVE);
    let keys = || (1..=5).map(|n| Session::key("ann", n));
    let batch = db.batch_get(keys()).skip_expired().project::<Head>();
    let batch = batch.await.unwrap().items.into_iter().flatten().collect();
    assert_eq!(heads(batch), LIVE);
    for n in 1..=5 {
        let get = Session::get("ann", n).skip_expired().project::<Head>();
        let found = get.send(&db).await.unwrap();
        assert_eq!(found.is_some(), LIVE.contains(&n), "{n}");
    }
}

#[tokio::test]
async fn hydration_skips_expired_items() {
    let db = sessions().await;
    let query = || Session::by_device("phone").skip_expired().hydrate();
    assert_eq!(whole(&query().all(&db).await.unwrap()), LIVE);
    assert_eq!(whole(&query().page_size(1).all(&db).await.unwrap()), LIVE);
    let page = query().limit(2).send(&db).await.unwrap();
    assert_eq!(whole(&page.items), LIVE[..2]);
    let other = Session::by_device("phone").hydrate().skip_expired();
    assert_eq!(whole(&other.all(&db).await.unwrap()), LIVE);
}

/// The index does not tell when an item expires: an error, and no item that should have been left out.
#[tokio::test]
async fn hydration_from_an_index_without_the_time_of_expiry_is_refused() {
    let db = sessions().await;
    let query = Session::keys_by_device("phone").skip_expired().hydrate();
    assert_eq!(
        query.all(&db).await.unwrap_err().to_string(),
        "Session: expires: a filter cannot name an attribute that the index does not hold"
    );
}

/// Changes the number of the first session behind Dyna's back, so that it is not what its key says.
async fn disagree(db: &Table<Sessions>) {
    let found = Session::get("ann", 1).send(db).await.unwrap().unwrap();
    let mut item = Sessions::from(found).to_item().unwrap();
    let n = aws_sdk_dynamodb::types::AttributeValue::N("9".to_owned());
    item.insert("n".to_owned(), n);
    let put = db.client().put_item().table_name("sessions");
    put.set_item(Some(item)).send().await.unwrap();
}

#[tokio::test]
async fn hydrated_items_are_checked_with_check_keys() {
    let db = sessions().await.check_keys();
    assert_eq!(
        Session::keys_by_device("phone")
            .hydrate()
            .all(&db)
            .await
            .unwrap()
            .len(),
        5
    );
    disagree(&db).await;
    let error = Session::keys_by_device("phone").hydrate().all(&db).await;
    let error = error.unwrap_err();
    assert!(
        matches!(
            error,
            Error::Misfit {
                misfit: Misfit::Table,
                ..
            }
        ),
        "{error}"
    );
}

#[tokio::test]
async fn projections_are_refused_with_check_keys() {
    let db = sessions().await.check_keys();
    let keys = [Session::key("ann", 1)];
    let errors = [
        Session::query("ann")
            .project::<Head>()
            .all(&db)
            .await
            .unwrap_err(),
        Session::by_device("phone")
            .project::<Head>()
            .all(&db)
            .await
            .unwrap_err(),
        Session::scan()
            .project::<Head>()
            .all(&db)
            .await
            .unwrap_err(),
        Session::get("ann", 1)
            .project::<Head>()
            .send(&db)
            .await
            .unwrap_err(),
        db.batch_get(keys).project::<Head>().await.unwrap_err(),
    ];
    for error in errors {
        assert_eq!(
            error.to_string(),
            "Head: `check_keys()` cannot check a projection, which may lack key fields; read the whole entity, or use a handle without \
             `check_keys()`"
        );
    }
}
