//! The engine's typed methods under the names that DynamoDB's protocol has for them.
//!
//! `dynoxide` has such a table too, but keeps it for its HTTP server. Its `Deserialize` impls say which error
//! a request is refused with by a prefix of the message, which has to be taken off here.

use dynoxide::{Database, DynoxideError};

/// A response to the client: an HTTP status and a JSON body.
#[derive(Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Reply {
    #[cfg(feature = "simulate")]
    pub(crate) fn new(status: u16, body: &str) -> Self {
        Self {
            status,
            body: body.to_owned(),
        }
    }

    fn error(error: &DynoxideError) -> Self {
        Self {
            status: error.status_code(),
            body: error.to_json(),
        }
    }

    fn unknown_operation() -> Self {
        Self {
            status: 400,
            body: r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#.to_owned(),
        }
    }
}

macro_rules! operations {
    ($($name:literal => $method:ident)*) => {
        /// Runs an operation on the engine.
        pub(super) fn dispatch(database: &Database, operation: &str, body: &[u8]) -> Reply {
            let result = match operation {
                $($name => parse(body).and_then(|request| database.$method(request)).and_then(|r| print(&r)),)*
                _ => return Reply::unknown_operation(),
            };
            match result {
                Ok(body) => Reply { status: 200, body },
                Err(error) => Reply::error(&enveloped(operation, error)),
            }
        }
    };
}

operations! {
    "BatchExecuteStatement" => batch_execute_statement
    "BatchGetItem" => batch_get_item
    "BatchWriteItem" => batch_write_item
    "CreateTable" => create_table
    "DeleteItem" => delete_item
    "DeleteTable" => delete_table
    "DescribeStream" => describe_stream
    "DescribeTable" => describe_table
    "DescribeTimeToLive" => describe_time_to_live
    "ExecuteStatement" => execute_statement
    "ExecuteTransaction" => execute_transaction
    "GetItem" => get_item
    "GetRecords" => get_records
    "GetShardIterator" => get_shard_iterator
    "ListStreams" => list_streams
    "ListTables" => list_tables
    "ListTagsOfResource" => list_tags_of_resource
    "PutItem" => put_item
    "Query" => query
    "Scan" => scan
    "SearchVectors" => search_vectors
    "TagResource" => tag_resource
    "TransactGetItems" => transact_get_items
    "TransactWriteItems" => transact_write_items
    "UntagResource" => untag_resource
    "UpdateItem" => update_item
    "UpdateTable" => update_table
    "UpdateTimeToLive" => update_time_to_live
}

fn parse<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, DynoxideError> {
    serde_json::from_slice(body).map_err(|error| refusal(&error.to_string()))
}

fn print<T: serde::Serialize>(response: &T) -> Result<String, DynoxideError> {
    serde_json::to_string(response)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

type Refusal = fn(String) -> DynoxideError;

/// The prefixes of a refused request's message, the longer ones before those that they begin with.
const MARKERS: [(&str, Refusal); 5] = [
    ("VALIDATION_REQUEST:", DynoxideError::EnvelopedValidation),
    ("VALIDATION_AS_READ:", DynoxideError::ValidationException),
    ("VALIDATION:", DynoxideError::ValidationException),
    (
        "SERIALIZATION_AS_READ:",
        DynoxideError::SerializationException,
    ),
    ("SERIALIZATION:", DynoxideError::SerializationException),
];

/// Mistakes that DynamoDB takes for invalid values, where any other is malformed JSON or of the wrong JSON type.
const INVALID: [&str; 5] = [
    "missing field",
    "unknown variant",
    "invalid type: null",
    "empty AttributeValue",
    "Supplied AttributeValue",
];

/// DynamoDB's error for a request that could not be read.
fn refusal(message: &str) -> DynoxideError {
    let text = message
        .rsplit_once(" at line ")
        .map_or(message, |(text, _position)| text);
    for (marker, error) in MARKERS {
        if let Some(text) = text.strip_prefix(marker) {
            return error(text.to_owned());
        }
    }
    if INVALID.iter().any(|mistake| text.contains(mistake)) {
        DynoxideError::ValidationException(text.to_owned())
    } else {
        DynoxideError::SerializationException(text.to_owned())
    }
}

/// Puts the words around a refused value that DynamoDB puts there, on these three operations only.
fn enveloped(operation: &str, error: DynoxideError) -> DynoxideError {
    match (operation, error) {
        ("PutItem" | "UpdateItem" | "DeleteItem", DynoxideError::EnvelopedValidation(text))
            if !text.starts_with("1 validation error") =>
        {
            DynoxideError::ValidationException(format!("1 validation error detected: {text}"))
        }
        (_, error) => error,
    }
}
