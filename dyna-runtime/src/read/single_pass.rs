//! A single pass: one pager whose items are all returned in their order, decoded while the response is parsed.

use crate::codec::json::{DecodeFailed, ItemSink, ItemSource};
use crate::entity::owner::Lookout;
use crate::error::Result;
use crate::read::Skipped;
use crate::read::pager::{Answered, PageEnd, Pager};
use crate::read::run::{OnUnreadable, ReadOutput};
use crate::transport::{self, RawItem};

/// One call whose items are all wanted.
pub(crate) struct SinglePass {
    /// Where it is: it is large, and is not moved.
    pub(crate) pager: Box<[Pager; 1]>,
    /// The first item, for a cursor.
    pub(crate) first: Option<RawItem>,
    /// What was left out so far.
    pub(crate) skipped: Skipped,
}

impl SinglePass {
    /// The call, if it is the only one and every item of its pages counts; otherwise all calls as they were.
    pub(crate) fn of(pagers: Vec<Pager>) -> Result<Self, Vec<Pager>> {
        match Box::<[Pager; 1]>::try_from(pagers)? {
            pager if pager[0].is_unfiltered() => Ok(Self {
                pager,
                first: None,
                skipped: Skipped::default(),
            }),
            pager => Err(Vec::from(pager as Box<[Pager]>)),
        }
    }

    /// As many pages as it takes to have all that is wanted, and no more than these.
    pub(crate) async fn read(
        &mut self,
        into: &mut dyn ReadOutput,
        pages: usize,
        unreadable: &OnUnreadable,
    ) -> Result<()> {
        for left in (0..pages).rev() {
            if self.pager[0].is_ended() {
                break;
            }
            let answered = self.pager[0].send(left == 0).await?;
            self.take(answered, into, unreadable)?;
        }
        Ok(())
    }

    fn take(
        &mut self,
        answered: Answered,
        into: &mut dyn ReadOutput,
        unreadable: &OnUnreadable,
    ) -> Result<()> {
        let before = into.count();
        let lookout = self.pager[0].rule.lookout();
        let watch = Some(&lookout.watch);
        let source = self.pager[0].source.clone();
        let asked = source.asked(&self.pager[0].keys);
        let mut values = Reading {
            pager: &self.pager[0],
            skipped: &mut self.skipped,
            lookout: &lookout,
            into: &mut *into,
            unreadable,
        };
        let (first, end) = match answered {
            Answered::Query(kept, output) => {
                let (output, first) = kept.read_into(output, watch, &mut values, asked)?;
                let end = PageEnd::new(output.last_evaluated_key, output.consumed_capacity);
                (first, end)
            }
            Answered::Scan(kept, output) => {
                let (output, first) = kept.read_into(output, watch, &mut values, asked)?;
                let end = PageEnd::new(output.last_evaluated_key, output.consumed_capacity);
                (first, end)
            }
        };
        self.first = self.first.take().or(first);
        self.pager[0].advance(end)?;
        if let Some(wanted) = &mut self.pager[0].wanted {
            *wanted = wanted.saturating_sub(into.count() - before);
        }
        Ok(())
    }
}

/// The values of a response.
struct Reading<'r> {
    pager: &'r Pager,
    skipped: &'r mut Skipped,
    lookout: &'r Lookout,
    into: &'r mut dyn ReadOutput,
    unreadable: &'r OnUnreadable,
}

impl ItemSink for Reading<'_> {
    fn expect(&mut self, count: usize) {
        self.lookout.watch.expect(count);
        self.into.reserve(count);
    }

    /// Reads an item, if it is certainly ours; otherwise it is judged and read by itself, with all others of the response.
    fn take(&mut self, item: ItemSource<'_, '_>) -> Result<(), DecodeFailed> {
        let answer = item.answer();
        self.lookout.watch.begin();
        let item = if self.pager.check_keys {
            item.check_keys(true)
        } else {
            item
        };
        self.into.decode(item).map_err(|_| DecodeFailed)?;
        if let Some(answer) = answer
            && !self.pager.rule.is_certain(self.lookout, answer)
        {
            // All values of the response are forgotten, this one too.
            return Err(DecodeFailed);
        }
        Ok(())
    }
}

impl transport::DecodedItems for Reading<'_> {
    fn read(&mut self, item: RawItem) -> Result<()> {
        let sorted = self.pager.sort_out(vec![item], false);
        sorted.left_out.count(.., self.skipped);
        for item in sorted.items {
            match (self.into.read(item), self.unreadable) {
                (Err(error), OnUnreadable::Skip(_)) => self.skipped.unreadable.push(error),
                (read, _) => read?,
            }
        }
        Ok(())
    }

    fn count(&self) -> usize {
        self.into.count()
    }

    fn truncate(&mut self, count: usize) {
        self.into.truncate(count);
    }
}
