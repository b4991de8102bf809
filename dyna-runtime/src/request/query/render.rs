//! The parameters of a query, rendered once for the request and for `explain()`.

use crate::codec::display::text;
use crate::error::Result;
use crate::expr::Rendered;
use crate::key::KeyValue;
use crate::read::Direction;
use crate::read::filter::filter;
use crate::request::query::spec::Reach;
use crate::request::query::{Explain, QuerySpec};
use crate::schema::{KeyAttribute, TagAttribute};
use aws_sdk_dynamodb::types::AttributeValue;
use std::time::SystemTime;

/// The values of the partition key, in the order of its attributes.
const PARTITION: [&str; 4] = [":p", ":p1", ":p2", ":p3"];
/// The values of the sort key's attributes before the one that is bounded.
const FIXED: [&str; 4] = [":k0", ":k1", ":k2", ":k3"];

/// Values, and how the condition calls them.
pub(super) type ExpressionValues = Vec<(&'static str, AttributeValue)>;

/// The expressions of a query.
pub(super) struct QueryRequest {
    pub(super) condition: &'static str,
    /// The aliases of the condition, and what they stand for.
    pub(super) names: Vec<(&'static str, &'static str)>,
    /// The values of each partition.
    pub(super) partitions: Vec<ExpressionValues>,
    /// The values that bound the sort key of all of them.
    pub(super) values: ExpressionValues,
    pub(super) filter: Option<Rendered>,
    pub(super) projection: Option<Rendered>,
}

/// Why there is nothing to ask.
#[derive(Clone, Copy)]
pub(super) enum EmptyReason {
    Partitions,
    Range,
    Filter,
}

impl EmptyReason {
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Partitions => "no request: the list of partitions is empty",
            Self::Range => "no request: the range is empty",
            Self::Filter => "no request: the filter is never true",
        }
    }
}

impl QuerySpec {
    /// The request, or why none is needed. In shared reach, items with the tag of another entity are left out.
    pub(super) fn ask(&self, reach: Reach) -> Result<Result<QueryRequest, EmptyReason>> {
        let partitions = self.partitions.as_ref().map_err(Clone::clone)?;
        self.check_filter()?;
        let Some((condition, bounds)) = self.key_condition() else {
            return Ok(Err(EmptyReason::Range));
        };
        if partitions.is_empty() {
            return Ok(Err(EmptyReason::Partitions));
        }
        if self.options.filter.known() == Some(false) {
            return Ok(Err(EmptyReason::Filter));
        }
        // A key of the index cannot be filtered on, and says the same.
        let is_key = |tag: &TagAttribute| self.schema().has_key(tag.attribute.name);
        let filters_tag =
            reach == Reach::Shared && !self.meta.schema.tag.as_ref().is_some_and(is_key);
        let fixed = FIXED.into_iter().zip(self.fixed.iter().cloned());
        let keys = self.schema().pk.iter().chain(self.bounded());
        Ok(Ok(QueryRequest {
            condition,
            names: keys.filter_map(KeyAttribute::alias).collect(),
            partitions: partitions
                .iter()
                .map(|partition| attributes(PARTITION.into_iter().zip(partition.iter().cloned())))
                .collect(),
            values: attributes(fixed.chain(bounds)),
            filter: filter(
                self.meta,
                filters_tag.then_some(self.owner),
                &self.options.filter,
            )?,
            projection: self.projection(),
        }))
    }

    /// The projection expression, unless whole items are read. Its keys always are: they tell items apart, and are the ends of a page.
    fn projection(&self) -> Option<Rendered> {
        self.options
            .attributes
            .first()
            .render(self.meta, self.schema(), true)
    }

    /// The request to the table of this name at this time. In shared reach, items with the tag of another entity are left out.
    pub(super) fn explain(&self, table: &str, reach: Reach, now: SystemTime) -> Explain {
        let mut explain = Explain::new("Query", table);
        let schema = self.schema();
        if !schema.name.is_empty() {
            explain.parameter("IndexName", schema.name);
        }
        match self.at(now).ask(reach) {
            Ok(Ok(ask)) => self.explain_ask(ask, &mut explain),
            Ok(Err(empty)) => explain.parameter("Empty", empty.reason()),
            Err(error) => explain.parameter("Error", error.to_string()),
        }
        explain
    }

    fn explain_ask(&self, ask: QueryRequest, explain: &mut Explain) {
        explain.parameter("KeyConditionExpression", ask.condition);
        for alias in ask.names {
            explain.alias(Some(alias));
        }
        for partition in ask.partitions {
            for (name, value) in partition {
                explain.parameter(name, text(&value));
            }
        }
        for (name, value) in ask.values {
            explain.parameter(name, text(&value));
        }
        if let Some(filter) = ask.filter {
            explain.expression("FilterExpression", filter);
        }
        if let Some(projection) = ask.projection {
            explain.expression("ProjectionExpression", projection);
        }
        if self.direction == Direction::Descending {
            explain.parameter("ScanIndexForward", "false");
        }
        explain.options(&self.options);
    }
}

fn attributes(values: impl Iterator<Item = (&'static str, KeyValue)>) -> ExpressionValues {
    values
        .map(|(name, value)| (name, value.into_attribute()))
        .collect()
}
