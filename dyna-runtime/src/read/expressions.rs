//! The expressions of a read, as the SDK's builders take them.

use crate::expr::Rendered;
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::HashMap;

/// The expressions of a read, with what they refer to. DynamoDB takes no empty maps, hence the options.
#[derive(Clone, Default)]
pub(crate) struct ReadExpressions {
    pub(crate) filter: Option<String>,
    pub(crate) projection: Option<String>,
    pub(crate) names: Option<HashMap<String, String>>,
    pub(crate) values: Option<HashMap<String, AttributeValue>>,
}

/// Gives a value to one of the SDK's builders if there is one. Each call moves the builder, which is large.
macro_rules! set {
    ($builder:ident $(.$setter:ident($value:expr))*) => {$(
        let value = $value;
        if value.is_some() {
            $builder = $builder.$setter(value);
        }
    )*};
}
pub(crate) use set;

/// Fills them into one of the SDK's builders that takes both.
macro_rules! fill {
    ($builder:ident, $expressions:expr) => {
        $crate::read::expressions::set!(
            $builder
                .set_filter_expression($expressions.filter)
                .set_projection_expression($expressions.projection)
                .set_expression_attribute_names($expressions.names)
                .set_expression_attribute_values($expressions.values)
        )
    };
}
pub(crate) use fill;

impl ReadExpressions {
    pub(crate) fn new(filter: Option<Rendered>, projection: Option<Rendered>) -> Self {
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
        self.names(rendered.names);
        self.values(rendered.values);
        rendered.expression
    }

    /// Adds names, and what they stand for.
    pub(crate) fn names(&mut self, names: impl IntoIterator<Item = (String, String)>) {
        let mut names = names.into_iter().peekable();
        if names.peek().is_some() {
            self.names.get_or_insert_default().extend(names);
        }
    }

    /// Adds values, and what they are called.
    pub(crate) fn values(&mut self, values: impl IntoIterator<Item = (String, AttributeValue)>) {
        let mut values = values.into_iter().peekable();
        if values.peek().is_some() {
            self.values.get_or_insert_default().extend(values);
        }
    }
}
