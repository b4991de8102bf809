//! The handle of a table.

use crate::codec::Item;
use crate::codec::json::ItemSource;
use crate::cursor::CursorSecret;
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::schema::{Schema, TableSchema};
use crate::table::lists::DynaTable;
use crate::transport::ItemFormat;
use crate::transport::meter::CapacityMeter;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Intercept;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::SystemTime;

/// A table that is open: your client, the name of the table, and what it holds.
///
/// Requests are values; they run with `send(&table)`.
///
/// ```no_run
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users-{stage}", pk = "pk"), pk = "USER#<id>")]
/// # struct User { id: String }
/// # async fn run(client: aws_sdk_dynamodb::Client) -> dyna_runtime::Result<()> {
/// let db = User::open(client).with_variable("stage", "prod");
/// let user = User::get("ann").send(&db).await?;
/// # Ok(()) }
/// ```
pub struct Table<T> {
    handle: Handle,
    entities: PhantomData<fn() -> T>,
}

/// The untyped part of an open table: all that requests need.
#[derive(Clone)]
pub(crate) struct Handle {
    schema: &'static TableSchema,
    /// All entities of the table.
    entities: &'static [&'static EntityMeta],
    client: Client,
    /// In which form items go through it.
    format: ItemFormat,
    /// The name, with the variables that have a value put in.
    name: String,
    /// The problem of a variable that was given.
    problem: Option<String>,
    cursor_secret: Option<CursorSecret>,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    /// Whether the keys of what is read are compared with what its attributes make.
    check_keys: bool,
    /// The client of the table's stream.
    #[cfg(feature = "streams")]
    streams_client: Option<aws_sdk_dynamodbstreams::Client>,
    /// The client, with its tracing.
    #[cfg(feature = "tracing")]
    traced: crate::trace::Traced,
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self {
            handle: self.handle.clone(),
            entities: PhantomData,
        }
    }
}

impl<T> std::fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut f = f.debug_tuple("Table");
        f.field(&self.handle.name);
        if self.handle.format == ItemFormat::Maps {
            f.field(&format_args!("shows items to interceptors"));
        }
        f.finish()
    }
}

impl<T: DynaTable> Table<T> {
    pub(crate) const SCHEMA: &'static TableSchema = <T::Schema as Schema>::SCHEMA;

    /// Opens the table with your own client. Sends no request.
    ///
    /// If the client has interceptors, they see every item: see [`shows_items_to_interceptors`](Self::shows_items_to_interceptors).
    pub fn open(client: Client) -> Self {
        Self {
            handle: Handle::open(client, Self::SCHEMA, T::ENTITIES),
            entities: PhantomData,
        }
    }

    /// Gives every variable that has none this value.
    #[cfg(feature = "embedded")]
    pub(crate) fn with_all_variables(mut self, value: &str) -> Self {
        self.handle.set_all_variables(value);
        self
    }

    /// Gives a variable of the table's name its value: `{stage}` in `"chat-{stage}"`. A value has the characters that DynamoDB
    /// allows in a table name: letters, digits, `_`, `-` and `.`. What is wrong with it is the error of every request.
    pub fn with_variable(mut self, variable: &str, value: &str) -> Self {
        self.handle.set_variable(variable, value);
        self
    }

    /// Whether items go through the SDK as its own maps, where interceptors of the client see them and may change them. So it is if the
    /// client was opened with any interceptor: one that encrypts, audits or mocks would otherwise see empty items in requests and
    /// none in responses. Without interceptors items are written and read as bytes, which is faster.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # fn open(client: aws_sdk_dynamodb::Client) {
    /// let db = User::open(client);
    /// if db.shows_items_to_interceptors() {
    ///     println!("this client has interceptors, and they see every item");
    /// }
    /// # }
    /// ```
    pub fn shows_items_to_interceptors(&self) -> bool {
        self.handle.format == ItemFormat::Maps
    }

    /// Writes and reads items as bytes although the client has interceptors: they see empty items in requests, and none in responses.
    /// Right for interceptors that look at neither, such as one that adds a header. **One that encrypts does not encrypt what is
    /// written through this handle.**
    pub fn hide_items_from_interceptors(mut self) -> Self {
        self.handle.format = ItemFormat::Bytes;
        self
    }

    /// Seals the cursors of this handle, so that clients cannot change them or, if the secret encrypts, read them.
    #[cfg(feature = "cursor-secret")]
    pub fn with_cursor_secret(mut self, secret: CursorSecret) -> Self {
        self.handle.cursor_secret = Some(secret);
        self
    }

    /// Shows the values of keys in the spans of this handle's requests, as `dyna.keys`. They may be personal data.
    #[cfg(feature = "tracing")]
    pub fn trace_keys(mut self) -> Self {
        self.handle.traced = self.handle.traced.with_keys();
        self.handle.client = self.handle.traced.client();
        self
    }

    /// Records the consumed capacity of each request in its span, as `aws.dynamodb.consumed_capacity`.
    #[cfg(feature = "tracing")]
    pub fn trace_capacity(mut self) -> Self {
        self.handle.traced = self.handle.traced.with_capacity();
        self.handle.client = self.handle.traced.client();
        self
    }

    /// A handle on the same table whose requests report the capacity that they consume, and the meter that adds it up: gets, writes,
    /// batches, transactions, queries and scans, with all calls that each of them makes. DynamoDB is asked for it.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> dyna_runtime::Result<()> {
    /// # let db = User::embedded().await?;
    /// let (metered, meter) = db.metered();
    /// User { id: "ann".to_owned() }.put().send(&metered).await?;
    /// assert!(meter.take().write >= 1.0);
    /// User::get("ann").send(&metered).await?;
    /// assert!(meter.consumed().read >= 0.5);
    /// # Ok(()) }
    /// ```
    ///
    /// A failed request consumes capacity too, which DynamoDB does not tell.
    pub fn metered(&self) -> (Self, CapacityMeter) {
        let (mut table, meter) = (self.clone(), CapacityMeter::default());
        table.handle.meter(&meter);
        (table, meter)
    }

    /// Sets the clock for timestamps and expiry, instead of the clock of the machine.
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.handle.clock = Arc::new(clock);
        self
    }

    /// The client that reads the table's stream: [`changes`](Self::changes). A table in the embedded engine has one.
    #[cfg(feature = "streams")]
    pub fn with_streams_client(mut self, client: aws_sdk_dynamodbstreams::Client) -> Self {
        self.handle.streams_client = Some(client);
        self
    }

    /// Compares the keys of every entity that this handle reads, those of the table and of the entity's indexes, with the keys that its
    /// fields make. An item whose key and attributes disagree is then a [misfit](Error::Misfit): putting it back would make a second
    /// item, or leave it in an index where it does not belong.
    ///
    /// It costs some per cent of the decoding. Projections may lack fields of the keys, so they cannot be checked: to read one is
    /// [an error](Error::ProjectionUnchecked). An item that a write returns is checked too: the error is then
    /// [`Applied`](Error::Applied). `count()` reads whole items to check them. [`from_item`](DynaTable::from_item) and
    /// [`current_item`](Error::current_item) have no handle and check nothing: see [`read_item`](Self::read_item).
    pub fn check_keys(mut self) -> Self {
        self.handle.check_keys = true;
        self
    }

    /// Reads an item of the table, such as one of its stream, as the requests of this handle do.
    pub fn read_item(&self, item: Item) -> Result<T> {
        T::read(ItemSource::map(item).check_keys(self.handle.check_keys))
    }

    /// The untyped part, for requests.
    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// The client; with the feature `tracing`, yours with a span for each request.
    pub fn client(&self) -> &Client {
        &self.handle.client
    }

    /// The name of the table.
    pub fn name(&self) -> Result<&str> {
        self.handle.name()
    }
}

impl Handle {
    fn open(
        client: Client,
        schema: &'static TableSchema,
        entities: &'static [&'static EntityMeta],
    ) -> Self {
        let format = format_for(&client);
        #[cfg(feature = "tracing")]
        let traced = crate::trace::Traced::new(client, schema);
        #[cfg(feature = "tracing")]
        let client = traced.client();
        Self {
            schema,
            entities,
            client,
            format,
            name: schema.name.to_owned(),
            problem: None,
            cursor_secret: None,
            clock: Arc::new(SystemTime::now),
            check_keys: false,
            #[cfg(feature = "streams")]
            streams_client: None,
            #[cfg(feature = "tracing")]
            traced,
        }
    }

    #[cfg(feature = "embedded")]
    fn set_all_variables(&mut self, value: &str) {
        while let Some(variable) = missing_variable(&self.name) {
            let placeholder = format!("{{{variable}}}");
            self.name = self.name.replace(&placeholder, value);
        }
    }

    fn set_variable(&mut self, variable: &str, value: &str) {
        let placeholder = format!("{{{variable}}}");
        let problem = if !self.schema.name.contains(&placeholder) {
            Some(format!("its name has no variable `{placeholder}`"))
        } else if !self.name.contains(&placeholder) {
            Some(format!("the variable `{placeholder}` has a value already"))
        } else {
            problem_of_value(&placeholder, value)
        };
        match problem {
            None => self.name = self.name.replace(&placeholder, value),
            Some(problem) => _ = self.problem.get_or_insert(problem),
        }
    }

    #[cfg(feature = "tracing")]
    fn meter(&mut self, meter: &CapacityMeter) {
        let traced = self.traced.clone();
        self.traced = traced.with_client(|client| meter.client(client));
        self.client = self.traced.client();
    }

    #[cfg(not(feature = "tracing"))]
    fn meter(&mut self, meter: &CapacityMeter) {
        self.client = meter.client(&self.client);
    }

    pub(crate) fn schema(&self) -> &'static TableSchema {
        self.schema
    }

    pub(crate) fn entities(&self) -> &'static [&'static EntityMeta] {
        self.entities
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn format(&self) -> ItemFormat {
        self.format
    }

    pub(crate) fn cursor_secret(&self) -> Option<&CursorSecret> {
        self.cursor_secret.as_ref()
    }

    #[cfg(feature = "streams")]
    pub(crate) fn streams_client(&self) -> Option<&aws_sdk_dynamodbstreams::Client> {
        self.streams_client.as_ref()
    }

    pub(crate) fn checks_keys(&self) -> bool {
        self.check_keys
    }

    pub(crate) fn now(&self) -> SystemTime {
        (self.clock)()
    }

    /// The name of the table.
    pub(crate) fn name(&self) -> Result<&str> {
        let problem = match (&self.problem, missing_variable(&self.name)) {
            (Some(problem), _) => problem.clone(),
            (None, Some(missing)) => {
                format!(
                    "the variable `{{{missing}}}` has no value: open it with `.with_variable(\"{missing}\", ..)`"
                )
            }
            (None, None) if (3..=255).contains(&self.name.len()) => return Ok(&self.name),
            (None, None) => format!(
                "the name has {} characters, and DynamoDB allows 3 to 255",
                self.name.len()
            ),
        };
        Err(Error::TableName {
            name: self.schema.name,
            problem,
        })
    }
}

/// As maps, if someone is to see them.
fn format_for(client: &Client) -> ItemFormat {
    // Our own looks at no items.
    #[cfg(feature = "tracing")]
    let is_ours = |name: &str| name == crate::trace::NAME;
    #[cfg(not(feature = "tracing"))]
    let is_ours = |_: &str| false;
    let config = client.config();
    let mut names = config.interceptors().map(|interceptor| interceptor.name());
    if names.all(is_ours) {
        ItemFormat::Bytes
    } else {
        ItemFormat::Maps
    }
}

fn missing_variable(name: &str) -> Option<&str> {
    let (_, after) = name.split_once('{')?;
    after.split_once('}').map(|(variable, _)| variable)
}

/// Why a table name cannot have the value of a variable in it.
fn problem_of_value(placeholder: &str, value: &str) -> Option<String> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if value.is_empty() {
        return Some(format!("the value of `{placeholder}` is empty"));
    }
    let other = value.chars().find(|c| !is_allowed(*c))?;
    Some(format!(
        "the value of `{placeholder}` contains {other:?}, and a table name has only letters, digits, `_`, `-` and `.`"
    ))
}
