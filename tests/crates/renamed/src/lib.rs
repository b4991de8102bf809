//! All derives where the runtime has another name in `Cargo.toml`.

use db::{DynaEntity, DynaFields, DynaTable, KeyPart, Ordered};
use serde::{Deserialize, Serialize};

/// The table.
#[derive(Debug, DynaTable)]
#[dyna(
    crate = db,
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
}

/// All kinds of placeholders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    crate = db,
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

/// Keys that are read back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(crate = db, table = All, pk = "TWO#<a>#<b>", sk = "<n:03>#<rest..>")]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(crate = db, table(name = "own", pk = "id", sk = number("n")), pk = "<id>", sk = "<n>")]
pub struct Own {
    /// Text.
    pub id: Id,
    /// A number.
    pub n: i64,
}

/// A newtype.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, KeyPart)]
#[dyna(crate = db)]
pub struct Id(pub String);

/// Words.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, KeyPart)]
#[dyna(crate = db)]
pub enum Kind {
    /// This.
    A,
    /// That.
    B,
}

/// Nested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
#[dyna(crate = db)]
pub struct Data {
    /// Text.
    pub c: String,
}

/// A function of templates.
pub fn first(id: &Id) -> Kind {
    if id.0.is_empty() { Kind::A } else { Kind::B }
}
