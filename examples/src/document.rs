//! A design as its document has it: conditions and items that no types have seen.

use crate::{Result, filled};
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::codec::Item;
use dyna_runtime::entity::Replaceable;
use dyna_runtime::request::HasEntity;
use dyna_runtime::schema::{Schema, TableSchema};
use dyna_runtime::{DynaEntity, DynaTable, Error, Get, Put, Table};
use serde_json::Value;
use std::fmt::{self, Display, Formatter};

/// A key condition of a document, as it stands there.
#[derive(Debug, Clone, Copy)]
pub struct Designed {
    /// The index that it asks, or the table.
    pub index: Option<&'static str>,
    /// The condition, with names for its values.
    pub condition: &'static str,
    /// The names and the values.
    pub values: &'static [(&'static str, &'static str)],
}

impl Designed {
    /// The items that DynamoDB finds, by tag and key, or why it refuses.
    pub async fn ask<T: DynaTable>(&self, db: &Table<T>) -> dyna_runtime::Result<Vec<String>> {
        match self.send(db).await {
            Err(Error::Service { source, .. }) if source.code().is_some() => {
                let why = source.message().unwrap_or_default();
                Ok(vec![format!("refused: {why}")])
            }
            found => found,
        }
    }

    /// The items that DynamoDB finds, by tag and key.
    pub async fn send<T: DynaTable>(&self, db: &Table<T>) -> dyna_runtime::Result<Vec<String>> {
        let query = db.client().query().table_name(db.name()?);
        let mut query = query.set_index_name(self.index.map(ToOwned::to_owned));
        for (name, value) in self.values {
            let value = AttributeValue::S((*value).to_owned());
            query = query.expression_attribute_values(*name, value);
        }
        let query = query.key_condition_expression(self.condition);
        let found = query.send().await.map_err(failed)?;
        let schema = &<T::Schema as Schema>::SCHEMA;
        Ok(found.items().iter().map(|it| brief(schema, it)).collect())
    }
}

impl Display for Designed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let index = self.index.map(|index| format!(" {index}"));
        let value = |word: &str| {
            let (_, value) = self.values.iter().find(|(name, _)| *name == word)?;
            Some(format!("{value:?}"))
        };
        let condition = filled(self.condition, value);
        write!(f, "Query{}: {condition}", index.unwrap_or_default())
    }
}

/// An item by its tag, if it has one, and its key.
fn brief(schema: &TableSchema, item: &Item) -> String {
    let tag = schema.tag.iter().map(|tag| tag.attribute.name);
    let key = schema.key.pk.iter().chain(schema.key.sk);
    let names = tag.chain(key.map(|attribute| attribute.name));
    let values = names.map(|name| match item.get(name) {
        Some(AttributeValue::S(text) | AttributeValue::N(text)) => text,
        _ => "",
    });
    values.collect::<Vec<_>>().join(" ")
}

/// An item of a document, which has it in plain JSON.
pub fn item(json: &str) -> Result<Item> {
    match attribute(serde_json::from_str(json)?) {
        AttributeValue::M(item) => Ok(item),
        _ => Err("an item is a JSON object".into()),
    }
}

fn attribute(value: Value) -> AttributeValue {
    match value {
        Value::Null => AttributeValue::Null(true),
        Value::Bool(value) => AttributeValue::Bool(value),
        Value::Number(number) => AttributeValue::N(number.to_string()),
        Value::String(text) => AttributeValue::S(text),
        Value::Array(list) => AttributeValue::L(list.into_iter().map(attribute).collect()),
        Value::Object(map) => {
            let entries = map
                .into_iter()
                .map(|(name, value)| (name, attribute(value)));
            AttributeValue::M(entries.collect())
        }
    }
}

/// What is stored of an item of a document that was read as an entity and written again, in a table of its own.
pub async fn written_back<T: HasEntity<E>, E: DynaEntity + Replaceable>(
    designed: &Item,
    get: Get<E>,
) -> dyna_runtime::Result<Option<Item>> {
    let theirs = Table::<T>::embedded().await?;
    let put = theirs.client().put_item().table_name(theirs.name()?);
    let put = put.set_item(Some(designed.clone()));
    put.send().await.map_err(failed)?;
    let Some(entity) = get.send(&theirs).await? else {
        return Ok(None);
    };
    let ours = Table::<T>::embedded().await?;
    Put::new(&entity).send(&ours).await?;
    stored(&ours, designed).await
}

/// What is stored under the key of an item.
pub async fn stored<T: DynaTable>(db: &Table<T>, of: &Item) -> dyna_runtime::Result<Option<Item>> {
    let key = &<T::Schema as Schema>::SCHEMA.key;
    let mut get = db.client().get_item().table_name(db.name()?);
    for attribute in key.pk.iter().chain(key.sk) {
        if let Some(value) = of.get(attribute.name) {
            get = get.key(attribute.name, value.clone());
        }
    }
    Ok(get.send().await.map_err(failed)?.item)
}

fn failed(error: impl Into<aws_sdk_dynamodb::Error>) -> Error {
    Error::from(error.into())
}
