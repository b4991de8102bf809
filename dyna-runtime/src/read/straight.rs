//! One call whose items are all wanted, in the order in which they come: they are read while the answer is gone through, once.

use crate::codec::wire::{Failed, Found, Take};
use crate::entity::owner::Lookout;
use crate::error::Result;
use crate::read::Page;
use crate::read::{Answered, End, Reader};
use crate::transport::{Raw, Values};

/// Reads an item that was found.
pub(crate) type Decode<V> = fn(Found<'_, '_>) -> Result<V>;

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

    /// One answer, or as many as it takes to have all that is wanted. With `skip_unreadable`, what cannot be read is put aside.
    pub(crate) async fn read<V>(
        &mut self,
        decode: Decode<V>,
        one_answer: bool,
        skip_unreadable: bool,
    ) -> Result<Vec<V>> {
        let mut values = Decoded {
            values: Vec::new(),
            decode,
            skip_unreadable,
        };
        while !self.reader.is_ended() {
            let answered = self.reader.ask(one_answer).await?;
            self.take(answered, &mut values)?;
            if one_answer {
                break;
            }
        }
        Ok(values.values)
    }

    /// The page of what was read.
    pub(crate) fn page<V>(&mut self, items: Vec<V>) -> Page<V> {
        let mut page = Page::new(items);
        page.skipped = std::mem::take(&mut self.reader.skipped);
        page.consumed_capacity = self.reader.consumed;
        page
    }

    fn take<V>(&mut self, answered: Answered, into: &mut Decoded<V>) -> Result<()> {
        let before = into.values.len();
        let lookout = self.reader.rule.lookout();
        let watch = Some(&lookout.watch);
        let source = self.reader.source.clone();
        let asked = source.asked(&self.reader.keys);
        let mut values = Reading {
            reader: &mut self.reader,
            lookout: &lookout,
            into,
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
            *wanted = wanted.saturating_sub(into.values.len() - before);
        }
        Ok(())
    }
}

/// Values, and how one more is read.
struct Decoded<V> {
    values: Vec<V>,
    decode: Decode<V>,
    skip_unreadable: bool,
}

/// The values of an answer.
struct Reading<'r, V> {
    reader: &'r mut Reader,
    lookout: &'r Lookout,
    into: &'r mut Decoded<V>,
}

impl<V> Take for Reading<'_, V> {
    fn expect(&mut self, count: usize) {
        self.into.values.reserve(count);
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
        let value = (self.into.decode)(item).map_err(|_| Failed)?;
        if let Some(answer) = answer
            && !self.reader.rule.is_certain(self.lookout, answer)
        {
            return Err(Failed);
        }
        self.into.values.push(value);
        Ok(())
    }
}

impl<V> Values for Reading<'_, V> {
    fn read(&mut self, item: Raw) -> Result<()> {
        for item in self.reader.sort_out(vec![item], false) {
            match item.read(self.into.decode) {
                Ok(value) => self.into.values.push(value),
                Err(error) if self.into.skip_unreadable => {
                    self.reader.skipped.unreadable.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn count(&self) -> usize {
        self.into.values.len()
    }

    fn truncate(&mut self, count: usize) {
        self.into.values.truncate(count);
    }
}
