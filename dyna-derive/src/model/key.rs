//! A key: templates whose placeholders are fields.

use crate::template::{Format, Function, LayoutItem};
use proc_macro2::TokenStream;
use syn::{Ident, LitStr};

/// The templates of a key: one for each of its attributes.
pub(crate) struct Key {
    pub(crate) pk: Vec<Template>,
    pub(crate) sk: Vec<Template>,
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
    pub(super) fn is_finer(&self) -> bool {
        let is_finer = |item: &LayoutItem| matches!(item, LayoutItem::Micros | LayoutItem::Nanos);
        match (&self.function, &self.format) {
            (Some(Function::Path(_)), _) => true,
            (_, Some(Format::Layout(items))) => items.iter().any(is_finer),
            _ => false,
        }
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
