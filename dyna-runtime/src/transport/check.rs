//! Whether a response can be read at all.

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use std::fmt;

/// The problem of a response body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadResponse {
    Empty,
    Checksum,
    CutOff,
    Malformed,
}

impl fmt::Display for BadResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it has no body",
            Self::Checksum => "its body does not match its x-amz-crc32 checksum",
            Self::CutOff => "its body is not a whole JSON object",
            Self::Malformed => "its body is not DynamoDB's JSON",
        })
    }
}

impl std::error::Error for BadResponse {}

/// Checks a successful response without reading its items.
pub(crate) fn check(response: &HttpResponse) -> Result<(), BadResponse> {
    let Some(body) = response.body().bytes() else {
        return Ok(());
    };
    if body.is_empty() {
        return Err(BadResponse::Empty);
    }
    let headers = response.headers();
    // The checksum is that of the body as it was sent.
    if headers.get("content-encoding").is_some() {
        return Ok(());
    }
    let is_other = |sum: &str| sum.parse() != Ok(crc32fast::hash(body));
    if headers.get("x-amz-crc32").is_some_and(is_other) {
        return Err(BadResponse::Checksum);
    }
    let body = body.trim_ascii();
    if body.first() != Some(&b'{') || body.last() != Some(&b'}') {
        return Err(BadResponse::CutOff);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_smithy_types::body::SdkBody;

    #[test]
    fn checksum_that_is_not_a_number_does_not_match() {
        let checked = |sum: String| {
            let mut response = HttpResponse::new(200.try_into().unwrap(), SdkBody::from("{}"));
            response.headers_mut().insert("x-amz-crc32", sum);
            check(&response)
        };
        assert_eq!(checked(crc32fast::hash(b"{}").to_string()), Ok(()));
        assert_eq!(checked("none".to_owned()), Err(BadResponse::Checksum));
    }
}
