//! The derive macros of [`dyna-runtime`], which re-exports them: depend on that crate, not on this one.
//!
//! [`dyna-runtime`]: https://docs.rs/dyna-runtime

mod attr;
mod check;
mod derives;
mod docs;
mod error;
mod expand;
mod fallback;
mod model;
mod reserved;
mod template;
#[cfg(test)]
mod tests;
mod tokens;

use syn::{DeriveInput, parse_macro_input};

/// Makes a struct with named fields an entity: one kind of item of a table, stored through serde. An enum can be one too: see
/// [Variants](#variants).
///
/// # What it generates
///
/// | item | does |
/// |---|---|
/// | `key(..)`, `parse_key(pk, sk)` | the primary key from its fields, and the fields from a stored key |
/// | `get(..)`, `update(..)`, `upsert(..)`, `delete(..)`, `check(..)` | requests for the item with this key |
/// | `put()`, `create()`, `replace()` | write an entity; `create` fails if the key is taken, `replace` if it is not |
/// | `update_loaded(&loaded)`, `delete_loaded(&loaded)` | change or delete an item that was loaded. With a `version`, they fail if it has changed since; without one, an update fails if another field of the index keys that it makes has changed, and a delete checks that the item is there |
/// | `rekey(key, &to)`, `rekey_loaded(&loaded, &to)` | change a primary key, in one transaction |
/// | `query(..)`, `query_many(..)` | query one partition, or several; one method per field of the sort key follows |
/// | `by_author(..)`, `by_author_many(..)` | the same for each index, under the name of `as` |
/// | `scan()` | reads the entity's items of the whole table |
/// | `Message::TEXT` | one constant per field, for filters, conditions and updates |
/// | `.set_by_author(..)` on `update(..)` and `upsert(..)` | sets all fields that an index key is made of, and the key with them |
///
/// It proves at compile time that each key can be read back in one way and that sort keys sort as their fields do.
///
/// # Options of the struct
///
/// | option | means |
/// |---|---|
/// | `table = Chat` | the table, which lists this entity |
/// | `table(name = "..", pk = "..", ..)` | the entity is its own table, with the options of `DynaTable`; derive that too |
/// | `pk = "..", sk = ".."` | the templates of the primary key |
/// | `gsi1(as = by_author, pk = "..", sk = "..")` | the templates of an index of the table, and the name of its query; lists such as `pk = ["<a>", "<b>"]` for several attributes; a local index has the partition key of the table, so it takes no `pk` |
/// | `when = is_open` of an index | an item is in the index only if this field of type `bool` is true, or this function of the entity, such as `Self::is_open` |
/// | `tag = ".."` | the entity's name in the tag attribute; the name of the struct if it is not given |
/// | `delimiter = "#"` | what stands between the fields of its keys, if it is not what the table says. With `table = ..` the derive does not see what the table says: an entity repeats it |
/// | `delimiter = "/"` of an index | the same, for the keys of this index |
/// | `nulls = "store"` | stores `None` as NULL instead of leaving it out |
/// | `shares_key_with = Organization` | another entity of the table has the same keys on purpose; a list is `[Organization, Team]` |
/// | `partial` | the table is declared in part: there is no `put`, `replace` or `rekey` |
/// | `crate = path` | where `dyna_runtime` is found |
///
/// # Variants
///
/// An enum with `#[serde(tag = "type")]` is an entity whose items have several forms, such as the events of an order. Its variants have named
/// fields, and the attribute `type` holds the name of the variant.
///
/// What Dyna knows is what all variants have alike: fields of the same name, type, attribute and options of `serde` and `dyna`. Templates
/// and `when` name these, they have the constants, updates set them, and projections read them. `version`, `ttl`, `unique`, `key_only` and
/// their like are on fields of every variant. The tag has a constant, too, for filters and conditions: `Event::TYPE.eq("shipped")`. The other fields
/// are written and read with their variant, and have no constants: to change one, write the item as a whole.
///
/// There is no `upsert`, since the variant of a new item would not be known, and no `when` with a function of the entity. The tag of serde is
/// another attribute than the tag of the table. Serde reads such an enum from a buffer, which holds neither 128-bit integers nor maps
/// whose keys are numbers: writes of these fail.
///
/// ```
#[doc = include_str!("../docs/variants.rs")]
/// ```
///
/// # Shared keys
///
/// With `ACCOUNT#<name>` for users and for organizations, a name is taken by one of them. Both entities say so, with
/// `#[dyna(shares_key_with = Organization)]` and `#[dyna(shares_key_with = User)]`, and the tag of the table tells their items apart. Every
/// write carries the condition that it does not touch an item of the other, and fails with `Unmet::OtherEntity` where it would. DynamoDB
/// checks no conditions in batches, so such entities are not written there. An item without a tag is neither's.
///
/// ```
#[doc = include_str!("../docs/shared.rs")]
/// ```
///
/// # Keys as they are stored
///
/// `Message::raw_key(pk, sk)` takes a key as it is stored, and looks at the types of the key attributes alone: the way to items whose keys no
/// template makes. See [`DynaEntity::raw_key`](trait.DynaEntity.html#method.raw_key).
///
/// # Options of fields
///
/// | option | means |
/// |---|---|
/// | `key_only` | stored in keys alone, and read from there: from the primary key, or from the keys of indexes. An `Option` if an item may be in none of these indexes |
/// | `version` | every write checks it and increments it |
/// | `created_at`, `updated_at` | filled in by writes |
/// | `ttl` | when the item expires: an instant, or a duration from the write on |
/// | `unique` | no two items have the same value: for each value there is an item of its own, with the key `UNIQUE#<entity>#<attribute>#<value>` |
/// | `unique = "_unique#User#mail#<mail>"` | the same, with the key that other software gives that item. With fields of the primary key in it, `<team>#<mail>`, a value is unique within them. `unique(pk = "..", sk = "..", tag = "..")` if its sort key is not `UNIQUE`, or it has a tag |
/// | `nulls = "store"` | stores `None` as NULL, in this field |
///
/// # Templates
///
/// | placeholder | is |
/// |---|---|
/// | `<field>`, `<outer.inner>` | the field, or a field of a nested struct that derives `DynaFields` |
/// | `<n:013>` | an unsigned integer, padded with zeros to 13 digits |
/// | `<n:plain>` | an unsigned integer without zeros in front: looked up by its value, without ranges in a sort key |
/// | `<id:len=24>` | text of exactly 24 bytes |
/// | `<at:%Y-%m-%d>` | a date or time; the parts are `%Y %m %d %H %M %S %3f %6f %9f %j` |
/// | `<x\|lower>`, `upper`, `trim`, `sha256`, `shard(16)`, `crate::keys::slug` | a function of the value |
/// | `<x\|trim\|lower>` | several functions, from left to right; one of yours that comes after one of ours is given its text |
/// | `<x\|shard(4, with = crate::keys::bucket)>` | the bucket that a function of yours returns, from zero: a `u8`, `u16`, `u32`, `u64` or `usize` |
/// | `<rest..>` | text that may contain the delimiter; only parts of a fixed width may follow it |
/// | `<field>` alone, on the attribute of that field | a native key: stored once, and text may contain the delimiter in an index, and in a table of one entity without `unique` fields |
/// | `<field?>` | in an index: nothing if the `Option` is `None`; before a delimiter or at the end. A plain `<field>` leaves such an item out of the index |
/// | `<(a, b)\|crate::keys::f>` | in an index: a function of several fields. Queries take what it returns |
/// | `<<` | the character `<` |
///
/// In an index, a function of yours may return an `Option`; `None` leaves the item out of the index, and a query for such a value is an
/// error. Fields that a function or a `when` looks at are fields of the index: an update sets them together with the others, or starts from
/// the item as it was loaded. If the function of a `when` is given the whole entity, all fields are, so that only `update_loaded` changes
/// them.
///
/// ```
#[doc = include_str!("../docs/indexes.rs")]
/// ```
///
/// A field that is stored in the keys of several indexes alone has one value: an item whose keys say different values is a misfit. No
/// condition and no filter compares such a field. `set_by_..` changes it, with the keys.
///
/// # Delimiters
///
/// A table says what separates the fields of keys, `#` if it says nothing. An entity may say something else, for all of its keys or for those
/// of one index. A value of a key does not contain the delimiter of that key, and may contain others. Whether two entities can write the
/// same key is proved across delimiters, too.
///
/// ```
#[doc = include_str!("../docs/delimiters.rs")]
/// ```
///
/// # Steps
///
/// A placeholder without a fixed width is followed by the delimiter, or by parts of a fixed width alone: `<name><id:len=26>`. In a sort
/// key, such a name is fixed together with what follows it, `.name("ann").id(id)`: the beginning of a key does not tell where it ends.
///
/// The fields of a sort key are the steps of its queries: `.city("Bern")` fixes a field and goes on to the next, `.at_range(a..b)` and
/// `.city_starts_with("Be")` end them. Text starts with something wherever the delimiter or the end of the key follows it, and where it
/// has a `len=`. Ranges and prefixes of `<city|lower>` go through the function, as `upper` and `trim` do; an `upsert` stores what it is
/// given.
///
/// # Example
///
/// ```
#[doc = include_str!("../docs/entity.rs")]
/// ```
#[proc_macro_derive(DynaEntity, attributes(dyna))]
pub fn derive_entity(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derives::entity(&input).into()
}

/// Declares a table: on an enum of the entities that it holds, on an entity that is its own table, or on a unit struct in a crate below
/// its entities.
///
/// # What it generates
///
/// | item | does |
/// |---|---|
/// | `open(client)` | the table with a client of yours; no request is made |
/// | `embedded().await` | the table in a new in-process engine (feature `embedded`) |
/// | `simulated(seed).await` | the same behind a network with seeded faults (feature `simulate`) |
/// | `scan()` | reads every item of the table, as the enum |
/// | `change(record)` | reads a record of its stream, if it declares one |
/// | `Shop::GSI1` | one constant per index, for scans |
/// | `From<User>` | for each entity of the enum |
///
/// It proves at compile time that no two of its entities can write the same key, unless both say that they share it
/// (`shares_key_with`). Two entities may have the same tag: then their keys tell them apart. Only entities that a table lists can be sent to
/// it.
///
/// # Options
///
/// | option | means |
/// |---|---|
/// | `name = "shop-{stage}"` | the name in DynamoDB; variables are given when the table is opened |
/// | `pk = "pk"`, `sk = number("n")` | the key attributes: text, or `number(..)`, `binary(..)` |
/// | `tag = "entityType"` | the attribute that names the entity of an item |
/// | `ttl = "expires"` | the attribute of DynamoDB's TTL |
/// | `stream = "new_image"` | `keys_only`, `new_image`, `old_image` or `new_and_old_images` |
/// | `delimiter = "#"` | what stands between the fields of keys, unless an entity or its index says something else |
/// | `nulls = "store"` | stores `None` as NULL in all entities |
/// | `index(gsi1, pk = "..", sk = "..", ..)` | a global index; `name` is its name in DynamoDB, lists such as `pk = ["a", "b"]` are several attributes |
/// | `local_index(recent, sk = "..", ..)` | a local index |
/// | `projection = "all"` of an index | or `"keys_only"`, `include("a", "b")` |
/// | `billing = "on_demand"` | or `provisioned(read = 5, write = 5)`; of the table or of a global index |
/// | `table_class = "standard"` | or `"infrequent_access"` |
/// | `deletion_protection`, `point_in_time_recovery` | turned on if given |
/// | `encryption = "aws_owned"` | or `"aws_managed"`, `kms("alias/key")` |
/// | `resource_tags(team = "shop", "cost-center" = "42")` | tags of the resource |
/// | `partial` | the table belongs to others, and this is a part of it; its entities say `partial` too |
/// | `schema = base::Shop` | the table is declared on another type, and this enum lists its entities |
/// | `crate = path` | where `dyna_runtime` is found |
///
/// A variant with `#[dyna(unknown)]` holds the items of no listed entity.
///
/// # Tables of others
///
/// With `partial` a table declares some entities and some indexes of a table that others create and change. `verify` compares only what is
/// declared, `create_table` is an error, and no write replaces an item as a whole, since it would drop the attributes that are not declared:
/// its entities have `create`, `update`, `upsert` and `delete`, but no `put`, `replace` and `rekey`.
///
/// ```
#[doc = include_str!("../docs/partial.rs")]
/// ```
///
/// # Example
///
/// ```
#[doc = include_str!("../docs/table.rs")]
/// ```
#[proc_macro_derive(DynaTable, attributes(dyna))]
pub fn derive_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derives::table(&input).into()
}

/// Lets a type of yours stand in a key.
///
/// A newtype is written as what it holds, with its shape, order and ranges. An enum without fields is written as the words that serde
/// writes for its variants (`rename`, `rename_all`), so that the compiler knows all of its texts.
///
/// | option | means |
/// |---|---|
/// | `number` | a newtype of a float, a signed integer or a `Decimal`, which have no text form that sorts: it is a whole number key, and stands in no other key |
/// | `crate = path` | where `dyna_runtime` is found |
///
/// # Example
///
/// ```
#[doc = include_str!("../docs/key_part.rs")]
/// ```
#[proc_macro_derive(KeyPart, attributes(dyna))]
pub fn derive_key_part(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derives::key_part(&input).into()
}

/// Lets templates, conditions and updates reach the fields of a nested struct.
///
/// It generates one constant per field: `User::PROFILE.field(Profile::EMAIL)` is the path of a nested field. In templates the same field
/// is `<profile.email>`. Names follow `#[serde(rename, rename_all)]`.
///
/// The one option is `#[dyna(crate = path)]`, where `dyna_runtime` is found.
///
/// # Example
///
/// ```
#[doc = include_str!("../docs/fields.rs")]
/// ```
#[proc_macro_derive(DynaFields, attributes(dyna))]
pub fn derive_fields(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derives::nested(&input).into()
}

/// Lets reads yield some fields of an entity: `.project::<Head>()` on `get`, `query`, `scan` and batches asks DynamoDB for these alone.
///
/// Each field has the name, the type and the attribute that it has in the entity; this is checked at compile time.
///
/// | option | means |
/// |---|---|
/// | `of = Mail` | the entity, or the nested struct that derives `DynaFields` |
/// | `index = gsi1` | an index that holds only some attributes, and these among them, so that queries through it yield the projection; may be given several times |
/// | `crate = path` | where `dyna_runtime` is found |
/// | `nested`, on a field | the field is a projection of a nested struct |
///
/// # Example
///
/// ```
#[doc = include_str!("../docs/projection.rs")]
/// ```
#[proc_macro_derive(DynaProjection, attributes(dyna))]
pub fn derive_projection(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derives::projection(&input).into()
}

/// Reads several entities of one partition with one query, in the order of their keys.
///
/// It generates `query(partition)`, which takes the fields of the partition key: one, or a tuple of several. That the members share the
/// partition is proved at compile time. Each variant holds one entity.
///
/// | option | means |
/// |---|---|
/// | `index = gsi1` | the members share a partition of this index, not of the table |
/// | `steps(city: String, day: u16)` | the fields at the start of the sort key that all members have, with their types: queries take `.city(..)`, `.city_range(..)`, `.city_starts_with(..)`, then those of `day`. The templates are the same up to these fields, and write them as they are or in a format, not by a function |
/// | `crate = path` | where `dyna_runtime` is found |
///
/// # Example
///
/// ```
#[doc = include_str!("../docs/collection.rs")]
/// ```
#[proc_macro_derive(DynaCollection, attributes(dyna))]
pub fn derive_collection(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derives::collection(&input).into()
}
