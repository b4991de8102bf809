//! The request that failed, and what DynamoDB or the network reported.

use super::SdkError;
use crate::shape::Template;
use aws_sdk_dynamodb::Error as Sdk;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError as CallError};
use aws_sdk_dynamodb::types::ThrottlingReason;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_types::body::SdkBody;
use std::error::Error as StdError;
use std::fmt;

/// The operation, table and keys of a request, for its errors.
#[derive(Clone, Copy)]
pub(crate) struct RequestContext<'r> {
    /// The name of the table.
    pub(crate) table: &'r str,
    /// The name of the index; empty for the table itself.
    pub(crate) index: &'static str,
    /// The templates of the partition key, if the keys are of one entity alone.
    pub(crate) partition: &'static [Template],
}

impl RequestContext<'_> {
    /// The partition key's templates in what is read.
    fn partition(self) -> String {
        let templates = self.partition.iter().map(|template| template.text);
        templates.collect::<Vec<_>>().join("/")
    }
}

/// The request that failed: its operation, its table, and its index if it reads one. `Display` says it in words.
#[derive(Clone)]
pub struct FailedRequest {
    operation: &'static str,
    table: String,
    index: &'static str,
    /// The template of the partition key, if it is known.
    partition: String,
    stage: Stage,
}

/// How far a request came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It is not known here.
    Unknown,
    /// It could not be built.
    Building,
    /// There was no response in time.
    TimedOut,
    /// There was no response.
    Sending,
    /// There was a response that could not be read.
    Reading,
    /// There was a response, and its body is not DynamoDB's JSON.
    Parsing,
    /// DynamoDB, or something before it, responded with an error, under this HTTP status.
    Responded(u16),
}

impl FailedRequest {
    /// The operation: `PutItem`. Empty if it is not known.
    pub fn operation(&self) -> &str {
        self.operation
    }

    /// The name of the table, or of several tables with commas between them. Empty if it is not known.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The name of the index that was read, if it was one.
    pub fn index(&self) -> Option<&str> {
        (!self.index.is_empty()).then_some(self.index)
    }

    /// A request of which nothing is known.
    pub(super) fn unknown() -> Self {
        let nothing = RequestContext {
            table: "",
            index: "",
            partition: &[],
        };
        Self::new("", nothing, Stage::Unknown)
    }

    /// A request whose response is not DynamoDB's.
    pub(crate) fn unparsed(operation: &'static str, asked: RequestContext<'_>) -> Self {
        Self::new(operation, asked, Stage::Parsing)
    }

    fn new(operation: &'static str, asked: RequestContext<'_>, stage: Stage) -> Self {
        Self {
            operation,
            table: asked.table.to_owned(),
            index: asked.index,
            partition: asked.partition(),
            stage,
        }
    }

    /// Whether DynamoDB responded, and refused it.
    pub(super) fn is_refused(&self) -> bool {
        matches!(self.stage, Stage::Responded(400..500))
    }

    /// The request of a call that failed, and its error without the body of the response, which may hold items.
    pub(crate) fn of_call<E: StdError + Send + Sync + 'static>(
        operation: &'static str,
        asked: RequestContext<'_>,
        error: CallError<E, HttpResponse>,
    ) -> (Self, CallError<E, HttpResponse>) {
        let stage = match &error {
            CallError::ConstructionFailure(_) => Stage::Building,
            CallError::TimeoutError(_) => Stage::TimedOut,
            CallError::DispatchFailure(_) => Stage::Sending,
            CallError::ResponseError(_) => Stage::Reading,
            CallError::ServiceError(error) => Stage::Responded(error.raw().status().as_u16()),
            _ => Stage::Unknown,
        };
        (Self::new(operation, asked, stage), without_body(error))
    }
}

fn without_body<E: StdError + Send + Sync + 'static>(
    error: CallError<E, HttpResponse>,
) -> CallError<E, HttpResponse> {
    let CallError::ResponseError(error) = error else {
        return error;
    };
    let status = error.raw().status();
    match CallError::<E, HttpResponse>::ResponseError(error).into_source() {
        Ok(source) => {
            CallError::response_error(source, HttpResponse::new(status, SdkBody::empty()))
        }
        Err(error) => error,
    }
}

impl fmt::Display for FailedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.operation, self.table.as_str(), self.index) {
            ("", ..) => f.write_str("DynamoDB"),
            (operation, "", _) => f.write_str(operation),
            (operation, table, "") => write!(f, "{operation} on table `{table}`"),
            (operation, table, index) => {
                write!(f, "{operation} on index `{index}` of table `{table}`")
            }
        }
    }
}

impl fmt::Debug for FailedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FailedRequest({self})")
    }
}

/// The code and the message of DynamoDB's error, or what kept it from responding.
pub(super) struct Summary<'e>(pub(super) &'e FailedRequest, pub(super) &'e SdkError);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(request, error) = self;
        match (error.code(), error.message()) {
            (Some(code), Some(message)) => write!(f, "{code}: {message}")?,
            (Some(code), None) => f.write_str(code)?,
            (None, _) => return self.without_code(f),
        }
        let reasons = throttling_reasons(error);
        for (
            n,
            ThrottlingReason {
                reason, resource, ..
            },
        ) in reasons.iter().enumerate()
        {
            f.write_str(if n == 0 { " (" } else { "; " })?;
            f.write_str(reason.as_deref().unwrap_or("no reason given"))?;
            if let Some(resource) = resource {
                write!(f, " on {}", resource_of(resource))?;
            }
            if reason.as_deref().is_some_and(|it| it.contains("KeyRange"))
                && !request.partition.is_empty()
            {
                write!(f, ", partition key `{}`", request.partition)?;
            }
        }
        f.write_str(if reasons.is_empty() { "" } else { ")" })
    }
}

impl Summary<'_> {
    fn without_code(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(request, error) = self;
        match request.stage {
            Stage::Unknown => f.write_str("the request failed")?,
            Stage::Building => f.write_str("the request could not be built")?,
            Stage::TimedOut => f.write_str("no response in time")?,
            Stage::Sending => f.write_str("no response")?,
            Stage::Reading => f.write_str("the response could not be read")?,
            Stage::Parsing => {
                return f
                    .write_str("the response could not be read: its body is not DynamoDB's JSON");
            }
            Stage::Responded(200) => f.write_str("the response is not DynamoDB's")?,
            Stage::Responded(status) => write!(f, "HTTP status {status} without an error code")?,
        }
        // Of a call, the first only repeats the stage.
        let skip = usize::from(!matches!(
            request.stage,
            Stage::Unknown | Stage::Responded(_)
        ));
        let first = StdError::source(&***error);
        for error in std::iter::successors(first, |error| (*error).source()).skip(skip) {
            write!(f, ": {error}")?;
        }
        Ok(())
    }
}

/// The throttling reasons of an error.
fn throttling_reasons(error: &Sdk) -> &[ThrottlingReason] {
    match error {
        Sdk::ThrottlingException(error) => error.throttling_reasons(),
        Sdk::ProvisionedThroughputExceededException(error) => error.throttling_reasons(),
        Sdk::RequestLimitExceeded(error) => error.throttling_reasons(),
        _ => &[],
    }
}

/// The resource of an ARN, without its region and account: `table/users/index/by_mail`.
fn resource_of(arn: &str) -> &str {
    arn.splitn(6, ':').nth(5).unwrap_or(arn)
}
