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
//! | `raw_key` | a stored `pk` and `sk` | [`Key`], of an item whose key no template makes |
//!
//! and one [`Field`] constant per field: `Message::CONTENT`, from which [filters and conditions](expr) are made, and which
//! [updates](Update) set. An index key that is not the field itself has a setter for all fields that it is made of: `by_owner` is set by
//! `.set_by_owner(..)`.
//!
//! Reads yield whole entities, or with `.project::<P>()` a [projection](DynaProjection): some of their fields.
//! Several entities that share a partition are read together as a [collection](DynaCollection): a query of it reads the range of sort keys
//! that its members can have, and nothing else of the partition. Its options are `index = gsi1`, `steps(..)` and `crate`.
//!
//! # Options of an entity
//!
//! | option | meaning |
//! |---|---|
//! | `table = Chat` | the table it is stored in, which must list it |
//! | `table(name = "..", pk = "..")` | it is its own table: derive `DynaTable` too; takes the options of a table |
//! | `pk = ".."`, `sk = ".."` | the templates of the primary key |
//! | `gsi1(as = by_id, pk = "..", sk = "..")` | it is in the index `gsi1` of its table, and `by_id` queries it; a key with several attributes has a template for each, `pk = ["<cup>", "<region>"]` |
//! | `gsi1(.., when = Self::is_open)` | an item is in the index only if this is true: the path of a `fn(&Self) -> bool`, or a `bool` field, `when = open`. The index needs a key attribute that no index with another `when`, or none, has |
//! | `tag = "Message"` | what the tag attribute says; the name of the struct by default |
//! | `delimiter = ":"` | what separates the fields of its keys, if it is not what the table says; also of one index, `gsi1(.., delimiter = "/")` |
//! | `nulls = "store"` | stores `None` as NULL, as below; also on a field, for what is in it |
//! | `shares_key_with = Organization` | another entity has the same keys on purpose, and says so too: the tag tells them apart, and no write of one touches an item of the other |
//! | `partial` | its table is declared in part, as below: it has no `put`, `replace` and `rekey` |
//! | `crate = path` | this crate under another name |
//! | `#[dyna(key_only)]` on a field | stored in the key alone, and read back from it: the primary key, or the key of an index. If not every item is in that index, the field is an `Option` |
//! | `#[dyna(version)]` | counts writes, from 1; a write that replaces another version fails with [`is_version_conflict`](Error::is_version_conflict). `create` ignores the version that the entity brings. At the maximum of its type an item can be deleted, but not written again |
//! | `#[dyna(created_at)]`, `#[dyna(updated_at)]` | filled in with the time, of a [`TimestampField`](managed::TimestampField) type: the first when an item is known to be new, by `create`, `upsert` or a version of zero, the second by every write |
//! | `#[dyna(ttl)]` | when the item expires, as a [`TtlField`](managed::TtlField) type: the `ttl` attribute of the table follows it |
//! | `#[dyna(unique)]` | no two items of the entity have the same value; a second one fails with [`is_not_unique`](Error::is_not_unique). Text is compared byte by byte, numbers by value. With `ttl`, the values expire with their item: an expired item no longer has them, and the `ttl` field is changed by `update_loaded` alone. Where that field is a duration, it starts again when a unique value changes |
//! | `#[dyna(unique = "_unique#User#mail#<mail>")]` | the same, with the key that other software gives the items that stand for the values; with a sort key, `unique(pk = "..", sk = "..")` |
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
//! | `stream = "new_and_old_images"` | what its stream carries: also `"keys_only"`, `"new_image"`, `"old_image"`; [`change`] reads it |
//! | `billing = provisioned(read = 5, write = 5)` | what is provisioned for it, and for each global index that says nothing else; `"on_demand"` by default |
//! | `table_class = "infrequent_access"` | what its storage costs; `"standard"` by default |
//! | `deletion_protection`, `point_in_time_recovery` | turned on |
//! | `encryption = kms("alias/chat")` | whose key encrypts it; also `"aws_managed"`, and `"aws_owned"` by default |
//! | `resource_tags(team = "chat", "cost-center" = "42")` | its AWS tags |
//! | `nulls = "store"` | stores `None` as NULL in all of its entities |
//! | `#[dyna(unknown)]` on a variant `Other(codec::Item)` | takes the items of no entity, as they are, when the whole table is read |
//! | `partial` | it belongs to others, and only a part of it is declared: see [`Table::verify`]. Its entities say so too |
//! | `delimiter = ":"` | what separates the fields of keys; `#` by default. An entity with `table = ..` repeats it, since its derive does not see the table: if it is forgotten, that is an error |
//! | `crate` | as for an entity |
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
//! | `<n:plain>` | an unsigned integer without zeros in front: looked up by its value; a sort key has no ranges over it |
//! | `<at:len=24>` | text of exactly 24 bytes |
//! | `<at:%Y-%m>` | a date or time in that layout: `%Y %m %d %H %M %S %3f %6f %9f %j` |
//! | <code><email\|lower></code> | a function, applied when items are written and when they are looked up: `lower`, `upper`, `trim`, `sha256`, `shard(16)`, or the path of a `fn(&T) -> impl KeyPart` |
//! | <code><email\|trim\|lower></code> | several functions, from left to right |
//! | <code><id\|shard(4, with = crate::keys::bucket)></code> | the bucket that a `fn(&T) -> u8` returns, from zero; all buckets are read without being named, as those of `shard(16)` |
//! | `<city?>` | in an index, an `Option`: nothing in its place where it is `None`, and the item stays in the index. Before a delimiter or at the end |
//! | <code><rank\|crate::keys::top></code> | in an index, a function may return an `Option`: with `None` the item is left out of the index |
//! | <code><(status, number)\|crate::keys::order></code> | in an index, a function of several fields. Look-ups are given what it returns |
//! | `<path..>` | text that may contain the delimiter; only parts of a fixed width may follow it |
//! | `<<` | the character `<` |
//!
//! A number key, `number("price")` on the table, holds one field of any number type: integers, `f32` and `f64`, `Decimal` (feature
//! `rust_decimal`), and newtypes of them; its template is exactly `<price>`. It is compared by value, `7`, `7.0` and `7E0` being one key, and
//! ranges over it are exact at both ends. NaN, the infinities and what is outside of 1E-130 to 9.99E+125 are errors of the request.
//!
//! A partition key, and a sort key, has at most eight placeholders.
//!
//! A template that is exactly `<field>`, on the key attribute that the field is stored in, is native: nothing is stored twice, and a
//! number stays a number. Such text may contain the delimiter where nothing else has keys in the attribute: in an index, and in the primary
//! key of a table with one entity and no `unique` field. Elsewhere in a primary key, `<field..>` says so, and it is proved that no other
//! entity has the same key. An index may use the attributes of the table's own key, or the tag: every key that shares an attribute has the
//! same template for it.
//!
//! A field that is an `Option` can be part of an index key: without a value the item is not in that index.
//!
//! # Absent values
//!
//! `None` in a struct, at any depth, is not stored; in a list, as the value of a map and as the content of an enum's variant it is NULL,
//! because without it the value would be another one. NULL and absent are read alike, and [conditions](expr) do not tell them apart.
//! With `nulls = "store"` it is stored as NULL, but never in an attribute of a key or as the time of expiry.
//!
//! serde does not call `with` and `deserialize_with` for a missing attribute; Dyna passes NULL instead. In a nested struct this takes
//! another attempt, which `#[serde(default)]` on the field saves. The variants of an `untagged` enum need that
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
//! is none. Where two entities have one tag, the key decides too; where they share their keys (`shares_key_with`), an item without a tag
//! is unknown, and reading it by its key is [`Error::Misfit`].
//!
//! **Rolling deployments.** While an older and a newer program write one table, each leaves alone what it does not know: entities, attributes, and
//! keys of indexes. So if the newer program adds an index over a field that the older one has too, an `update` of that field by the older
//! program leaves the key of the new index as it was, and a `put` drops it. Until the older program is gone, read with
//! [`check_keys`](Table::check_keys), which reports such an item as a [misfit](Error::Misfit). Load it without `check_keys` and write it, with
//! `put` or by setting the field with `update_loaded`: the newer program then makes all its keys again. An index over a new field has no such
//! gap.
//!
//! An item whose key no template makes is reached by [`DynaEntity::raw_key`], with the key as it is stored.
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
//! `derive` (default): the derives. `embedded`: an in-process engine, for tests and demos. `simulate`: the same
//! behind a network with seeded faults, in virtual time. `streams`: the reader of a table's stream, and [changes](change) of
//! `aws-sdk-dynamodbstreams`. `uuid`, `ulid`, `jiff`, `chrono`, `time`:
//! their types in keys. `rust_decimal`: its `Decimal` as a number. `cursor-secret`: authenticated and encrypted cursors. `tracing`: a
//! span for each request, under the names of OpenTelemetry, with its parameters, the item counts (`Count`, `ScannedCount`) and the
//! error; [`Table`] has switches for the consumed capacity and for the values of keys.
//!
//! The package `dyna-cli` prints the tables as CloudFormation, Terraform, Markdown and more, and creates and verifies them from the command
//! line.

pub mod admin;
pub mod change;
pub mod codec;
mod cursor;
mod derived;
#[cfg(feature = "embedded")]
pub mod embedded;
pub mod entity;
pub mod error;
pub mod expr;
pub mod guide;
pub mod key;
pub mod managed;
mod proof;
mod read;
pub mod request;
pub mod schema;
pub mod serde;
pub mod shape;
#[cfg(feature = "simulate")]
pub mod simulate;
mod table;
#[cfg(feature = "tracing")]
mod trace;
mod transport;
mod write;

pub use change::Change;
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
    AnyQuery, BatchGet, BatchGetOutput, BatchWrite, ConditionCheck, Delete, DynaEntity,
    EntityQuery, Explain, Get, Put, Query, Rekey, Scan, TransactWrite, Update,
};
pub use table::{DynaTable, Table};
pub use transport::ResponseFuture;
pub use transport::limiter::{ReadLimit, WriteLimit, rcu, wcu};
pub use transport::meter::{CapacityMeter, ConsumedCapacity};

/// Names for generated code. Not part of the API.
#[doc(hidden)]
pub mod __private {
    pub use crate::change::RecordOf;
    pub use crate::codec::form::{Bytes, Opaque, Plain, unknown};
    pub use crate::codec::json::ItemSource;
    pub use crate::codec::{
        Flattened, Item, NameWriter, Nulls, ValueReader, ValueWriter, declared_by, from_value,
        stored, to_value,
    };
    pub use crate::derived::Derived;
    pub use crate::entity::changes::{IndexFields, ItemChanges, NoSetters, Setters};
    pub use crate::entity::collection::{CollectionMeta, DynaCollection, HasMember};
    pub use crate::entity::projection::{
        CoveredBy, DynaFields, DynaProjection, OwnFields, ProjectedField, ProjectionMeta, View,
        narrowed, project, same,
    };
    pub use crate::entity::shared_steps::same_step;
    pub use crate::entity::{
        BatchDeletable, BatchWritable, DeletableByKey, Entity, EntityMeta, Expiring, FieldMeta,
        IndexMeta, Key, KeyField, KeyFieldPlace, KeyReader, KeyRef, KeyWriter, MadeOfKey,
        ReadIndexKeys, Replaceable, Variant, Variants, WrittenWhole, deserialize, parse_key,
        serialize,
    };
    pub use crate::error::{Error, Result};
    pub use crate::expr::KeyOnlyField;
    pub use crate::expr::form::StoredBy;
    pub use crate::expr::kind::{KindOf, UnknownKind};
    pub use crate::expr::role::{
        DecidesIndex, Free, InIndex, InKey, InManagedIndex, Loaded, ManagedField,
        Unique as UniqueRole, UniqueExpiry, VariantTag,
    };
    pub use crate::expr::{Field, IntoFieldValue};
    pub use crate::key::{
        AsKeyPart, AsNativeValue, DatePart, FinalRange, Function, FunctionValue, IndexOf, KeyBuf,
        KeyError, KeyOf, KeyPart, KeyTemplates, KeyToken, Lower, OptionalArg, OptionalPart, Padded,
        ParsedKey, ParsedPart, Sha256, Shard, SortableKeyPart, TextPart, TextPrefix, Then, Trim,
        Upper, apply, date_shape, function_value, in_bucket, layout_runs, lookup, lower, native,
        of, optional, or_empty, padded, plain, rest, sha256, shape_of, shape_of_certain,
        shape_of_part, shard, shards, sized, text_of, trim, upper,
    };
    pub use crate::key::{
        RangeAtEnd, RangeBeforeMore, RangeFixedWidth, RangeOfPlain, RangeOfText, SharedRange,
    };
    pub use crate::managed::{
        IndexInputs, Managed, ManagedTimestamp, ManagedVersion, Sentinel, Stamped, TtlField,
        TtlSource, UniqueField, VersionField, expires,
    };
    pub use crate::proof::{
        Overlap, check_covered, check_delimited_entity, check_disjoint, check_entity,
        check_index_only, check_local, check_member, check_partition, check_projected_field,
        check_sort, check_sort_plain, check_step, check_when, has_separate_key, is_open,
        shared_range,
    };
    pub use crate::request::{
        ConditionCheck, Delete, Ends, Get, InPartition, Next, NoCondition, NoSteps, Put, Query,
        QuerySpec, Rekey, Scan, Steps, Unfinished, Update, collect, query, query_many, query_spec,
    };
    pub use crate::schema::{
        AllAttributes, At, AttributeName, BillingMode, BinaryKey as B, Encryption, Eventual,
        HasField, HasIndex, IndexKind, IndexSchema, KeyAttribute, KeyConditions, KeysOnly, Name,
        NewAndOldImages, NewImage, NoSort, NoStream, NumberKey as N, OldImage, Primary, Projection,
        Queryable, SameTable, ScalarType, Schema, Secondary, Settings, SomeAttributes, StoredAs,
        StreamViewType, StringKey as S, Strong, TableClass, TableSchema, TagAttribute, Throughput,
    };
    pub use crate::shape::{LayoutItem, Part, Run, Seg, Shape, Template, date, lit, mixed, part};
    pub use crate::table::{
        DynaTable, HasEntity, StoredIn, UnknownItem, unknown, which, which_or_unknown,
    };
    pub use crate::write::returning::Nothing;
    pub use ::serde::{Deserializer, Serializer};
    pub use aws_sdk_dynamodb::Client;
}
