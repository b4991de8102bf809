//! Combinations that a review has found: records of operations that are enums or flattened, conflicts over version zero, raw keys beside equal
//! tags, unique values and batches, and items that are nothing but their key.

use crate::lost::faults::{Fault, Faults};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::error::Unmet;
use dyna_runtime::request::{Begun, HasEntity, OnceRecord, OnceState, Started};
use dyna_runtime::{Delete, DynaEntity, DynaTable, Error, Get, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A clock that the test moves, in milliseconds.
#[derive(Clone, Default)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn pass(&self, millis: u64) {
        self.0.fetch_add(millis, Ordering::Relaxed);
    }

    fn of<T>(&self, db: Table<T>) -> Table<T>
    where
        T: DynaTable,
    {
        let clock = self.clone();
        db.with_clock(move || {
            let millis = 1_763_424_000_000 + clock.0.load(Ordering::Relaxed);
            UNIX_EPOCH + Duration::from_millis(millis)
        })
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(tag = "state")]
#[dyna(table(name = "jobs", pk = "pk", ttl = "expires"), pk = "JOB#<id>")]
enum Job {
    Running {
        id: String,
        holder: String,
        #[dyna(ttl)]
        expires: u64,
    },
    Done {
        id: String,
        output: String,
        #[dyna(ttl)]
        expires: u64,
    },
}

fn seconds(at: SystemTime) -> u64 {
    at.duration_since(UNIX_EPOCH).unwrap().as_secs()
}

impl OnceRecord for Job {
    type Output = String;

    fn state(&self) -> OnceState<String> {
        match self.clone() {
            Self::Running { holder, .. } => OnceState::Running { holder },
            Self::Done { output, .. } => OnceState::Done(output),
        }
    }

    fn set_state(&mut self, state: OnceState<String>, expires: SystemTime) {
        let (Self::Running { id, .. } | Self::Done { id, .. }) = self.clone();
        let expires = seconds(expires);
        *self = match state {
            OnceState::Running { holder } => Self::Running {
                id,
                holder,
                expires,
            },
            OnceState::Done(output) => Self::Done {
                id,
                output,
                expires,
            },
        };
    }
}

fn job() -> Job {
    Job::Running {
        id: "1".to_owned(),
        holder: String::new(),
        expires: 0,
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "flat-jobs", pk = "pk", ttl = "expires"), pk = "JOB#<id>")]
struct FlatJob {
    id: String,
    #[serde(flatten)]
    state: FlatState,
    #[dyna(ttl)]
    expires: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct FlatState {
    holder: Option<String>,
    output: Option<String>,
}

impl OnceRecord for FlatJob {
    type Output = String;

    fn state(&self) -> OnceState<String> {
        match self.state.output.clone() {
            Some(output) => OnceState::Done(output),
            None => OnceState::Running {
                holder: self.state.holder.clone().unwrap_or_default(),
            },
        }
    }

    fn set_state(&mut self, state: OnceState<String>, expires: SystemTime) {
        (self.state.holder, self.state.output) = match state {
            OnceState::Running { holder } => (Some(holder), None),
            OnceState::Done(output) => (None, Some(output)),
        };
        self.expires = seconds(expires);
    }
}

fn flat_job() -> FlatJob {
    FlatJob {
        id: "1".to_owned(),
        state: FlatState::default(),
        expires: 0,
    }
}

async fn start<E: OnceRecord, T: HasEntity<E>>(
    db: &Table<T>,
    record: E,
) -> Result<Started<'_, E>, Error> {
    match db.once(record).begin().await? {
        Begun::Started(started) => Ok(started),
        Begun::Done(_) => panic!("done"),
    }
}

async fn a_late_holder_is_told<E: OnceRecord<Output = String>, T>(
    db: Table<T>,
    record: impl Fn() -> E,
) where
    T: DynaTable + HasEntity<E>,
{
    let clock = Clock::default();
    let db = clock.of(db);
    let first = start(&db, record()).await.unwrap();
    clock.pass(61_000);
    let second = start(&db, record()).await.unwrap();
    // The second has taken over: what the first made is not the result.
    let late = first.finish("first".to_owned()).await;
    let result = second.finish("second".to_owned()).await;
    assert!(late.is_err(), "{late:?}, and the other {result:?}");
    assert_eq!(result.unwrap(), "second");
}

async fn a_late_holder_abandons_nothing<E: OnceRecord<Output = String>, T>(
    db: Table<T>,
    record: impl Fn() -> E,
) where
    T: DynaTable + HasEntity<E>,
{
    let clock = Clock::default();
    let db = clock.of(db);
    let first = start(&db, record()).await.unwrap();
    clock.pass(61_000);
    let _second = start(&db, record()).await.unwrap();
    let _ = first.abandon().await;
    let third = start(&db, record()).await;
    assert!(third.is_err(), "the second still runs, and a third does");
}

#[tokio::test]
async fn once_record_that_is_an_enum_knows_its_holder() {
    a_late_holder_is_told(Job::embedded().await.unwrap(), job).await;
}

#[tokio::test]
async fn once_record_that_is_an_enum_is_abandoned_by_its_holder_alone() {
    a_late_holder_abandons_nothing(Job::embedded().await.unwrap(), job).await;
}

#[tokio::test]
async fn once_record_with_a_flattened_state_knows_its_holder() {
    a_late_holder_is_told(FlatJob::embedded().await.unwrap(), flat_job).await;
}

#[tokio::test]
async fn once_record_with_a_flattened_state_is_abandoned_by_its_holder_alone() {
    a_late_holder_abandons_nothing(FlatJob::embedded().await.unwrap(), flat_job).await;
}

#[tokio::test]
async fn a_lock_lasts_as_long_as_it_says() {
    let clock = Clock::default();
    let db = clock.of(FlatJob::embedded().await.unwrap());
    clock.pass(900);
    let lock = Duration::from_secs(1);
    let first = db.once(flat_job()).lock_for(lock).begin().await.unwrap();
    assert!(matches!(first, Begun::Started(_)));
    clock.pass(150);
    let second = db.once(flat_job()).lock_for(lock).begin().await;
    let error = second.map(|_| "runs twice").unwrap_err();
    assert!(error.is_operation_running(), "{error}");
}

/// A record that does not keep its holder would let two processes finish the same operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "vague-jobs", pk = "pk", ttl = "expires"),
    pk = "JOB#<id>"
)]
struct VagueJob {
    id: String,
    #[dyna(ttl)]
    expires: u64,
}

impl OnceRecord for VagueJob {
    type Output = String;

    fn state(&self) -> OnceState<String> {
        OnceState::Running {
            holder: String::new(),
        }
    }

    fn set_state(&mut self, _: OnceState<String>, expires: SystemTime) {
        self.expires = seconds(expires);
    }
}

#[tokio::test]
async fn once_record_that_does_not_keep_its_holder_is_refused() {
    let db = VagueJob::embedded().await.unwrap();
    let record = VagueJob {
        id: "1".to_owned(),
        expires: 0,
    };
    let error = db.once(record).begin().await.map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("holder"), "{error}");
    assert_eq!(VagueJob::get("1").send(&db).await.unwrap(), None);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "pages", pk = "pk"), pk = "PAGE#<id>")]
struct Page {
    id: String,
    text: String,
    #[dyna(version)]
    version: u64,
}

fn page(text: &str) -> Page {
    Page {
        id: "a".to_owned(),
        text: text.to_owned(),
        version: 0,
    }
}

/// No version comes back when the item is deleted: an attempt that was held back is applied then.
#[tokio::test(start_paused = true)]
async fn conflict_of_a_first_version_is_not_certain_after_a_lost_attempt() {
    let mut certain = Vec::new();
    for once in [false, true] {
        let (server, db) = Faults::table::<Page>(&[Fault::Reset]).await;
        let direct = server.direct::<Page>();
        page("other").create().send(&direct).await.unwrap();
        let mine = page("mine");
        let error = if once {
            mine.put().once().send(&db).await.unwrap_err()
        } else {
            mine.put().send(&db).await.unwrap_err()
        };
        assert_eq!(server.happened(), [Fault::Reset, Fault::None]);
        // The attempt that was held back, after the other item is gone.
        Page::delete("a").send(&direct).await.unwrap();
        mine.put().send(&direct).await.unwrap();
        let stored = Page::get("a").send(&direct).await.unwrap().unwrap();
        assert_eq!(stored.text, "mine");
        if !error.is_outcome_unknown() {
            certain.push((once, error.to_string()));
        }
    }
    assert!(certain.is_empty(), "{certain:?}");
}

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "accounts", pk = "pk", tag = "kind")]
enum Accounts {
    User(User),
    Org(Org),
    OldUser(OldUser),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "USER#<name>")]
struct User {
    name: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "ORG#<name>")]
struct Org {
    name: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Accounts, pk = "OLD#<name>", tag = "User")]
struct OldUser {
    name: String,
}

#[tokio::test(start_paused = true)]
async fn raw_key_that_a_batch_left_unread_is_a_raw_key_still() {
    let reads = |_: usize, operation: &str| match operation {
        "BatchGetItem" => Fault::Throttled,
        _ => Fault::None,
    };
    let writes = |_: usize, _: &str| Fault::None;
    let (_, db) = Faults::planned_with_reads::<Accounts>(writes, reads).await;
    let org = Org {
        name: "a".to_owned(),
    };
    org.create().send(&db).await.unwrap();
    let key = || User::raw_key("ORG#a", ());
    assert!(Delete::new(key()).send(&db).await.is_err());
    let batch = db.batch_get([key()]).await.unwrap();
    let [left] = <[_; 1]>::try_from(batch.unprocessed).unwrap();
    let deleted = Delete::new(left).send(&db).await;
    let stored = Org::get("a").send(&db).await.unwrap();
    assert_eq!(stored, Some(org), "{deleted:?}");
}

#[tokio::test]
async fn raw_key_of_an_entity_with_the_same_tag_does_not_touch_its_item() {
    let db = Accounts::embedded().await.unwrap();
    let old = OldUser {
        name: "a".to_owned(),
    };
    old.create().send(&db).await.unwrap();
    let key = || User::raw_key("OLD#a", ());
    let read = Get::new(key()).send(&db).await;
    let deleted = Delete::new(key()).send(&db).await;
    let stored = OldUser::get("a").send(&db).await.unwrap();
    assert_eq!(stored, Some(old), "read {read:?}, deleted {deleted:?}");
}

/// Untagged items under a key of another entity are that one's.
#[tokio::test]
async fn raw_key_of_another_entity_reaches_only_items_with_the_own_tag() {
    let db = Accounts::embedded().await.unwrap();
    let put = |tag: Option<&str>| {
        let put = db.client().put_item().table_name("accounts");
        let put = put.item("pk", AttributeValue::S("ORG#a".to_owned()));
        let put = put.item("name", AttributeValue::S("a".to_owned()));
        match tag {
            Some(tag) => put.item("kind", AttributeValue::S(tag.to_owned())),
            None => put,
        }
    };
    let key = || User::raw_key("ORG#a", ());
    let name = "a".to_owned();
    for (tag, is_ours) in [(None, false), (Some("Org"), false), (Some("User"), true)] {
        put(tag).send().await.unwrap();
        let expected = is_ours.then(|| User { name: name.clone() });
        assert_eq!(Get::new(key()).send(&db).await.unwrap(), expected);
        let batch = db.batch_get([key()]).await.unwrap();
        assert_eq!(batch.items, std::slice::from_ref(&expected));
        let together = db.transact_get((key(),)).await.unwrap();
        assert_eq!(together, (expected,));
        let deleted = Delete::new(key()).send(&db).await;
        match deleted {
            Ok(()) => assert!(is_ours, "{tag:?}"),
            Err(Error::ConditionFailed { unmet, .. }) => {
                assert_eq!((unmet, is_ours), (Unmet::OtherEntity, false));
            }
            Err(error) => panic!("{error}"),
        }
        let together = db.transact().delete(Delete::new(key())).send().await;
        assert_eq!(together.is_ok(), is_ours, "{tag:?}");
    }
}

/// One key may be asked for by two entities: each gets its own item, or none.
#[tokio::test]
async fn transact_get_judges_an_item_by_each_entity_that_asks_for_it() {
    let db = Accounts::embedded().await.unwrap();
    let org = Org {
        name: "a".to_owned(),
    };
    org.create().send(&db).await.unwrap();
    let (raw, own) = (|| User::raw_key("ORG#a", ()), || Org::key("a"));
    let found = db.transact_get((raw(), own())).await.unwrap();
    assert_eq!(found, (None, Some(org.clone())));
    let found = db.transact_get((own(), raw())).await.unwrap();
    assert_eq!(found, (Some(org), None));
}

#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(name = "members", pk = "pk", tag = "kind")]
enum Members {
    Member(Member),
    Log(Log),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Members, pk = "MEMBER#<id>")]
struct Member {
    id: String,
    #[dyna(unique)]
    mail: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Members, pk = "LOG#<id>")]
struct Log {
    id: String,
}

#[tokio::test]
async fn raw_key_does_not_touch_the_item_of_a_unique_value() {
    let db = Members::embedded().await.unwrap();
    let member = |id: &str| Member {
        id: id.to_owned(),
        mail: "a@b".to_owned(),
    };
    member("1").create().send(&db).await.unwrap();
    let key = Log::raw_key("UNIQUE#Member#mail#a@b", ());
    let deleted = Delete::new(key).send(&db).await;
    let second = member("2").create().send(&db).await;
    assert!(second.is_err(), "two have one mail; deleted: {deleted:?}");
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "likes", pk = "pk", sk = "sk"),
    pk = "U#<user>",
    sk = "P#<post>"
)]
struct Like {
    #[dyna(key_only)]
    user: String,
    #[dyna(key_only)]
    post: String,
}

/// DynamoDB's transactions have no operation for it: `put` has the same effect on such an item.
#[tokio::test]
async fn upsert_of_a_key_alone_is_refused_in_transactions() {
    let db = Like::embedded().await.unwrap();
    Like::upsert("ann", "1").send(&db).await.unwrap();
    assert!(Like::get("ann", "1").send(&db).await.unwrap().is_some());
    let once = Like::upsert("ann", "2").once().send(&db).await;
    let together = db.transact().update(Like::upsert("ann", "2")).send().await;
    for error in [once, together].map(Result::unwrap_err) {
        assert!(
            matches!(error, Error::KeyAlone { entity: "Like" }),
            "{error}"
        );
    }
    assert_eq!(Like::get("ann", "2").send(&db).await.unwrap(), None);
}
