//! The filter expression of a read.

use crate::entity::EntityMeta;
use crate::entity::collection::Owner;
use crate::error::Result;
use crate::expr::{Expr, Rendered};
use crate::transport::limits;
use aws_sdk_dynamodb::types::AttributeValue;

/// The filter that was asked for, and if the items of one entity are to be told from others, that the tag is its own.
pub(crate) fn filter(
    meta: &EntityMeta,
    tagged: Option<Owner>,
    filter: &Expr,
) -> Result<Option<Rendered>> {
    let schema = meta.schema;
    let tag = schema.tag.as_ref().zip(tagged);
    let mut out = Rendered::default();
    match tag {
        Some((_, Owner::Table(_))) | None => {}
        Some((tag, Owner::One(_))) => out.push(tag.is),
        Some((tag, Owner::Members(collection))) => {
            let name = tag.attribute.expr;
            let tags = (0..collection.members.len()).map(|n| format!(":e{n}"));
            let tags = tags.collect::<Vec<_>>().join(", ");
            out.expression =
                format!("({name} IN ({tags}) OR {name} = :null OR attribute_not_exists({name}))");
        }
    }
    if filter.known().is_none() {
        filter.render(schema.pk(), &mut out);
    }
    if let Some((tag, owner @ (Owner::One(_) | Owner::Members(_)))) = tag {
        let several = matches!(owner, Owner::Members(_));
        for (n, entity) in owner.entities().iter().enumerate() {
            let alias = if several {
                format!(":e{n}")
            } else {
                ":e".to_owned()
            };
            out.values
                .push((alias, AttributeValue::S(entity.tag.to_owned())));
        }
        out.values
            .push((":null".to_owned(), AttributeValue::Null(true)));
        let alias = tag.attribute.alias();
        out.names
            .extend(alias.map(|(alias, name)| (alias.to_owned(), name.to_owned())));
    }
    limits::check_expressions(meta, [&out.expression], &out)?;
    limits::check_operators(&out.expression)?;
    Ok((!out.expression.is_empty()).then_some(out))
}
