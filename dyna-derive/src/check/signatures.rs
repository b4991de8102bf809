//! The signatures of an entity with errors. Reports nothing: `entity` has.

use super::fields::named_fields;
use super::names::{ENTITY_FUNCTIONS, TABLE_FUNCTIONS};
use super::templates::arg_name;
use crate::attr::{EntityAttr, TableRef, crate_path};
use crate::error::Errors;
use crate::model::{
    Constant, IndexSignature, KeySignature, SetterSignature, Signatures, const_name, setter,
};
use crate::template;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Field, Ident, LitStr, Type};

/// The signatures of a struct or an enum; one without named fields has no constants.
pub(crate) fn signatures(input: &DeriveInput) -> Option<Signatures> {
    if matches!(input.data, Data::Union(_)) || !input.generics.params.is_empty() {
        return None;
    }
    let mut reported = Errors::default();
    let attr = EntityAttr::parse(&input.attrs, &mut reported);
    reported.discard();
    let table = attr.table.get().map(|table| match table {
        TableRef::Of(path) => path.clone(),
        TableRef::Own(_) => input.ident.clone().into(),
    });
    let key = key(attr.pk.as_slice(), attr.sk.as_slice());
    let indexes = indexes(&attr);
    let constants = constants(input);
    Some(Signatures {
        ident: input.ident.clone(),
        vis: input.vis.clone(),
        krate: crate_path(attr.krate.get()),
        table,
        setters: setters(&key, &indexes),
        has_sk: attr.sk.get().is_some(),
        parsed: parsed(&key, &constants),
        key,
        indexes,
        constants,
    })
}

fn key(pk: &[LitStr], sk: &[LitStr]) -> KeySignature {
    let (pk, sk) = (paths(pk).filter(|_| !pk.is_empty()), paths(sk));
    let all: Vec<_> = [&pk, &sk]
        .into_iter()
        .flatten()
        .flatten()
        .cloned()
        .collect();
    let names = |paths: &[Vec<String>]| -> Option<Vec<Ident>> {
        paths.iter().map(|path| arg_name(path, &all)).collect()
    };
    KeySignature {
        args: pk.as_ref().zip(sk.as_ref()).and(names(&all)).map(distinct),
        partition: pk.and_then(|pk| names(&pk)).map(distinct),
        steps: sk.and_then(|sk| names(&sk)).unwrap_or_default(),
    }
}

/// The paths of all placeholders, if the templates can be read.
fn paths(literals: &[LitStr]) -> Option<Vec<Vec<String>>> {
    let templates = literals
        .iter()
        .map(|literal| template::parse(&literal.value()).ok());
    let templates = templates.collect::<Option<Vec<_>>>()?;
    let placeholders = templates.iter().flat_map(template::Template::placeholders);
    Some(placeholders.map(template::Placeholder::named).collect())
}

fn distinct(args: Vec<Ident>) -> Vec<Ident> {
    let mut seen = Vec::new();
    for arg in args {
        if !seen.contains(&arg) {
            seen.push(arg);
        }
    }
    seen
}

/// The indexes, each function once.
fn indexes(attr: &EntityAttr) -> Vec<IndexSignature> {
    let mut indexes: Vec<IndexSignature> = Vec::new();
    for index in &attr.indexes {
        let accessor = index.query_name();
        let name = accessor.unraw().to_string();
        let is_taken = ENTITY_FUNCTIONS.contains(&name.as_str())
            || TABLE_FUNCTIONS.contains(&name.as_str())
            || indexes.iter().any(|other| {
                other.name == index.name
                    || other.accessor.unraw().to_string().trim_end_matches("_many")
                        == name.trim_end_matches("_many")
            });
        let pk = match index.pk.get() {
            Some(pk) => &pk.0,
            None => attr.pk.as_slice(),
        };
        if !is_taken {
            indexes.push(IndexSignature {
                name: index.name.clone(),
                accessor,
                key: key(pk, index.sk.all()),
            });
        }
    }
    indexes
}

/// The setters of indexes: of those that have fields in common, one.
fn setters(primary: &KeySignature, indexes: &[IndexSignature]) -> Vec<SetterSignature> {
    let in_key = |arg: &&Ident| primary.args.iter().flatten().any(|it| it == *arg);
    let mut groups: Vec<(Vec<&Ident>, Vec<Ident>)> = Vec::new();
    for index in indexes {
        let args = index.key.args.iter().flatten();
        let args: Vec<Ident> = args.filter(|arg| !in_key(arg)).cloned().collect();
        if args.is_empty() {
            continue;
        }
        let is_shared = |group: &(_, Vec<Ident>)| group.1.iter().any(|arg| args.contains(arg));
        let (joined, others) = groups.into_iter().partition(is_shared);
        groups = others;
        let mut group: (Vec<&Ident>, Vec<Ident>) = Default::default();
        for (accessors, args) in Vec::from_iter(joined)
            .into_iter()
            .chain([(vec![&index.accessor], args)])
        {
            group.0.extend(accessors);
            group.1.extend(args);
        }
        groups.push(group);
    }
    let mut setters: Vec<SetterSignature> = Vec::new();
    for (accessors, args) in groups {
        let name = setter(accessors.into_iter());
        // Two of one name have been reported.
        if setters.iter().all(|other| other.name != name) {
            let args = distinct(args);
            setters.push(SetterSignature { name, args });
        }
    }
    setters
}

/// The types of the fields of the primary key, if all of its arguments are fields.
fn parsed(primary: &KeySignature, constants: &[Constant]) -> Option<Vec<Type>> {
    let types = primary.args.as_ref()?.iter().map(|arg| {
        let name = const_name(arg);
        let mut constants = constants.iter();
        let constant = constants.find(|constant| constant.name == name)?;
        Some(constant.ty.clone())
    });
    types.collect()
}

/// The constants of fields, each name once.
fn constants(input: &DeriveInput) -> Vec<Constant> {
    let fields: Vec<&Field> = match &input.data {
        Data::Enum(data) => data.variants.iter().flat_map(|one| &one.fields).collect(),
        _ => named_fields(input).map_or_else(Vec::new, |fields| fields.named.iter().collect()),
    };
    let is_enum = matches!(input.data, Data::Enum(_));
    let mut constants: Vec<Constant> = Vec::new();
    for field in fields {
        let Some(name) = field.ident.as_ref().map(const_name) else {
            continue;
        };
        if constants.iter().all(|other| other.name != name) {
            constants.push(Constant {
                name,
                vis: if is_enum { &input.vis } else { &field.vis }.clone(),
                ty: field.ty.clone(),
            });
        }
    }
    constants
}
