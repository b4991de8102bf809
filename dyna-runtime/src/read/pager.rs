//! A pager: one query or scan request, page by page.

use crate::codec::Item;
use crate::entity::EntityMeta;
use crate::entity::collection::Owner;
use crate::entity::owner::{Rule, Verdict};
use crate::error::{Error, Misfit, RequestContext, Result};
use crate::read::expressions::set;
use crate::read::fetch::Fetch;
use crate::read::run::OnUnreadable;
use crate::read::{ReadOptions, Skipped};
use crate::schema::{IndexSchema, KeyAttribute, ScalarType};
use crate::table::Handle;
use crate::transport::attempts::Observer;
use crate::transport::limiter::Limiter;
use crate::transport::{CapturedResponse, Decode, ItemBodies, ItemFormat, RawItem, ResponseFuture};
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::scan::ScanOutput;
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ConsumedCapacity};
use std::ops::RangeBounds;
use std::sync::Arc;

/// A paged request: query or scan.
#[derive(Clone)]
pub(crate) enum Call {
    Query(QueryFluentBuilder),
    Scan(ScanFluentBuilder),
}

/// Where a call reads from.
#[derive(Clone)]
pub(crate) struct ReadSource {
    format: ItemFormat,
    /// The name of the table, for errors.
    table: Arc<str>,
    meta: &'static EntityMeta,
}

impl ReadSource {
    pub(super) fn new(db: &Handle, table: &str, meta: &'static EntityMeta) -> Self {
        Self {
            format: db.format(),
            table: table.into(),
            meta,
        }
    }

    /// The context of errors.
    pub(super) fn asked(&self, keys: &[&'static IndexSchema; 2]) -> RequestContext<'_> {
        self.meta.asked_by(&self.table, keys[0].name)
    }
}

/// Reads the responses to one call, one after the other.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a choice of its own, made by another method"
)]
pub(crate) struct Pager {
    /// The call to send; `None` after the last response.
    pub(crate) call: Option<Call>,
    /// The operation, for errors.
    pub(crate) operation: &'static str,
    /// The key of what is read, and of the table.
    pub(crate) keys: [&'static IndexSchema; 2],
    pub(crate) source: ReadSource,
    /// Decides which items are wanted.
    pub(crate) rule: Rule,
    /// Whether items of others are not expected, so that items are judged while they are read.
    pub(crate) exclusive: bool,
    /// Whether items of no entity are left out of what a whole table is read as.
    pub(crate) skip_unknown: bool,
    /// Whether the keys of items are compared with what their attributes make.
    pub(crate) check_keys: bool,
    /// Whether a response may hold fewer items than DynamoDB looked at.
    pub(crate) filtered: bool,
    pub(crate) page_size: Option<i32>,
    /// How many items are still wanted.
    pub(crate) wanted: Option<usize>,
    /// The test for items that count; all do, unless unreadable ones are put aside.
    pub(crate) counts: Option<ItemTest>,
    /// Where to go on; `None` at the start, and at the end.
    pub(crate) start: Option<Item>,
    /// Where the last request began.
    pub(crate) began: Option<Item>,
    pub(crate) ended: bool,
    /// How many responses were asked for.
    pub(crate) asked: usize,
    /// The consumed capacity, if DynamoDB returns it.
    pub(crate) consumed: Option<f64>,
    /// What it may consume per second, together with others.
    pub(crate) limiter: Option<Limiter>,
    /// Reads the whole items, if the calls only yield their keys.
    pub(crate) hydrate: Option<(Fetch, &'static EntityMeta)>,
}

impl Pager {
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
        options.attributes.what.check(db)?;
        let hydrate = options.attributes.then(meta, index, |projection| {
            Fetch::new(db, table, options.consistency, projection).limited(options.limiter.as_ref())
        });
        Ok(Self {
            operation: match call {
                Call::Query(_) => "Query",
                Call::Scan(_) => "Scan",
            },
            call: Some(call),
            keys: [index, &meta.schema.key],
            source: ReadSource::new(db, table, meta),
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
            consumed: None,
            limiter: options.limiter.clone(),
            hydrate,
        })
    }

    /// Whether nothing is left to ask for.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended || self.wanted == Some(0)
    }

    /// The items of the next response, which may be none; `None` at the end.
    pub(crate) async fn next_page(&mut self) -> Result<Option<SortedItems>> {
        if self.is_ended() {
            return Ok(None);
        }
        let (items, end) = self.send(false).await?.items(self.context())?;
        self.advance(end)?;
        // An index may not hold the tags: the items themselves have them.
        let by_key = self.hydrate.is_some() && !self.rule.tagged;
        let mut sorted = self.sort_out(items, by_key);
        if self.hydrate.is_none() {
            sorted.items = self.count(sorted.items);
        }
        if let Some(wanted) = self.wanted
            && let Some(end) = end_of(&sorted.items, wanted)
            && (sorted.items.len() > end || !self.ended)
        {
            sorted.truncate(end);
            self.ended = false;
            self.start = sorted.items.last().map(|last| key_of(&self.keys, last));
        }
        if let Some((fetch, meta)) = &self.hydrate {
            let found = fetch.in_order(meta, &self.keys, &sorted.items).await?;
            sorted = self.sort_out_again(found, &sorted.left_out);
            sorted.items = self.count(sorted.items);
        }
        if let Some(wanted) = &mut self.wanted {
            let counted = sorted.items.iter().filter(|item| item.counts()).count();
            *wanted = wanted.saturating_sub(counted);
        }
        Ok(Some(sorted))
    }

    /// The items that are wanted, and the misfits, which are errors when they are read. With `keep_unknown`, what is of no entity by
    /// its key may be of one by its tag.
    pub(super) fn sort_out(&self, items: Vec<RawItem>, keep_unknown: bool) -> SortedItems {
        let keep_unknown = keep_unknown || self.keeps_unknown();
        let mut sorted = SortedItems::default();
        for item in items {
            self.judge(item, keep_unknown, &mut sorted);
        }
        sorted
    }

    /// The same of whole items in the place of the entries of an index, some of which are gone, with what was left out between those.
    fn sort_out_again(&self, items: Vec<Option<RawItem>>, entries: &LeftOut) -> SortedItems {
        let keep_unknown = self.keeps_unknown();
        let (mut sorted, mut left_out) = (SortedItems::default(), entries.0.iter().peekable());
        for (n, item) in items.into_iter().enumerate() {
            while let Some((_, reason)) = left_out.next_if(|(before, _)| *before <= n) {
                sorted.leave_out(*reason);
            }
            if let Some(item) = item {
                self.judge(item, keep_unknown, &mut sorted);
            }
        }
        for (_, reason) in left_out {
            sorted.leave_out(*reason);
        }
        sorted
    }

    fn judge(&self, item: RawItem, keep_unknown: bool, sorted: &mut SortedItems) {
        let verdict = item.with_source(|item| self.rule.judge(item));
        let item = item.check_keys(self.check_keys);
        match verdict {
            Verdict::Ours => sorted.items.push(item),
            Verdict::Misfit(meta) => sorted.items.push(item.misfit(meta, Misfit::Shape)),
            Verdict::Unknown if keep_unknown => sorted.items.push(item),
            Verdict::Unknown => sorted.leave_out(Reason::Unknown),
            Verdict::Foreign => sorted.leave_out(Reason::Foreign),
        }
    }

    /// Notes which items count, if there is a limit.
    fn count(&self, items: Vec<RawItem>) -> Vec<RawItem> {
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
        matches!(self.rule.owner, Owner::Table(_)) && !self.skip_unknown
    }

    /// Goes on from where a response ended.
    pub(super) fn advance(&mut self, end: PageEnd) -> Result<()> {
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
            entity: self.rule.owner.name(),
            table: self.source.table.to_string(),
            operation: self.operation,
        })
    }

    /// The context of errors.
    fn context(&self) -> RequestContext<'_> {
        self.source.asked(&self.keys)
    }

    /// The next response. The call itself is used up if it is the last.
    ///
    /// In a box, for all of the SDK is in it: it would be moved with each future that it is part of.
    pub(super) fn send(&mut self, is_last: bool) -> ResponseFuture<'_, Answered> {
        Box::pin(self.ask_next(is_last))
    }

    async fn ask_next(&mut self, is_last: bool) -> Result<Answered> {
        self.asked += 1;
        let wanted = self.wanted.filter(|_| !self.filtered);
        let wanted = wanted.and_then(|wanted| i32::try_from(wanted).ok());
        let size = self.page_size.into_iter().chain(wanted).min();
        let start = self.start.take();
        self.began.clone_from(&start);
        let limiter = self.limiter.as_ref();
        let _reserved = Limiter::acquire(limiter).await;
        let observer = limiter.map(|limiter| Observer::limited(Some(limiter)));
        let call = if is_last {
            self.call.take()
        } else {
            self.call.clone()
        };
        match call {
            Some(Call::Query(mut query)) => {
                set!(query.set_limit(size).set_exclusive_start_key(start));
                let items = ItemBodies::new(self.source.format);
                let kept = CapturedResponse::writing(items, observer);
                let sent = query.customize().interceptor(kept.hook()).send().await;
                let output = kept.sent(sent, self.context())?;
                Ok(Answered::Query(kept, output))
            }
            Some(Call::Scan(mut scan)) => {
                set!(scan.set_limit(size).set_exclusive_start_key(start));
                let items = ItemBodies::new(self.source.format);
                let kept = CapturedResponse::writing(items, observer);
                let sent = scan.customize().interceptor(kept.hook()).send().await;
                let output = kept.sent(sent, self.context())?;
                Ok(Answered::Scan(kept, output))
            }
            // There was a last response: nothing more is asked.
            None => Ok(Answered::Query(
                CapturedResponse::new(self.source.format),
                QueryOutput::builder().build(),
            )),
        }
    }

    /// Whether every item of its responses is expected to be wanted, in their order.
    pub(super) fn is_unfiltered(&self) -> bool {
        let counts = self.wanted.is_none() || !self.filtered;
        self.exclusive && !self.skip_unknown && self.hydrate.is_none() && counts
    }
}

/// Whether an item counts.
pub(crate) type ItemTest = Arc<dyn Fn(&RawItem) -> bool + Send + Sync>;

/// Puts aside what cannot be read, and lets limits count only the rest. What is counted is read twice then.
pub(crate) fn skip_unreadable<V: 'static>(decode: Decode<V>) -> OnUnreadable {
    OnUnreadable::Skip(Arc::new(move |item| item.clone().decode(decode).is_ok()))
}

pub(super) fn count_only(pagers: &mut [Pager], counts: &ItemTest) {
    for pager in pagers {
        pager.counts = Some(Arc::clone(counts));
    }
}

/// The place behind so many items that count, if there are as many.
fn end_of(items: &[RawItem], wanted: usize) -> Option<usize> {
    let counted = items.iter().enumerate().filter(|(_, item)| item.counts());
    counted.map(|(at, _)| at + 1).nth(wanted.checked_sub(1)?)
}

/// The items of a response that are wanted, and what was left out between them.
#[derive(Default)]
pub(crate) struct SortedItems {
    pub(super) items: Vec<RawItem>,
    pub(super) left_out: LeftOut,
}

/// For each item of a response that was left out, how many of the wanted ones are before it.
#[derive(Default)]
pub(crate) struct LeftOut(Vec<(usize, Reason)>);

/// Why an item was left out.
#[derive(Clone, Copy)]
enum Reason {
    Foreign,
    Unknown,
}

impl SortedItems {
    fn leave_out(&mut self, reason: Reason) {
        self.left_out.0.push((self.items.len(), reason));
    }

    /// Forgets all but the first so many items, and what was left out behind them: the next page begins there.
    fn truncate(&mut self, end: usize) {
        self.items.truncate(end);
        self.left_out.0.retain(|(before, _)| *before < end);
    }
}

impl LeftOut {
    /// Counts what was left out behind so many items.
    pub(super) fn count(&self, behind: impl RangeBounds<usize>, skipped: &mut Skipped) {
        let places = self.0.iter().filter(|(before, _)| behind.contains(before));
        for (_, reason) in places {
            match reason {
                Reason::Foreign => skipped.foreign += 1,
                Reason::Unknown => skipped.unknown += 1,
            }
        }
    }
}

/// A response whose items are not looked at yet.
pub(super) enum Answered {
    Query(CapturedResponse<QueryOutput>, QueryOutput),
    Scan(CapturedResponse<ScanOutput>, ScanOutput),
}

/// The members of a response beside its items.
pub(super) struct PageEnd {
    /// Where to go on, if there is more.
    last: Option<Item>,
    consumed: Option<f64>,
}

impl PageEnd {
    pub(super) fn new(last: Option<Item>, consumed: Option<ConsumedCapacity>) -> Self {
        Self {
            last,
            consumed: consumed.and_then(|consumed| consumed.capacity_units),
        }
    }
}

impl Answered {
    /// The items, and where to go on.
    fn items(self, asked: RequestContext<'_>) -> Result<(Vec<RawItem>, PageEnd)> {
        let (items, end) = match self {
            Self::Query(kept, output) => {
                let (output, items) = kept.items(output, asked)?;
                let end = PageEnd::new(output.last_evaluated_key, output.consumed_capacity);
                (items, end)
            }
            Self::Scan(kept, output) => {
                let (output, items) = kept.items(output, asked)?;
                let end = PageEnd::new(output.last_evaluated_key, output.consumed_capacity);
                (items, end)
            }
        };
        Ok((items.into_iter().flatten().collect(), end))
    }
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
pub(crate) fn key_of(keys: &[&'static IndexSchema], item: &RawItem) -> Item {
    keys.iter()
        .flat_map(|schema| schema.attributes())
        .filter_map(|KeyAttribute { name, .. }| Some(((*name).to_owned(), item.get(name)?)))
        .collect()
}
