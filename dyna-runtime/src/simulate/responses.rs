//! Responses that no engine makes: errors of the network and of the server, and bodies that are cut off.

use super::server::Reply;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use fastrand::Rng;
use http_body::{Body, Frame, SizeHint};
use serde_json::{Value, json};
use std::io::{Error, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll};

pub(super) fn reset() -> ConnectorError {
    ConnectorError::io(Box::new(Error::from(ErrorKind::ConnectionReset)))
}

/// The response as it arrives.
pub(super) fn whole(reply: &Reply) -> Result<HttpResponse, ConnectorError> {
    let body = reply.body.as_bytes();
    let mut response = response(reply.status, SdkBody::from(body))?;
    let checksum = crc32fast::hash(body).to_string();
    response.headers_mut().insert("x-amz-crc32", checksum);
    Ok(response)
}

/// The first half of the response, and a connection that is reset.
pub(super) fn truncated(reply: &Reply) -> Result<HttpResponse, ConnectorError> {
    let half = Bytes::copy_from_slice(&reply.body.as_bytes()[..reply.body.len() / 2]);
    response(reply.status, SdkBody::from_body_1_x(Cut(Some(half))))
}

fn response(status: u16, body: SdkBody) -> Result<HttpResponse, ConnectorError> {
    let status = StatusCode::try_from(status);
    let status = status.map_err(|error| ConnectorError::other(error.into(), None))?;
    let mut response = HttpResponse::new(status, body);
    let headers = response.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    Ok(response)
}

/// A body that breaks off.
struct Cut(Option<Bytes>);

impl Body for Cut {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let broken = || Err(Error::from(ErrorKind::UnexpectedEof));
        Poll::Ready(Some(match self.0.take() {
            Some(half) => Ok(Frame::data(half)),
            None => broken(),
        }))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

/// An error of DynamoDB, with what it has beside its message.
fn error(status: u16, code: &str, message: &str, more: Value) -> Reply {
    let mut body = more;
    body["__type"] = format!("com.amazonaws.dynamodb.v20120810#{code}").into();
    body["message"] = message.into();
    Reply::new(status, &body.to_string())
}

pub(super) fn internal_error() -> Reply {
    error(
        500,
        "InternalServerError",
        "Internal server error",
        json!({}),
    )
}

pub(super) fn unavailable() -> Reply {
    let message = "The service is temporarily unavailable";
    error(503, "ServiceUnavailable", message, json!({}))
}

pub(super) fn expired_credentials() -> Reply {
    let message = "The security token included in the request is expired";
    error(400, "ExpiredTokenException", message, json!({}))
}

pub(super) fn transaction_in_progress() -> Reply {
    let message = "Transaction is ongoing for the item";
    error(400, "TransactionInProgressException", message, json!({}))
}

/// One of the ways in which DynamoDB throttles. For a transaction, that is also a cancellation.
pub(super) fn throttled(rng: &mut Rng, operation: &str, operations: Option<usize>) -> Reply {
    let is_read = matches!(operation, "GetItem" | "Query" | "Scan") || operation.contains("Get");
    let side = if is_read { "Read" } else { "Write" };
    // A table has the throughput of its indexes used up by reads and writes alike.
    let (of, place) = *rng
        .choice(&[("Table", ""), ("Index", "/index/simulated")])
        .unwrap_or(&("Table", ""));
    let reasons = |of: &str, place: &str, reason: &str| {
        let resource = format!("arn:aws:dynamodb:us-east-1:000000000000:table/simulated{place}");
        json!({ "ThrottlingReasons": [{ "reason": format!("{of}{side}{reason}"), "resource": resource }] })
    };
    match (rng.u8(..4), operations) {
        (0, _) => {
            let code = "ProvisionedThroughputExceededException";
            let message =
                "The level of configured provisioned throughput for the table was exceeded";
            let reasons = reasons(of, place, "ProvisionedThroughputExceeded");
            error(400, code, message, reasons)
        }
        (1, _) => {
            let message = "Throughput exceeds the current throughput limit for your account";
            let reasons = reasons("Table", "", "AccountLimitExceeded");
            error(400, "RequestLimitExceeded", message, reasons)
        }
        (2, Some(operations)) => {
            let message = "Throughput exceeds the current capacity of your table or index";
            let code = if rng.bool() {
                "ThrottlingError"
            } else {
                "ProvisionedThroughputExceeded"
            };
            cancelled(rng, operations, code, message)
        }
        _ => error(400, "ThrottlingException", "Rate exceeded", json!({})),
    }
}

/// A conflict with another transaction: of one operation, if it is a transaction itself.
pub(super) fn transaction_conflict(rng: &mut Rng, operations: Option<usize>) -> Reply {
    let message = "Transaction is ongoing for the item";
    match operations {
        Some(operations) => cancelled(rng, operations, "TransactionConflict", message),
        None => error(400, "TransactionConflictException", message, json!({})),
    }
}

/// A transaction that is cancelled for one of its operations.
fn cancelled(rng: &mut Rng, operations: usize, code: &str, message: &str) -> Reply {
    let at = rng.usize(..operations.max(1));
    let reason = |index| {
        if index == at {
            json!({ "Code": code, "Message": message })
        } else {
            json!({ "Code": "None" })
        }
    };
    let reasons: Vec<Value> = (0..operations).map(reason).collect();
    let codes: Vec<&str> = reasons
        .iter()
        .filter_map(|it| it["Code"].as_str())
        .collect();
    let message = format!(
        "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
        codes.join(", ")
    );
    let code = "TransactionCanceledException";
    let mut reply = error(
        400,
        code,
        &message,
        json!({ "CancellationReasons": reasons }),
    );
    // This one has a capital letter.
    reply.body = reply.body.replacen("\"message\":", "\"Message\":", 1);
    reply
}
