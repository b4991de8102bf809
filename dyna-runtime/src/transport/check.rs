//! Whether a response can be read at all.

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use std::fmt;

/// What is wrong with the body of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unreadable {
    Empty,
    Checksum,
    CutOff,
    Malformed,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it has no body",
            Self::Checksum => "its body does not match its x-amz-crc32 checksum",
            Self::CutOff => "its body is not a whole JSON object",
            Self::Malformed => "its body is not DynamoDB's JSON",
        })
    }
}

impl std::error::Error for Unreadable {}

/// What is wrong with a successful response, as far as it shows without reading the items.
pub(crate) fn check(response: &HttpResponse) -> Result<(), Unreadable> {
    let Some(body) = response.body().bytes() else {
        return Ok(());
    };
    if body.is_empty() {
        return Err(Unreadable::Empty);
    }
    let headers = response.headers();
    // The checksum is that of the body as it was sent.
    if headers.get("content-encoding").is_some() {
        return Ok(());
    }
    let sum = headers.get("x-amz-crc32").and_then(|sum| sum.parse().ok());
    if sum.is_some_and(|sum: u32| sum != crc32fast::hash(body)) {
        return Err(Unreadable::Checksum);
    }
    let body = body.trim_ascii();
    if body.first() != Some(&b'{') || body.last() != Some(&b'}') {
        return Err(Unreadable::CutOff);
    }
    Ok(())
}
