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

/// A DynamoDB, and the tables that the program has made in it.
#[derive(Debug)]
pub struct Engine {
    client: Client,
    made: Mutex<Vec<String>>,
    /// Whether the tables are as their types declare them.
    verified: Mutex<Answers>,
}

impl Engine {
    /// The embedded engine, without tables.
    pub fn embedded() -> Result<Self> {
        Ok(Self::of(Embedded::in_memory()?.client()))
    }

    /// The server at a URL. It gets the credentials and the region of the environment, or made-up ones.
    pub fn at(url: &str) -> Result<Self> {
        if !url.starts_with("http://") {
            return Err(format!("`{url}` does not start with http://").into());
        }
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
        Ok(Self::of(Client::from_conf(config.build())))
    }

    /// An engine that this client reaches.
    pub fn of(client: Client) -> Self {
        Self {
            client,
            made: Mutex::default(),
            verified: Mutex::default(),
        }
    }

    /// The client that reaches it.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Makes a table and opens it. Variables of its name have the value `stage`.
    ///
    /// A table that is there already is left alone: someone else's items may be in it. An engine that knows no expiry gets its table
    /// without one.
    pub async fn open<T: DynaTable>(&self, stage: &str) -> Result<Table<T>> {
        let mut table = Table::<T>::open(self.client.clone());
        for variable in variables(<T::Schema as Schema>::SCHEMA.name) {
            table = table.with(variable, stage);
        }
        let name = table.name()?.to_owned();
        let described = self.client.describe_table().table_name(&name).send().await;
        if described.is_ok() {
            return Err(
                format!("the table `{name}` is there already, and is left as it is").into(),
            );
        }
        let created = table.create_table().await;
        locked(&self.made).push(name);
        match created {
            Err(error) if error.code() == Some("UnknownOperationException") => {}
            created => created?,
        }
        let verified = table.verify().await.map(|differences| {
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

/// A panic while it was held has not broken a list.
fn locked<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The variables of a table's name: `stage` of `chat-{stage}`.
fn variables(name: &str) -> impl Iterator<Item = &str> {
    let ends = name.split('{').skip(1);
    ends.filter_map(|rest| rest.split_once('}').map(|(variable, _)| variable))
}
