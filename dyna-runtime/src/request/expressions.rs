//! The expressions of a read, as the SDK's builders take them.

use crate::expr::Rendered;
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::HashMap;

/// The expressions of a read, with what they refer to. DynamoDB takes no empty maps, hence the options.
#[derive(Clone, Default)]
pub(super) struct Expressions {
    pub(super) filter: Option<String>,
    pub(super) projection: Option<String>,
    pub(super) names: Option<HashMap<String, String>>,
    pub(super) values: Option<HashMap<String, AttributeValue>>,
}

/// Fills them into one of the SDK's builders that takes both.
macro_rules! fill {
    ($builder:expr, $expressions:expr) => {
        $builder
            .set_filter_expression($expressions.filter)
            .set_projection_expression($expressions.projection)
            .set_expression_attribute_names($expressions.names)
            .set_expression_attribute_values($expressions.values)
    };
}
pub(super) use fill;

impl Expressions {
    pub(super) fn new(filter: Option<Rendered>, projection: Option<Rendered>) -> Self {
        let mut all = Self::default();
        if let Some(filter) = filter {
            all.filter = Some(all.refer(filter));
        }
        if let Some(projection) = projection {
            all.projection = Some(all.refer(projection));
        }
        all
    }

    /// Takes what an expression refers to, and leaves its text.
    fn refer(&mut self, rendered: Rendered) -> String {
        if !rendered.names.is_empty() {
            let names = self.names.get_or_insert_default();
            names.extend(rendered.names);
        }
        if !rendered.values.is_empty() {
            let values = self.values.get_or_insert_default();
            values.extend(rendered.values);
        }
        rendered.expression
    }
}
