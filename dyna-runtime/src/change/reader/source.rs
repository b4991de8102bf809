//! The requests of a reader: DynamoDB's streams, with the errors that a reader handles itself.

use super::shards::{Cursor, ShardInfo, Start};
use crate::error::{Error, Result};
use crate::schema::StreamViewType;
use crate::table::Handle;
use crate::transport::backoff::{Backoff, SleepProbe};
use aws_sdk_dynamodbstreams::Client;
use aws_sdk_dynamodbstreams::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodbstreams::types::{
    Record, ShardIteratorType, StreamDescription, StreamStatus, StreamViewType as SdkView,
};
use std::time::Duration;

/// The stream of a table.
pub(super) struct Source {
    pub(super) table: String,
    arn: String,
    client: Client,
    clock: SleepProbe,
}

/// The shards of a stream, and whether more may come.
pub(super) struct Described {
    pub(super) shards: Vec<ShardInfo>,
    pub(super) is_open: bool,
}

/// The response of a shard.
pub(super) struct Fetched {
    pub(super) shard: String,
    /// Changes were removed by DynamoDB before they were read.
    pub(super) lost: bool,
    pub(super) records: Vec<Record>,
    /// Where to go on; nothing at the end of the shard.
    pub(super) next: Option<Cursor>,
    /// The request failed, and the shard is where it was.
    pub(super) error: Option<Error>,
}

impl Source {
    /// Finds the stream of a table.
    pub(super) async fn find(handle: &Handle) -> Result<Self> {
        let table = handle.name()?.to_owned();
        let refused = |problem: &str| Error::ChangeReader {
            table: table.clone(),
            problem: problem.to_owned(),
        };
        let client = handle.streams_client().ok_or_else(|| refused(NO_CLIENT))?;
        let described = handle.client().describe_table().table_name(&table);
        let described = described
            .send()
            .await
            .map_err(aws_sdk_dynamodb::Error::from)?;
        let arn = described.table.and_then(|table| table.latest_stream_arn);
        let arn = arn.ok_or_else(|| refused("the table has no stream in DynamoDB"))?;
        Ok(Self {
            client: client.clone(),
            clock: SleepProbe::default(),
            arn,
            table,
        })
    }

    /// The shards of the stream, all pages of them.
    pub(super) async fn describe(&self, declared: Option<StreamViewType>) -> Result<Described> {
        let mut described = Described {
            shards: Vec::new(),
            is_open: true,
        };
        let (mut start, mut backoff) = (None, self.backoff());
        loop {
            let request = self.client.describe_stream().stream_arn(&self.arn);
            let request = request.set_exclusive_start_shard_id(start.clone());
            let request = request.customize().interceptor(self.clock.clone());
            let response = match request.send().await {
                Ok(response) => response,
                Err(error) if is_passing(&error) && backoff.wait().await => continue,
                Err(error) => return Err(self.failed("DescribeStream", error)),
            };
            let Some(page) = response.stream_description else {
                return Ok(described);
            };
            self.check_view(&page, declared)?;
            described.is_open = !matches!(page.stream_status(), Some(StreamStatus::Disabled));
            let shards = page.shards().iter().filter_map(|shard| {
                let id = shard.shard_id()?.to_owned();
                let parent = shard.parent_shard_id().map(str::to_owned);
                Some(ShardInfo { id, parent })
            });
            described.shards.extend(shards);
            match page.last_evaluated_shard_id {
                Some(last) if start.as_ref() != Some(&last) => start = Some(last),
                _ => return Ok(described),
            }
        }
    }

    /// Fails if the stream lacks images that are declared.
    fn check_view(&self, page: &StreamDescription, declared: Option<StreamViewType>) -> Result<()> {
        let (Some(found), Some(declared)) = (page.stream_view_type(), declared) else {
            return Ok(());
        };
        let images = |view| match view {
            StreamViewType::KeysOnly => (false, false),
            StreamViewType::NewImage => (true, false),
            StreamViewType::OldImage => (false, true),
            StreamViewType::NewAndOldImages => (true, true),
        };
        let found_images = match found {
            SdkView::KeysOnly => (false, false),
            SdkView::NewImage => (true, false),
            SdkView::OldImage => (false, true),
            _ => (true, true),
        };
        let (new, old) = images(declared);
        if (new && !found_images.0) || (old && !found_images.1) {
            let found = found.as_str();
            return Err(Error::ChangeReader {
                table: self.table.clone(),
                problem: format!(
                    "the view type of its stream is {found}, and the table declares more images"
                ),
            });
        }
        Ok(())
    }

    /// The next records of a shard.
    pub(super) async fn fetch(&self, shard: String, mut cursor: Cursor) -> Fetched {
        let (mut backoff, mut lost) = (self.backoff(), false);
        let error = loop {
            let iterator = match cursor.iterator.take() {
                Some(iterator) => Ok(iterator),
                None => self.iterator(&shard, &cursor.start).await,
            };
            let iterator = match iterator {
                Ok(iterator) => iterator,
                Err(Failed::Trimmed) if cursor.start != Start::TrimHorizon => {
                    (lost, cursor.start) = (true, Start::TrimHorizon);
                    continue;
                }
                Err(Failed::Gone) => return Fetched::gone(shard),
                Err(Failed::Passing(_)) if backoff.wait().await => continue,
                Err(failed) => break failed.into_error(self, "GetShardIterator"),
            };
            // Another `LATEST` would leave out what has changed since this one.
            if cursor.start == Start::Latest {
                cursor.start = Start::TrimHorizon;
            }
            let request = self.client.get_records().shard_iterator(&iterator);
            let request = request.customize().interceptor(self.clock.clone());
            match request.send().await {
                Ok(page) => {
                    let records = page.records.unwrap_or_default();
                    let next = page.next_shard_iterator;
                    let next = next.map(|next| cursor.advance(next, &records));
                    return Fetched {
                        shard,
                        lost,
                        records,
                        next,
                        error: None,
                    };
                }
                Err(error) => {
                    let failed = Failed::of(error);
                    match &failed {
                        // The iterator was valid for 15 minutes: the next one begins behind the last record.
                        Failed::Expired => {}
                        Failed::Trimmed => (lost, cursor.start) = (true, Start::TrimHorizon),
                        Failed::Gone => return Fetched::gone(shard),
                        Failed::Passing(_) | Failed::Other(_) => cursor.iterator = Some(iterator),
                    }
                    if matches!(failed, Failed::Other(_)) || !backoff.wait().await {
                        break failed.into_error(self, "GetRecords");
                    }
                }
            }
        };
        // Not at once: the caller may poll on after an error.
        cursor.empty = cursor.empty.saturating_add(1);
        Fetched {
            shard,
            lost,
            records: Vec::new(),
            next: Some(cursor),
            error: Some(error),
        }
    }

    async fn iterator(&self, shard: &str, start: &Start) -> Result<String, Failed> {
        let (kind, sequence) = match start {
            Start::TrimHorizon => (ShardIteratorType::TrimHorizon, None),
            Start::Latest => (ShardIteratorType::Latest, None),
            Start::After(sequence) => (ShardIteratorType::AfterSequenceNumber, Some(sequence)),
        };
        let request = self.client.get_shard_iterator().stream_arn(&self.arn);
        let request = request.shard_id(shard).shard_iterator_type(kind);
        let request = request.set_sequence_number(sequence.cloned());
        let request = request.customize().interceptor(self.clock.clone());
        let response = request.send().await.map_err(Failed::of)?;
        response.shard_iterator.ok_or(Failed::Gone)
    }

    /// Waits, with the client's own `AsyncSleep`.
    pub(super) async fn rest(&self, time: Duration) -> Result<()> {
        if self.clock.sleep(time).await {
            return Ok(());
        }
        Err(Error::ChangeReader {
            table: self.table.clone(),
            problem: "the client has no `AsyncSleep` to wait with".to_owned(),
        })
    }

    fn backoff(&self) -> Backoff {
        Backoff::with_clock(self.clock.clone())
    }

    fn failed(
        &self,
        operation: &'static str,
        error: impl Into<aws_sdk_dynamodbstreams::Error>,
    ) -> Error {
        Error::Streams {
            table: self.table.clone(),
            operation,
            source: Box::new(error.into()),
        }
    }
}

const NO_CLIENT: &str =
    "there is no client for its stream: open it with `.with_streams_client(..)`";

impl Cursor {
    /// Behind these records, by the next iterator.
    fn advance(self, iterator: String, records: &[Record]) -> Self {
        let last = records.last().and_then(|record| record.dynamodb());
        let last = last.and_then(|record| record.sequence_number());
        Self {
            iterator: Some(iterator),
            start: last.map_or(self.start, |last| Start::After(last.to_owned())),
            empty: if records.is_empty() {
                self.empty.saturating_add(1)
            } else {
                0
            },
        }
    }
}

impl Fetched {
    /// A shard that DynamoDB has removed.
    fn gone(shard: String) -> Self {
        Self {
            shard,
            lost: true,
            records: Vec::new(),
            next: None,
            error: None,
        }
    }
}

/// Why a request of a shard failed.
enum Failed {
    /// The iterator is older than 15 minutes.
    Expired,
    /// What it points to was removed, 24 hours after it changed.
    Trimmed,
    /// There is no such shard any more.
    Gone,
    /// Throttling, or an error of the server.
    Passing(aws_sdk_dynamodbstreams::Error),
    Other(aws_sdk_dynamodbstreams::Error),
}

impl Failed {
    fn of<E>(error: SdkError<E>) -> Self
    where
        SdkError<E>: Into<aws_sdk_dynamodbstreams::Error> + ProvideErrorMetadata,
    {
        match error.code() {
            Some("ExpiredIteratorException") => Self::Expired,
            Some("TrimmedDataAccessException") => Self::Trimmed,
            Some("ResourceNotFoundException") => Self::Gone,
            _ if is_passing(&error) => Self::Passing(error.into()),
            _ => Self::Other(error.into()),
        }
    }

    fn into_error(self, source: &Source, operation: &'static str) -> Error {
        match self {
            Self::Passing(error) | Self::Other(error) => source.failed(operation, error),
            Self::Expired | Self::Trimmed | Self::Gone => Error::ChangeReader {
                table: source.table.clone(),
                problem: format!("{operation} returned no place in the stream that can be read"),
            },
        }
    }
}

/// Whether trying again later may help.
fn is_passing(error: &impl ProvideErrorMetadata) -> bool {
    matches!(
        error.code(),
        Some("LimitExceededException" | "ThrottlingException" | "InternalServerError")
    )
}
