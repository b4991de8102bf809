//! What a query asks, as data: put together once, for the request and for `explain()`.

use super::Draft;
use crate::error::Result;
use crate::expr::Rendered;
use crate::request::filter;
use crate::schema::Attribute;
use aws_sdk_dynamodb::types::AttributeValue;

/// The values of the partition key, in the order of its attributes.
const PARTITION: [&str; 4] = [":p", ":p1", ":p2", ":p3"];
/// The values of the sort key's attributes before the one that is bounded.
const FIXED: [&str; 4] = [":k0", ":k1", ":k2", ":k3"];

/// The expressions of a query.
pub(super) struct Ask {
    pub(super) condition: &'static str,
    /// The aliases of the condition, and what they stand for.
    pub(super) names: Vec<(&'static str, &'static str)>,
    pub(super) values: Vec<(&'static str, AttributeValue)>,
    pub(super) filter: Option<Rendered>,
}

/// Why there is nothing to ask.
#[derive(Clone, Copy)]
pub(super) enum Empty {
    Range,
    Filter,
}

impl Empty {
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Range => "the range is empty, so no request is made",
            Self::Filter => "the filter is never true, so no request is made",
        }
    }
}

impl Draft {
    /// What it asks, or why there is no need to. With `own`, items with the tag of another entity are left out.
    pub(super) fn ask(&self, own: bool) -> Result<Result<Ask, Empty>> {
        let partition = self.partition.clone()?;
        self.check_filter()?;
        let Some((condition, bounds)) = self.key_condition() else {
            return Ok(Err(Empty::Range));
        };
        if self.filter.known() == Some(false) {
            return Ok(Err(Empty::Filter));
        }
        let partition = PARTITION.into_iter().zip(partition);
        let fixed = FIXED.into_iter().zip(self.fixed.iter().cloned());
        let values = partition.chain(fixed).chain(bounds);
        let keys = self.schema().pk.iter().chain(self.bounded());
        Ok(Ok(Ask {
            condition,
            names: keys.filter_map(Attribute::alias).collect(),
            values: values
                .map(|(name, value)| (name, value.into_attribute()))
                .collect(),
            filter: filter(self.meta, own.then_some(self.meta), &self.filter),
        }))
    }
}
