//! The reader on a service that follows AWS's rules.

use super::aws::{Aws, Note, Shard, closed, shard};
use dyna_runtime::change::{ChangeKind, ChangeStream, Checkpoints, Positions};
use dyna_runtime::{Error, ResponseFuture};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The notes that come until nothing comes for half a minute, and the errors between them.
async fn drain(changes: &mut ChangeStream<Note>) -> (Vec<u16>, Vec<Error>) {
    let (mut notes, mut errors) = (Vec::new(), Vec::new());
    while let Ok(Some(change)) = tokio::time::timeout(IDLE, changes.next()).await {
        match change {
            Ok(change) => match change.kind {
                ChangeKind::Insert { new } => notes.push(new.n),
                kind => panic!("{kind:?}"),
            },
            Err(error) => errors.push(error),
        }
        assert!(
            notes.len() + errors.len() < 1000,
            "the stream repeats itself"
        );
    }
    (notes, errors)
}

const IDLE: Duration = Duration::from_secs(30);

/// The same, without errors.
async fn notes(changes: &mut ChangeStream<Note>) -> Vec<u16> {
    let (notes, errors) = drain(changes).await;
    assert!(errors.is_empty(), "{errors:?}");
    notes
}

/// A checkpoint in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Positions>>);

impl Checkpoints for Memory {
    fn load(&self) -> ResponseFuture<'_, Positions> {
        Box::pin(async { Ok(self.0.lock().unwrap().clone()) })
    }

    fn store<'c>(&'c self, positions: &'c Positions) -> ResponseFuture<'c, ()> {
        Box::pin(async {
            *self.0.lock().unwrap() = positions.clone();
            Ok(())
        })
    }
}

fn place(notes: &[u16], note: u16) -> usize {
    notes.iter().position(|it| *it == note).unwrap()
}

/// A shard that was split, and one of whose children was closed and continued.
fn split() -> [Shard; 5] {
    [
        // Children may be listed before their parents.
        shard("shardId-d", Some("shardId-b"), &[30, 31]),
        closed("shardId-b", Some("shardId-a"), &[10, 11, 12]),
        closed("shardId-a", Some("shardId-trimmed"), &[1, 2, 3, 4, 5]),
        shard("shardId-c", Some("shardId-a"), &[20, 21]),
        shard("shardId-e", None, &[40]),
    ]
}

#[tokio::test(start_paused = true)]
async fn a_child_is_read_after_its_parent_and_every_change_comes_once() {
    for concurrency in [1, 2, 8] {
        let aws = Aws::new(split());
        let mut changes = aws.db().changes().concurrency(concurrency).stream();
        let found = notes(&mut changes).await;
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [1, 2, 3, 4, 5, 10, 11, 12, 20, 21, 30, 31, 40]);
        let in_order: Vec<_> = found.iter().filter(|note| **note < 10).collect();
        assert!(in_order.is_sorted());
        for (parent, child) in [(5, 10), (5, 20), (12, 30)] {
            assert!(place(&found, parent) < place(&found, child), "{found:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn no_more_requests_than_allowed_are_under_way() {
    for concurrency in [1, 3] {
        let ids = [
            "shardId-1",
            "shardId-2",
            "shardId-3",
            "shardId-4",
            "shardId-5",
        ];
        let shards = ids.map(|id| shard(id, None, &[]));
        let aws = Aws::new(shards);
        aws.change(|state| state.takes = Duration::from_millis(200));
        let mut changes = aws.db().changes().concurrency(concurrency).stream();
        assert!(notes(&mut changes).await.is_empty());
        // One more for the list of shards.
        let most = aws.0.lock().unwrap().most_running;
        assert!((concurrency..=concurrency + 1).contains(&most), "{most}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_open_shard_is_read_on_and_its_children_are_found_when_it_closes() {
    let aws = Aws::new([shard("shardId-a", None, &[1])]);
    let mut changes = aws.db().changes().stream();
    assert_eq!(notes(&mut changes).await, [1]);
    aws.shard("shardId-a", |shard| shard.notes.extend([2, 3, 4]));
    assert_eq!(notes(&mut changes).await, [2, 3, 4]);
    // It closes, and its children appear later.
    aws.shard("shardId-a", |shard| shard.is_closed = true);
    assert!(notes(&mut changes).await.is_empty());
    aws.change(|state| {
        let children = ["shardId-b", "shardId-c"];
        let children = children.map(|id| shard(id, Some("shardId-a"), &[]));
        state.shards.extend(children);
    });
    assert!(notes(&mut changes).await.is_empty());
    aws.shard("shardId-b", |shard| shard.notes.push(5));
    aws.shard("shardId-c", |shard| shard.notes.push(6));
    let mut found = notes(&mut changes).await;
    found.sort_unstable();
    assert_eq!(found, [5, 6]);
}

/// Of two shards that become one, the API names one as the parent.
#[tokio::test(start_paused = true)]
async fn shards_that_merge_are_read_on() {
    let aws = Aws::new([
        closed("shardId-a", None, &[1]),
        closed("shardId-b", None, &[2]),
        shard("shardId-c", Some("shardId-a"), &[3]),
    ]);
    let mut changes = aws.db().changes().stream();
    let found = notes(&mut changes).await;
    assert!(place(&found, 1) < place(&found, 3));
    assert_eq!(found.len(), 3);
    aws.shard("shardId-c", |shard| shard.notes.push(4));
    assert_eq!(notes(&mut changes).await, [4]);
}

#[tokio::test(start_paused = true)]
async fn a_second_child_that_is_listed_late_is_found() {
    let aws = Aws::new([
        closed("shardId-a", None, &[1]),
        shard("shardId-b", Some("shardId-a"), &[2]),
    ]);
    let mut changes = aws.db().changes().stream();
    assert_eq!(notes(&mut changes).await, [1, 2]);
    aws.change(|state| {
        state
            .shards
            .push(shard("shardId-c", Some("shardId-a"), &[3]));
    });
    let change = tokio::time::timeout(Duration::from_mins(2), changes.next()).await;
    let change = change.unwrap().unwrap().unwrap();
    assert_eq!(change.kind, ChangeKind::Insert { new: Note { n: 3 } });
}

#[tokio::test(start_paused = true)]
async fn pages_without_records_are_not_the_end() {
    let mut sparse = shard("shardId-a", None, &[1, 2, 3, 4, 5]);
    sparse.empty_pages = 3;
    let aws = Aws::new([sparse]);
    assert_eq!(
        notes(&mut aws.db().changes().stream()).await,
        [1, 2, 3, 4, 5]
    );
}

#[tokio::test(start_paused = true)]
async fn expired_iterators_lose_and_repeat_nothing() {
    let aws = Aws::new([shard("shardId-a", None, &[1, 2, 3])]);
    let mut changes = aws.db().changes().stream();
    assert_eq!(notes(&mut changes).await, [1, 2, 3]);
    aws.change(|state| state.expired = state.iterators);
    aws.shard("shardId-a", |shard| shard.notes.extend([4, 5]));
    assert_eq!(notes(&mut changes).await, [4, 5]);
    assert!(
        aws.0
            .lock()
            .unwrap()
            .log
            .contains(&"shardId-a AFTER_SEQUENCE_NUMBER".to_owned())
    );
}

#[tokio::test(start_paused = true)]
async fn removed_changes_are_reported_and_the_rest_is_read() {
    let aws = Aws::new([shard("shardId-a", None, &[1, 2, 3, 4])]);
    let memory = Memory::default();
    let mut changes = aws.db().changes().checkpoints(memory.clone()).stream();
    assert!(changes.next().await.unwrap().is_ok());
    changes.checkpoint().await.unwrap();
    drop(changes);

    // The reader was away for more than 24 hours.
    aws.shard("shardId-a", |shard| shard.trimmed = 3);
    let mut changes = aws.db().changes().checkpoints(memory).stream();
    let (found, errors) = drain(&mut changes).await;
    assert_eq!(found, [4]);
    let [Error::ChangesLost { table, shard }] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert_eq!((&**table, &**shard), ("notes", "shardId-a"));

    // While it is read.
    aws.shard("shardId-a", |shard| {
        shard.notes.extend([5, 6, 7]);
        shard.trimmed = 6;
    });
    let (found, errors) = drain(&mut changes).await;
    assert_eq!(found, [7]);
    assert!(
        matches!(errors[..], [Error::ChangesLost { .. }]),
        "{errors:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_shard_that_is_gone_before_it_was_read_is_reported() {
    let aws = Aws::new([closed("shardId-a", None, &[1, 2, 3])]);
    let memory = Memory::default();
    let mut changes = aws.db().changes().checkpoints(memory.clone()).stream();
    assert!(changes.next().await.unwrap().is_ok());
    changes.checkpoint().await.unwrap();
    drop(changes);

    aws.change(|state| state.shards = vec![shard("shardId-b", Some("shardId-a"), &[4])]);
    let mut changes = aws.db().changes().checkpoints(memory.clone()).stream();
    let (found, errors) = drain(&mut changes).await;
    assert_eq!(found, [4]);
    assert!(matches!(&errors[..], [Error::ChangesLost { shard, .. }] if shard == "shardId-a"));
    changes.checkpoint().await.unwrap();

    // It is not reported again.
    let mut changes = aws.db().changes().checkpoints(memory).stream();
    assert!(notes(&mut changes).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn throttling_is_waited_for() {
    let aws = Aws::new([shard("shardId-a", None, &[1, 2, 3])]);
    aws.change(|state| {
        state.errors = [
            "LimitExceededException",
            "ThrottlingException",
            "InternalServerError",
        ]
        .repeat(2)
        .into();
    });
    let before = tokio::time::Instant::now();
    assert_eq!(notes(&mut aws.db().changes().stream()).await, [1, 2, 3]);
    assert!(before.elapsed() > IDLE);

    // Too much of it is an error, and the next poll goes on.
    let aws = Aws::new([shard("shardId-a", None, &[1, 2, 3])]);
    aws.change(|state| state.errors = vec!["LimitExceededException"; 15].into());
    let (found, errors) = drain(&mut aws.db().changes().stream()).await;
    assert_eq!(found, [1, 2, 3]);
    let [error] = &errors[..] else {
        panic!("{errors:?}");
    };
    assert_eq!(
        error.to_string(),
        "GetRecords of table `notes`: LimitExceededException: said AWS"
    );
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_disabled_is_read_to_its_end() {
    let aws = Aws::new(split());
    aws.change(|state| {
        state.is_disabled = true;
        state
            .shards
            .iter_mut()
            .for_each(|shard| shard.is_closed = true);
    });
    let mut changes = aws.db().changes().stream();
    let mut found = 0;
    while let Some(change) = changes.next().await {
        change.unwrap();
        found += 1;
    }
    assert_eq!(found, 13);
    assert!(changes.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn latest_leaves_out_what_was_before_and_nothing_after() {
    let aws = Aws::new(split());
    let mut changes = aws.db().changes().from_latest().concurrency(1).stream();
    changes.start().await.unwrap();
    aws.shard("shardId-c", |shard| shard.notes.push(50));
    aws.shard("shardId-e", |shard| {
        shard.notes.push(51);
        shard.is_closed = true;
    });
    aws.change(|state| {
        state
            .shards
            .push(shard("shardId-f", Some("shardId-e"), &[52, 53]));
    });
    let mut found = notes(&mut changes).await;
    found.sort_unstable();
    assert_eq!(found, [50, 51, 52, 53]);
}

/// A reader that is killed after any number of changes, with a checkpoint after any number of them, goes on with the next.
#[tokio::test(start_paused = true)]
async fn a_killed_reader_goes_on_behind_its_checkpoint() {
    for seed in 0..12 {
        let mut random = fastrand::Rng::with_seed(seed);
        let aws = Aws::new(split());
        let memory = Memory::default();
        let mut done = Vec::new();
        'readers: loop {
            let reader = aws.db().changes().concurrency(random.usize(1..4));
            let mut changes = reader.checkpoints(memory.clone()).stream();
            let mut unsaved = Vec::new();
            for _ in 0..random.usize(1..4) {
                let change = tokio::time::timeout(IDLE, changes.next()).await;
                let Ok(Some(change)) = change else {
                    break 'readers;
                };
                match change.unwrap().kind {
                    ChangeKind::Insert { new } => unsaved.push(new.n),
                    kind => panic!("{kind:?}"),
                }
                if random.bool() {
                    changes.checkpoint().await.unwrap();
                    done.append(&mut unsaved);
                }
            }
        }
        let mut changes = aws.db().changes().checkpoints(memory).stream();
        done.extend(notes(&mut changes).await);
        done.sort_unstable();
        // What was done with is done once, and nothing is missing.
        assert_eq!(
            done,
            [1, 2, 3, 4, 5, 10, 11, 12, 20, 21, 30, 31, 40],
            "seed {seed}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn mistakes_of_the_set_up_are_one_error() {
    let aws = Aws::new([shard("shardId-a", None, &[1])]);
    aws.change(|state| state.view = Some("KEYS_ONLY"));
    let mut changes = aws.db().changes().stream();
    let error = changes.next().await.unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "changes of table `notes`: the view type of its stream is KEYS_ONLY, and the table declares more images"
    );
    assert!(changes.next().await.is_none());

    let without = Note::open(aws.db().client().clone());
    let mut changes = without.changes().stream();
    let error = changes.next().await.unwrap().unwrap_err();
    assert!(
        error.to_string().contains("`.with_streams_client(..)`"),
        "{error}"
    );
    assert!(changes.next().await.is_none());

    let mut changes = aws.db().changes().stream();
    assert!(matches!(
        changes.checkpoint().await,
        Err(Error::Checkpoint { .. })
    ));
}

#[test]
fn positions_are_text_that_reads_back() {
    for text in ["", "shardId-a:442158", "shardId-a:end shardId-b:1"] {
        let positions: Positions = text.parse().unwrap();
        assert_eq!(positions.to_string(), text);
        assert_eq!(positions.is_empty(), text.is_empty());
    }
    for bad in [
        "shardId-a",
        "shardId-a:",
        ":1",
        "shardId-a:x",
        "shardId-a:-1",
    ] {
        assert!(bad.parse::<Positions>().is_err(), "{bad}");
    }
}
