//! Where a program runs: the embedded engine, or a server.

use crate::http::PlainHttp;
use crate::{Answers, Result};
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::{Client, Config};
use aws_smithy_async::rt::sleep::TokioSleep;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::schema::Schema;
use dyna_runtime::{DynaTable, Table};
use serde_json::json;
use std::env;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the indexes of a server that is not on this machine may lag behind: theirs are eventually consistent.
const LAG: Duration = Duration::from_secs(1);

/// A DynamoDB, and the tables that the program has made in it.
#[derive(Debug)]
pub struct Engine {
    client: Client,
    /// The engine itself, if it is the embedded one.
    embedded: Option<Embedded>,
    lag: Duration,
    made: Mutex<Vec<String>>,
    /// Whether the tables are as their types declare them.
    verified: Mutex<Answers>,
}

impl Engine {
    /// The embedded engine, without tables.
    pub fn embedded() -> Result<Self> {
        let engine = Embedded::in_memory()?;
        Ok(Self {
            embedded: Some(engine.clone()),
            ..Self::of(engine.client())
        })
    }

    /// The server at a URL. It gets the credentials and the region of the environment, or made-up ones.
    pub fn at(url: &str) -> Result<Self> {
        let Some(host) = url.strip_prefix("http://") else {
            return Err(format!(
                "`{url}` does not start with http://, which is all that is spoken here"
            )
            .into());
        };
        let of = |name| env::var(name).ok();
        let key = of("AWS_ACCESS_KEY_ID").unwrap_or_else(|| "example".to_owned());
        let secret = of("AWS_SECRET_ACCESS_KEY").unwrap_or_else(|| "example".to_owned());
        let token = of("AWS_SESSION_TOKEN");
        let region = of("AWS_REGION").unwrap_or_else(|| "us-east-1".to_owned());
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(region))
            .endpoint_url(url)
            .credentials_provider(Credentials::new(key, secret, token, None, "environment"))
            .sleep_impl(TokioSleep::new())
            .http_client(PlainHttp::new());
        Ok(Self {
            lag: if is_here(host) { Duration::ZERO } else { LAG },
            ..Self::of(Client::from_conf(config.build()))
        })
    }

    /// An engine that this client reaches.
    pub fn of(client: Client) -> Self {
        Self {
            client,
            embedded: None,
            lag: Duration::ZERO,
            made: Mutex::default(),
            verified: Mutex::default(),
        }
    }

    /// The client that reaches it.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Whether the streams of its tables are read: on the embedded engine. A server may have none, or have them elsewhere.
    pub fn has_streams(&self) -> bool {
        self.embedded.is_some()
    }

    /// Makes a table and opens it. Variables of its name have the value `stage`.
    ///
    /// A table that is there already is left alone: someone else's items may be in it. An engine that knows no expiry gets its table
    /// without one.
    pub async fn open<T: DynaTable>(&self, stage: &str) -> Result<Table<T>> {
        let mut table = Table::<T>::open(self.client.clone());
        for variable in variables(<T::Schema as Schema>::SCHEMA.name) {
            table = table.with_variable(variable, stage);
        }
        if let Some(engine) = &self.embedded {
            table = table.with_streams_client(engine.streams_client());
        }
        let name = table.name()?.to_owned();
        let described = self.client.describe_table().table_name(&name).send().await;
        if described.is_ok() {
            return Err(
                format!("the table `{name}` is there already, and is left as it is").into(),
            );
        }
        // It may be there even if that fails: the expiry comes after the table itself.
        locked(&self.made).push(name);
        match table.create_table().await {
            Err(error) if error.code() == Some("UnknownOperationException") => {}
            created => created?,
        }
        let verified = table.differences().await.map(|differences| {
            if differences.is_empty() {
                "as declared".to_owned()
            } else {
                differences.to_string()
            }
        });
        let pattern = format!("Table of {}", <T::Schema as Schema>::SCHEMA.type_name);
        locked(&self.verified).note(&pattern, verified, |text| json!(text));
        Ok(table)
    }

    /// How long it takes until a write is in every index.
    pub(crate) fn lag(&self) -> Duration {
        self.lag
    }

    /// How the tables compare with what their types declare.
    pub(crate) fn verified(&self) -> Answers {
        std::mem::take(&mut locked(&self.verified))
    }

    /// Deletes the tables that were made.
    pub async fn close(self) -> Result<()> {
        let made = self.made.into_inner().unwrap_or_default();
        for name in made {
            let delete = self.client.delete_table().table_name(name);
            delete.send().await.map_err(aws_sdk_dynamodb::Error::from)?;
        }
        Ok(())
    }
}

/// Whether a host, with or without a port, is this machine.
fn is_here(host: &str) -> bool {
    ["127.", "localhost", "[::1]"]
        .iter()
        .any(|here| host.starts_with(here))
}

/// A panic while it was held has not broken a list.
fn locked<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The variables of a table's name: `stage` of `chat-{stage}`.
fn variables(name: &str) -> impl Iterator<Item = &str> {
    let ends = name.split('{').skip(1);
    ends.filter_map(|rest| rest.split_once('}').map(|(variable, _)| variable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_wait_for_the_indexes_of_servers_elsewhere_alone() {
        let lag = |url| Engine::at(url).unwrap().lag();
        assert_eq!(lag("http://127.0.0.1:8000"), Duration::ZERO);
        assert_eq!(lag("http://localhost:8000/"), Duration::ZERO);
        assert_eq!(lag("http://[::1]:8000"), Duration::ZERO);
        assert_eq!(lag("http://dynamodb.eu-west-1.amazonaws.com"), LAG);
        assert_eq!(Engine::embedded().unwrap().lag(), Duration::ZERO);
        Engine::at("https://dynamodb.eu-west-1.amazonaws.com").unwrap_err();
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_told_in_a_line() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", free.local_addr().unwrap());
        drop(free);
        let engine = Engine::at(&url).unwrap();
        let client = engine.client().clone();
        let tables = client.list_tables().send().await.unwrap_err();
        let error = dyna_runtime::Error::from(aws_sdk_dynamodb::Error::from(tables));
        let text = error.to_string();
        assert!(text.starts_with("DynamoDB: the request failed: "), "{text}");
        assert!(!text.contains(['{', '\n']), "{text}");
    }

    #[test]
    fn the_variables_of_a_name_are_found() {
        let found: Vec<_> = variables("a-{stage}-b-{region}").collect();
        assert_eq!(found, ["stage", "region"]);
        assert_eq!(variables("plain").count(), 0);
    }
}
