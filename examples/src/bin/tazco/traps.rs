//! Two conditions of the design as they stand, which do something else than they say. The third is `create` of a record that has expired.

use crate::model::{CardRequest, Time};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::{Error, Result, Table};

fn text(value: impl ToString) -> AttributeValue {
    AttributeValue::S(value.to_string())
}

fn failed(error: impl Into<aws_sdk_dynamodb::Error>) -> Error {
    Error::from(error.into())
}

/// `countRequiringAttention` with the time as it is: `createdAt#requestId` is longer than `createdAt`, so what was created in that very
/// millisecond is after it.
pub async fn count_up_to_text(db: &Table<CardRequest>, time: Time) -> Result<i32> {
    let query = db
        .client()
        .query()
        .table_name(db.name()?)
        .index_name("RequestsByStatusCreatedAt")
        .key_condition_expression("#status = :p AND createdAtRequestId <= :t")
        .expression_attribute_names("#status", "status")
        .expression_attribute_values(":p", text("pending"))
        .expression_attribute_values(":t", text(time));
    Ok(query.send().await.map_err(failed)?.count)
}

/// `findPendingByUser` with `Limit` 1: DynamoDB reads one request and then filters, so it finds the pending one only if it is the first.
pub async fn pending_with_limit(db: &Table<CardRequest>, ecosystem_id: &str) -> Result<i32> {
    let query = db
        .client()
        .query()
        .table_name(db.name()?)
        .key_condition_expression("ecosystemId = :p")
        .filter_expression("#status = :s")
        .limit(1)
        .expression_attribute_names("#status", "status")
        .expression_attribute_values(":p", text(ecosystem_id))
        .expression_attribute_values(":s", text("pending"));
    Ok(query.send().await.map_err(failed)?.count)
}
