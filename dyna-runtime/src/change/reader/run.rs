//! The steps of a reader: what is under way, and what is yielded next.

use super::Options;
use super::shards::{Cursor, Shards};
use super::source::{Described, Fetched, Source};
use crate::change::checkpoint::{Checkpoints, Positions};
use crate::error::{Error, Result};
use crate::table::Handle;
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

type SdkRecord = aws_sdk_dynamodbstreams::types::Record;

/// The reader without the table's type.
pub(super) struct Reader {
    pub(super) options: Options,
    source: Option<Arc<Source>>,
    pub(super) shards: Shards,
    /// What is under way.
    pending: Vec<Pin<Box<dyn Future<Output = Step> + Send>>>,
    /// How many of them are requests for records.
    requests: usize,
    listing: Listing,
    /// Whether the stream may have more shards.
    is_open: bool,
    /// Whether the stream could not be found, or not be waited for.
    is_over: bool,
    /// What is yielded next.
    ready: VecDeque<Ready>,
    /// Whether something was yielded since the last checkpoint.
    pub(super) unsaved: bool,
}

/// How the list of shards is kept up to date.
#[derive(Debug, Default)]
struct Listing {
    is_under_way: bool,
    /// Whether a minute has to pass until it is due again.
    is_fresh: bool,
    has_failed: bool,
}

/// What was under way.
enum Step {
    Found(Result<(Source, Positions)>),
    Described(Result<Described>),
    /// The list of shards is old.
    Stale(Result<()>),
    Fetched(Fetched),
    /// A shard has waited.
    Rested(String, Cursor, Result<()>),
}

/// What is yielded, in its order.
enum Ready {
    Record(String, Box<SdkRecord>),
    Error(Error),
    /// All records of a response of this shard, which goes on here or is finished.
    Done(String, Option<Cursor>),
}

/// The wait before a shard without records is asked again at first.
const FIRST_REST: Duration = Duration::from_millis(100);
/// The wait for the shards that follow one that has ended.
const LIST_REST: Duration = Duration::from_secs(1);
/// How long a list of shards is good if none of them ends.
const LIST_AGE: Duration = Duration::from_mins(1);

impl Reader {
    pub(super) fn new(options: Options) -> Self {
        Self {
            options,
            source: None,
            shards: Shards::default(),
            pending: Vec::new(),
            requests: 0,
            listing: Listing::default(),
            is_open: true,
            is_over: false,
            ready: VecDeque::new(),
            unsaved: false,
        }
    }

    /// The next record.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<SdkRecord>>> {
        loop {
            while let Some(ready) = self.ready.pop_front() {
                match ready {
                    Ready::Record(shard, record) => {
                        let sequence = record.dynamodb().and_then(|it| it.sequence_number());
                        if let Some(sequence) = sequence {
                            self.shards.yielded(&shard, sequence);
                        }
                        return Poll::Ready(Some(Ok(*record)));
                    }
                    Ready::Error(error) => return Poll::Ready(Some(Err(error))),
                    Ready::Done(shard, next) => self.done(&shard, next),
                }
            }
            let is_read = !self.is_open && self.shards.are_finished();
            if self.is_over || is_read {
                return Poll::Ready(None);
            }
            self.start();
            match self.poll_pending(context) {
                Poll::Ready(step) => self.take(step),
                Poll::Pending => return Poll::Pending,
            }
        }
    }

    /// Goes on until every change from now on will be read.
    pub(super) fn poll_start(&mut self, context: &mut Context<'_>) -> Poll<Result<()>> {
        loop {
            let error = self
                .ready
                .iter()
                .position(|it| matches!(it, Ready::Error(_)));
            if let Some(Ready::Error(error)) = error.and_then(|at| self.ready.remove(at)) {
                return Poll::Ready(Err(error));
            }
            if self.is_over || self.shards.have_begun() {
                return Poll::Ready(Ok(()));
            }
            self.start();
            match self.poll_pending(context) {
                Poll::Ready(step) => self.take(step),
                Poll::Pending => return Poll::Pending,
            }
        }
    }

    /// The first step that has ended.
    fn poll_pending(&mut self, context: &mut Context<'_>) -> Poll<Step> {
        for at in 0..self.pending.len() {
            if let Poll::Ready(step) = self.pending[at].as_mut().poll(context) {
                drop(self.pending.swap_remove(at));
                return Poll::Ready(step);
            }
        }
        Poll::Pending
    }

    /// Begins what can be begun.
    fn start(&mut self) {
        let Some(source) = self.source.clone() else {
            if self.pending.is_empty() {
                let handle = self.options.handle.clone();
                let checkpoints = self.options.checkpoints.clone();
                self.pending.push(Box::pin(find(handle, checkpoints)));
            }
            return;
        };
        while self.requests < self.options.concurrency
            && let Some((shard, cursor)) = self.shards.take_next()
        {
            self.requests += 1;
            let source = Arc::clone(&source);
            let fetch = async move { Step::Fetched(source.fetch(shard, cursor).await) };
            self.pending.push(Box::pin(fetch));
        }
        if self.is_open && !self.listing.is_under_way {
            self.list(source);
        }
    }

    /// Lists the shards, if one has ended and no child of it is known, or if the list is old.
    fn list(&mut self, source: Arc<Source>) {
        let misses_children = self.shards.misses_children();
        if self.listing.is_fresh && !misses_children {
            return;
        }
        self.listing.is_under_way = true;
        let declared = self.options.handle.schema().stream;
        let wait = (self.shards.are_known() && misses_children) || self.listing.has_failed;
        self.pending.push(Box::pin(async move {
            let rested = if wait {
                source.rest(LIST_REST).await
            } else {
                Ok(())
            };
            match rested {
                Ok(()) => Step::Described(source.describe(declared).await),
                Err(error) => Step::Described(Err(error)),
            }
        }));
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Found(Ok((source, positions))) => {
                self.source = Some(Arc::new(source));
                self.shards = Shards::resume(positions);
            }
            Step::Described(described) => {
                self.listing.is_under_way = false;
                self.listing.has_failed = described.is_err();
                match described {
                    Ok(described) => self.absorb(&described),
                    Err(error) => self.failed(error),
                }
            }
            Step::Stale(waited) => {
                self.listing.is_fresh = false;
                if let Err(error) = waited {
                    self.failed(error);
                }
            }
            Step::Found(Err(error)) => {
                self.is_over = true;
                self.failed(error);
            }
            Step::Fetched(fetched) => self.fetched(fetched),
            Step::Rested(shard, cursor, rested) => {
                self.shards.done(&shard, Some(cursor));
                if let Err(error) = rested {
                    self.failed(error);
                }
            }
        }
    }

    fn failed(&mut self, error: Error) {
        // A mistake of the set-up, which the next try would find again.
        self.is_over |= matches!(error, Error::ChangeReader { .. });
        self.ready.push_back(Ready::Error(error));
    }

    fn absorb(&mut self, described: &Described) {
        self.is_open = described.is_open;
        if let (false, Some(source)) = (self.listing.is_fresh, self.source.clone()) {
            self.listing.is_fresh = true;
            let stale = async move { Step::Stale(source.rest(LIST_AGE).await) };
            self.pending.push(Box::pin(stale));
        }
        let lost = self
            .shards
            .absorb(&described.shards, self.options.from_latest);
        for shard in lost {
            self.lost(shard);
        }
    }

    fn lost(&mut self, shard: String) {
        let table = self.options.handle.name().unwrap_or_default().to_owned();
        self.failed(Error::ChangesLost { table, shard });
    }

    fn fetched(&mut self, fetched: Fetched) {
        let Fetched {
            shard,
            lost,
            records,
            next,
            error,
        } = fetched;
        self.requests -= 1;
        if error.is_none() {
            self.shards.begun(&shard);
        }
        if lost {
            self.lost(shard.clone());
        }
        let records = records.into_iter();
        let records = records.map(|record| Ready::Record(shard.clone(), Box::new(record)));
        self.ready.extend(records);
        self.ready.push_back(Ready::Done(shard, next));
        if let Some(error) = error {
            self.failed(error);
        }
    }

    /// All records of a response were yielded.
    fn done(&mut self, shard: &str, next: Option<Cursor>) {
        match (next, &self.source) {
            (Some(cursor), Some(source)) if cursor.empty > 0 => {
                let wait = FIRST_REST * 2_u32.saturating_pow(cursor.empty.min(16) - 1);
                let wait = wait.min(self.options.poll_interval);
                let (source, shard) = (Arc::clone(source), shard.to_owned());
                self.pending.push(Box::pin(async move {
                    let rested = source.rest(wait).await;
                    Step::Rested(shard, cursor, rested)
                }));
            }
            (next, _) => self.shards.done(shard, next),
        }
    }
}

/// Finds the stream and the place to go on from.
async fn find(handle: Handle, checkpoints: Option<Arc<dyn Checkpoints>>) -> Step {
    let found = async {
        let positions = match &checkpoints {
            Some(checkpoints) => checkpoints.load().await?,
            None => Positions::default(),
        };
        Ok((Source::find(&handle).await?, positions))
    };
    Step::Found(found.await)
}
