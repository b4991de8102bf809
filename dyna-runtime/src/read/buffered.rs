//! A pager whose items are taken one by one.

use crate::error::{Error, Result};
use crate::read::pager::{LeftOut, SortedItems};
use crate::read::{Pager, Skipped};
use crate::transport::RawItem;
use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

type PendingPage = Pin<Box<dyn Future<Output = (Pager, Result<Option<SortedItems>>)> + Send>>;

/// How many requests may be under way at once, of all lanes together.
pub(crate) struct Permits(pub(super) usize);

/// The next item of a pager, or why there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offer {
    /// An item.
    Item,
    /// There is none left.
    Nothing,
    /// There may be more, but it takes a response that the pager may not request.
    Exhausted,
}

/// A call whose items are taken one by one. Holds one response, and as many more as it may ask for ahead.
pub(crate) struct BufferedPager {
    /// Absent while it pages, and after an error.
    pager: Option<Pager>,
    pending: Option<PendingPage>,
    /// The items of one response.
    items: std::vec::IntoIter<RawItem>,
    /// How many of them were taken.
    taken: usize,
    /// What was left out between them.
    left_out: LeftOut,
    /// What the responses before left out before the item that was taken last.
    skipped: Skipped,
    /// What they left out since then.
    since: Skipped,
    /// Pages that were fetched ahead.
    ahead: VecDeque<SortedItems>,
    prefetch: usize,
    /// How many more pages may be asked for.
    budget: usize,
    /// The error that ended it, returned after the items before it.
    error: Option<Error>,
}

impl BufferedPager {
    pub(crate) fn new(pager: Pager, prefetch: usize, budget: usize) -> Self {
        Self {
            pager: Some(pager),
            pending: None,
            items: Vec::new().into_iter(),
            taken: 0,
            left_out: LeftOut::default(),
            skipped: Skipped::default(),
            since: Skipped::default(),
            ahead: VecDeque::new(),
            prefetch,
            budget,
            error: None,
        }
    }

    /// Goes on until there is an item, or there is none left.
    pub(crate) fn poll(
        &mut self,
        context: &mut Context<'_>,
        permits: &mut Permits,
    ) -> Poll<Result<Offer>> {
        loop {
            // A response may hold no item that is wanted.
            while self.head().is_none()
                && let Some(next) = self.ahead.pop_front()
            {
                self.left_out.count(..self.taken, &mut self.skipped);
                self.left_out.count(self.taken.., &mut self.since);
                self.items = next.items.into_iter();
                self.left_out = next.left_out;
                self.taken = 0;
            }
            let waits = self.head().is_none();
            if waits && let Some(error) = self.error.take() {
                return Poll::Ready(Err(error));
            }
            if waits && self.is_ended() {
                return Poll::Ready(Ok(Offer::Nothing));
            }
            if waits && self.budget == 0 && self.pending.is_none() {
                return Poll::Ready(Ok(Offer::Exhausted));
            }
            if self.poll_page(context, permits) {
                continue;
            }
            return if waits {
                Poll::Pending
            } else {
                Poll::Ready(Ok(Offer::Item))
            };
        }
    }

    /// Takes the next response, if it is there and there is room for it.
    fn poll_page(&mut self, context: &mut Context<'_>, permits: &mut Permits) -> bool {
        let room = self.head().is_none() || self.ahead.len() < self.prefetch;
        if self.pending.is_none() && room && !self.is_ended() && self.budget > 0 {
            if permits.0 == 0 {
                return false;
            }
            self.start_page();
            permits.0 -= 1;
        }
        let Some(pending) = &mut self.pending else {
            return false;
        };
        let Poll::Ready((pager, page)) = pending.as_mut().poll(context) else {
            return false;
        };
        self.pending = None;
        permits.0 += 1;
        match page {
            Ok(items) => {
                self.ahead.extend(items);
                self.pager = Some(pager);
            }
            Err(error) => self.error = Some(error),
        }
        true
    }

    fn start_page(&mut self) {
        if let Some(mut pager) = self.pager.take() {
            self.budget = self.budget.saturating_sub(1);
            self.pending = Some(Box::pin(async move {
                let page = pager.next_page().await;
                (pager, page)
            }));
        }
    }

    /// The item that comes next, if it is here.
    pub(crate) fn head(&self) -> Option<&RawItem> {
        self.items.as_slice().first()
    }

    pub(crate) fn pop(&mut self) -> Option<RawItem> {
        let item = self.items.next()?;
        self.taken += 1;
        self.skipped.add(std::mem::take(&mut self.since));
        Some(item)
    }

    /// What was left out up to the place where a cursor goes on: that of the item that was taken last, or the end of the response if
    /// none is left.
    pub(crate) fn skipped(&self) -> Skipped {
        let mut skipped = Skipped::default();
        let mut add = |of: &Skipped| {
            skipped.foreign += of.foreign;
            skipped.unknown += of.unknown;
        };
        add(&self.skipped);
        if self.head().is_none() {
            add(&self.since);
            self.left_out.count(.., &mut skipped);
        } else {
            self.left_out.count(..self.taken, &mut skipped);
        }
        skipped
    }

    /// Whether a request is under way.
    pub(crate) fn is_asking(&self) -> bool {
        self.pending.is_some()
    }

    /// Whether nothing is left to ask for.
    fn is_ended(&self) -> bool {
        self.pending.is_none() && self.pager.as_ref().is_none_or(Pager::is_ended)
    }

    /// The pager, unless a request is in flight or has failed.
    pub(crate) fn pager(&self) -> Option<&Pager> {
        self.pager.as_ref()
    }
}
