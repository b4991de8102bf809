//! All derives under every lint that a strict crate turns on.

#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused
)]
#![deny(
    nonstandard_style,
    future_incompatible,
    rust_2018_idioms,
    let_underscore_drop
)]
#![deny(
    single_use_lifetimes,
    unnameable_types,
    unused_lifetimes,
    unused_qualifications,
    trivial_casts
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]

use dyna_runtime::{DynaEntity, DynaFields, DynaTable, KeyPart, Ordered};
use serde::{Deserialize, Serialize};

/// The table.
#[derive(Debug, DynaTable)]
#[dyna(
    name = "all",
    pk = "pk",
    sk = "sk",
    tag = "type",
    ttl = "ttl",
    stream = "new_image",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk", projection = "keys_only"),
    local_index(lsi1, sk = "lsi1sk", projection = include("a"))
)]
pub enum All {
    /// One entity.
    One(One),
    /// Another entity.
    Two(Two),
    /// An enum.
    Three(Three),
}

/// All kinds of placeholders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = All,
    pk = "ONE#<a>#<data.c|lower>#<d>",
    sk = "<e:05>#<kind>v<f:02>#<data.c|sha256>#<h|crate::first>",
    gsi1(as = by_g, pk = "G#<g|shard(4)>", sk = "<g>"),
    lsi1(as = by_e, pk = "ONE#<a>#<data.c|lower>#<d>", sk = "<e:05>")
)]
pub struct One {
    /// Text.
    pub a: Id,
    /// Nested.
    pub data: Data,
    /// Signed.
    pub d: Ordered<i32>,
    /// Padded.
    pub e: u32,
    /// A word.
    pub kind: Kind,
    /// Padded within a field.
    pub f: u8,
    /// In a sparse index.
    pub g: Option<String>,
    /// Given to a function.
    pub h: Id,
}

/// Variants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, DynaEntity)]
#[serde(tag = "kind")]
#[dyna(table = All, pk = "THREE#<a>#<data.c>", sk = "<e:05>", gsi1(pk = "T#<a>", sk = "G#<g?>", when = open))]
pub enum Three {
    /// One form.
    Placed {
        /// Text.
        a: Id,
        /// Nested.
        data: Data,
        /// Padded.
        e: u32,
        /// Optional.
        g: Option<String>,
        /// Whether it is in the index.
        open: bool,
        /// Of this form alone.
        note: String,
    },
    /// Another form.
    Shipped {
        /// Text.
        a: Id,
        /// Nested.
        data: Data,
        /// Padded.
        e: u32,
        /// Optional.
        g: Option<String>,
        /// Whether it is in the index.
        open: bool,
        /// Flattened.
        #[serde(flatten)]
        more: Data,
    },
}

/// Keys that are read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = All, pk = "TWO#<a>#<b>", sk = "<n:03>#<rest..>")]
pub struct Two {
    /// Text.
    #[dyna(key_only)]
    pub a: String,
    /// A number.
    #[dyna(key_only)]
    pub b: u64,
    /// A padded number.
    #[dyna(key_only)]
    pub n: u16,
    /// The rest.
    #[dyna(key_only)]
    pub rest: String,
}

/// A table of its own, with native keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "own", pk = "id", sk = number("n")), pk = "<id>", sk = "<n>")]
pub struct Own {
    /// Text.
    pub id: Id,
    /// A number.
    pub n: i64,
}

/// A newtype.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
pub struct Id(pub String);

/// Words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
pub enum Kind {
    /// This.
    A,
    /// That.
    B,
}

/// Nested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, DynaFields)]
pub struct Data {
    /// Text.
    pub c: String,
}

/// A function of templates.
#[must_use]
pub const fn first(id: &Id) -> Kind {
    if id.0.is_empty() { Kind::A } else { Kind::B }
}
