//! The items of several calls, one by one, in one order.

use crate::error::{Error, Result};
use crate::read::Pager;
use crate::read::buffered::{BufferedPager, Offer, Permits};
use crate::read::order::{MergeKey, Order};
use crate::read::page::PageInfo;
use crate::transport::RawItem;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::task::{Context, Poll};

/// How several calls are read together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MergeOptions {
    pub(crate) order: Order,
    /// Most requests at once.
    pub(crate) concurrency: usize,
    /// How many pages of a call are asked for before they are wanted.
    pub(crate) prefetch: usize,
    /// Most pages of each call.
    pub(crate) pages: usize,
    /// Most items in all.
    pub(crate) limit: Option<usize>,
}

impl Default for MergeOptions {
    /// All calls at once, each asked when its items are wanted.
    fn default() -> Self {
        Self {
            order: Order::Any,
            concurrency: usize::MAX,
            prefetch: 0,
            pages: usize::MAX,
            limit: None,
        }
    }
}

/// Several calls that are read together.
pub(crate) struct Merge {
    pagers: Vec<BufferedPager>,
    plan: MergeOptions,
    /// The lane that is asked first.
    next: usize,
    /// The first item of each lane that has one, if they are sorted.
    heads: BinaryHeap<Reverse<MergeKey>>,
    /// Merge whose first item is not among the heads.
    unknown: Vec<usize>,
}

impl Merge {
    pub(crate) fn new(pagers: Vec<Pager>, plan: MergeOptions) -> Self {
        let buffer = |pager| BufferedPager::new(pager, plan.prefetch, plan.pages);
        let pagers: Vec<BufferedPager> = pagers.into_iter().map(buffer).collect();
        Self {
            unknown: (0..pagers.len()).collect(),
            pagers,
            plan,
            next: 0,
            heads: BinaryHeap::new(),
        }
    }

    /// Where each call stands.
    pub(crate) fn pagers(&self) -> &[BufferedPager] {
        &self.pagers
    }

    /// Adds to a page what its calls left out, and what they cost.
    pub(crate) fn add_to(&self, page: &mut PageInfo) {
        for buffered in &self.pagers {
            let consumed = buffered.pager().and_then(|pager| pager.consumed);
            page.add(buffered.skipped(), consumed);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.pagers.len()
    }

    /// The next item, with the number of its call.
    pub(crate) fn poll(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<(usize, RawItem)>>> {
        if self.plan.limit == Some(0) {
            return Poll::Ready(None);
        }
        let item = match self.plan.order {
            Order::Any => self.poll_any(context),
            Order::InTurn { reversed } => self.poll_in_turn(reversed, context),
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
    pub(crate) async fn next(&mut self) -> Option<Result<(usize, RawItem)>> {
        std::future::poll_fn(|context| self.poll(context)).await
    }

    /// The items that are left, each with the number of its call.
    pub(crate) async fn all(&mut self) -> Result<Vec<(usize, RawItem)>> {
        let mut items = Vec::new();
        while let Some(item) = self.next().await {
            items.push(item?);
        }
        Ok(items)
    }

    fn permits(&self) -> Permits {
        let asking = self.pagers.iter().filter(|pager| pager.is_asking()).count();
        Permits(self.plan.concurrency.saturating_sub(asking))
    }

    /// Each lane once, beginning after the one that was served last.
    fn poll_any(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<(usize, RawItem)>>> {
        let mut permits = self.permits();
        let mut waiting = Vec::new();
        for n in 0..self.pagers.len() {
            let at = (self.next + n) % self.pagers.len();
            let pager = &mut self.pagers[at];
            match pager.poll(context, &mut permits) {
                Poll::Ready(Ok(Offer::Item)) => {
                    self.next = at + 1;
                    return Poll::Ready(pager.pop().map(|item| Ok((at, item))));
                }
                Poll::Ready(Ok(Offer::Nothing | Offer::Exhausted)) => {}
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

    /// Whether one of the waiting lanes may ask now: a request that was in flight has got its response.
    fn is_idle(&self, waiting: &[usize], permits: &Permits) -> bool {
        permits.0 > 0 && waiting.iter().any(|at| !self.pagers[*at].is_asking())
    }

    fn poll_in_turn(
        &mut self,
        reversed: bool,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<(usize, RawItem)>>> {
        let mut permits = self.permits();
        while self.next < self.pagers.len() {
            let at = if reversed {
                self.pagers.len() - 1 - self.next
            } else {
                self.next
            };
            let pager = &mut self.pagers[at];
            match pager.poll(context, &mut permits) {
                Poll::Ready(Ok(Offer::Item)) => {
                    return Poll::Ready(pager.pop().map(|item| Ok((at, item))));
                }
                Poll::Ready(Ok(Offer::Nothing)) => self.next += 1,
                Poll::Ready(Ok(Offer::Exhausted)) => return Poll::Ready(None),
                Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(self.fail(error)))),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(None)
    }

    /// The smallest of the first items of all lanes: what is not known yet could be smaller.
    fn poll_sorted(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<(usize, RawItem)>>> {
        let mut permits = self.permits();
        let mut waiting = Vec::new();
        let mut stopped = Vec::new();
        for at in std::mem::take(&mut self.unknown) {
            let pager = &mut self.pagers[at];
            match pager.poll(context, &mut permits) {
                Poll::Ready(Ok(Offer::Nothing)) => {}
                Poll::Ready(Ok(Offer::Item)) => {
                    let order = self.plan.order;
                    let rank = pager.head().map(|item| MergeKey::new(order, item, at));
                    if rank == Some(None) {
                        let error = Error::Internal {
                            entity: pager.pager().map_or("query", |it| it.rule.owner.name()),
                            what: "a number that is a sort key cannot be ordered",
                        };
                        return Poll::Ready(Some(Err(self.fail(error))));
                    }
                    self.heads.extend(rank.flatten().map(Reverse));
                }
                Poll::Ready(Ok(Offer::Exhausted)) => stopped.push(at),
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
        let Some(Reverse(MergeKey { pager, .. })) = self.heads.pop() else {
            return Poll::Ready(None);
        };
        self.unknown.push(pager);
        Poll::Ready(self.pagers[pager].pop().map(|item| Ok((pager, item))))
    }

    /// Goes on with requests whose pages are not wanted yet.
    fn poll_ahead(&mut self, context: &mut Context<'_>, permits: &mut Permits) {
        let pagers = self.pagers.iter_mut();
        for pager in pagers.filter(|pager| pager.head().is_some() && pager.is_asking()) {
            let _ = pager.poll(context, permits);
        }
    }

    /// Without the items of one call, those of the others are not what comes next.
    fn fail<E>(&mut self, error: E) -> E {
        self.pagers.clear();
        self.heads.clear();
        self.unknown.clear();
        error
    }
}
