//! DynamoDB keys, indexes and queries for Rust structs, checked at compile time.
//!
//! ```
//! use dyna_runtime::{DynaEntity, DynaTable};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(DynaTable)]
//! #[dyna(name = "chat-{stage}", pk = "pk", sk = "sk", tag = "entityType", index(gsi1, pk = "gsi1pk", sk = "gsi1sk"))]
//! pub enum Chat {
//!     Message(Message),
//! }
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize, DynaEntity)]
//! #[dyna(
//!     table = Chat,
//!     pk = "CHANNEL#<channel_id>",
//!     sk = "MSG#<sent_ms:013>#<message_id>",
//!     gsi1(as = by_id, pk = "MSG#<message_id>", sk = "CHANNEL#<channel_id>"),
//! )]
//! pub struct Message {
//!     pub channel_id: String,
//!     pub sent_ms: u64,
//!     pub message_id: String,
//!     pub content: String,
//! }
//!
//! # async fn run(client: aws_sdk_dynamodb::Client) -> dyna_runtime::Result<()> {
//! let db = Chat::open(client).with_variable("stage", "prod");
//! let message = Message::get("general", 1_735_257_600_000, "m1").send(&db).await?;
//! let newest = Message::query("general").descending().limit(50).send(&db).await?;
//! let since = Message::query("general").sent_ms_range(1_735_257_600_000..).all(&db).await?;
//! let greetings = Message::query("general").filter(Message::CONTENT.contains("hello")).all(&db).await?;
//! let by_id = Message::by_id("m1").one(&db).await?;
//! # Ok(()) }
//! ```
//!
//! # What is generated
//!
//! `#[derive(DynaEntity)]` gives a struct these functions; each returns a request, a plain value that runs with `send(&db)` and
//! shows what it asks with `explain()`:
//!
//! | function | takes | returns |
//! |---|---|---|
//! | `key` | the fields of `pk` and `sk`, in order | [`Key`] |
//! | `get` | the same | [`Get`] |
//! | `update`, `upsert` | the same | [`Update`] |
//! | `delete` | the same | [`Delete`] |
//! | `update_loaded`, `delete_loaded` | an entity that was loaded | [`Update`], [`Delete`] |
//! | `check` | the same | [`ConditionCheck`], for [transactions](Table::transact) |
//! | `put`, `create`, `replace` | `&self` | [`Put`] |
//! | `rekey` | a [`Key`] and the entity with its new key | [`Rekey`] |
//! | `rekey_loaded` | an entity that was loaded and the one with its new key | [`Rekey`] |
//! | `scan` | nothing | [`Scan`] |
//! | `query` | the fields of `pk` | [`Query`], if the sort key has fields |
//! | the `as` name of an index | the fields of the index's `pk` | [`Query`] |
//! | `query_many`, `by_id_many` | a list of what `query`, `by_id` takes | [`Query`] over several partitions |
//! | `parse_key` | a stored `pk` and `sk` | the fields, if each can be read back |
//!
//! and one [`Field`] constant per field: `Message::CONTENT`, from which [filters and conditions](expr) are made, and which [updates](Update) set. An index
//! key that is not the field itself has a setter for all fields that it is made of: `by_owner` is set by `.set_by_owner(..)`.
//!
//! Reads yield whole entities, or with `.project::<P>()` a [projection](DynaProjection): some of their fields.
//! Several entities that share a partition are read together as a [collection](DynaCollection), whose one option is `index = gsi1`.
//!
//! # Options of an entity
//!
//! | option | meaning |
//! |---|---|
//! | `table = Chat` | the table it is stored in, which must list it |
//! | `table(name = "..", pk = "..")` | it is its own table: derive `DynaTable` too; takes the options of a table |
//! | `pk = ".."`, `sk = ".."` | the templates of the primary key |
//! | `gsi1(as = by_id, pk = "..", sk = "..")` | it is in the index `gsi1` of its table, and `by_id` queries it; a key with several attributes has a template for each, `pk = ["<cup>", "<region>"]` |
//! | `tag = "Message"` | what the tag attribute says; the name of the struct by default |
//! | `delimiter = ":"` | what separates the fields of keys; `#` by default, and the same as its table's |
//! | `nulls = "store"` | stores `None` as NULL, as below; also on a field, for what is in it |
//! | `crate = path` | this crate under another name |
//! | `#[dyna(key_only)]` on a field | stored in the key alone, and read back from it |
//! | `#[dyna(version)]` | counts writes, from 1; a write that replaces another version fails with [`is_version_conflict`](Error::is_version_conflict). `create` ignores the version that the entity brings. At the maximum of its type an item can be deleted, but not written again |
//! | `#[dyna(created_at)]`, `#[dyna(updated_at)]` | filled in with the time, of a [`TimestampField`](managed::TimestampField) type: the first when an item is known to be new, by `create`, `upsert` or a version of zero, the second by every write |
//! | `#[dyna(ttl)]` | when the item expires, as a [`TtlField`](managed::TtlField) type: the `ttl` attribute of the table follows it |
//! | `#[dyna(unique)]` | no two items of the entity have the same value; a second one fails with [`is_not_unique`](Error::is_not_unique). Text is compared byte by byte, numbers by value. With `ttl`, the values expire with their item: an expired item no longer has them, and the `ttl` field is changed by `update_loaded` alone. Where that field is a duration, it starts again when a unique value changes |
//!
//! # Options of a table
//!
//! | option | meaning |
//! |---|---|
//! | `name = "chat-{stage}"` | its name; [`Table::with_variable`] gives `{stage}` a value |
//! | `pk = "pk"`, `sk = "sk"` | its key attributes: `"name"`, `number("name")` or `binary("name")` |
//! | `index(gsi1, name = "GSI-1", pk = "..", sk = "..", projection = "all")` | a global secondary index; `name` if it is not the identifier; the projection may be `"keys_only"` or `include("a", "b")` |
//! | `index(by_round, pk = ["cup", "region"], sk = [number("round"), "bracket"])` | a global secondary index whose keys have up to four attributes each |
//! | `local_index(by_date, sk = "..")` | a local secondary index |
//! | `tag = "entityType"` | the attribute that says of which entity an item is |
//! | `ttl = "ttl"` | the attribute with the time of expiry |
//! | `stream = "new_and_old_images"` | what its stream carries: also `"keys_only"`, `"new_image"`, `"old_image"` |
//! | `billing = provisioned(read = 5, write = 5)` | what is provisioned for it, and for each global index that says nothing else; `"on_demand"` by default |
//! | `class = "infrequent_access"` | what its storage costs; `"standard"` by default |
//! | `deletion_protection`, `point_in_time_recovery` | turned on |
//! | `encryption = kms("alias/chat")` | whose key encrypts it; also `"aws_managed"`, and `"aws_owned"` by default |
//! | `tags(team = "chat", "cost-center" = "42")` | its AWS tags |
//! | `nulls = "store"` | stores `None` as NULL in all of its entities |
//! | `#[dyna(unknown)]` on a variant `Other(codec::Item)` | takes the items of no entity, as they are, when the whole table is read |
//! | `delimiter`, `crate` | as for an entity |
//! | `schema = base::Chat` | the table is declared in another crate, as below |
//!
//! # Options of a projection
//!
//! | option | meaning |
//! |---|---|
//! | `of = Message` | the entity, or the nested struct, whose fields it has |
//! | `index = gsi1` | it can be read through this index, which holds only some attributes; may be repeated |
//! | `crate = path` | as for an entity |
//! | `#[dyna(nested)]` on a field | a nested struct of which a part is read: the type of the field is a projection of it |
//!
//! # Templates
//!
//! | placeholder | is |
//! |---|---|
//! | `<field>`, `<data.email>` | the field, or a field of a nested struct that derives `DynaFields` |
//! | `<n:013>` | an unsigned integer, padded with zeros to 13 digits; more digits are an error of the request |
//! | `<at:len=24>` | text of exactly 24 bytes |
//! | `<at:%Y-%m>` | a date or time in that layout: `%Y %m %d %H %M %S %3f %6f %9f %j` |
//! | <code><email\|lower></code> | a function, applied when items are written and when they are looked up: `lower`, `upper`, `sha256`, `shard(16)`, or the path of a `fn(&T) -> impl KeyPart` |
//! | `<path..>` | text that may contain the delimiter; last in its template |
//! | `<<` | the character `<` |
//!
//! A partition key, and a sort key, has at most eight placeholders.
//!
//! A template that is exactly `<field>`, on the key attribute that the field is stored in, is native: nothing is stored twice, and a
//! number stays a number. An index may use the attributes of the table's own key, or the tag: every key that shares an attribute has the
//! same template for it.
//!
//! A field that is an `Option` may stand in an index: without a value the item is left out of that index.
//!
//! # Absent values
//!
//! `None` in a struct, at any depth, is not stored; in a list, as the value of a map and as the content of an enum's variant it is NULL,
//! because without it the value would be another one. NULL and absent are read alike, and [conditions](expr) do not tell them apart.
//! With `nulls = "store"` it is stored as NULL, but never in an attribute of a key or as the time of expiry.
//!
//! A field that serde reads by a function (`with`, `deserialize_with`) is not there to serde when it is not stored. Dyna reads it as NULL; in
//! a nested struct this takes another attempt, which `#[serde(default)]` on the field saves. The variants of an `untagged` enum need that
//! `default`: serde tries the next one without a word.
//!
//! A field with `#[serde(alias = "..")]` may be stored under another name. Reads, conditions and projections look under all of them.
//! Setting and removing the field removes the other names; what DynamoDB would change in place (`add`, `append`, `set_if_missing`, a field
//! inside of it) it would not find there, and the update fails with [`Error::StoredOtherwise`].
//!
//! # Items of other software
//!
//! A table may hold items of older and newer programs, and of other software. Every read judges an item by its tag and its key:
//!
//! | item | tag | key | reads of the entity, collections | whole table |
//! |---|---|---|---|---|
//! | ours | the entity's, or none | fits its templates | yielded | yielded |
//! | foreign | another listed entity's | or without a tag, fits that one's | left out | yielded as that |
//! | unknown | no listed entity's | or without a tag, fits none | left out | the variant `#[dyna(unknown)]`, or [`Error::UnknownItem`] |
//! | misfit | the entity's | does not fit | [`Error::Misfit`] | [`Error::Misfit`] |
//!
//! [`Page::skipped`] says how many items were left out, as far as DynamoDB returned them. `skip_unknown` of a table's [`Scan`] leaves out
//! unknown items; `skip_unreadable` of a [`Query`] or a [`Scan`] collects misfits and items that do not decode, as errors with their keys. A
//! stream yields such errors and goes on.
//!
//! Of a table without a tag, and through an index that does not hold the tag, the key alone decides. A tag that is NULL
//! is none.
//!
//! # Entities in several crates
//!
//! An entity names its table, and the table lists its entities. If they live in several crates, declare the table in a crate below
//! all of them, and list the entities in a crate above:
//!
//! ```
//! # mod base {
//! // in the crate `base`
//! #[derive(dyna_runtime::DynaTable)]
//! #[dyna(name = "chat", pk = "pk", sk = "sk")]
//! pub struct Chat;
//! # }
//! # mod users {
//!
//! // in the crate `users`, with entities such as
//! #[derive(serde::Serialize, serde::Deserialize, dyna_runtime::DynaEntity)]
//! # #[dyna(table = super::base::Chat, pk = "USER#<id>", sk = "PROFILE")]
//! # /*
//! #[dyna(table = base::Chat, pk = "USER#<id>", sk = "PROFILE")]
//! # */
//! pub struct User {
//!     pub id: String,
//! }
//! # }
//!
//! // in the crate that opens the table: `ChatItem::open(client)`
//! #[derive(dyna_runtime::DynaTable)]
//! #[dyna(schema = base::Chat)]
//! pub enum ChatItem {
//!     User(users::User),
//! }
//! # fn main() {}
//! ```
//!
//! # Features
//!
//! `derive` (default): the derives. `embedded`: an in-process engine, for tests and demos. `uuid`, `ulid`, `jiff`, `chrono`, `time`:
//! their types in keys. `rust_decimal`: its `Decimal` as a number. `cursor-secret`: authenticated and encrypted cursors. `tracing`: a span for each request, under the names of
//! OpenTelemetry, with what it asks, how many items DynamoDB looked at and why it failed; [`Table`] has switches for what it cost and for
//! the values of keys.
//!
//! The package `dyna-cli` prints the tables as CloudFormation, Terraform, Markdown and more, and creates and verifies them from the command
//! line.

pub mod admin;
pub mod codec;
mod cursor;
mod derived;
#[cfg(feature = "embedded")]
pub mod embedded;
pub mod entity;
pub mod error;
pub mod expr;
pub mod key;
pub mod managed;
mod proof;
mod read;
pub mod request;
pub mod schema;
pub mod serde;
pub mod shape;
mod table;
#[cfg(feature = "tracing")]
mod trace;
mod transport;
mod write;

pub use cursor::Cursor;
#[cfg(feature = "cursor-secret")]
pub use cursor::CursorSecret;
#[cfg(feature = "derive")]
#[doc(inline)]
pub use dyna_derive::{DynaCollection, DynaEntity, DynaFields, DynaProjection, DynaTable, KeyPart};
pub use entity::Key;
pub use entity::collection::DynaCollection;
pub use entity::projection::{DynaFields, DynaProjection};
pub use error::{Error, Result};
pub use expr::{Condition, Field};
pub use key::{KeyBuf, KeyPart, Ordered, StoredKey};
pub use read::{ItemStream, Page};
pub use request::{
    BatchGet, BatchGetOutput, BatchWrite, ConditionCheck, Delete, DynaEntity, EntityQuery, Explain,
    Get, Put, Query, Rekey, Scan, TransactWrite, Update,
};
pub use table::{DynaTable, Table};
pub use transport::ResponseFuture;

/// What generated code names. Not part of the API.
#[doc(hidden)]
pub mod __private {
    pub use crate::codec::form::{Bytes, Opaque, Plain, unknown};
    pub use crate::codec::wire::Found as FoundItem;
    pub use crate::codec::{
        Flattened, Item, NameWriter, Nulls, ValueReader, ValueWriter, declared_by, from_value,
        stored, to_value,
    };
    pub use crate::derived::Derived;
    pub use crate::entity::changes::{Changes, IndexFields, NoSetters, Setters};
    pub use crate::entity::collection::{CollectionMeta, DynaCollection};
    pub use crate::entity::projection::{
        CoveredBy, DynaFields, DynaProjection, ProjectedField, ProjectionMeta, View, narrowed,
        project, same,
    };
    pub use crate::entity::{
        BatchWritable, Entity, EntityMeta, Expiring, FieldMeta, IndexMeta, Key, KeyField,
        KeyReader, KeyWriter, Replaceable, deserialize, parse_key, serialize,
    };
    pub use crate::error::{Error, Result};
    pub use crate::expr::form::StoredBy;
    pub use crate::expr::kind::{KindOf, UnknownKind};
    pub use crate::expr::role::{
        Free, InIndex, InKeptIndex, InKey, Kept as KeptField, Loaded, Unique as UniqueField,
        UniqueExpiry,
    };
    pub use crate::expr::{Field, IntoFieldValue};
    pub use crate::key::{
        AsKeyPart, AsValue, DatePart, FinalRange, Found, Function, IndexOf, KeyBuf, KeyError,
        KeyOf, KeyPart, KeyTemplates, Lower, Padded, Parsed, Sha256, Shard, SortableKeyPart,
        TextPart, TextPrefix, Upper, apply, given, laid_out, lower, padded, rest, sha256, shape_of,
        shard, shards, sized, upper,
    };
    pub use crate::key::{FixedRange, InnerRange, LastRange};
    pub use crate::managed::{
        Managed, ManagedTimestamp, ManagedVersion, Stamped, TtlField, TtlSource, Unique,
        VersionField, expires,
    };
    pub use crate::proof::{
        Foreign, check_entity, check_fits, check_listed, check_member, check_partition,
        check_selected, check_sort, is_derived,
    };
    pub use crate::request::{
        ConditionCheck, Delete, Draft, Get, InPartition, NoCondition, NoSteps, Put, Query, Rekey,
        Scan, Steps, Update, collect, draft, query, query_many,
    };
    pub use crate::schema::{
        AllAttributes, At, AttributeName, BillingMode, BinaryKey as B, Encryption, Eventual,
        HasField, HasIndex, IndexKind, IndexSchema, KeyAttribute, KeyConditions, Name, NoSort,
        NumberKey as N, Primary, Projection, Queryable, SameTable, ScalarType, Schema, Secondary,
        Settings, SomeAttributes, StoredAs, StreamViewType, StringKey as S, Strong, TableClass,
        TableSchema, TagAttribute, Throughput,
    };
    pub use crate::shape::{
        DIGIT, LayoutItem, Part, Seg, Shape, Template, byte, date, lit, mixed, part, run,
    };
    pub use crate::table::{
        DynaTable, HasEntity, StoredIn, UnknownItem, unknown, which, which_or_unknown,
    };
    pub use crate::write::returning::Nothing;
    pub use ::serde::{Deserializer, Serializer};
    pub use aws_sdk_dynamodb::Client;
}
