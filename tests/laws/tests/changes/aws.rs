//! DynamoDB's streams as AWS documents them, where the embedded engine differs: several shards with parents, open and closed ones, pages
//! without records, iterators that expire, changes that are removed, throttling.

use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use dyna_runtime::{DynaEntity, DynaTable, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "notes", pk = "pk", stream = "new_image"),
    pk = "NOTE#<n:04>"
)]
pub(super) struct Note {
    pub(super) n: u16,
}

/// A shard: its notes, of which the first may be removed.
#[derive(Debug, Clone, Default)]
pub(super) struct Shard {
    pub(super) id: &'static str,
    pub(super) parent: Option<&'static str>,
    pub(super) notes: Vec<u16>,
    pub(super) trimmed: usize,
    pub(super) is_closed: bool,
    /// How many pages without records come before each one with some.
    pub(super) empty_pages: usize,
}

pub(super) fn shard(id: &'static str, parent: Option<&'static str>, notes: &[u16]) -> Shard {
    Shard {
        id,
        parent,
        notes: notes.to_vec(),
        ..Shard::default()
    }
}

pub(super) fn closed(id: &'static str, parent: Option<&'static str>, notes: &[u16]) -> Shard {
    Shard {
        is_closed: true,
        ..shard(id, parent, notes)
    }
}

/// The state of the service.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) shards: Vec<Shard>,
    pub(super) is_disabled: bool,
    pub(super) view: Option<&'static str>,
    /// Iterators that were made before this one are expired.
    pub(super) expired: usize,
    pub(super) iterators: usize,
    /// The errors of the next requests for records, by their codes.
    pub(super) errors: VecDeque<&'static str>,
    /// The operations, in their order.
    pub(super) log: Vec<String>,
    running: usize,
    pub(super) most_running: usize,
    pub(super) takes: Duration,
}

/// The service, as the connector of both clients.
#[derive(Debug, Clone, Default)]
pub(super) struct Aws(pub(super) Arc<Mutex<State>>);

const DESCRIBED: usize = 2;
const PAGE: usize = 2;

/// The sequence number of a note: it has more digits than 21.
fn sequence(note: u16) -> String {
    format!("4421584500000000017450{note:06}")
}

impl Aws {
    pub(super) fn new(shards: impl Into<Vec<Shard>>) -> Self {
        let aws = Self::default();
        aws.0.lock().unwrap().shards = shards.into();
        aws
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.0.lock().unwrap());
    }

    pub(super) fn shard(&self, id: &str, change: impl FnOnce(&mut Shard)) {
        let mut state = self.0.lock().unwrap();
        change(state.shards.iter_mut().find(|it| it.id == id).unwrap());
    }

    pub(super) fn db(&self) -> Table<Note> {
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::from_static("eu-west-1"))
            .endpoint_url("http://aws.invalid")
            .allow_no_auth()
            .http_client(self.clone());
        let streams = aws_sdk_dynamodbstreams::Config::builder()
            .behavior_version(aws_sdk_dynamodbstreams::config::BehaviorVersion::latest())
            .region(Region::from_static("eu-west-1"))
            .endpoint_url("http://streams.aws.invalid")
            .allow_no_auth()
            .retry_config(aws_sdk_dynamodbstreams::config::retry::RetryConfig::disabled())
            .http_client(self.clone());
        let streams = aws_sdk_dynamodbstreams::Client::from_conf(streams.build());
        let client = aws_sdk_dynamodb::Client::from_conf(config.build());
        Note::open(client).with_streams_client(streams)
    }
}

fn error(code: &str) -> (u16, Value) {
    let name = format!("com.amazonaws.dynamodb.v20120810#{code}");
    (400, json!({"__type": name, "message": "said AWS"}))
}

impl State {
    fn answer(&mut self, operation: &str, request: &Value) -> (u16, Value) {
        self.log.push(operation.to_owned());
        match operation {
            "DescribeTable" => (
                200,
                json!({"Table": {"TableName": "notes", "LatestStreamArn": "arn:stream"}}),
            ),
            "DescribeStream" => (200, self.describe(request)),
            "GetShardIterator" => self.iterator(request),
            "GetRecords" => self.records(request),
            _ => error("UnknownOperationException"),
        }
    }

    fn describe(&self, request: &Value) -> Value {
        let after = request["ExclusiveStartShardId"].as_str();
        let start = after.map_or(0, |after| {
            let at = self.shards.iter().position(|shard| shard.id == after);
            at.map_or(0, |at| at + 1)
        });
        let end = self.shards.len().min(start + DESCRIBED);
        let shards = self.shards[start..end].iter().map(|shard| {
            let mut range = json!({"StartingSequenceNumber": sequence(0)});
            if shard.is_closed {
                range["EndingSequenceNumber"] = json!(sequence(9999));
            }
            let mut listed = json!({"ShardId": shard.id, "SequenceNumberRange": range});
            if let Some(parent) = shard.parent {
                listed["ParentShardId"] = json!(parent);
            }
            listed
        });
        let mut description = json!({
            "StreamArn": "arn:stream",
            "StreamStatus": if self.is_disabled { "DISABLED" } else { "ENABLED" },
            "StreamViewType": self.view.unwrap_or("NEW_IMAGE"),
            "Shards": shards.collect::<Vec<_>>(),
        });
        if end < self.shards.len() {
            description["LastEvaluatedShardId"] = json!(self.shards[end - 1].id);
        }
        json!({"StreamDescription": description})
    }

    fn iterator(&mut self, request: &Value) -> (u16, Value) {
        let id = request["ShardId"].as_str().unwrap();
        self.log.push(format!(
            "{} {}",
            id,
            request["ShardIteratorType"].as_str().unwrap()
        ));
        let Some(shard) = self.shards.iter().find(|shard| shard.id == id).cloned() else {
            return error("ResourceNotFoundException");
        };
        let at = match request["ShardIteratorType"].as_str().unwrap() {
            "TRIM_HORIZON" => shard.trimmed,
            "LATEST" => shard.notes.len(),
            "AFTER_SEQUENCE_NUMBER" => {
                let asked = request["SequenceNumber"].as_str().unwrap();
                let at = shard.notes.iter().position(|it| sequence(*it) == asked);
                at.unwrap() + 1
            }
            other => panic!("{other}"),
        };
        if at < shard.trimmed {
            return error("TrimmedDataAccessException");
        }
        let iterator = self.make_iterator(id, at, shard.empty_pages);
        (200, json!({"ShardIterator": iterator}))
    }

    fn make_iterator(&mut self, id: &str, at: usize, empty: usize) -> String {
        self.iterators += 1;
        format!("{}|{id}|{at}|{empty}", self.iterators)
    }

    fn records(&mut self, request: &Value) -> (u16, Value) {
        if let Some(code) = self.errors.pop_front() {
            return error(code);
        }
        let iterator = request["ShardIterator"].as_str().unwrap();
        let parts: Vec<&str> = iterator.split('|').collect();
        let [made, id, at, empty] = parts[..] else {
            panic!("{iterator}")
        };
        let number = |text: &str| text.parse::<usize>().unwrap();
        if number(made) <= self.expired {
            return error("ExpiredIteratorException");
        }
        let (at, empty) = (number(at), number(empty));
        let Some(shard) = self.shards.iter().find(|shard| shard.id == id).cloned() else {
            return error("ResourceNotFoundException");
        };
        if at < shard.trimmed {
            return error("TrimmedDataAccessException");
        }
        if empty > 0 {
            let next = self.make_iterator(id, at, empty - 1);
            return (200, json!({"Records": [], "NextShardIterator": next}));
        }
        let end = shard.notes.len().min(at + PAGE);
        let records: Vec<_> = shard.notes[at..end].iter().map(|n| record(*n)).collect();
        let mut response = json!({"Records": records});
        if !(shard.is_closed && end == shard.notes.len()) {
            let next = self.make_iterator(id, end, shard.empty_pages);
            response["NextShardIterator"] = json!(next);
        }
        (200, response)
    }
}

fn record(n: u16) -> Value {
    let key = format!("NOTE#{n:04}");
    json!({
        "eventID": "e", "eventName": "INSERT", "eventVersion": "1.1", "eventSource": "aws:dynamodb", "awsRegion": "eu-west-1",
        "dynamodb": {
            "ApproximateCreationDateTime": 1_480_642_020.0,
            "Keys": {"pk": {"S": key}},
            "NewImage": {"pk": {"S": key}, "n": {"N": n.to_string()}},
            "SequenceNumber": sequence(n), "SizeBytes": 9, "StreamViewType": "NEW_IMAGE",
        },
    })
}

impl HttpConnector for Aws {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let aws = self.clone();
        HttpConnectorFuture::new(async move {
            let takes = {
                let mut state = aws.0.lock().unwrap();
                state.running += 1;
                state.most_running = state.most_running.max(state.running);
                state.takes
            };
            if !takes.is_zero() {
                tokio::time::sleep(takes).await;
            }
            let target = request.headers().get("x-amz-target").unwrap().to_owned();
            let operation = target.rsplit('.').next().unwrap();
            let body = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
            let mut state = aws.0.lock().unwrap();
            state.running -= 1;
            let (status, body) = state.answer(operation, &body);
            let status = StatusCode::try_from(status).unwrap();
            let body = SdkBody::from(body.to_string());
            let mut response = HttpResponse::new(status, body);
            let headers = response.headers_mut();
            headers.insert("content-type", "application/x-amz-json-1.0");
            Ok(response)
        })
    }
}

impl HttpClient for Aws {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
