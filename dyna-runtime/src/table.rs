//! The handle on a table, and the proof that its entities can share it.

use crate::codec::Item;
use crate::codec::wire::Found;
use crate::cursor::CursorSecret;
use crate::entity::EntityMeta;
use crate::error::{Error, Result};
use crate::owner;
use crate::schema::{Schema, TableSchema};
use aws_sdk_dynamodb::Client;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::SystemTime;

/// The entities of a table. Derived on the enum that lists them, never written by hand.
///
/// See the [crate documentation](crate) for the attribute and what it generates.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table",
    label = "this type does not derive `DynaTable`"
)]
pub trait DynaTable: Sized + 'static {
    /// The table itself. It is the enum, unless the table is declared in another crate.
    type Schema: Schema;

    /// The entities, in the order of the variants.
    const ENTITIES: &'static [&'static EntityMeta];

    /// Reads an item of the table, such as one of a scan or of its stream. The tag says of which entity it is, or the
    /// shape of its key if it has none. Fails if the key does not fit the templates of the entity that the tag names, and, unless the
    /// table has a variant `#[dyna(unknown)]`, if the item is of no entity of the table.
    fn from_item(item: Item) -> Result<Self> {
        Self::read(Found::map(item))
    }

    /// The same of an item that was found.
    #[doc(hidden)]
    fn read(item: Found<'_, '_>) -> Result<Self>;

    /// The item that would be stored.
    fn to_item(&self) -> Result<Item>;
}

/// Which of these entities an item is of: its tag says so, or without one the shape of its key.
#[doc(hidden)]
pub fn which(entities: &[&'static EntityMeta], item: &Found<'_, '_>) -> Result<usize> {
    owner::which(entities, item).map_err(|error| {
        error.unwrap_or_else(|| {
            let schema = entities.first().map(|entity| entity.schema);
            owner::unknown(schema.unwrap_or(&TableSchema::BROKEN), item)
        })
    })
}

/// The same, for a table with a variant for all other items.
#[doc(hidden)]
pub fn which_or_unknown(
    entities: &[&'static EntityMeta],
    item: &Found<'_, '_>,
) -> Result<Option<usize>> {
    match owner::which(entities, item) {
        Ok(at) => Ok(Some(at)),
        Err(None) => Ok(None),
        Err(Some(error)) => Err(error),
    }
}

/// An item of no entity, as it is.
#[doc(hidden)]
pub fn unknown<T: DynaTable>(item: Found<'_, '_>) -> Result<Item> {
    let error = item.as_map().is_none();
    let error = error.then(|| owner::unknown(<T::Schema as Schema>::SCHEMA, &item));
    // What fails in another form is read again as a map.
    match (error, item.into_map()) {
        (Some(error), _) => Err(error),
        (None, item) => Ok(item.unwrap_or_default()),
    }
}

/// A table that lists the entity `E`, so that `E`'s keys are proved to be no other entity's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not list `{E}`, so the keys of `{E}` have not been checked against those of the table's other entities",
    label = "not an entity of `{Self}`",
    note = "add a variant `{E}({E})` to `{Self}`, or use the handle of the table that `{E}` belongs to"
)]
pub trait Lists<E>: DynaTable {
    /// How far other entities reach into the queries of `E`.
    #[doc(hidden)]
    const FOREIGN: crate::proof::Foreign;

    /// The place of `E` among its entities.
    #[doc(hidden)]
    const AT: usize = usize::MAX;
}

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
/// let db = User::open(client).with("stage", "prod");
/// let user = User::get("ann").send(&db).await?;
/// # Ok(()) }
/// ```
pub struct Table<T> {
    client: Client,
    /// The name, with the variables that have a value put in.
    name: String,
    /// What is wrong with a variable that was given.
    problem: Option<String>,
    cursor_secret: Option<CursorSecret>,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    /// Whether the keys of what is read are compared with what its attributes make.
    check_keys: bool,
    /// What the client is made from.
    #[cfg(feature = "tracing")]
    traced: crate::trace::Traced,
    entities: PhantomData<fn() -> T>,
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self {
            client: self.client.clone(),
            name: self.name.clone(),
            problem: self.problem.clone(),
            cursor_secret: self.cursor_secret.clone(),
            clock: Arc::clone(&self.clock),
            check_keys: self.check_keys,
            #[cfg(feature = "tracing")]
            traced: self.traced.clone(),
            entities: PhantomData,
        }
    }
}

impl<T> std::fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Table").field(&self.name).finish()
    }
}

impl<T: DynaTable> Table<T> {
    pub(crate) const SCHEMA: &'static TableSchema = <T::Schema as Schema>::SCHEMA;

    /// Opens the table with your own client. No request is made.
    pub fn open(client: Client) -> Self {
        #[cfg(feature = "tracing")]
        let traced = crate::trace::Traced::new(client, Self::SCHEMA);
        #[cfg(feature = "tracing")]
        let client = traced.client();
        Self {
            client,
            name: Self::SCHEMA.name.to_owned(),
            problem: None,
            cursor_secret: None,
            clock: Arc::new(SystemTime::now),
            check_keys: false,
            #[cfg(feature = "tracing")]
            traced,
            entities: PhantomData,
        }
    }

    /// Opens the table in a new in-process engine, where it is created.
    #[cfg(feature = "embedded")]
    pub async fn embedded() -> Result<Self> {
        Self::embedded_in(&crate::embedded::Embedded::in_memory()?).await
    }

    /// Opens the table in an in-process engine of yours, where it is created. Variables of its name have the value `embedded`.
    #[cfg(feature = "embedded")]
    pub async fn embedded_in(engine: &crate::embedded::Embedded) -> Result<Self> {
        let mut table = Self::open(engine.client());
        while let Some(variable) = missing_variable(&table.name) {
            let placeholder = format!("{{{variable}}}");
            table.name = table.name.replace(&placeholder, "embedded");
        }
        table.create_table().await?;
        Ok(table)
    }

    /// Gives a variable of the table's name its value: `{stage}` in `"chat-{stage}"`.
    pub fn with(mut self, variable: &str, value: &str) -> Self {
        let placeholder = format!("{{{variable}}}");
        if self.name.contains(&placeholder) {
            self.name = self.name.replace(&placeholder, value);
        } else if Self::SCHEMA.name.contains(&placeholder) {
            self.problem = Some(format!("the variable `{placeholder}` has a value already"));
        } else {
            self.problem = Some(format!("its name has no variable `{placeholder}`"));
        }
        self
    }

    /// Seals the cursors of this handle, so that clients cannot change them or, if the secret encrypts, read them.
    #[cfg(feature = "cursor-secret")]
    pub fn with_cursor_secret(mut self, secret: CursorSecret) -> Self {
        self.cursor_secret = Some(secret);
        self
    }

    /// Shows the values of keys in the spans of this handle's requests, as `dyna.keys`. They may be personal data.
    #[cfg(feature = "tracing")]
    pub fn trace_keys(mut self) -> Self {
        self.traced = self.traced.with_keys();
        self.client = self.traced.client();
        self
    }

    /// Has DynamoDB say what each request costs, and shows it in the spans of this handle's requests, as
    /// `aws.dynamodb.consumed_capacity`.
    #[cfg(feature = "tracing")]
    pub fn trace_capacity(mut self) -> Self {
        self.traced = self.traced.with_capacity();
        self.client = self.traced.client();
        self
    }

    pub(crate) fn cursor_secret(&self) -> Option<&CursorSecret> {
        self.cursor_secret.as_ref()
    }

    /// Tells the time that writes fill in and that expiry is measured by, instead of the clock of the machine.
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Compares the keys of every entity that this handle reads, those of the table and of the entity's indexes, with the keys that its
    /// fields make. An item whose key and attributes disagree is then a [misfit](Error::Misfit): putting it back would make a second
    /// item, or leave it in an index where it does not belong.
    ///
    /// It costs some per cent of the decoding. Projections are not checked, since fields may be missing; nor is
    /// [`from_item`](DynaTable::from_item), which has no handle: see [`read_item`](Self::read_item).
    pub fn check_keys(mut self) -> Self {
        self.check_keys = true;
        self
    }

    pub(crate) fn checks_keys(&self) -> bool {
        self.check_keys
    }

    /// Reads an item of the table, such as one of its stream, as the requests of this handle do.
    pub fn read_item(&self, item: Item) -> Result<T> {
        T::read(Found::map(item).check_keys(self.check_keys))
    }

    pub(crate) fn now(&self) -> SystemTime {
        (self.clock)()
    }

    /// The client; with the feature `tracing`, yours with a span for each request.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The name of the table.
    pub fn name(&self) -> Result<&str> {
        let problem = match (&self.problem, missing_variable(&self.name)) {
            (Some(problem), _) => problem.clone(),
            (None, Some(missing)) => {
                format!(
                    "the variable `{{{missing}}}` has no value: open it with `.with(\"{missing}\", ..)`"
                )
            }
            (None, None) => return Ok(&self.name),
        };
        Err(Error::TableName {
            name: Self::SCHEMA.name,
            problem,
        })
    }
}

fn missing_variable(name: &str) -> Option<&str> {
    let (_, after) = name.split_once('{')?;
    after.split_once('}').map(|(variable, _)| variable)
}
