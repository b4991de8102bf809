//! The stream of a query or a scan.

use crate::error::{Error, Result};
use crate::read::merge::{Merge, MergeOptions};
use crate::read::run::Run;
use crate::transport::{Decode, RawItem};
use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The items of one or more calls as they come.
///
/// An item that cannot be read is an error, and the next item comes after it. After the error of a request there is nothing more from
/// the call that had it, or if the items of several calls have an order, nothing more at all.
#[must_use = "a stream does nothing until it is polled"]
pub struct ItemStream<E> {
    items: RawItems,
    decode: Decode<E>,
}

/// The same, not read yet.
struct RawItems {
    merge: Merge,
    /// The items that were read from the far end and have to be reversed.
    reversed: Option<Vec<RawItem>>,
    /// The error that prevented the calls.
    error: Option<Error>,
}

impl<E> ItemStream<E> {
    pub(crate) fn new(run: Result<Run>, decode: Decode<E>) -> Self {
        Self {
            items: RawItems::new(run),
            decode,
        }
    }
}

impl RawItems {
    fn new(run: Result<Run>) -> Self {
        let (run, error) = match run {
            Ok(run) => (Some(run), None),
            Err(error) => (None, Some(error)),
        };
        let (pagers, plan, reversed) = match run {
            Some(run) => (run.pagers, run.plan, run.reversed),
            None => (Vec::new(), MergeOptions::default(), false),
        };
        Self {
            merge: Merge::new(pagers, plan),
            // The last item first: nothing comes before all are read.
            reversed: reversed.then(Vec::new),
            error,
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<RawItem>>> {
        if let Some(error) = self.error.take() {
            return Poll::Ready(Some(Err(error)));
        }
        loop {
            let item = match self.merge.poll(context) {
                Poll::Ready(Some(Ok((_, item)))) => item,
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(None) => {
                    let last = self.reversed.as_mut().and_then(Vec::pop);
                    return Poll::Ready(last.map(Ok));
                }
                Poll::Pending => return Poll::Pending,
            };
            match &mut self.reversed {
                Some(reversed) => reversed.push(item),
                None => return Poll::Ready(Some(Ok(item))),
            }
        }
    }
}

impl<E> Stream for ItemStream<E> {
    type Item = Result<E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<E>>> {
        match self.items.poll(context) {
            Poll::Ready(Some(Ok(item))) => Poll::Ready(Some(item.decode(self.decode))),
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(error))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<E> std::fmt::Debug for ItemStream<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Items({} calls)", self.items.merge.len())
    }
}
