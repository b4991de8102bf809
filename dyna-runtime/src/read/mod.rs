//! Reading answer by answer: what queries and scans share.

pub(crate) mod expiry;
pub(crate) mod expressions;
pub(crate) mod fetch;
pub(crate) mod filter;
pub(crate) mod get;
mod items;
mod lane;
mod merge;
mod options;
mod order;
mod page;
mod run;
mod straight;
pub(crate) mod what;

pub use items::ItemStream;
use lane::Lane;
use merge::Merge;
pub(crate) use merge::Plan;
pub(crate) use options::{Consistency, Direction, Expired, Extent, ReadOptions, Start};
pub(crate) use order::Order;
pub(crate) use page::Rest;
pub use page::{Page, Skipped};
pub(crate) use run::{Reads, Run, Stop, Unreadable, Values, decoded};

use crate::codec::Item;
use crate::entity::EntityMeta;
use crate::entity::collection::Own;
use crate::entity::owner::{Rule, Verdict};
use crate::error::{Asked, Error, Result};
use crate::read::expressions::set;
use crate::read::fetch::Fetch;
use crate::schema::{IndexSchema, KeyAttribute, ScalarType};
use crate::table::Handle;
use crate::transport::{CapturedResponse, Decode, Form, Raw, ResponseFuture};
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::scan::ScanOutput;
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ConsumedCapacity};
use std::sync::Arc;

/// A request that DynamoDB answers in pages.
#[derive(Clone)]
pub(crate) enum Call {
    Query(QueryFluentBuilder),
    Scan(ScanFluentBuilder),
}

/// Where a call reads from.
#[derive(Clone)]
pub(crate) struct Source {
    form: Form,
    /// The name of the table, for errors.
    table: Arc<str>,
    meta: &'static EntityMeta,
}

impl Source {
    fn new(db: &Handle, table: &str, meta: &'static EntityMeta) -> Self {
        Self {
            form: db.form(),
            table: table.into(),
            meta,
        }
    }

    /// What is read, for errors.
    fn asked(&self, keys: &[&'static IndexSchema; 2]) -> Asked<'_> {
        self.meta.asked_by(&self.table, keys[0].name)
    }
}

/// Reads the answers to one call, one after the other.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a choice of its own, made by another method"
)]
pub(crate) struct Reader {
    /// What is asked; nothing after the last answer.
    pub(crate) call: Option<Call>,
    /// What is asked, for errors.
    pub(crate) operation: &'static str,
    /// The key of what is read, and of the table.
    pub(crate) keys: [&'static IndexSchema; 2],
    pub(crate) source: Source,
    /// Whose items are wanted.
    pub(crate) rule: Rule,
    /// Whether items of others are not expected, so that items are judged while they are read.
    pub(crate) exclusive: bool,
    /// Whether items of no entity are left out of what a whole table is read as.
    pub(crate) skip_unknown: bool,
    /// Whether the keys of items are compared with what their attributes make.
    pub(crate) check_keys: bool,
    /// Whether an answer may hold fewer items than DynamoDB looked at.
    pub(crate) filtered: bool,
    pub(crate) page_size: Option<i32>,
    /// How many items are still wanted.
    pub(crate) wanted: Option<usize>,
    /// Which items count as such; all of them, unless what cannot be read is put aside.
    pub(crate) counts: Option<Counts>,
    /// Where to go on; `None` at the start, and at the end.
    pub(crate) start: Option<Item>,
    /// Where the last request began.
    pub(crate) began: Option<Item>,
    pub(crate) ended: bool,
    /// How many answers were asked for.
    pub(crate) asked: usize,
    /// What was left out so far.
    pub(crate) skipped: Skipped,
    /// What the requests have cost, if DynamoDB says so.
    pub(crate) consumed: Option<f64>,
    /// Reads the whole items, if the calls only yield their keys.
    pub(crate) hydrate: Option<(Fetch, &'static EntityMeta)>,
}

impl Reader {
    /// Reads a call of items of this entity, or of several that it is one of, from its beginning.
    pub(crate) fn new(
        db: &Handle,
        call: Call,
        meta: &'static EntityMeta,
        index: &'static IndexSchema,
        rule: Rule,
        options: &ReadOptions,
    ) -> Result<Self> {
        let table = db.name()?;
        let hydrate = options.attributes.then(meta, index, |projection| {
            Fetch::new(db, table, options.consistency, projection)
        });
        Ok(Self {
            operation: match call {
                Call::Query(_) => "Query",
                Call::Scan(_) => "Scan",
            },
            call: Some(call),
            keys: [index, &meta.schema.key],
            source: Source::new(db, table, meta),
            rule,
            exclusive: false,
            skip_unknown: false,
            check_keys: db.checks_keys(),
            filtered: false,
            page_size: options.page_size,
            wanted: options.limit,
            counts: None,
            start: None,
            began: None,
            ended: false,
            asked: 0,
            skipped: Skipped::default(),
            consumed: None,
            hydrate,
        })
    }

    /// Whether nothing is left to ask for.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended || self.wanted == Some(0)
    }

    /// The items of the next answer, which may be none; `None` at the end.
    pub(crate) async fn answer(&mut self) -> Result<Option<Vec<Raw>>> {
        if self.is_ended() {
            return Ok(None);
        }
        let (items, end) = self.ask(false).await?.items(self.asked_of())?;
        self.advance(end)?;
        // An index may not hold the tags: the items themselves have them.
        let by_key = self.hydrate.is_some() && !self.rule.tagged;
        let mut items = self.sort_out(items, by_key);
        if self.hydrate.is_none() {
            items = self.count(items);
        }
        if let Some(wanted) = self.wanted
            && let Some(end) = end_of(&items, wanted)
            && (items.len() > end || !self.ended)
        {
            items.truncate(end);
            self.ended = false;
            self.start = items.last().map(|last| key_of(&self.keys, last));
        }
        if let Some((fetch, meta)) = &self.hydrate {
            items = fetch.in_order(meta, &self.keys, &items).await?;
            items = self.sort_out(items, false);
            items = self.count(items);
        }
        if let Some(wanted) = &mut self.wanted {
            let counted = items.iter().filter(|item| item.counts()).count();
            *wanted = wanted.saturating_sub(counted);
        }
        Ok(Some(items))
    }

    /// The items that are wanted, and the misfits, which are errors when they are read. With `keep_unknown`, what is of no entity by
    /// its key may be of one by its tag.
    fn sort_out(&mut self, items: Vec<Raw>, keep_unknown: bool) -> Vec<Raw> {
        let keep_unknown = keep_unknown || self.keeps_unknown();
        let items = items.into_iter().filter_map(|item| {
            let verdict = item.look(|item| self.rule.judge(item));
            let item = item.check_keys(self.check_keys);
            match verdict {
                Verdict::Ours => Some(item),
                Verdict::Misfit(meta) => Some(item.misfit(meta)),
                Verdict::Unknown if keep_unknown => Some(item),
                Verdict::Unknown => {
                    self.skipped.unknown += 1;
                    None
                }
                Verdict::Foreign => {
                    self.skipped.foreign += 1;
                    None
                }
            }
        });
        items.collect()
    }

    /// Notes which items count, if there is a limit.
    fn count(&self, items: Vec<Raw>) -> Vec<Raw> {
        let Some(counts) = self.counts.as_ref().filter(|_| self.wanted.is_some()) else {
            return items;
        };
        let items = items.into_iter().map(|item| {
            let is_counted = counts(&item);
            item.counted(is_counted)
        });
        items.collect()
    }

    /// Whether items of no entity are for the reader to judge: of a whole table, they are its catch-all, or errors.
    fn keeps_unknown(&self) -> bool {
        matches!(self.rule.own, Own::Table(_)) && !self.skip_unknown
    }

    /// Goes on from where an answer ended.
    fn advance(&mut self, end: End) -> Result<()> {
        if let Some(consumed) = end.consumed {
            *self.consumed.get_or_insert_default() += consumed;
        }
        let stuck = end.last.is_some() && end.last == self.began;
        self.ended = stuck || end.last.is_none();
        self.start = end.last;
        if !stuck {
            return Ok(());
        }
        Err(Error::NoProgress {
            entity: self.rule.own.name(),
            table: self.source.table.to_string(),
            operation: self.operation,
        })
    }

    /// What is read, for errors.
    fn asked_of(&self) -> Asked<'_> {
        self.source.asked(&self.keys)
    }

    /// The next answer. The call itself is used up if it is the last.
    ///
    /// In a box, for all of the SDK is in it: it would be moved with each future that it is part of.
    fn ask(&mut self, is_last: bool) -> ResponseFuture<'_, Answered> {
        Box::pin(self.ask_next(is_last))
    }

    async fn ask_next(&mut self, is_last: bool) -> Result<Answered> {
        self.asked += 1;
        let wanted = self.wanted.filter(|_| !self.filtered);
        let wanted = wanted.and_then(|wanted| i32::try_from(wanted).ok());
        let size = self.page_size.into_iter().chain(wanted).min();
        let start = self.start.take();
        self.began.clone_from(&start);
        let call = if is_last {
            self.call.take()
        } else {
            self.call.clone()
        };
        match call {
            Some(Call::Query(mut query)) => {
                set!(query.set_limit(size).set_exclusive_start_key(start));
                let kept = CapturedResponse::new(self.source.form);
                let sent = query.customize().interceptor(kept.hook()).send().await;
                let output = kept.sent(sent, self.asked_of())?;
                Ok(Answered::Query(kept, output))
            }
            Some(Call::Scan(mut scan)) => {
                set!(scan.set_limit(size).set_exclusive_start_key(start));
                let kept = CapturedResponse::new(self.source.form);
                let sent = scan.customize().interceptor(kept.hook()).send().await;
                let output = kept.sent(sent, self.asked_of())?;
                Ok(Answered::Scan(kept, output))
            }
            // There was a last answer: nothing more is asked.
            None => Ok(Answered::Query(
                CapturedResponse::new(self.source.form),
                QueryOutput::builder().build(),
            )),
        }
    }

    /// Whether every item of its answers is expected to be wanted, in their order.
    fn takes_all(&self) -> bool {
        let counts = self.wanted.is_none() || !self.filtered;
        self.exclusive && !self.skip_unknown && self.hydrate.is_none() && counts
    }
}

/// Whether an item counts.
pub(crate) type Counts = Arc<dyn Fn(&Raw) -> bool + Send + Sync>;

/// Puts aside what cannot be read, and lets limits count only the rest. What is counted is read twice then.
pub(crate) fn skip_unreadable<V: 'static>(decode: Decode<V>) -> Unreadable {
    Unreadable::Skip(Arc::new(move |item| item.clone().read(decode).is_ok()))
}

fn count_only(readers: &mut [Reader], counts: &Counts) {
    for reader in readers {
        reader.counts = Some(Arc::clone(counts));
    }
}

/// The place behind so many items that count, if there are as many.
fn end_of(items: &[Raw], wanted: usize) -> Option<usize> {
    let counted = items.iter().enumerate().filter(|(_, item)| item.counts());
    counted.map(|(at, _)| at + 1).nth(wanted.checked_sub(1)?)
}

/// An answer whose items are not looked at yet.
enum Answered {
    Query(CapturedResponse<QueryOutput>, QueryOutput),
    Scan(CapturedResponse<ScanOutput>, ScanOutput),
}

/// What an answer says beside its items.
struct End {
    /// Where to go on, if there is more.
    last: Option<Item>,
    consumed: Option<f64>,
}

impl End {
    fn new(last: Option<Item>, consumed: Option<ConsumedCapacity>) -> Self {
        Self {
            last,
            consumed: consumed.and_then(|consumed| consumed.capacity_units),
        }
    }
}

impl Answered {
    /// The items, and where to go on.
    fn items(self, asked: Asked<'_>) -> Result<(Vec<Raw>, End)> {
        let (items, end) = match self {
            Self::Query(kept, output) => {
                let (output, items) = kept.items(output, asked)?;
                let end = End::new(output.last_evaluated_key, output.consumed_capacity);
                (items, end)
            }
            Self::Scan(kept, output) => {
                let (output, items) = kept.items(output, asked)?;
                let end = End::new(output.last_evaluated_key, output.consumed_capacity);
                (items, end)
            }
        };
        Ok((items.into_iter().flatten().collect(), end))
    }
}

/// Puts aside items under keys that their entities never write. They are not decoded for that.
pub(crate) fn skip_misfits() -> Unreadable {
    Unreadable::Skip(Arc::new(|item| item.check().is_ok()))
}

/// How many items the calls have, up to the limit of the plan. Misfits are errors, unless they are put aside.
pub(crate) async fn count(mut run: Run) -> Result<usize> {
    let order = Order::Any;
    if let Unreadable::Skip(counts) = &run.unreadable {
        count_only(&mut run.readers, counts);
    }
    let mut lanes = Merge::new(run.readers, Plan { order, ..run.plan });
    let mut count = 0;
    while let Some(item) = lanes.next().await {
        let (_, item) = item?;
        match (item.check(), &run.unreadable) {
            (Ok(()), _) => count += 1,
            (Err(_), Unreadable::Skip(_)) => {}
            (Err(error), Unreadable::Fail) => return Err(error),
        }
    }
    Ok(count)
}

/// Whether these are exactly the attributes of the keys, with their types.
pub(crate) fn is_key(keys: &[&'static IndexSchema], item: &Item) -> bool {
    let attributes = || keys.iter().flat_map(|schema| schema.attributes());
    let fits = |attribute: &KeyAttribute| {
        matches!(
            (attribute.kind, item.get(attribute.name)),
            (ScalarType::S, Some(AttributeValue::S(_)))
                | (ScalarType::N, Some(AttributeValue::N(_)))
                | (ScalarType::B, Some(AttributeValue::B(_)))
        )
    };
    attributes().all(fits)
        && item
            .keys()
            .all(|name| attributes().any(|attribute| attribute.name == name))
}

/// The key of an item in what is read: the index's own attributes and the table's.
pub(crate) fn key_of(keys: &[&'static IndexSchema], item: &Raw) -> Item {
    keys.iter()
        .flat_map(|schema| schema.attributes())
        .filter_map(|KeyAttribute { name, .. }| Some(((*name).to_owned(), item.get(name)?)))
        .collect()
}
