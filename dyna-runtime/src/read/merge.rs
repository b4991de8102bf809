//! The items of several calls, one by one, in one order.

use crate::error::Result;
use crate::read::Reader;
use crate::read::lane::{Lane, Offer, Permits};
use crate::read::order::{Order, Rank};
use crate::read::page::Rest;
use crate::transport::Raw;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::task::{Context, Poll};

/// How several calls are read together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) order: Order,
    /// Most requests at once.
    pub(crate) concurrency: usize,
    /// How many answers of a call are asked for before they are wanted.
    pub(crate) prefetch: usize,
    /// Most answers of each call.
    pub(crate) answers: usize,
    /// Most items in all.
    pub(crate) limit: Option<usize>,
}

impl Default for Plan {
    /// All calls at once, each asked when its items are wanted.
    fn default() -> Self {
        Self {
            order: Order::Any,
            concurrency: usize::MAX,
            prefetch: 0,
            answers: usize::MAX,
            limit: None,
        }
    }
}

/// Several calls that are read together.
pub(crate) struct Merge {
    lanes: Vec<Lane>,
    plan: Plan,
    /// The lane that is asked first.
    next: usize,
    /// The first item of each lane that has one, if they are sorted.
    heads: BinaryHeap<Reverse<Rank>>,
    /// Merge whose first item is not among the heads.
    unknown: Vec<usize>,
}

impl Merge {
    pub(crate) fn new(readers: Vec<Reader>, plan: Plan) -> Self {
        let lane = |reader| Lane::new(reader, plan.prefetch, plan.answers);
        let lanes: Vec<Lane> = readers.into_iter().map(lane).collect();
        Self {
            unknown: (0..lanes.len()).collect(),
            lanes,
            plan,
            next: 0,
            heads: BinaryHeap::new(),
        }
    }

    /// Where each call stands.
    pub(crate) fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Adds to a page what its calls left out, and what they cost.
    pub(crate) fn add_to(&self, page: &mut Rest) {
        for reader in self.lanes.iter().filter_map(Lane::reader) {
            page.add(&reader.skipped, reader.consumed);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.lanes.len()
    }

    /// The next item, with the number of its call.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<(usize, Raw)>>> {
        if self.plan.limit == Some(0) {
            return Poll::Ready(None);
        }
        let item = match self.plan.order {
            Order::Any => self.poll_any(context),
            Order::InTurn { turned } => self.poll_in_turn(turned, context),
            Order::Sorted { .. } => self.poll_sorted(context),
        };
        if let (Poll::Ready(Some(Ok((_, item)))), Some(limit)) = (&item, &mut self.plan.limit)
            && item.counts()
        {
            *limit -= 1;
        }
        item
    }

    /// The next item, with the number of its call.
    pub(crate) async fn next(&mut self) -> Option<Result<(usize, Raw)>> {
        std::future::poll_fn(|context| self.poll(context)).await
    }

    /// The items that are left, each with the number of its call.
    pub(crate) async fn all(&mut self) -> Result<Vec<(usize, Raw)>> {
        let mut items = Vec::new();
        while let Some(item) = self.next().await {
            items.push(item?);
        }
        Ok(items)
    }

    fn permits(&self) -> Permits {
        let asking = self.lanes.iter().filter(|lane| lane.is_asking()).count();
        Permits(self.plan.concurrency.saturating_sub(asking))
    }

    /// Each lane once, beginning after the one that was served last.
    fn poll_any(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<(usize, Raw)>>> {
        let mut permits = self.permits();
        let mut waiting = Vec::new();
        for n in 0..self.lanes.len() {
            let at = (self.next + n) % self.lanes.len();
            let lane = &mut self.lanes[at];
            match lane.poll(context, &mut permits) {
                Poll::Ready(Ok(Offer::Item)) => {
                    self.next = at + 1;
                    return Poll::Ready(lane.pop().map(|item| Ok((at, item))));
                }
                Poll::Ready(Ok(Offer::Nothing | Offer::Stop)) => {}
                Poll::Ready(Err(error)) => {
                    self.next = at + 1;
                    return Poll::Ready(Some(Err(error)));
                }
                Poll::Pending => waiting.push(at),
            }
        }
        if waiting.is_empty() {
            return Poll::Ready(None);
        }
        if self.is_idle(&waiting, &permits) {
            return self.poll_any(context);
        }
        Poll::Pending
    }

    /// Whether one of the waiting lanes may ask now: a request that was under way before has been answered meanwhile.
    fn is_idle(&self, waiting: &[usize], permits: &Permits) -> bool {
        permits.0 > 0 && waiting.iter().any(|at| !self.lanes[*at].is_asking())
    }

    fn poll_in_turn(
        &mut self,
        turned: bool,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<(usize, Raw)>>> {
        let mut permits = self.permits();
        while self.next < self.lanes.len() {
            let at = if turned {
                self.lanes.len() - 1 - self.next
            } else {
                self.next
            };
            let lane = &mut self.lanes[at];
            match lane.poll(context, &mut permits) {
                Poll::Ready(Ok(Offer::Item)) => {
                    return Poll::Ready(lane.pop().map(|item| Ok((at, item))));
                }
                Poll::Ready(Ok(Offer::Nothing)) => self.next += 1,
                Poll::Ready(Ok(Offer::Stop)) => return Poll::Ready(None),
                Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(self.fail(error)))),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(None)
    }

    /// The smallest of the first items of all lanes: what is not known yet could be smaller.
    fn poll_sorted(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<(usize, Raw)>>> {
        let mut permits = self.permits();
        let mut waiting = Vec::new();
        let mut stopped = Vec::new();
        for at in std::mem::take(&mut self.unknown) {
            let lane = &mut self.lanes[at];
            match lane.poll(context, &mut permits) {
                Poll::Ready(Ok(Offer::Nothing)) => {}
                Poll::Ready(Ok(Offer::Item)) => {
                    let order = self.plan.order;
                    let rank = lane.head().map(|item| Rank::new(order, item, at));
                    self.heads.extend(rank.map(Reverse));
                }
                Poll::Ready(Ok(Offer::Stop)) => stopped.push(at),
                Poll::Pending => waiting.push(at),
                Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(self.fail(error)))),
            }
        }
        self.poll_ahead(context, &mut permits);
        let idle = self.is_idle(&waiting, &permits);
        let waits = !waiting.is_empty();
        self.unknown.extend(waiting.into_iter().chain(stopped));
        if idle {
            return self.poll_sorted(context);
        }
        if waits {
            return Poll::Pending;
        }
        if !self.unknown.is_empty() {
            return Poll::Ready(None);
        }
        let Some(Reverse(Rank { lane, .. })) = self.heads.pop() else {
            return Poll::Ready(None);
        };
        self.unknown.push(lane);
        Poll::Ready(self.lanes[lane].pop().map(|item| Ok((lane, item))))
    }

    /// Goes on with requests whose answers are not wanted yet.
    fn poll_ahead(&mut self, context: &mut Context<'_>, permits: &mut Permits) {
        let lanes = self.lanes.iter_mut();
        for lane in lanes.filter(|lane| lane.head().is_some() && lane.is_asking()) {
            let _ = lane.poll(context, permits);
        }
    }

    /// Without the items of one call, those of the others are not what comes next.
    fn fail<E>(&mut self, error: E) -> E {
        self.lanes.clear();
        self.heads.clear();
        self.unknown.clear();
        error
    }
}
