//! Reading the items of calls into values: in a single pass, or merged.

use crate::codec::wire::Found;
use crate::error::Result;
use crate::read::merge::{Merge, Plan};
use crate::read::page::Rest;
use crate::read::straight::Straight;
use crate::read::{Counts, Lane, Page, Reader, count_only};
use crate::table::Handle;
use crate::transport::{Decode, Raw, ResponseFuture};

/// A request that reads items, and knows nothing of what they are read as.
pub(crate) trait Reads: Send {
    /// Reads items into values. The page without its items.
    fn read<'a>(
        self: Box<Self>,
        db: &'a Handle,
        into: &'a mut dyn Values,
    ) -> ResponseFuture<'a, Rest>;
}

/// Values of a type that is not known.
pub(crate) trait Values: Send {
    /// So many will come.
    fn reserve(&mut self, count: usize);

    /// Reads one more.
    fn decode(&mut self, item: Found<'_, '_>) -> Result<()>;

    /// Reads one more.
    fn read(&mut self, item: Raw) -> Result<()>;

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

impl<V: Send> Values for Decoded<V> {
    fn reserve(&mut self, count: usize) {
        self.values.reserve(count);
    }

    fn decode(&mut self, item: Found<'_, '_>) -> Result<()> {
        self.values.push((self.decode)(item)?);
        Ok(())
    }

    fn read(&mut self, item: Raw) -> Result<()> {
        self.values.push(item.read(self.decode)?);
        Ok(())
    }

    fn count(&self) -> usize {
        self.values.len()
    }

    fn truncate(&mut self, count: usize) {
        self.values.truncate(count);
    }
}

/// Makes a request, and reads its items with this function. All that knows what they are read as is here.
pub(crate) fn decoded<V: Send + 'static>(
    db: &Handle,
    request: Box<dyn Reads>,
    decode: Decode<V>,
) -> ResponseFuture<'_, Page<V>> {
    Box::pin(async move {
        let values = Vec::new();
        let mut into = Decoded { values, decode };
        let rest = request.read(db, &mut into).await?;
        Ok(rest.with(into.values))
    })
}

/// What is done with an item that cannot be read.
#[derive(Clone)]
pub(crate) enum Unreadable {
    /// It is the error of the request.
    Fail,
    /// It is put aside. Limits count only what can be read.
    Skip(Counts),
}

/// Calls that are read together, and how.
pub(crate) struct Run {
    pub(crate) readers: Vec<Reader>,
    pub(crate) plan: Plan,
    /// Whether the items are read from the last to the first, and come in the other order.
    pub(crate) turned: bool,
    pub(crate) unreadable: Unreadable,
    /// Whether it matters where each call stands then.
    pub(crate) stops: bool,
}

/// Where a call stands after it was read.
pub(crate) struct Stop {
    /// The first item that was read, and the last.
    pub(crate) first: Option<Raw>,
    pub(crate) last: Option<Raw>,
    /// An item that is there and was not wanted.
    pub(crate) head: Option<Raw>,
    /// Where to go on, if there is more.
    pub(crate) start: Option<crate::codec::Item>,
    /// Whether anything was asked.
    pub(crate) asked: bool,
}

impl Run {
    /// Reads the items into values. What there is beside them, and where the calls stand, if that was asked for.
    pub(crate) async fn read(mut self, into: &mut dyn Values) -> Result<(Rest, Vec<Stop>)> {
        if let Unreadable::Skip(counts) = &self.unreadable {
            count_only(&mut self.readers, counts);
        }
        let readers = std::mem::take(&mut self.readers);
        if self.turned || self.plan.prefetch > 0 {
            return self.merge(readers, into).await;
        }
        match Straight::of(readers) {
            Ok(straight) => self.pass(straight, into).await,
            Err(readers) => self.merge(readers, into).await,
        }
    }

    /// Reads one call whose items are all wanted, while its answers are gone through.
    async fn pass(
        self,
        mut straight: Straight,
        into: &mut dyn Values,
    ) -> Result<(Rest, Vec<Stop>)> {
        let answers = self.plan.answers;
        straight.read(into, answers, &self.unreadable).await?;
        let Straight { reader, first } = straight;
        let rest = Rest {
            skipped: reader.skipped,
            consumed_capacity: reader.consumed,
            ..Rest::default()
        };
        let stop = self.stops.then_some(Stop {
            first,
            last: None,
            head: None,
            start: reader.start,
            asked: true,
        });
        Ok((rest, Vec::from_iter(stop)))
    }

    /// Reads several calls, or one whose items are not all wanted.
    async fn merge(self, readers: Vec<Reader>, into: &mut dyn Values) -> Result<(Rest, Vec<Stop>)> {
        let (mut rest, mut stops) = (Rest::default(), Vec::new());
        let mut lanes = Merge::new(readers, self.plan);
        if self.turned || self.stops {
            let mut found = lanes.all().await?;
            if self.stops {
                let lanes = lanes.lanes().iter().enumerate();
                stops = lanes.map(|(n, lane)| stop(n, lane, &found)).collect();
            }
            if self.turned {
                found.reverse();
            }
            for (_, item) in found {
                self.take(item, into, &mut rest)?;
            }
        } else {
            while let Some(item) = lanes.next().await {
                self.take(item?.1, into, &mut rest)?;
            }
        }
        lanes.add_to(&mut rest);
        Ok((rest, stops))
    }

    fn take(&self, item: Raw, into: &mut dyn Values, rest: &mut Rest) -> Result<()> {
        match (into.read(item), &self.unreadable) {
            (Err(error), Unreadable::Skip(_)) => rest.skipped.unreadable.push(error),
            (read, _) => read?,
        }
        Ok(())
    }
}

/// Where the call of this number stands.
fn stop(n: usize, lane: &Lane, found: &[(usize, Raw)]) -> Stop {
    let mut read = found.iter().filter(|(at, _)| *at == n);
    let first = read.next().map(|(_, item)| item.clone());
    let last = read.next_back().map(|(_, item)| item.clone());
    let reader = lane.reader();
    Stop {
        last: last.or_else(|| first.clone()),
        first,
        head: lane.head().cloned(),
        start: reader.and_then(|reader| reader.start.clone()),
        asked: reader.is_some_and(|reader| reader.asked > 0 || reader.ended),
    }
}
