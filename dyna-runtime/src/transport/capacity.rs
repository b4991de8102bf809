//! Consumed capacity: asking DynamoDB for it, and reading it from a response without reading the items.

use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemInput;
use aws_sdk_dynamodb::operation::batch_write_item::BatchWriteItemInput;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemInput;
use aws_sdk_dynamodb::operation::get_item::GetItemInput;
use aws_sdk_dynamodb::operation::put_item::PutItemInput;
use aws_sdk_dynamodb::operation::query::QueryInput;
use aws_sdk_dynamodb::operation::scan::ScanInput;
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsInput;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsInput;
use aws_sdk_dynamodb::operation::update_item::UpdateItemInput;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use aws_smithy_runtime_api::client::interceptors::context::Input;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

/// Has DynamoDB return what the request consumes.
pub(crate) fn ask(input: &mut Input) {
    macro_rules! ask {
        ($($type:ty)*) => {$(
            if let Some(input) = input.downcast_mut::<$type>() {
                input.return_consumed_capacity = Some(ReturnConsumedCapacity::Total);
            }
        )*};
    }
    ask! {
        GetItemInput PutItemInput DeleteItemInput UpdateItemInput QueryInput ScanInput
        BatchGetItemInput BatchWriteItemInput TransactGetItemsInput TransactWriteItemsInput
    }
}

/// Whether DynamoDB refused the request because of its rate.
pub(crate) fn is_throttled(response: &HttpResponse) -> bool {
    const CODES: [&[u8]; 3] = [
        b"ThrottlingException",
        b"ProvisionedThroughputExceededException",
        b"RequestLimitExceeded",
    ];
    let body = response.body().bytes().unwrap_or_default();
    let names = |code: &&[u8]| body.windows(code.len()).any(|part| part == *code);
    response.status().as_u16() == 400 && CODES.iter().any(names)
}

/// The capacity units that a response names, of all tables together; none if it names none.
pub(crate) fn consumed_units(response: &HttpResponse) -> Option<f64> {
    let body = response.body().bytes()?;
    response.status().is_success().then(|| units_in(body))?
}

/// The sum of `ConsumedCapacity.CapacityUnits`, or of `ConsumedCapacity[..].CapacityUnits`. Items are passed over by their depth alone.
fn units_in(body: &[u8]) -> Option<f64> {
    let mut at = 0;
    let mut depth = 0_usize;
    // Whether the value of the member is being passed, and at which depth the members of its objects are.
    let mut inside = false;
    let mut level = 0;
    let mut sum = None;
    while let Some(byte) = body.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                inside &= depth > 1;
            }
            b'"' => {
                let text = string(body, at)?;
                at += text.len() + 1;
                let Some(value) = value_after(body, at) else {
                    continue;
                };
                if depth == 1 && text == b"ConsumedCapacity" {
                    inside = true;
                    level = if body.get(value) == Some(&b'[') { 3 } else { 2 };
                } else if inside && depth == level && text == b"CapacityUnits" {
                    *sum.get_or_insert(0.0) += number(body, value)?;
                }
            }
            _ => {}
        }
    }
    sum
}

/// The text of a string that begins here, with its escapes.
fn string(body: &[u8], start: usize) -> Option<&[u8]> {
    let mut at = start;
    loop {
        match body.get(at)? {
            b'"' => return body.get(start..at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Where the value begins, if what ended here is the name of a member.
fn value_after(body: &[u8], at: usize) -> Option<usize> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let skip = |at: usize| Some(at + body.get(at..)?.iter().take_while(|b| is_space(b)).count());
    let colon = skip(at)?;
    (body.get(colon) == Some(&b':')).then(|| skip(colon + 1))?
}

fn number(body: &[u8], at: usize) -> Option<f64> {
    let rest = body.get(at..)?;
    let is_of_number = |b: &&u8| matches!(b, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E');
    let length = rest.iter().take_while(is_of_number).count();
    str::from_utf8(rest.get(..length)?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::units_in;

    #[test]
    fn units_are_read_beside_items_that_name_them_too() {
        let one = br#"{"Items":[{"ConsumedCapacity":{"S":"{\"CapacityUnits\":7}"},"CapacityUnits":{"N":"9"}}],
            "ConsumedCapacity" : {"TableName":"t","CapacityUnits" : 2.5,"Table":{"CapacityUnits":4}},"Count":1}"#;
        assert_eq!(units_in(one), Some(2.5));
        let more = br#"{"ConsumedCapacity":[{"CapacityUnits":1.0,"TableName":"a"},{"TableName":"b","CapacityUnits":3}]}"#;
        assert_eq!(units_in(more), Some(4.0));
    }

    #[test]
    fn a_body_that_is_not_understood_names_none() {
        let bodies: [&[u8]; 6] = [
            b"",
            b"{}",
            b"}}",
            br#"{"ConsumedCapacity":{"CapacityUnits":"#,
            br#"{"Item":{"CapacityUnits":{"N":"1"}}}"#,
            br#"{"a"#,
        ];
        for body in bodies {
            assert_eq!(units_in(body), None, "{}", String::from_utf8_lossy(body));
        }
    }
}
