//! The derive macros of [`dyna-runtime`], which re-exports them: depend on that crate, not on this one.
//!
//! [`dyna-runtime`]: https://docs.rs/dyna-runtime

mod attr;
mod check;
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

use error::Errors;
use proc_macro2::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct with named fields an entity: one kind of item of a table, stored through serde.
///
/// # What it generates
///
/// | item | does |
/// |---|---|
/// | `key(..)`, `parse_key(pk, sk)` | the primary key from its fields, and the fields from a stored key |
/// | `get(..)`, `update(..)`, `upsert(..)`, `delete(..)`, `check(..)` | requests for the item with this key |
/// | `put()`, `create()`, `replace()` | write an entity; `create` fails if the key is taken, `replace` if it is not |
/// | `update_loaded(&loaded)`, `delete_loaded(&loaded)` | change or delete an item that was loaded, if it has not changed since |
/// | `rekey(key, &to)`, `rekey_loaded(&loaded, &to)` | change a primary key, in one transaction |
/// | `query(..)`, `query_many(..)` | query one partition, or several; one method per field of the sort key follows |
/// | `by_author(..)`, `by_author_many(..)` | the same for each index, under the name of `as` |
/// | `scan()` | reads the entity's items of the whole table |
/// | `Message::TEXT` | one constant per field, for filters, conditions and updates |
/// | `.set_by_author(..)` on updates | sets all fields that an index key is made of, and the key with them |
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
/// | `gsi1(as = by_author, pk = "..", sk = "..")` | the templates of an index of the table, and the name of its query; lists such as `pk = ["<a>", "<b>"]` for several attributes |
/// | `tag = ".."` | the entity's name in the tag attribute; the name of the struct if it is not given |
/// | `delimiter = "#"` | what stands between the fields of a key; the table has the same |
/// | `nulls = "store"` | stores `None` as NULL instead of leaving it out |
/// | `crate = path` | where `dyna_runtime` is found |
///
/// # Options of fields
///
/// | option | means |
/// |---|---|
/// | `key_only` | stored in the primary key alone, and read from there |
/// | `version` | every write checks it and increments it |
/// | `created_at`, `updated_at` | filled in by writes |
/// | `ttl` | when the item expires: an instant, or a duration from the write on |
/// | `unique` | no two items have the same value |
/// | `nulls = "store"` | stores `None` as NULL, in this field |
///
/// # Templates
///
/// | placeholder | is |
/// |---|---|
/// | `<field>`, `<outer.inner>` | the field, or a field of a nested struct that derives `DynaFields` |
/// | `<n:013>` | an unsigned integer, padded with zeros to 13 digits |
/// | `<id:len=24>` | text of exactly 24 bytes |
/// | `<at:%Y-%m-%d>` | a date or time; the parts are `%Y %m %d %H %M %S %3f %6f %9f %j` |
/// | `<x\|lower>`, `upper`, `sha256`, `shard(16)`, `crate::keys::bucket` | a function of the value |
/// | `<rest..>` | text that may contain the delimiter, at the end |
/// | `<<` | the character `<` |
///
/// # Example
///
/// ```
#[doc = include_str!("../docs/entity.rs")]
/// ```
#[proc_macro_derive(DynaEntity, attributes(dyna))]
pub fn derive_entity(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    entity(&input).into()
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
/// | `scan()` | reads every item of the table, as the enum |
/// | `Shop::GSI1` | one constant per index, for scans |
/// | `From<User>` | for each entity of the enum |
///
/// It proves at compile time that no two of its entities can write the same key. Only entities that a table lists can be sent to it.
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
/// | `delimiter = "#"` | what stands between the fields of keys |
/// | `nulls = "store"` | stores `None` as NULL in all entities |
/// | `index(gsi1, pk = "..", sk = "..", ..)` | a global index; `name` is its name in DynamoDB, lists such as `pk = ["a", "b"]` are several attributes |
/// | `local_index(recent, sk = "..", ..)` | a local index |
/// | `projection = "all"` of an index | or `"keys_only"`, `include("a", "b")` |
/// | `billing = "on_demand"` | or `provisioned(read = 5, write = 5)`; of the table or of a global index |
/// | `class = "standard"` | or `"infrequent_access"` |
/// | `deletion_protection`, `point_in_time_recovery` | turned on if given |
/// | `encryption = "aws_owned"` | or `"aws_managed"`, `kms("alias/key")` |
/// | `tags(team = "shop", "cost-center" = "42")` | tags of the resource |
/// | `schema = base::Shop` | the table is declared on another type, and this enum lists its entities |
/// | `crate = path` | where `dyna_runtime` is found |
///
/// A variant with `#[dyna(unknown)]` holds the items of no listed entity.
///
/// # Example
///
/// ```
#[doc = include_str!("../docs/table.rs")]
/// ```
#[proc_macro_derive(DynaTable, attributes(dyna))]
pub fn derive_table(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    table(&input).into()
}

/// Lets a type of yours stand in a key.
///
/// A newtype is written as what it holds, with its shape, order and ranges. An enum without fields is written as the words that serde
/// writes for its variants (`rename`, `rename_all`), so that the compiler knows all of its texts.
///
/// The one option is `#[dyna(crate = path)]`, where `dyna_runtime` is found.
///
/// # Example
///
/// ```
#[doc = include_str!("../docs/key_part.rs")]
/// ```
#[proc_macro_derive(KeyPart, attributes(dyna))]
pub fn derive_key_part(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    key_part(&input).into()
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
    nested(&input).into()
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
    projection(&input).into()
}

/// Reads several entities of one partition with one query, in the order of their keys.
///
/// It generates `query(partition)`, which takes the fields of the partition key: one, or a tuple of several. That the members share the
/// partition is proved at compile time. Each variant holds one entity.
///
/// | option | means |
/// |---|---|
/// | `index = gsi1` | the members share a partition of this index, not of the table |
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
    collection(&input).into()
}

fn entity(input: &DeriveInput) -> TokenStream {
    run(input, check::entity, expand::entity, fallback::entity)
}

fn table(input: &DeriveInput) -> TokenStream {
    run(input, check::table, expand::table, fallback::table)
}

fn key_part(input: &DeriveInput) -> TokenStream {
    run(input, check::key_part, expand::key_part, fallback::key_part)
}

fn nested(input: &DeriveInput) -> TokenStream {
    run(input, check::nested, expand::nested, fallback::nested)
}

fn projection(input: &DeriveInput) -> TokenStream {
    run(
        input,
        check::projection,
        expand::projection,
        fallback::projection,
    )
}

fn collection(input: &DeriveInput) -> TokenStream {
    run(
        input,
        check::collection,
        expand::collection,
        fallback::collection,
    )
}

/// The expansion, or all errors and a stub.
fn run<M>(
    input: &DeriveInput,
    check: fn(&DeriveInput) -> Result<M, Errors>,
    expand: fn(&M) -> TokenStream,
    stub: fn(&DeriveInput) -> TokenStream,
) -> TokenStream {
    match check(input) {
        Ok(model) => expand(&model),
        Err(errors) => {
            let mut tokens = errors.into_tokens();
            tokens.extend(stub(input));
            tokens
        }
    }
}
