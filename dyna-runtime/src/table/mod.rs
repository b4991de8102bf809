//! The handle on a table, and the proof that its entities can share it.

use crate::codec::Item;
use crate::codec::wire::Found;
use crate::cursor::CursorSecret;
use crate::derived::Derived;
use crate::entity::Entity;
use crate::entity::EntityMeta;
use crate::entity::owner;
use crate::error::{Error, Result};
use crate::proof::Foreign;
use crate::schema::{Schema, TableSchema};
use crate::transport::Form;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::Intercept;
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
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

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

    /// The entity that an item of the table is of. The tag says so, or the shape of its key if it has none. Fails if the key does not fit
    /// the templates of the entity that the tag names, and if the item is of no entity of the table.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # fn main() -> dyna_runtime::Result<()> {
    /// # let user = User { id: "ann".into() };
    /// let item = <User as DynaTable>::to_item(&user)?;
    /// assert_eq!(User::entity_of(&item)?.name, "User");
    ///
    /// let empty = dyna_runtime::codec::Item::new();
    /// let error = User::entity_of(&empty).unwrap_err();
    /// assert!(matches!(error, dyna_runtime::Error::UnknownItem { .. }));
    /// # Ok(()) }
    /// ```
    fn entity_of(item: &Item) -> Result<&'static EntityMeta> {
        let at = which(Self::ENTITIES, &Found::borrowed(item))?;
        Ok(Self::ENTITIES[at])
    }

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

/// What the variant `#[dyna(unknown)]` holds: an item as it is.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the variant for unknown items holds an item, not a `{Self}`",
    label = "its type is `dyna_runtime::codec::Item`"
)]
pub trait UnknownItem {
    fn of_item(item: Item) -> Self;
    fn to_item(&self) -> Item;
}

impl UnknownItem for Item {
    fn of_item(item: Item) -> Self {
        item
    }

    fn to_item(&self) -> Item {
        self.clone()
    }
}

/// An item of no entity.
#[doc(hidden)]
pub fn unknown<T: DynaTable, I: UnknownItem>(item: Found<'_, '_>) -> Result<I> {
    let error = item.as_map().is_none();
    let error = error.then(|| owner::unknown(<T::Schema as Schema>::SCHEMA, &item));
    // What fails in another form is read again as a map.
    match (error, item.into_map()) {
        (Some(error), _) => Err(error),
        (None, item) => Ok(I::of_item(item.unwrap_or_default())),
    }
}

/// A table that lists the entity `E`, so that `E`'s keys are proved to be no other entity's.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not list `{E}`, so the keys of `{E}` have not been checked against those of the table's other entities",
    label = "not an entity of `{Self}`",
    note = "add a variant `{E}({E})` to `{Self}`, or use the handle of the table that `{E}` belongs to"
)]
pub trait HasEntity<E>: DynaTable {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// How far other entities reach into the queries of `E`.
    #[doc(hidden)]
    const FOREIGN: crate::proof::Foreign;

    /// The place of `E` among its entities.
    #[doc(hidden)]
    const AT: usize = usize::MAX;
}

/// What a query reads from a table: an entity that the table lists, or a collection of such.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not stored in `{T}`",
    label = "neither an entity of `{T}` nor a collection of its entities"
)]
pub trait StoredIn<T> {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// How far other entities reach into its queries.
    #[doc(hidden)]
    const FOREIGN: Foreign;
}

impl<T: HasEntity<E>, E: Entity> StoredIn<T> for E {
    const ONLY_BY_DERIVE: Derived = Derived;
    const FOREIGN: Foreign = <T as HasEntity<E>>::FOREIGN;
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
/// let db = User::open(client).with_variable("stage", "prod");
/// let user = User::get("ann").send(&db).await?;
/// # Ok(()) }
/// ```
pub struct Table<T> {
    handle: Handle,
    entities: PhantomData<fn() -> T>,
}

/// What of an open table does not depend on its type: all that requests need of it.
#[derive(Clone)]
pub(crate) struct Handle {
    schema: &'static TableSchema,
    /// All entities of the table.
    entities: &'static [&'static EntityMeta],
    client: Client,
    /// In which form items go through it.
    form: Form,
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
        if self.handle.form == Form::Maps {
            f.field(&format_args!("shows items to interceptors"));
        }
        f.finish()
    }
}

impl<T: DynaTable> Table<T> {
    pub(crate) const SCHEMA: &'static TableSchema = <T::Schema as Schema>::SCHEMA;

    /// Opens the table with your own client. No request is made.
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
        self.handle.form == Form::Maps
    }

    /// Writes and reads items as bytes although the client has interceptors: they see empty items in requests, and none in responses.
    /// Right for interceptors that look at neither, such as one that adds a header. **One that encrypts does not encrypt what is
    /// written through this handle.**
    pub fn hide_items_from_interceptors(mut self) -> Self {
        self.handle.form = Form::Bytes;
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

    /// Has DynamoDB say what each request costs, and shows it in the spans of this handle's requests, as
    /// `aws.dynamodb.consumed_capacity`.
    #[cfg(feature = "tracing")]
    pub fn trace_capacity(mut self) -> Self {
        self.handle.traced = self.handle.traced.with_capacity();
        self.handle.client = self.handle.traced.client();
        self
    }

    /// Tells the time that writes fill in and that expiry is measured by, instead of the clock of the machine.
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.handle.clock = Arc::new(clock);
        self
    }

    /// Compares the keys of every entity that this handle reads, those of the table and of the entity's indexes, with the keys that its
    /// fields make. An item whose key and attributes disagree is then a [misfit](Error::Misfit): putting it back would make a second
    /// item, or leave it in an index where it does not belong.
    ///
    /// It costs some per cent of the decoding. Projections are not checked, since fields may be missing; nor is
    /// [`from_item`](DynaTable::from_item), which has no handle: see [`read_item`](Self::read_item).
    pub fn check_keys(mut self) -> Self {
        self.handle.check_keys = true;
        self
    }

    /// Reads an item of the table, such as one of its stream, as the requests of this handle do.
    pub fn read_item(&self, item: Item) -> Result<T> {
        T::read(Found::map(item).check_keys(self.handle.check_keys))
    }

    /// What requests need of it.
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
        let form = form_for(&client);
        #[cfg(feature = "tracing")]
        let traced = crate::trace::Traced::new(client, schema);
        #[cfg(feature = "tracing")]
        let client = traced.client();
        Self {
            schema,
            entities,
            client,
            form,
            name: schema.name.to_owned(),
            problem: None,
            cursor_secret: None,
            clock: Arc::new(SystemTime::now),
            check_keys: false,
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

    pub(crate) fn schema(&self) -> &'static TableSchema {
        self.schema
    }

    pub(crate) fn entities(&self) -> &'static [&'static EntityMeta] {
        self.entities
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn form(&self) -> Form {
        self.form
    }

    pub(crate) fn cursor_secret(&self) -> Option<&CursorSecret> {
        self.cursor_secret.as_ref()
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
fn form_for(client: &Client) -> Form {
    // Our own looks at no items.
    #[cfg(feature = "tracing")]
    let is_ours = |name: &str| name == crate::trace::NAME;
    #[cfg(not(feature = "tracing"))]
    let is_ours = |_: &str| false;
    let config = client.config();
    let mut names = config.interceptors().map(|interceptor| interceptor.name());
    if names.all(is_ours) {
        Form::Bytes
    } else {
        Form::Maps
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
