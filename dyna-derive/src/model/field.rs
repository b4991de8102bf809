//! The fields of an entity, a nested struct or a projection.

use std::ops::Range;
use syn::{ExprPath, Ident, LitStr, Type, Visibility};

/// A field that is stored.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) ty: Type,
    pub(crate) attribute: String,
    /// Other names under which it may be stored.
    pub(crate) aliases: Vec<String>,
    /// Whether `None` is stored as NULL, in it and inside of it.
    pub(crate) stores_null: bool,
    pub(crate) key_only: bool,
    /// Its doc comment, as it is written.
    pub(crate) comment: String,
    /// What Dyna does with it by itself.
    pub(crate) managed: Option<ManagedRole>,
    /// The key of the items that stand for its values, if it is unique and the user says it.
    pub(crate) sentinel: Option<Sentinel>,
    /// The function that serde writes it with, if it is not the type's own.
    pub(crate) serialize: Option<ExprPath>,
    /// The function that serde reads it with, if it is not the type's own.
    pub(crate) deserialize: Option<ExprPath>,
    /// How it is stored.
    pub(crate) form: Form,
    pub(crate) when_absent: WhenAbsent,
}

/// What serde makes of an `Option` that is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhenAbsent {
    /// `None`; also of a field that is no `Option`.
    Nothing,
    /// It asks for it, and fails: it has a function of its own and no default.
    Asked,
    /// It may be something else: what its default gives.
    Defaulted,
}

/// How a field is stored, as far as the macro can tell.
pub(crate) enum Form {
    /// As its type serializes.
    Plain,
    /// By functions of the user's own.
    Opaque,
    /// By `serde_bytes`.
    Bytes,
    /// By a module that is called like one of the runtime's. Whether it is that one, the module itself says.
    Named(ExprPath),
}

/// The runtime's modules for `#[serde(with = "..")]`.
const MODULES: [&str; 6] = [
    "string_set",
    "number_set",
    "binary_set",
    "decimal",
    "rfc3339",
    "option",
];

impl Form {
    /// The form of a field with this function to write it, from the module of its `with`.
    pub(crate) fn of(serialize: Option<&ExprPath>, module: Option<ExprPath>) -> Self {
        let Some(serialize) = serialize else {
            return Self::Plain;
        };
        // `serialize_with` may stand beside `with`.
        let Some(module) = module.filter(|module| is_inside(serialize, module)) else {
            return Self::Opaque;
        };
        let segments = &module.path.segments;
        let plain = module.qself.is_none() && segments.iter().all(|one| one.arguments.is_none());
        match segments.last() {
            Some(last) if plain && segments.len() == 1 && last.ident == "serde_bytes" => {
                Self::Bytes
            }
            Some(last) if plain && MODULES.iter().any(|module| last.ident == module) => {
                Self::Named(module)
            }
            _ => Self::Opaque,
        }
    }
}

/// Whether a function is one of a module, by its path.
fn is_inside(function: &ExprPath, module: &ExprPath) -> bool {
    let (function, module) = (&function.path.segments, &module.path.segments);
    let mut segments = function.iter().zip(module);
    function.len() == module.len() + 1 && segments.all(|(a, b)| a.ident == b.ident)
}

/// What an entity flattens.
#[derive(Default)]
pub(crate) struct Flattened {
    pub(crate) fields: Vec<FlatField>,
    /// Names of the entity besides those of its stored fields: aliases, and fields that are only written or only read.
    pub(crate) declared: Vec<String>,
    /// The attributes of fields that are only written.
    pub(crate) write_only: Vec<String>,
    /// Fields beside them that `skip_serializing_if` may leave out, and its function.
    pub(crate) skipped: Vec<(Ident, ExprPath)>,
}

/// A field that is flattened, and written.
pub(crate) struct FlatField {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The function that serde writes it with, if it is not the type's own.
    pub(crate) serialize: Option<ExprPath>,
    /// Whether it is read as its type reads itself.
    pub(crate) is_read: bool,
}

/// The items that stand for the values of a unique field.
pub(crate) struct Sentinel {
    /// The template of the partition key, as it is written.
    pub(crate) literal: LitStr,
    pub(crate) pieces: Vec<SentinelPiece>,
    /// The sort key.
    pub(crate) sk: Option<String>,
    /// The tag, if they have one.
    pub(crate) tag: Option<String>,
}

/// A piece of the key of a sentinel.
pub(crate) enum SentinelPiece {
    Literal(String),
    /// The unique field, or a field of the primary key within which it is unique.
    Field {
        name: String,
        /// Whether a value may contain the delimiter.
        rest: bool,
        /// Where it stands in the template.
        at: Range<usize>,
    },
}

/// What Dyna does with a field by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ManagedRole {
    Version,
    CreatedAt,
    UpdatedAt,
    Ttl,
    Unique,
    /// The tag of an enum, which says the variant.
    Variant,
}

impl ManagedRole {
    pub(crate) const ALL: [(&'static str, Self); 5] = [
        ("version", Self::Version),
        ("created_at", Self::CreatedAt),
        ("updated_at", Self::UpdatedAt),
        ("ttl", Self::Ttl),
        ("unique", Self::Unique),
    ];
}
