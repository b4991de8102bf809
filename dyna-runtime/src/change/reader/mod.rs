//! The reader of a table's stream: all shards, in the order of their parents, several at a time.

mod run;
mod shards;
mod source;

use crate::change::checkpoint::{Checkpoints, Positions};
use crate::change::{Change, Record, StreamOf};
use crate::error::{Error, Result};
use crate::schema::HasStream;
use crate::table::{DynaTable, Handle, Table};
use futures_core::Stream;
use run::Reader;
use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

impl<T: DynaTable> Table<T> {
    /// The changes of the table, from its stream. See [`Changes`].
    pub fn changes(&self) -> Changes<T>
    where
        StreamOf<T>: HasStream,
    {
        let options = Options {
            handle: self.handle().clone(),
            checkpoints: None,
            from_latest: false,
            concurrency: 4,
            poll_interval: Duration::from_secs(1),
        };
        Changes {
            options,
            table: PhantomData,
        }
    }
}

/// A reader of the table's stream: [`Table::changes`].
///
/// ```
/// use dyna_runtime::change::{ChangeKind, FileCheckpoints};
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users", pk = "pk", stream = "new_image"), pk = "USER#<id>")]
/// # struct User { id: String }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> dyna_runtime::Result<()> {
/// # let path = std::env::temp_dir().join(format!("dyna-changes-{}", std::process::id()));
/// let db = User::embedded().await?;
/// // With AWS: User::open(client).with_streams_client(aws_sdk_dynamodbstreams::Client::new(&config))
/// User { id: "ann".to_owned() }.put().send(&db).await?;
///
/// let mut changes = db.changes().checkpoints(FileCheckpoints::new(&path)).stream();
/// while let Some(change) = changes.next().await {
///     if let ChangeKind::Insert { new } = change?.kind {
///         println!("welcome, {}", new.id);
///     }
///     changes.checkpoint().await?;
/// #   break;
/// }
/// # std::fs::remove_file(path).ok();
/// # Ok(()) }
/// ```
///
/// - **Order.** Changes of one item come in their order. DynamoDB splits a stream into shards; a shard is read when its parent is read to
///   its end, and several shards are read at a time.
/// - **At least once.** [`checkpoint`](ChangeStream::checkpoint) stores that every change that was yielded is done with. What was yielded
///   after the last checkpoint comes again when the reader is started again, so handling a change twice must do no harm. Nothing is
///   stored without that call: a change that was yielded and not handled is never skipped.
/// - **Without end.** The stream waits for changes. It ends when the table's stream was disabled and all of it is read.
/// - **Errors.** A record that cannot be read, and a request that failed after all retries, is an error; the next poll goes on behind the
///   record, or sends the request again. DynamoDB keeps changes for 24 hours: what it removed before it was read is
///   [`Error::ChangesLost`], and the reader goes on with the oldest change that is left.
/// - **One reader.** Two readers with the same checkpoint both read everything.
///
/// It asks DynamoDB for the table (`DescribeTable`) and its stream (`DescribeStream`, `GetShardIterator`, `GetRecords`).
#[must_use = "a reader does nothing until its stream is polled: add `.stream()`"]
pub struct Changes<T> {
    options: Options,
    table: PhantomData<fn() -> T>,
}

/// What a reader reads, and how.
struct Options {
    handle: Handle,
    checkpoints: Option<Arc<dyn Checkpoints>>,
    from_latest: bool,
    concurrency: usize,
    poll_interval: Duration,
}

impl<T: DynaTable> Changes<T> {
    /// Stores how far the reader has come, and goes on from there. Without it, each reader begins anew.
    pub fn checkpoints(mut self, checkpoints: impl Checkpoints) -> Self {
        self.options.checkpoints = Some(Arc::new(checkpoints));
        self
    }

    /// Begins with the changes that are made from now on, instead of the oldest ones of the last 24 hours. A stored checkpoint goes before
    /// it.
    ///
    /// Changes are rather read than missed: a shard that had none when the checkpoint was made, or when the stream was not polled for
    /// 15 minutes, is read from its oldest change on.
    pub fn from_latest(mut self) -> Self {
        self.options.from_latest = true;
        self
    }

    /// How many requests are under way at a time, each for another shard: 4 if this is not called.
    pub fn concurrency(mut self, requests: usize) -> Self {
        self.options.concurrency = requests.max(1);
        self
    }

    /// The longest wait before a shard without new records is asked again: a second if this is not called.
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.options.poll_interval = interval;
        self
    }

    /// The changes. Nothing is sent until it is polled.
    pub fn stream(self) -> ChangeStream<T> {
        ChangeStream {
            reader: Reader::new(self.options),
            own: 0,
            table: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Changes<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").finish_non_exhaustive()
    }
}

/// The changes of a table, as they come: [`Changes::stream`].
#[must_use = "a stream does nothing until it is polled"]
pub struct ChangeStream<T> {
    reader: Reader,
    /// How many changes of its own checkpoints were left out.
    own: u64,
    table: PhantomData<fn() -> T>,
}

impl<T: DynaTable> ChangeStream<T>
where
    StreamOf<T>: HasStream,
{
    /// Waits until the place is fixed where the changes begin: with [`from_latest`](Changes::from_latest), every change that is made after
    /// it is read. Otherwise the first poll does that.
    pub async fn start(&mut self) -> Result<()> {
        std::future::poll_fn(|context| self.reader.poll_start(context)).await
    }

    /// The next change.
    pub async fn next(&mut self) -> Option<Result<Change<T>>> {
        std::future::poll_fn(|context| self.poll(context)).await
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Change<T>>>> {
        loop {
            let record = match self.reader.poll(context) {
                Poll::Ready(Some(Ok(record))) => record,
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => return Poll::Pending,
            };
            let checks_keys = self.reader.options.handle.checks_keys();
            let record = Record::try_from(record);
            let change = record.and_then(|record| Change::read(record, checks_keys));
            let checkpoints = self.reader.options.checkpoints.as_ref();
            let own = checkpoints.and_then(|checkpoints| checkpoints.entity());
            let of = change.as_ref().ok().and_then(Change::entity);
            if own.zip(of).is_some_and(|(own, of)| own.id() == of.id()) {
                self.own += 1;
                continue;
            }
            self.reader.unsaved = true;
            return Poll::Ready(Some(change));
        }
    }
}

impl<T> ChangeStream<T> {
    /// Stores that every change that was yielded so far is done with: a reader that is started again goes on behind them. Without
    /// [`checkpoints`](Changes::checkpoints) to store them in, it fails.
    pub async fn checkpoint(&mut self) -> Result<()> {
        let Some(checkpoints) = &self.reader.options.checkpoints else {
            return Err(Error::Checkpoint {
                problem: "the reader has none: add `.checkpoints(..)`".to_owned(),
            });
        };
        if self.reader.unsaved {
            checkpoints.store(&self.reader.shards.positions).await?;
            self.reader.unsaved = false;
        }
        Ok(())
    }

    /// How far the changes were yielded.
    pub fn positions(&self) -> &Positions {
        &self.reader.shards.positions
    }

    /// How many changes of the [entity](Checkpoints::entity) that holds the checkpoint were left out.
    pub fn left_out(&self) -> u64 {
        self.own
    }
}

impl<T: DynaTable> Stream for ChangeStream<T>
where
    StreamOf<T>: HasStream,
{
    type Item = Result<Change<T>>;

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Change<T>>>> {
        self.get_mut().poll(context)
    }
}

impl<T> fmt::Debug for ChangeStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChangeStream").finish_non_exhaustive()
    }
}
