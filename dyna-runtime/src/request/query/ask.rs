//! What a query asks, as data: put together once, for the request and for `explain()`.

use crate::codec::display::text;
use crate::error::Result;
use crate::expr::Rendered;
use crate::key::KeyValue;
use crate::read::Direction;
use crate::read::filter::filter;
use crate::request::query::{Draft, Explain};
use crate::schema::KeyAttribute;
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::SystemTime;

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
        let partitions = self.partitions.as_ref().map_err(Clone::clone)?;
        self.check_filter()?;
        let Some((condition, bounds)) = self.key_condition() else {
            return Ok(Err(Empty::Range));
        };
        if partitions.is_empty() {
            return Ok(Err(Empty::Partitions));
        }
        if self.options.filter.known() == Some(false) {
            return Ok(Err(Empty::Filter));
        }
        let fixed = FIXED.into_iter().zip(self.fixed.iter().cloned());
        let keys = self.schema().pk.iter().chain(self.bounded());
        Ok(Ok(Ask {
            condition,
            names: keys.filter_map(KeyAttribute::alias).collect(),
            partitions: partitions
                .iter()
                .map(|partition| attributes(PARTITION.into_iter().zip(partition.iter().cloned())))
                .collect(),
            values: attributes(fixed.chain(bounds)),
            filter: filter(self.meta, own.then_some(self.own), &self.options.filter)?,
            projection: self.projection(),
        }))
    }

    /// What is asked of each item, if not all of it. Its keys always are: they tell items apart, and are the ends of a page.
    fn projection(&self) -> Option<Rendered> {
        self.options
            .attributes
            .first()
            .render(self.meta, self.schema(), true)
    }

    /// What it asks of the table of this name at this time. With `own`, items with the tag of another entity are left out.
    pub(super) fn explain(&self, table: &str, own: bool, now: SystemTime) -> Explain {
        let mut explain = Explain::new("Query", table);
        let schema = self.schema();
        if !schema.name.is_empty() {
            explain.member("IndexName", schema.name);
        }
        match self.at(now).ask(own) {
            Ok(Ok(ask)) => self.explain_ask(ask, &mut explain),
            Ok(Err(empty)) => explain.member("Empty", empty.reason()),
            Err(error) => explain.member("Error", error.to_string()),
        }
        explain
    }

    fn explain_ask(&self, ask: Ask, explain: &mut Explain) {
        explain.member("KeyConditionExpression", ask.condition);
        for alias in ask.names {
            explain.alias(Some(alias));
        }
        for partition in ask.partitions {
            for (name, value) in partition {
                explain.member(name, text(&value));
            }
        }
        for (name, value) in ask.values {
            explain.member(name, text(&value));
        }
        if let Some(filter) = ask.filter {
            explain.expression("FilterExpression", filter);
        }
        if let Some(projection) = ask.projection {
            explain.expression("ProjectionExpression", projection);
        }
        if self.direction == Direction::Descending {
            explain.member("ScanIndexForward", "false");
        }
        explain.options(&self.options);
    }
}

fn attributes(values: impl Iterator<Item = (&'static str, KeyValue)>) -> Values {
    values
        .map(|(name, value)| (name, value.into_attribute()))
        .collect()
}
