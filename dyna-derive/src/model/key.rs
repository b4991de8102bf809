//! A key: templates whose placeholders are fields.

use super::Field;
use crate::template::{Format, Function, LayoutItem};
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Ident, LitStr, Type};

/// The templates of a key: one for each of its attributes.
pub(crate) struct Key {
    pub(crate) pk: Vec<Template>,
    pub(crate) sk: Vec<Template>,
}

/// A template whose placeholders are fields.
pub(crate) struct Template {
    pub(crate) literal: LitStr,
    pub(crate) delimiter: String,
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
    /// The field, and the fields inside of it from the outside in; never empty.
    pub(crate) fields: Vec<Ident>,
    /// The type of the first of them, with the user's span.
    pub(crate) ty: Type,
    /// What look-ups take instead: in an index, what an `Option` holds.
    pub(crate) lookup_ty: Option<Type>,
    /// The place of the template.
    pub(crate) span: Span,
    pub(crate) format: Option<Format>,
    /// What is applied to the value, in this order.
    pub(crate) functions: Vec<Function>,
    pub(crate) rest: bool,
    /// `<field?>`: nothing if the field has no value.
    pub(crate) or_empty: bool,
    /// The fields that a function of several takes; none of any other placeholder.
    pub(crate) inputs: Vec<Self>,
}

/// Where a parsed key has the text of a placeholder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeySlot {
    pub(crate) role: Role,
    /// Which placeholder of that half it is.
    pub(crate) n: usize,
    /// Which template of that half it is in.
    pub(crate) template: usize,
    /// Whether it is the whole of its attribute, which may be a number.
    pub(crate) is_whole: bool,
}

/// The partitions of a key, as a list of what is given for each.
pub(crate) struct Partitions<'k> {
    pub(crate) parts: Vec<(&'k Template, &'k Part)>,
    /// The fields that are given; all buckets are gone through.
    pub(crate) given: Vec<&'k Part>,
}

impl Partitions<'_> {
    /// Whether the field is given, be it for another placeholder.
    pub(crate) fn is_given(&self, part: &Part) -> bool {
        self.given.iter().any(|given| given.path == part.path)
    }

    /// How many buckets each field has that is not given.
    pub(crate) fn buckets(&self) -> impl Iterator<Item = u16> {
        let parts = self.parts.iter().map(|(_, part)| *part);
        parts
            .filter(|part| !self.is_given(part))
            .filter_map(Part::buckets)
    }
}

/// What is done with an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgUse {
    /// It is written to the key.
    Part,
    /// A function of the user's takes it.
    Value,
    Both,
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
}

impl Part {
    /// A field as it is.
    pub(crate) fn of_field(field: &Field, span: Span) -> Self {
        Self {
            path: field.ident.unraw().to_string(),
            arg: field.ident.clone(),
            fields: vec![field.ident.clone()],
            ty: field.ty.clone(),
            lookup_ty: None,
            span,
            format: None,
            functions: Vec::new(),
            rest: false,
            or_empty: false,
            inputs: Vec::new(),
        }
    }

    /// The fields that it is made of.
    pub(crate) fn sources(&self) -> &[Self] {
        if self.inputs.is_empty() {
            std::slice::from_ref(self)
        } else {
            &self.inputs
        }
    }

    /// Whether an item without a value is not in the index, as far as the spelling of the type tells.
    pub(crate) fn is_sparse(&self) -> bool {
        self.is_optional() && !self.or_empty
    }

    /// Whether the field is an `Option` that look-ups see through.
    pub(crate) fn is_optional(&self) -> bool {
        self.lookup_ty.is_some()
    }

    fn is_plain(&self) -> bool {
        self.format.is_none() && self.functions.is_empty() && !self.rest && !self.or_empty
    }

    /// Whether the value of the field can be read back from the key.
    pub(crate) fn is_readable(&self) -> bool {
        self.functions.is_empty() && !matches!(self.format, Some(Format::Layout(_)))
    }

    /// Whether it writes the same text for every value: it names the same field in the same way.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let way = |part: &Self| {
            let (format, functions) = (part.format.clone(), part.functions.clone());
            (format, functions, part.rest, part.or_empty)
        };
        self.path == other.path && way(self) == way(other)
    }

    /// How many buckets it has.
    pub(crate) fn buckets(&self) -> Option<u16> {
        self.functions.last().and_then(Function::buckets)
    }

    /// Whether the first function is given the value of the field, and not its text.
    pub(crate) fn takes_value(&self) -> bool {
        self.functions.first().is_some_and(Function::takes_value)
    }

    /// Whether all functions make text of text, so that ranges and prefixes go through them.
    pub(super) fn keeps_text(&self) -> bool {
        self.functions.iter().all(Function::is_of_text)
    }

    /// What is done with the argument of its field, given all placeholders that are filled.
    pub(crate) fn arg_use(&self, all: &[&Self]) -> ArgUse {
        let uses = || all.iter().filter(|other| other.path == self.path);
        let is_value = |part: &&&Self| part.takes_value();
        if uses().all(|part| is_value(&part)) {
            ArgUse::Value
        } else if uses().any(|part| is_value(&part)) {
            ArgUse::Both
        } else {
            ArgUse::Part
        }
    }

    /// Whether it may say more of a value than one that was read back from a key: an instant is cut off there at milliseconds.
    pub(super) fn is_finer(&self) -> bool {
        let is_finer = |item: &LayoutItem| matches!(item, LayoutItem::Micros | LayoutItem::Nanos);
        match &self.format {
            _ if self.takes_value() => true,
            Some(Format::Layout(items)) => items.iter().any(is_finer),
            _ => false,
        }
    }
}

impl Key {
    /// The placeholders of the partition key, then those of the sort key.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.pk.iter().chain(&self.sk).flat_map(Template::parts)
    }

    /// Whether a query by this key would do more than `get` does.
    pub(crate) fn is_queryable(&self) -> bool {
        self.sk.iter().any(|sk| sk.parts().next().is_some())
    }

    /// The partitions, if there are several.
    pub(crate) fn partitions(&self) -> Option<Partitions<'_>> {
        let parts = self.pk.iter();
        let parts = parts.flat_map(|template| template.parts().map(move |part| (template, part)));
        let parts: Vec<_> = parts.collect();
        let given = parts.iter().map(|(_, part)| *part);
        let given = distinct(given.filter(|part| part.buckets().is_none()));
        (!parts.is_empty()).then_some(Partitions { parts, given })
    }

    /// Where the key has a placeholder that is as wanted.
    pub(crate) fn slot(&self, wanted: impl Fn(&Part) -> bool) -> Option<KeySlot> {
        self.templates().find_map(|(template, role, at)| {
            let n = template.parts().position(&wanted)?;
            let is_whole = template.lone().is_some();
            let half = match role {
                Role::Partition => &self.pk,
                Role::Sort => &self.sk,
            };
            let before = half.iter().take(at).flat_map(Template::parts).count();
            Some(KeySlot {
                role,
                n: before + n,
                template: at,
                is_whole,
            })
        })
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
