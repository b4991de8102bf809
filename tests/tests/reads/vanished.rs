//! An index that is behind its table: a server with an index that says more than the table holds stands in for it.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use dyna_runtime::{DynaEntity, DynaTable, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "jobs",
        pk = "pk",
        index(keys, pk = "gsi1pk", sk = "gsi1sk", projection = "keys_only"),
    ),
    pk = "JOB#<n:03>",
    keys(as = by_worker, pk = "WORKER#<worker>", sk = "<n:03>"),
)]
struct Job {
    n: u32,
    worker: String,
}

/// The index has jobs 0 to 5 of Ann; in the table, 1 is gone and 3 is Bob's.
#[derive(Debug, Clone)]
struct Behind {
    /// Whether the table leaves all keys undone.
    stuck: bool,
}

impl Behind {
    fn entry(n: u32) -> Value {
        json!({
            "pk": {"S": format!("JOB#{n:03}")},
            "gsi1pk": {"S": "WORKER#ann"},
            "gsi1sk": {"S": format!("{n:03}")},
        })
    }

    fn query(body: &Value) -> Value {
        let start = &body["ExclusiveStartKey"]["gsi1sk"]["S"];
        let after = |n: &u32| {
            start
                .as_str()
                .is_none_or(|start| *format!("{n:03}") > *start)
        };
        let items: Vec<Value> = (0..6).filter(after).map(Self::entry).collect();
        json!({"Items": items, "Count": items.len()})
    }

    fn batch_get(&self, body: &Value) -> Value {
        let wanted = &body["RequestItems"]["jobs"];
        if self.stuck {
            return json!({"Responses": {}, "UnprocessedKeys": {"jobs": wanted}});
        }
        let item = |key: &Value| {
            let n: u32 = key["pk"]["S"]
                .as_str()?
                .strip_prefix("JOB#")?
                .parse()
                .ok()?;
            let worker = if n == 3 { "bob" } else { "ann" };
            let mut item = Self::entry(n);
            item["gsi1pk"] = json!({"S": format!("WORKER#{worker}")});
            item["n"] = json!({"N": n.to_string()});
            item["worker"] = json!({"S": worker});
            (n != 1).then_some(item)
        };
        let keys = wanted["Keys"].as_array().unwrap();
        // In no order.
        let items: Vec<Value> = keys.iter().rev().filter_map(item).collect();
        json!({"Responses": {"jobs": items}, "UnprocessedKeys": {}})
    }
}

impl HttpConnector for Behind {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let body = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let answer = match request.headers().get("x-amz-target") {
            Some("DynamoDB_20120810.Query") => Self::query(&body),
            _ => self.batch_get(&body),
        };
        let status = 200.try_into().unwrap();
        let mut response = HttpResponse::new(status, SdkBody::from(answer.to_string()));
        let headers = response.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        HttpConnectorFuture::ready(Ok(response))
    }
}

impl HttpClient for Behind {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

fn client(stuck: bool) -> Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"))
        .endpoint_url("http://localhost")
        .allow_no_auth()
        .http_client(Behind { stuck });
    Client::from_conf(config.build())
}

fn jobs(numbers: &[u32]) -> Vec<Job> {
    let worker = "ann".to_owned();
    let job = |n: &u32| Job {
        n: *n,
        worker: worker.clone(),
    };
    numbers.iter().map(job).collect()
}

#[tokio::test]
async fn items_that_are_gone_or_elsewhere_are_left_out() {
    let db = Job::open(client(false));
    let query = Job::by_worker("ann").hydrate();
    assert_eq!(query.clone().all(&db).await.unwrap(), jobs(&[0, 2, 4, 5]));
    // A limit counts what is there.
    let page = query.clone().limit(3).send(&db).await.unwrap();
    assert_eq!(page.items, jobs(&[0, 2, 4]));
    let page = query.limit(3).after(page.next).send(&db).await.unwrap();
    assert_eq!(page.items, jobs(&[5]));
    assert_eq!(page.next, None);
}

#[tokio::test(start_paused = true)]
async fn items_that_stay_undone_are_an_error() {
    let db = Job::open(client(true));
    let error = Job::by_worker("ann").hydrate().all(&db).await.unwrap_err();
    let expected = Error::UnprocessedKeys {
        entity: "Job",
        left: 6,
    };
    assert_eq!(error.to_string(), expected.to_string());
}
