//! Reading the items of calls into values: in a single pass, or merged.

use crate::codec::json::ItemSource;
use crate::error::Result;
use crate::read::buffered::BufferedPager;
use crate::read::merge::{Merge, MergeOptions};
use crate::read::page::PageInfo;
use crate::read::pager::{ItemTest, count_only};
use crate::read::single_pass::SinglePass;
use crate::read::{Page, Pager};
use crate::table::Handle;
use crate::transport::{Decode, RawItem, ResponseFuture};

/// A read request without the type of its results.
pub(crate) trait ReadRequest: Send {
    /// Reads items into values. The page without its items.
    fn read<'a>(
        self: Box<Self>,
        db: &'a Handle,
        into: &'a mut dyn ReadOutput,
    ) -> ResponseFuture<'a, PageInfo>;
}

/// Values of a type that is not known.
pub(crate) trait ReadOutput: Send {
    /// So many will come.
    fn reserve(&mut self, count: usize);

    /// Reads one more.
    fn decode(&mut self, item: ItemSource<'_, '_>) -> Result<()>;

    /// Reads one more.
    fn read(&mut self, item: RawItem) -> Result<()>;

    /// How many there are.
    fn count(&self) -> usize;

    /// Forgets all but the first so many.
    fn truncate(&mut self, count: usize);
}

/// Values of one type.
struct Decoded<V> {
    values: Vec<V>,
    decode: Decode<V>,
}

impl<V: Send> ReadOutput for Decoded<V> {
    fn reserve(&mut self, count: usize) {
        self.values.reserve(count);
    }

    fn decode(&mut self, item: ItemSource<'_, '_>) -> Result<()> {
        self.values.push((self.decode)(item)?);
        Ok(())
    }

    fn read(&mut self, item: RawItem) -> Result<()> {
        self.values.push(item.decode(self.decode)?);
        Ok(())
    }

    fn count(&self) -> usize {
        self.values.len()
    }

    fn truncate(&mut self, count: usize) {
        self.values.truncate(count);
    }
}

/// Runs a request and decodes its items with `decode`. The only place that knows the result type.
pub(crate) fn decoded<V: Send + 'static>(
    db: &Handle,
    request: Box<dyn ReadRequest>,
    decode: Decode<V>,
) -> ResponseFuture<'_, Page<V>> {
    Box::pin(async move {
        let values = Vec::new();
        let mut into = Decoded { values, decode };
        let rest = request.read(db, &mut into).await?;
        Ok(rest.with(into.values))
    })
}

/// The treatment of an item that cannot be decoded.
#[derive(Clone)]
pub(crate) enum OnUnreadable {
    /// It is the error of the request.
    Fail,
    /// It is put aside. Limits count only what can be read.
    Skip(ItemTest),
}

/// Calls that are read together, and how.
pub(crate) struct Run {
    pub(crate) pagers: Vec<Pager>,
    pub(crate) plan: MergeOptions,
    /// Whether the items are read from the last to the first, and come in the other order.
    pub(crate) reversed: bool,
    pub(crate) unreadable: OnUnreadable,
    /// Whether the caller needs the positions, for cursors.
    pub(crate) stops: bool,
}

/// Where a call stands after it was read.
pub(crate) struct Stop {
    /// The first item that was read, and the last.
    pub(crate) first: Option<RawItem>,
    pub(crate) last: Option<RawItem>,
    /// An item that is there and was not wanted.
    pub(crate) head: Option<RawItem>,
    /// Where to go on, if there is more.
    pub(crate) start: Option<crate::codec::Item>,
    /// Whether anything was asked.
    pub(crate) asked: bool,
}

impl Run {
    /// Reads the items into values. What there is beside them, and where the calls stand, if that was asked for.
    pub(crate) async fn read(mut self, into: &mut dyn ReadOutput) -> Result<(PageInfo, Vec<Stop>)> {
        if let OnUnreadable::Skip(counts) = &self.unreadable {
            count_only(&mut self.pagers, counts);
        }
        let pagers = std::mem::take(&mut self.pagers);
        let pagers = if self.reversed || self.plan.prefetch > 0 {
            pagers
        } else {
            match SinglePass::of(pagers) {
                Ok(pass) => return self.pass(pass, into).await,
                Err(pagers) => pagers,
            }
        };
        // In a box: its future is large, and a single pass would be moved with it.
        Box::pin(self.merge(pagers, into)).await
    }

    /// Reads one call whose items are all wanted, while its pages are gone through.
    async fn pass(
        self,
        mut pass: SinglePass,
        into: &mut dyn ReadOutput,
    ) -> Result<(PageInfo, Vec<Stop>)> {
        pass.read(into, self.plan.pages, &self.unreadable).await?;
        let SinglePass {
            mut pager,
            first,
            skipped,
        } = pass;
        let [pager] = &mut *pager;
        let rest = PageInfo {
            skipped,
            consumed_capacity: pager.consumed,
            ..PageInfo::default()
        };
        let stop = self.stops.then_some(Stop {
            first,
            last: None,
            head: None,
            start: pager.start.take(),
            asked: true,
        });
        Ok((rest, Vec::from_iter(stop)))
    }

    /// Reads several calls, or one whose items are not all wanted.
    async fn merge(
        self,
        pagers: Vec<Pager>,
        into: &mut dyn ReadOutput,
    ) -> Result<(PageInfo, Vec<Stop>)> {
        let (mut rest, mut stops) = (PageInfo::default(), Vec::new());
        let mut merge = Merge::new(pagers, self.plan);
        if self.reversed || self.stops {
            let mut found = merge.all().await?;
            if self.stops {
                let pagers = merge.pagers().iter().enumerate();
                stops = pagers.map(|(n, pager)| stop(n, pager, &found)).collect();
            }
            if self.reversed {
                found.reverse();
            }
            for (_, item) in found {
                self.take(item, into, &mut rest)?;
            }
        } else {
            while let Some(item) = merge.next().await {
                self.take(item?.1, into, &mut rest)?;
            }
        }
        merge.add_to(&mut rest);
        Ok((rest, stops))
    }

    fn take(&self, item: RawItem, into: &mut dyn ReadOutput, rest: &mut PageInfo) -> Result<()> {
        match (into.read(item), &self.unreadable) {
            (Err(error), OnUnreadable::Skip(_)) => rest.skipped.unreadable.push(error),
            (read, _) => read?,
        }
        Ok(())
    }
}

/// Where the call of this number stands.
fn stop(n: usize, pager: &BufferedPager, found: &[(usize, RawItem)]) -> Stop {
    let mut read = found.iter().filter(|(at, _)| *at == n);
    let first = read.next().map(|(_, item)| item.clone());
    let last = read.next_back().map(|(_, item)| item.clone());
    let inner = pager.pager();
    Stop {
        last: last.or_else(|| first.clone()),
        first,
        head: pager.head().cloned(),
        start: inner.and_then(|pager| pager.start.clone()),
        asked: inner.is_some_and(|pager| pager.asked > 0 || pager.ended),
    }
}
