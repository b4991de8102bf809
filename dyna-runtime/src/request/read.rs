//! Reading answer by answer: what queries and scans share.

use crate::codec::Item;
use crate::entity::EntityMeta;
use crate::error::{Result, of_service};
use crate::schema::{Attribute, IndexSchema, Kind};
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A request that DynamoDB answers in pages.
#[derive(Clone)]
pub(super) enum Call {
    Query(QueryFluentBuilder),
    Scan(ScanFluentBuilder),
}

/// Reads the answers to one call, one after the other.
pub(super) struct Reader {
    pub(super) call: Call,
    /// The key of what is read, and of the table.
    pub(super) keys: [&'static IndexSchema; 2],
    /// Whose items alone are wanted, if there may be others.
    pub(super) own: Option<&'static EntityMeta>,
    /// Whether an answer may hold fewer items than DynamoDB looked at.
    pub(super) filtered: bool,
    pub(super) page_size: Option<i32>,
    /// How many items are still wanted.
    pub(super) wanted: Option<usize>,
    /// Where to go on; `None` at the start, and at the end.
    pub(super) start: Option<Item>,
    pub(super) ended: bool,
}

impl Reader {
    /// The items of the next answer, which may be none; `None` at the end.
    pub(super) async fn answer(&mut self) -> Result<Option<Vec<Item>>> {
        if self.ended || self.wanted == Some(0) {
            return Ok(None);
        }
        let (items, last) = self.ask().await?;
        let own = |item: &Item| self.own.is_none_or(|own| own.fits(item));
        let mut items: Vec<Item> = items.into_iter().filter(own).collect();
        self.ended = last.is_none();
        self.start = last;
        if let Some(wanted) = &mut self.wanted {
            if items.len() > *wanted || (items.len() == *wanted && !self.ended) {
                items.truncate(*wanted);
                self.start = items.last().map(|last| key_of(&self.keys, last));
            }
            *wanted -= items.len();
        }
        Ok(Some(items))
    }

    /// One answer, or as many as it takes to have all that is wanted.
    pub(super) async fn items(&mut self, one_answer: bool) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        while let Some(answer) = self.answer().await? {
            items.extend(answer);
            if one_answer {
                break;
            }
        }
        Ok(items)
    }

    async fn ask(&mut self) -> Result<(Vec<Item>, Option<Item>)> {
        let wanted = self.wanted.filter(|_| !self.filtered);
        let wanted = wanted.and_then(|wanted| i32::try_from(wanted).ok());
        let size = self.page_size.into_iter().chain(wanted).min();
        let start = self.start.take();
        Ok(match self.call.clone() {
            Call::Query(query) => {
                let query = query.set_limit(size).set_exclusive_start_key(start);
                let output = query.send().await.map_err(of_service)?;
                (output.items.unwrap_or_default(), output.last_evaluated_key)
            }
            Call::Scan(scan) => {
                let scan = scan.set_limit(size).set_exclusive_start_key(start);
                let output = scan.send().await.map_err(of_service)?;
                (output.items.unwrap_or_default(), output.last_evaluated_key)
            }
        })
    }
}

/// Whether these are exactly the attributes of the keys, with their types.
pub(super) fn is_key(keys: &[&'static IndexSchema], item: &Item) -> bool {
    let attributes = || keys.iter().flat_map(|schema| schema.attributes());
    let fits = |attribute: &Attribute| {
        matches!(
            (attribute.kind, item.get(attribute.name)),
            (Kind::S, Some(AttributeValue::S(_)))
                | (Kind::N, Some(AttributeValue::N(_)))
                | (Kind::B, Some(AttributeValue::B(_)))
        )
    };
    attributes().all(fits)
        && item
            .keys()
            .all(|name| attributes().any(|attribute| attribute.name == name))
}

/// The key of an item in what is read: the index's own attributes and the table's.
fn key_of(keys: &[&'static IndexSchema], item: &Item) -> Item {
    keys.iter()
        .flat_map(|schema| schema.attributes())
        .filter_map(|Attribute { name, .. }| Some(((*name).to_owned(), item.get(*name)?.clone())))
        .collect()
}

type Answering = Pin<Box<dyn Future<Output = (Reader, Result<Option<Vec<Item>>>)> + Send>>;

/// A call whose items are taken one by one; holds one answer at a time.
struct Lane {
    reader: Option<Reader>,
    answering: Option<Answering>,
    items: std::vec::IntoIter<Item>,
}

impl Lane {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Item>>> {
        loop {
            if let Some(item) = self.items.next() {
                return Poll::Ready(Some(Ok(item)));
            }
            if let Some(mut reader) = self.reader.take() {
                self.answering = Some(Box::pin(async move {
                    let answer = reader.answer().await;
                    (reader, answer)
                }));
            }
            let Some(answering) = &mut self.answering else {
                return Poll::Ready(None);
            };
            let Poll::Ready((reader, answer)) = answering.as_mut().poll(context) else {
                return Poll::Pending;
            };
            self.answering = None;
            match answer {
                Ok(Some(items)) => {
                    self.items = items.into_iter();
                    self.reader = Some(reader);
                }
                Ok(None) => return Poll::Ready(None),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
    }
}

/// The items of one or more calls as they come. After an error there is nothing more from the call that had it.
#[must_use = "a stream does nothing until it is polled"]
pub struct Items<E> {
    lanes: Vec<Lane>,
    next: usize,
    /// What kept the calls from being made.
    error: Option<crate::error::Error>,
    decode: fn(Item) -> Result<E>,
}

impl<E> Items<E> {
    pub(super) fn new(readers: Result<Vec<Reader>>, decode: fn(Item) -> Result<E>) -> Self {
        let (readers, error) = match readers {
            Ok(readers) => (readers, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let lane = |reader| Lane {
            reader: Some(reader),
            answering: None,
            items: Vec::new().into_iter(),
        };
        Self {
            lanes: readers.into_iter().map(lane).collect(),
            next: 0,
            error,
            decode,
        }
    }

    /// All items that are left.
    pub(super) async fn collect(mut self) -> Result<Vec<E>> {
        let mut items = Vec::new();
        let mut stream = Pin::new(&mut self);
        while let Some(item) =
            std::future::poll_fn(|context| stream.as_mut().poll_next(context)).await
        {
            items.push(item?);
        }
        Ok(items)
    }
}

impl<E> Stream for Items<E> {
    type Item = Result<E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<E>>> {
        if let Some(error) = self.error.take() {
            return Poll::Ready(Some(Err(error)));
        }
        // Each lane once, beginning after the one that was served last.
        let mut waiting = self.lanes.len();
        while waiting > 0 {
            waiting -= 1;
            let at = self.next % self.lanes.len();
            match self.lanes[at].poll(context) {
                Poll::Ready(Some(item)) => {
                    self.next = at + 1;
                    return Poll::Ready(Some(item.and_then(self.decode)));
                }
                Poll::Ready(None) => {
                    self.lanes.remove(at);
                    self.next = at;
                }
                Poll::Pending => self.next = at + 1,
            }
        }
        if self.lanes.is_empty() {
            Poll::Ready(None)
        } else {
            Poll::Pending
        }
    }
}

impl<E> std::fmt::Debug for Items<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Items({} calls)", self.lanes.len())
    }
}
