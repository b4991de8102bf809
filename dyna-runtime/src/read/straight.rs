//! One call whose items are all wanted, in the order in which they come: they are read while the answer is gone through, once.

use crate::codec::wire::{Failed, Found, Take};
use crate::entity::owner::Lookout;
use crate::error::Result;
use crate::read::run::{Unreadable, Values};
use crate::read::{Answered, End, Reader};
use crate::transport::{self, Raw};

/// One call whose items are all wanted.
pub(crate) struct Straight {
    pub(crate) reader: Reader,
    /// The first item, for a cursor.
    pub(crate) first: Option<Raw>,
}

impl Straight {
    /// The call, if it is the only one and every item of its answers counts; otherwise all calls as they were.
    pub(crate) fn of(mut readers: Vec<Reader>) -> Result<Self, Vec<Reader>> {
        match (readers.pop(), readers.is_empty()) {
            (Some(reader), true) if reader.takes_all() => Ok(Self {
                reader,
                first: None,
            }),
            (last, _) => {
                readers.extend(last);
                Err(readers)
            }
        }
    }

    /// As many answers as it takes to have all that is wanted, and no more than these.
    pub(crate) async fn read(
        &mut self,
        into: &mut dyn Values,
        answers: usize,
        unreadable: &Unreadable,
    ) -> Result<()> {
        for left in (0..answers).rev() {
            if self.reader.is_ended() {
                break;
            }
            let answered = self.reader.ask(left == 0).await?;
            self.take(answered, into, unreadable)?;
        }
        Ok(())
    }

    fn take(
        &mut self,
        answered: Answered,
        into: &mut dyn Values,
        unreadable: &Unreadable,
    ) -> Result<()> {
        let before = into.count();
        let lookout = self.reader.rule.lookout();
        let watch = Some(&lookout.watch);
        let source = self.reader.source.clone();
        let asked = source.asked(&self.reader.keys);
        let mut values = Reading {
            reader: &mut self.reader,
            lookout: &lookout,
            into: &mut *into,
            unreadable,
        };
        let (first, end) = match answered {
            Answered::Query(kept, output) => {
                let (output, first) = kept.read_into(output, watch, &mut values, asked)?;
                let end = End::new(output.last_evaluated_key, output.consumed_capacity);
                (first, end)
            }
            Answered::Scan(kept, output) => {
                let (output, first) = kept.read_into(output, watch, &mut values, asked)?;
                let end = End::new(output.last_evaluated_key, output.consumed_capacity);
                (first, end)
            }
        };
        self.first = self.first.take().or(first);
        self.reader.advance(end)?;
        if let Some(wanted) = &mut self.reader.wanted {
            *wanted = wanted.saturating_sub(into.count() - before);
        }
        Ok(())
    }
}

/// The values of an answer.
struct Reading<'r> {
    reader: &'r mut Reader,
    lookout: &'r Lookout,
    into: &'r mut dyn Values,
    unreadable: &'r Unreadable,
}

impl Take for Reading<'_> {
    fn expect(&mut self, count: usize) {
        self.into.reserve(count);
    }

    /// Reads an item, if it is certainly ours; otherwise it is judged and read by itself, with all others of the answer.
    fn take(&mut self, item: Found<'_, '_>) -> Result<(), Failed> {
        let answer = item.answer();
        self.lookout.watch.begin();
        let item = if self.reader.check_keys {
            item.check_keys(true)
        } else {
            item
        };
        self.into.decode(item).map_err(|_| Failed)?;
        if let Some(answer) = answer
            && !self.reader.rule.is_certain(self.lookout, answer)
        {
            // All values of the answer are forgotten, this one too.
            return Err(Failed);
        }
        Ok(())
    }
}

impl transport::Values for Reading<'_> {
    fn read(&mut self, item: Raw) -> Result<()> {
        for item in self.reader.sort_out(vec![item], false) {
            match (self.into.read(item), self.unreadable) {
                (Err(error), Unreadable::Skip(_)) => self.reader.skipped.unreadable.push(error),
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
