//! What an entity is once it is checked: valid by construction, every name computed once.

use crate::template::{Format, Function, LayoutItem};
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::{ExprPath, Ident, LitStr, Path, Type, Visibility};

/// A checked entity.
pub(crate) struct Entity {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) krate: Path,
    /// The table, as the user named it; `Self` if the entity is its own.
    pub(crate) table: TokenStream,
    pub(crate) tag: String,
    pub(crate) delimiter: u8,
    pub(crate) key: Key,
    pub(crate) indexes: Vec<Index>,
    pub(crate) fields: Vec<Field>,
    pub(crate) flattened: Flattened,
    /// Whether unknown attributes matter to it.
    pub(crate) sees_unknown: bool,
    /// Whether it stores `None` as NULL, in all of its fields.
    pub(crate) stores_null: bool,
    /// What its doc comment says first.
    pub(crate) doc: String,
}

/// The templates of a key: one for each of its attributes.
pub(crate) struct Key {
    pub(crate) pk: Vec<Template>,
    pub(crate) sk: Vec<Template>,
}

/// An index the entity is in.
pub(crate) struct Index {
    /// Its name on the table, with the user's span.
    pub(crate) name: Ident,
    /// The function that queries it.
    pub(crate) accessor: Ident,
    pub(crate) key: Key,
}

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
    /// What its doc comment says first.
    pub(crate) doc: String,
    /// What Dyna does with it by itself.
    pub(crate) kept: Option<Kept>,
    /// The function that serde writes it with, if it is not the type's own.
    pub(crate) serialize: Option<ExprPath>,
    /// The function that serde reads it with, if it is not the type's own.
    pub(crate) deserialize: Option<ExprPath>,
    /// How it is stored.
    pub(crate) form: Form,
    /// Whether it is an `Option` that serde asks for although it may not be stored.
    pub(crate) asked: bool,
    /// Whether it is an `Option` that serde may read as `Some` where it is not stored.
    pub(crate) defaulted: bool,
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

/// What Dyna does with a field by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Version,
    CreatedAt,
    UpdatedAt,
    Ttl,
    Unique,
}

impl Kept {
    pub(crate) const ALL: [(&'static str, Self); 5] = [
        ("version", Self::Version),
        ("created_at", Self::CreatedAt),
        ("updated_at", Self::UpdatedAt),
        ("ttl", Self::Ttl),
        ("unique", Self::Unique),
    ];
}

/// A field that keys are made of, and that the types of its constant do not tell all about.
pub(crate) struct Feed<'e> {
    pub(crate) part: &'e Part,
    /// Whether the primary key gives it back as it is.
    pub(crate) is_known: bool,
}

/// Indexes that have fields in common, so that an update sets the fields of all of them together.
pub(crate) struct Setter<'e> {
    /// `set_by_status`, or `set_by_status_and_by_owner`.
    pub(crate) name: Ident,
    pub(crate) indexes: Vec<(usize, &'e Index)>,
    /// The fields that are not in the primary key.
    pub(crate) parts: Vec<&'e Part>,
}

/// A template whose placeholders are fields.
pub(crate) struct Template {
    pub(crate) literal: LitStr,
    /// What stands between the delimiters.
    pub(crate) fields: Vec<Vec<Piece>>,
}

/// A piece of a template.
#[derive(Clone)]
pub(crate) enum Piece {
    Literal(String),
    Part(Box<Part>),
}

/// A placeholder.
#[derive(Clone)]
pub(crate) struct Part {
    /// The path as the template has it: what errors call the field.
    pub(crate) path: String,
    /// What arguments and query steps are called.
    pub(crate) arg: Ident,
    /// `channel_id`, or `data.email`.
    pub(crate) access: TokenStream,
    /// The field as a path: `User::DATA.then(<UserData>::EMAIL)`.
    pub(crate) field: TokenStream,
    /// The names it is stored under: of the attribute, and of the fields on the way.
    pub(crate) names: TokenStream,
    /// The type of the field, with the user's span where it is written in the struct.
    pub(crate) ty: TokenStream,
    /// The type that look-ups take: in an index, without its `Option`.
    pub(crate) arg_ty: TokenStream,
    pub(crate) format: Option<Format>,
    pub(crate) function: Option<Function>,
    pub(crate) rest: bool,
}

impl Template {
    /// The placeholders in order.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.fields
            .iter()
            .flatten()
            .filter_map(|piece| match piece {
                Piece::Part(part) => Some(&**part),
                Piece::Literal(_) => None,
            })
    }

    /// The one placeholder that is the whole template, if it is written as it is.
    pub(crate) fn lone(&self) -> Option<&Part> {
        match self.fields.as_slice() {
            [field] => match field.as_slice() {
                [Piece::Part(part)] if part.is_plain() => Some(part),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether nothing stands after the last placeholder.
    pub(crate) fn ends_in_part(&self) -> bool {
        self.fields
            .last()
            .is_some_and(|field| matches!(field.last(), Some(Piece::Part(_))))
    }
}

impl Part {
    /// Whether the field is an `Option` that look-ups see through.
    pub(crate) fn is_optional(&self) -> bool {
        self.ty.to_string() != self.arg_ty.to_string()
    }

    fn is_plain(&self) -> bool {
        self.format.is_none() && self.function.is_none() && !self.rest
    }

    /// Whether the value of the field can be read back from the key.
    pub(crate) fn is_readable(&self) -> bool {
        self.function.is_none() && !matches!(self.format, Some(Format::Layout(_)))
    }

    /// Whether it writes the same text for every value: it names the same field in the same way.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let way = |part: &Self| (part.format.clone(), part.function.clone(), part.rest);
        self.path == other.path && way(self) == way(other)
    }

    /// Whether it may say more of a value than one that was read back from a key: an instant is cut off there at milliseconds.
    fn is_finer(&self) -> bool {
        let is_finer = |item: &LayoutItem| matches!(item, LayoutItem::Micros | LayoutItem::Nanos);
        match (&self.function, &self.format) {
            (Some(Function::Path(_)), _) => true,
            (_, Some(Format::Layout(items))) => items.iter().any(is_finer),
            _ => false,
        }
    }
}

impl Entity {
    /// Whether a field is kept in this way.
    pub(crate) fn has(&self, kept: Kept) -> bool {
        self.fields.iter().any(|field| field.kept == Some(kept))
    }

    /// Whether the primary key names a field.
    pub(crate) fn is_in_key(&self, path: &str) -> bool {
        self.key.parts().any(|part| part.path == path)
    }

    /// The fields of an index that are not in the primary key.
    fn index_parts<'e>(&'e self, index: &'e Index) -> impl Iterator<Item = &'e Part> {
        let parts = index.key.parts();
        parts.filter(|part| !self.is_in_key(&part.path))
    }

    /// The indexes by what an update sets together, knowing nothing but the key of the item. A field that is unique or filled in is
    /// not set so, and no other field of its indexes.
    pub(crate) fn setters(&self) -> Vec<Setter<'_>> {
        let kept = |part: &&Part| {
            self.field(&part.path)
                .is_some_and(|field| self.is_kept(field))
        };
        let setters = self.groups().into_iter();
        setters
            .filter(|setter| !setter.parts.iter().any(kept))
            .collect()
    }

    /// Whether a write fills a field in, or writes more than the field with it. Unique values expire with their item.
    fn is_kept(&self, field: &Field) -> bool {
        match field.kept {
            Some(Kept::Ttl) => self.has(Kept::Unique),
            kept => kept.is_some(),
        }
    }

    /// The field that a path begins with.
    fn field(&self, path: &str) -> Option<&Field> {
        let first = path.split('.').next().unwrap_or(path);
        self.fields
            .iter()
            .find(|field| field.ident.unraw() == first)
    }

    /// The indexes by the fields that they have in common.
    fn groups(&self) -> Vec<Setter<'_>> {
        let mut setters: Vec<Setter<'_>> = Vec::new();
        for (n, index) in self.indexes.iter().enumerate() {
            let parts: Vec<_> = self.index_parts(index).collect();
            if parts.is_empty() {
                continue;
            }
            let shares = |setter: &Setter<'_>| {
                let mut theirs = setter.parts.iter();
                theirs.any(|theirs| parts.iter().any(|part| part.path == theirs.path))
            };
            let (together, apart): (Vec<_>, Vec<_>) = setters.into_iter().partition(shares);
            setters = apart;
            let indexes = together.iter().flat_map(|setter| setter.indexes.clone());
            let indexes: Vec<_> = indexes.chain([(n, index)]).collect();
            let all = together.iter().flat_map(|setter| setter.parts.clone());
            let names: Vec<_> = indexes
                .iter()
                .map(|(_, index)| index.accessor.unraw().to_string())
                .collect();
            setters.push(Setter {
                name: Ident::new(
                    &format!("set_{}", names.join("_and_")),
                    index.accessor.span(),
                ),
                indexes,
                parts: distinct(all.chain(parts)),
            });
        }
        setters
    }

    /// Whether the primary key gives the field of an index back as it is, or as the index has it.
    pub(crate) fn is_known(&self, part: &Part) -> bool {
        let mut key = self.key.parts();
        let is_read = key.any(|own| own.path == part.path && own.is_readable());
        // What is stored in the key alone is there as a whole.
        is_read && (!part.is_finer() || self.is_key_only(&part.path)) || self.is_copied(part)
    }

    /// Whether the primary key has the text of a placeholder, though not the value that it was made of.
    pub(crate) fn is_copied(&self, part: &Part) -> bool {
        !part.is_readable() && self.key.parts().any(|own| own.is_same(part))
    }

    fn is_key_only(&self, path: &str) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| field.key_only && field.ident.unraw() == path)
    }

    /// The fields whose place in what is stored has to be known: those of indexes, and those inside of others.
    pub(crate) fn feeds(&self) -> Vec<Feed<'_>> {
        let parts = self.indexes.iter().flat_map(|index| index.key.parts());
        let indexed: Vec<_> = parts.filter(|part| !self.is_known(part)).collect();
        let nested = self.key.parts().filter(|part| part.path.contains('.'));
        let parts = distinct(indexed.iter().copied().chain(nested));
        let is_known = |part: &Part| !indexed.iter().any(|other| other.path == part.path);
        let feed = |part| Feed {
            part,
            is_known: is_known(part),
        };
        parts.into_iter().map(feed).collect()
    }
}

impl Key {
    /// The placeholders of the partition key, then those of the sort key.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.pk.iter().chain(&self.sk).flat_map(Template::parts)
    }

    /// The templates of the partition key, then those of the sort key, with the number that each has there.
    pub(crate) fn templates(&self) -> impl Iterator<Item = (&Template, Role, usize)> {
        let pk = self.pk.iter().enumerate();
        let sk = self.sk.iter().enumerate();
        pk.map(|(n, template)| (template, Role::Partition, n))
            .chain(sk.map(|(n, template)| (template, Role::Sort, n)))
    }
}

/// Which half of a key a template is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Partition,
    Sort,
}

/// The placeholders of several templates without those that name a field again.
pub(crate) fn distinct<'p>(parts: impl Iterator<Item = &'p Part>) -> Vec<&'p Part> {
    let mut seen: Vec<&Part> = Vec::new();
    for part in parts {
        if !seen.iter().any(|other| other.path == part.path) {
            seen.push(part);
        }
    }
    seen
}
