//! What a query asks, as data: put together once, for the request and for `explain()`.

use super::Draft;
use crate::error::Result;
use crate::expr::Rendered;
use crate::key::KeyValue;
use crate::request::filter;
use crate::schema::Attribute;
use aws_sdk_dynamodb::types::AttributeValue;

/// The values of the partition key, in the order of its attributes.
const PARTITION: [&str; 4] = [":p", ":p1", ":p2", ":p3"];
/// The values of the sort key's attributes before the one that is bounded.
const FIXED: [&str; 4] = [":k0", ":k1", ":k2", ":k3"];

/// Values, and how the condition calls them.
pub(super) type Values = Vec<(&'static str, AttributeValue)>;

/// The expressions of a query.
pub(super) struct Ask {
    pub(super) condition: &'static str,
    /// The aliases of the condition, and what they stand for.
    pub(super) names: Vec<(&'static str, &'static str)>,
    /// The values of each partition.
    pub(super) partitions: Vec<Values>,
    /// The values that bound the sort key of all of them.
    pub(super) values: Values,
    pub(super) filter: Option<Rendered>,
    pub(super) projection: Option<Rendered>,
}

/// Why there is nothing to ask.
#[derive(Clone, Copy)]
pub(super) enum Empty {
    Partitions,
    Range,
    Filter,
}

impl Empty {
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Partitions => "no partition is given, so no request is made",
            Self::Range => "the range is empty, so no request is made",
            Self::Filter => "the filter is never true, so no request is made",
        }
    }
}

impl Draft {
    /// What it asks, or why there is no need to. With `own`, items with the tag of another entity are left out.
    pub(super) fn ask(&self, own: bool) -> Result<Result<Ask, Empty>> {
        let partitions = self.partitions.clone()?;
        self.check_filter()?;
        let Some((condition, bounds)) = self.key_condition() else {
            return Ok(Err(Empty::Range));
        };
        if partitions.is_empty() {
            return Ok(Err(Empty::Partitions));
        }
        if self.filter.known() == Some(false) {
            return Ok(Err(Empty::Filter));
        }
        let partitions = partitions.into_iter();
        let fixed = FIXED.into_iter().zip(self.fixed.iter().cloned());
        let keys = self.schema().pk.iter().chain(self.bounded());
        Ok(Ok(Ask {
            condition,
            names: keys.filter_map(Attribute::alias).collect(),
            partitions: partitions
                .map(|partition| attributes(PARTITION.into_iter().zip(partition)))
                .collect(),
            values: attributes(fixed.chain(bounds)),
            filter: filter(self.meta, own.then_some(self.own), &self.filter)?,
            projection: self.projection(),
        }))
    }

    /// What is asked of each item, if not all of it. Its keys always are: they tell items apart, and are the ends of a page.
    fn projection(&self) -> Option<Rendered> {
        self.reads.first().render(self.meta, self.schema(), true)
    }
}

fn attributes(values: impl Iterator<Item = (&'static str, KeyValue)>) -> Values {
    values
        .map(|(name, value)| (name, value.into_attribute()))
        .collect()
}
