//! One call whose items are all wanted, in the order in which they come: they are read while the answer is gone through, once.

use super::{Answered, Reader};
use crate::codec::wire::{Failed, Found, Take};
use crate::error::Result;
use crate::request::wire::{Raw, Values};

/// Reads an item that was found.
pub(in crate::request) type Decode<V> = fn(Found<'_, '_>) -> Result<V>;

/// One call whose items are all wanted.
pub(in crate::request) struct Straight {
    pub(in crate::request) reader: Reader,
    /// The first item, for a cursor.
    pub(in crate::request) first: Option<Raw>,
}

impl Straight {
    /// The call, if it is the only one and every item of its answers counts; otherwise all calls as they were.
    pub(in crate::request) fn of(mut readers: Vec<Reader>) -> Result<Self, Vec<Reader>> {
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

    /// One answer, or as many as it takes to have all that is wanted.
    pub(in crate::request) async fn read<V>(
        &mut self,
        decode: Decode<V>,
        one_answer: bool,
    ) -> Result<Vec<V>> {
        let mut values = Decoded {
            values: Vec::new(),
            decode,
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

    fn take(&mut self, answered: Answered, values: &mut dyn Values) -> Result<()> {
        let before = values.count();
        let asked = self.reader.asked_of();
        let (first, last) = match answered {
            Answered::Query(kept, output) => {
                let (output, first) = kept.read_into(output, values, asked)?;
                (first, output.last_evaluated_key)
            }
            Answered::Scan(kept, output) => {
                let (output, first) = kept.read_into(output, values, asked)?;
                (first, output.last_evaluated_key)
            }
        };
        self.first = self.first.take().or(first);
        self.reader.ended = last.is_none();
        self.reader.start = last;
        if let Some(wanted) = &mut self.reader.wanted {
            *wanted = wanted.saturating_sub(values.count() - before);
        }
        Ok(())
    }
}

/// Values, and how one more is read.
struct Decoded<V> {
    values: Vec<V>,
    decode: Decode<V>,
}

impl<V> Take for Decoded<V> {
    fn expect(&mut self, count: usize) {
        self.values.reserve(count);
    }

    fn take(&mut self, item: Found<'_, '_>) -> Result<(), Failed> {
        self.read(item).map_err(|_| Failed)
    }
}

impl<V> Values for Decoded<V> {
    fn read(&mut self, item: Found<'_, '_>) -> Result<()> {
        self.values.push((self.decode)(item)?);
        Ok(())
    }

    fn count(&self) -> usize {
        self.values.len()
    }

    fn truncate(&mut self, count: usize) {
        self.values.truncate(count);
    }
}
