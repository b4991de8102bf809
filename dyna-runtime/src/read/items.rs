//! The stream of a query or a scan.

use crate::error::{Error, Result};
use crate::read::Page;
use crate::read::merge::{Merge, Plan};
use crate::read::{Decode, Reader};
use crate::transport::Raw;
use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The items of one or more calls as they come.
///
/// An item that cannot be read is an error, and the next item comes after it. After the error of a request there is nothing more from
/// the call that had it, or if the items of several calls have an order, nothing more at all.
#[must_use = "a stream does nothing until it is polled"]
pub struct ItemStream<E> {
    lanes: Merge,
    /// What was read from the far end, and has to be turned round.
    turned: Option<Vec<Raw>>,
    /// What kept the calls from being made.
    error: Option<Error>,
    decode: Decode<E>,
}

impl<E> ItemStream<E> {
    pub(crate) fn new(readers: Result<Vec<Reader>>, plan: Plan, decode: Decode<E>) -> Self {
        let (readers, error) = match readers {
            Ok(readers) => (readers, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        Self {
            lanes: Merge::new(readers, plan),
            turned: None,
            error,
            decode,
        }
    }

    /// The last item first: nothing comes before all are read.
    pub(crate) fn turned(mut self) -> Self {
        self.turned = Some(Vec::new());
        self
    }

    /// All items that are left. With `skip_unreadable`, what cannot be read is put aside.
    pub(crate) async fn collect(mut self, skip_unreadable: bool) -> Result<Page<E>> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let mut page = Page::empty();
        let decode = self.decode;
        while let Some(item) = std::future::poll_fn(|context| self.poll_item(context)).await {
            match item?.read(decode) {
                Ok(item) => page.items.push(item),
                Err(error) if skip_unreadable => page.skipped.unreadable.push(error),
                Err(error) => return Err(error),
            }
        }
        self.lanes.add_to(&mut page);
        Ok(page)
    }

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Raw>>> {
        loop {
            let item = match self.lanes.poll(context) {
                Poll::Ready(Some(Ok((_, item)))) => item,
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(None) => {
                    let last = self.turned.as_mut().and_then(Vec::pop);
                    return Poll::Ready(last.map(Ok));
                }
                Poll::Pending => return Poll::Pending,
            };
            match &mut self.turned {
                Some(turned) => turned.push(item),
                None => return Poll::Ready(Some(Ok(item))),
            }
        }
    }
}

impl<E> Stream for ItemStream<E> {
    type Item = Result<E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<E>>> {
        if let Some(error) = self.error.take() {
            return Poll::Ready(Some(Err(error)));
        }
        let decode = self.decode;
        let item = self.poll_item(context);
        item.map(|item| item.map(|item| item.and_then(|item| item.read(decode))))
    }
}

impl<E> std::fmt::Debug for ItemStream<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Items({} calls)", self.lanes.len())
    }
}
