//! Conditions that Dyna writes, through a client whose interceptors change items: `create().or_expired()`, and what `update_loaded` asks
//! of the fields that an index key is made of.

use super::interceptors::{Audit, Encrypt};
use aws_sdk_dynamodb::config::Intercept;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "vault",
    pk = "pk",
    sk = "sk",
    tag = "type",
    ttl = "ttl",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
enum Vault {
    Lock(Lock),
    Task(Task),
    Sealed(Sealed),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Vault, pk = "LOCK#<name>", sk = "LOCK")]
struct Lock {
    name: String,
    secret: String,
    #[dyna(ttl)]
    lasts: Duration,
    #[dyna(version)]
    version: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Vault, pk = "TASK#<id>", sk = "TASK",
    gsi1(as = by_owner, pk = "OWNER#<owner>", sk = "<rank:03>"),
)]
struct Task {
    id: String,
    owner: String,
    rank: u16,
    secret: String,
}

/// Its index key is made of what the client encrypts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Vault, pk = "SEALED#<id>", sk = "SEALED",
    gsi1(as = sealed_by_owner, pk = "SEALED#<owner>", sk = "<secret>"),
)]
struct Sealed {
    id: String,
    owner: String,
    secret: String,
}

struct World {
    engine: Embedded,
    db: Table<Vault>,
    clock: Arc<AtomicU64>,
}

async fn world(interceptor: impl Intercept + 'static) -> World {
    let engine = Embedded::in_memory().unwrap();
    Table::<Vault>::embedded_in(&engine).await.unwrap();
    let config = engine.config().interceptor(interceptor).build();
    let clock = Arc::new(AtomicU64::new(1_000_000));
    let now = Arc::clone(&clock);
    let db = Vault::open(aws_sdk_dynamodb::Client::from_conf(config));
    let db = db.with_clock(move || {
        SystemTime::UNIX_EPOCH + Duration::from_secs(now.load(Ordering::Relaxed))
    });
    World { engine, db, clock }
}

impl World {
    /// An attribute of the only item of an engine, as it is stored.
    async fn stored(&self, attribute: &str) -> Option<String> {
        let scan = self.engine.client().scan().table_name("vault").send();
        let items = scan.await.unwrap().items.unwrap();
        assert_eq!(items.len(), 1);
        let value = items[0].get(attribute)?;
        Some(value.as_s().cloned().unwrap_or_default())
    }
}

fn lock(secret: &str) -> Lock {
    Lock {
        name: "daily".to_owned(),
        secret: secret.to_owned(),
        lasts: Duration::from_mins(1),
        version: 0,
    }
}

async fn creates_over_expired(world: &World) {
    let db = &world.db;
    lock("ann").create().or_expired().send(db).await.unwrap();
    let ann = Lock::get("daily").send(db).await.unwrap().unwrap();
    assert_eq!(ann.secret, "ann");
    let error = lock("bob").create().or_expired().send(db).await;
    assert!(error.unwrap_err().is_condition_failed());
    world.clock.fetch_add(61, Ordering::Relaxed);
    lock("bob").create().or_expired().send(db).await.unwrap();
    let bob = Lock::get("daily").send(db).await.unwrap().unwrap();
    assert_eq!(bob.secret, "bob");
    assert!(bob.version > ann.version);
    let late = ann.put().send(db).await.unwrap_err();
    assert!(late.is_version_conflict(), "{late}");
    // The same in a transaction.
    let cid = lock("cid");
    let transact = || db.transact().put(cid.create().or_expired());
    assert!(transact().send().await.unwrap_err().is_condition_failed());
    world.clock.fetch_add(61, Ordering::Relaxed);
    transact().send().await.unwrap();
    let read = Lock::get("daily").send(db).await.unwrap().unwrap();
    assert_eq!(read.secret, "cid");
}

#[tokio::test]
async fn or_expired_holds_with_an_interceptor_that_encrypts() {
    let world = world(Encrypt::default()).await;
    creates_over_expired(&world).await;
    let secret = world.stored("secret").await.unwrap();
    assert!(secret.starts_with("cipher:"));
}

#[tokio::test]
async fn or_expired_holds_with_an_interceptor_that_adds_attributes() {
    let world = world(Audit).await;
    creates_over_expired(&world).await;
    assert!(world.stored("audit").await.is_some());
}

fn task() -> Task {
    Task {
        id: "t".to_owned(),
        owner: "ann".to_owned(),
        rank: 1,
        secret: "plain".to_owned(),
    }
}

async fn follows_the_loaded(world: &World) {
    let db = &world.db;
    task().create().send(db).await.unwrap();
    let loaded = Task::get("t").send(db).await.unwrap().unwrap();
    assert_eq!(loaded, task());
    let update = Task::update_loaded(&loaded).set(Task::RANK, 7);
    update.send(db).await.unwrap();
    assert_eq!(world.stored("gsi1sk").await.as_deref(), Some("007"));
    assert_eq!(world.stored("gsi1pk").await.as_deref(), Some("OWNER#ann"));
    // The owner changes behind the back of who loaded it.
    let change = Task::update("t").set_by_owner("bob", 7);
    change.send(db).await.unwrap();
    let late = Task::update_loaded(&loaded).set(Task::RANK, 8);
    assert!(late.send(db).await.unwrap_err().is_condition_failed());
    assert_eq!(world.stored("gsi1pk").await.as_deref(), Some("OWNER#bob"));
    assert_eq!(world.stored("gsi1sk").await.as_deref(), Some("007"));
    let read = Task::by_owner("bob").one(db).await.unwrap().unwrap();
    assert_eq!((read.rank, read.secret.as_str()), (7, "plain"));
    Task::delete_loaded(&read).send(db).await.unwrap();
    assert_eq!(Task::get("t").send(db).await.unwrap(), None);
}

#[tokio::test]
async fn update_loaded_holds_with_an_interceptor_that_encrypts() {
    follows_the_loaded(&world(Encrypt::default()).await).await;
}

#[tokio::test]
async fn update_loaded_holds_with_an_interceptor_that_adds_attributes() {
    follows_the_loaded(&world(Audit).await).await;
}

/// The condition compares with the plain value, and the stored one is encrypted: nothing is written rather than a stale key.
#[tokio::test]
async fn index_key_of_an_encrypted_field_is_an_error() {
    let world = world(Encrypt::default()).await;
    let sealed = Sealed {
        id: "s".to_owned(),
        owner: "ann".to_owned(),
        secret: "plain".to_owned(),
    };
    sealed.create().send(&world.db).await.unwrap();
    let update = Sealed::update_loaded(&sealed).set(Sealed::OWNER, "bob");
    let error = update.send(&world.db).await.unwrap_err();
    assert!(error.is_condition_failed(), "{error}");
    assert_eq!(world.stored("gsi1pk").await.as_deref(), Some("SEALED#ann"));
    assert_eq!(world.stored("owner").await.as_deref(), Some("ann"));
}
