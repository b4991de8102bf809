//! Reading answer by answer: what queries and scans share.

mod items;
mod lane;
mod merge;
mod order;
mod straight;

pub use items::Items;
pub(super) use lane::Lane;
pub(super) use merge::{Merge, Plan};
pub(super) use order::Order;
pub(super) use straight::{Decode, Straight};

use super::expressions::set;
use super::fetch::Fetch;
use super::unique::is_sentinel;
use super::wire::{Form, Kept, Raw};
use crate::codec::Item;
use crate::collection::Own;
use crate::entity::EntityMeta;
use crate::error::{Asked, Result};
use crate::schema::{Attribute, IndexSchema, Kind};
use crate::table::{DynaTable, Table};
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::scan::ScanOutput;
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, Select};

/// A request that DynamoDB answers in pages.
#[derive(Clone)]
pub(super) enum Call {
    Query(QueryFluentBuilder),
    Scan(ScanFluentBuilder),
}

/// Where a call reads from.
pub(super) struct Source {
    form: Form,
    /// The name of the table, for errors.
    table: String,
    meta: &'static EntityMeta,
}

impl Source {
    pub(super) fn new<T: DynaTable>(db: &Table<T>, table: &str, meta: &'static EntityMeta) -> Self {
        Self {
            form: db.form(),
            table: table.to_owned(),
            meta,
        }
    }
}

/// Reads the answers to one call, one after the other.
pub(super) struct Reader {
    /// What is asked; nothing after the last answer.
    pub(super) call: Option<Call>,
    /// The key of what is read, and of the table.
    pub(super) keys: [&'static IndexSchema; 2],
    pub(super) source: Source,
    /// Whose items alone are wanted, if there may be others.
    pub(super) own: Option<Own>,
    /// The entities whose sentinels are among the items, and not wanted.
    pub(super) guarded: &'static [&'static EntityMeta],
    /// Whether an answer may hold fewer items than DynamoDB looked at.
    pub(super) filtered: bool,
    pub(super) page_size: Option<i32>,
    /// How many items are still wanted.
    pub(super) wanted: Option<usize>,
    /// Where to go on; `None` at the start, and at the end.
    pub(super) start: Option<Item>,
    pub(super) ended: bool,
    /// How many answers were asked for.
    pub(super) asked: usize,
    /// How many items DynamoDB counted, if it only counts them.
    pub(super) counted: usize,
    /// Reads the whole items, if the calls only yield their keys.
    pub(super) hydrate: Option<(Fetch, &'static EntityMeta)>,
}

impl Reader {
    /// Reads a call from its beginning, all that there is.
    pub(super) fn new(call: Call, keys: [&'static IndexSchema; 2], source: Source) -> Self {
        Self {
            call: Some(call),
            keys,
            source,
            own: None,
            guarded: &[],
            filtered: false,
            page_size: None,
            wanted: None,
            start: None,
            ended: false,
            asked: 0,
            counted: 0,
            hydrate: None,
        }
    }

    /// Has DynamoDB count the items instead of sending them.
    pub(super) fn only_count(&mut self) {
        self.call = self.call.take().map(|call| match call {
            Call::Query(query) => Call::Query(query.select(Select::Count)),
            Call::Scan(scan) => Call::Scan(scan.select(Select::Count)),
        });
    }

    /// Whether nothing is left to ask for.
    pub(super) fn is_ended(&self) -> bool {
        self.ended || self.wanted == Some(0)
    }

    /// The items of the next answer, which may be none; `None` at the end.
    pub(super) async fn answer(&mut self) -> Result<Option<Vec<Raw>>> {
        if self.is_ended() {
            return Ok(None);
        }
        let (items, count, last) = self.ask(false).await?.items(self.asked_of())?;
        self.counted += count;
        let own = |item: &Raw| {
            self.own
                .is_none_or(|own| item.look(|item| own.entities().any(|entity| entity.is_of(item))))
                && !is_sentinel(self.guarded, item)
        };
        let mut items: Vec<Raw> = items.into_iter().filter(own).collect();
        self.ended = last.is_none();
        self.start = last;
        if let Some(wanted) = self.wanted
            && (items.len() > wanted || (items.len() == wanted && !self.ended))
        {
            items.truncate(wanted);
            self.ended = false;
            self.start = items.last().map(|last| key_of(&self.keys, last));
        }
        if let Some((fetch, meta)) = &self.hydrate {
            items = fetch.in_order(meta, &self.keys, &items).await?;
        }
        self.wanted = self.wanted.map(|wanted| wanted.saturating_sub(items.len()));
        Ok(Some(items))
    }

    /// One answer, or as many as it takes to have all that is wanted.
    pub(super) async fn items(&mut self, one_answer: bool) -> Result<Vec<Raw>> {
        let mut items = Vec::new();
        while let Some(answer) = self.answer().await? {
            items.extend(answer);
            if one_answer {
                break;
            }
        }
        Ok(items)
    }

    /// What is read, for errors.
    fn asked_of(&self) -> Asked<'_> {
        Asked {
            table: &self.source.table,
            index: self.keys[0].name,
            meta: Some(self.source.meta),
        }
    }

    /// The next answer. The call itself is used up if it is the last.
    async fn ask(&mut self, is_last: bool) -> Result<Answered> {
        self.asked += 1;
        let wanted = self.wanted.filter(|_| !self.filtered);
        let wanted = wanted.and_then(|wanted| i32::try_from(wanted).ok());
        let size = self.page_size.into_iter().chain(wanted).min();
        let start = self.start.take();
        let call = if is_last {
            self.call.take()
        } else {
            self.call.clone()
        };
        match call {
            Some(Call::Query(mut query)) => {
                set!(query.set_limit(size).set_exclusive_start_key(start));
                let kept = Kept::new(self.source.form);
                let sent = query.customize().interceptor(kept.hook()).send().await;
                let output = kept.sent(sent, self.asked_of())?;
                Ok(Answered::Query(kept, output))
            }
            Some(Call::Scan(mut scan)) => {
                set!(scan.set_limit(size).set_exclusive_start_key(start));
                let kept = Kept::new(self.source.form);
                let sent = scan.customize().interceptor(kept.hook()).send().await;
                let output = kept.sent(sent, self.asked_of())?;
                Ok(Answered::Scan(kept, output))
            }
            // There was a last answer: nothing more is asked.
            None => Ok(Answered::Query(
                Kept::new(self.source.form),
                QueryOutput::builder().build(),
            )),
        }
    }

    /// Whether every item of its answers is wanted, in their order.
    fn takes_all(&self) -> bool {
        let counts = self.wanted.is_none() || !self.filtered;
        self.own.is_none() && self.guarded.is_empty() && self.hydrate.is_none() && counts
    }
}

/// An answer whose items are not looked at yet.
enum Answered {
    Query(Kept<QueryOutput>, QueryOutput),
    Scan(Kept<ScanOutput>, ScanOutput),
}

impl Answered {
    /// The items, how many there are if they were only counted, and where to go on.
    fn items(self, asked: Asked<'_>) -> Result<(Vec<Raw>, usize, Option<Item>)> {
        let (items, count, last) = match self {
            Self::Query(kept, output) => {
                let (output, items) = kept.items(output, asked)?;
                (items, output.count, output.last_evaluated_key)
            }
            Self::Scan(kept, output) => {
                let (output, items) = kept.items(output, asked)?;
                (items, output.count, output.last_evaluated_key)
            }
        };
        let count = if items.is_empty() {
            usize::try_from(count).unwrap_or_default()
        } else {
            0
        };
        Ok((items.into_iter().flatten().collect(), count, last))
    }
}

/// How many items the calls have, up to the limit of the plan: those that come, and those that DynamoDB only counts.
pub(super) async fn count(readers: Vec<Reader>, plan: Plan) -> Result<usize> {
    let order = Order::Any;
    let mut lanes = Merge::new(readers, Plan { order, ..plan });
    let mut count = 0;
    while let Some(item) = lanes.next().await {
        item?;
        count += 1;
    }
    let readers = lanes.lanes().iter().filter_map(Lane::reader);
    Ok(count + readers.map(|reader| reader.counted).sum::<usize>())
}

/// Whether these are exactly the attributes of the keys, with their types.
pub(super) fn is_key(keys: &[&'static IndexSchema], item: &Item) -> bool {
    let attributes = || keys.iter().flat_map(|schema| schema.attributes());
    let fits = |attribute: &Attribute| {
        matches!(
            (attribute.kind, item.get(attribute.name)),
            (Kind::S, Some(AttributeValue::S(_)))
                | (Kind::N, Some(AttributeValue::N(_)))
                | (Kind::B, Some(AttributeValue::B(_)))
        )
    };
    attributes().all(fits)
        && item
            .keys()
            .all(|name| attributes().any(|attribute| attribute.name == name))
}

/// The key of an item in what is read: the index's own attributes and the table's.
pub(super) fn key_of(keys: &[&'static IndexSchema], item: &Raw) -> Item {
    keys.iter()
        .flat_map(|schema| schema.attributes())
        .filter_map(|Attribute { name, .. }| Some(((*name).to_owned(), item.get(name)?)))
        .collect()
}
