//! An entity that is an enum: the fields that all of its variants have, and those that some have.

use super::fields::{RawField, check_attributes, flattened, raw_field};
use crate::attr::{FieldAttr, SerdeAttr, refuse};
use crate::docs;
use crate::error::Errors;
use crate::model::{Field, Form, ManagedRole, Variant, Variants, WhenAbsent};
use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, DataEnum, DeriveInput, Fields, Ident, parse_quote};

/// The fields of an entity.
pub(super) struct EntityFields {
    /// Those of a struct, or those that all variants of an enum have.
    pub(super) fields: Vec<RawField>,
    pub(super) several: Option<Several>,
}

/// What only an enum has.
pub(super) struct Several {
    pub(super) variants: Variants,
    /// The tag of serde, as a field.
    pub(super) tag: Field,
    /// The fields that templates cannot name.
    pub(super) uncommon: Vec<Uncommon>,
    /// Whether a variant flattens something.
    pub(super) flattens: bool,
}

/// A field that not all variants have alike.
pub(super) struct Uncommon {
    pub(super) name: String,
    /// What tells two variants apart in it.
    pub(super) why: String,
}

/// A variant as it is written.
struct RawVariant {
    ident: Ident,
    name: String,
    fields: Vec<RawVariantField>,
}

struct RawVariantField {
    raw: RawField,
    name: String,
    /// The type, as it is spelled.
    ty: String,
    /// Its attributes that say how it is stored.
    attrs: Vec<String>,
}

/// The fields of an enum, or what is wrong with it.
pub(super) fn variants(
    input: &DeriveInput,
    data: &DataEnum,
    serde: &SerdeAttr,
    errors: &mut Errors,
) -> Option<EntityFields> {
    let tag = tag(input, data, serde, errors)?;
    let mut raw = Vec::new();
    for variant in &data.variants {
        raw.push(raw_variant(input, variant, serde, errors));
    }
    let mut raw = raw.into_iter().collect::<Option<Vec<_>>>()?;
    check_names(&raw, errors);
    check_stored(&raw, tag, errors);
    let uncommon = uncommon(&raw);
    check_managed(&raw, &uncommon, errors);
    let is_common = |field: &RawVariantField| {
        let is_it = |other: &Uncommon| other.name == field.name;
        !field.raw.flatten && !uncommon.iter().any(is_it)
    };
    let flattens = raw
        .iter()
        .flat_map(|variant| &variant.fields)
        .any(|field| field.raw.flatten);
    let list = raw.iter().map(|variant| {
        let fields = variant.fields.iter();
        let mut flattened = flattened(fields.clone().map(|field| &field.raw));
        // What is flattened may not write the names of this variant either.
        let own = fields.filter(|field| !is_common(field) && field.raw.is_stored());
        let own = own.map(|field| field.raw.field.attribute.clone());
        flattened.declared.extend(own);
        (variant.ident.clone(), variant.name.clone(), flattened)
    });
    let list: Vec<_> = list.collect();
    check_write_only(&raw, &list, errors);
    let mut common = Vec::new();
    let variants = raw.drain(..).zip(list).enumerate().map(|(at, (raw, own))| {
        let (shared, only): (Vec<_>, Vec<_>) = raw.fields.into_iter().partition(&is_common);
        if at == 0 {
            common.extend(shared.into_iter().map(|field| field.raw));
        }
        let (ident, name, flattened) = own;
        Variant {
            ident,
            name,
            flattened,
            only: only
                .into_iter()
                .filter_map(|field| field.raw.stored())
                .collect(),
        }
    });
    let variants = Variants {
        tag: tag.to_owned(),
        list: variants.collect(),
    };
    Some(EntityFields {
        fields: common,
        several: Some(Several {
            variants,
            tag: tag_field(input, tag),
            uncommon,
            flattens,
        }),
    })
}

/// The attribute with the name of the variant: the one form whose fields are attributes.
fn tag<'s>(
    input: &DeriveInput,
    data: &DataEnum,
    serde: &'s SerdeAttr,
    errors: &mut Errors,
) -> Option<&'s str> {
    const FORM: &str = "stores the fields of a variant as attributes, and its name in one more";
    let ident = &input.ident;
    let is_entity = |variant: &syn::Variant| matches!(&variant.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1);
    let help = match (&serde.tag, &serde.apart) {
        (Some(_), None) if data.variants.is_empty() => {
            errors.at(
                ident,
                format_args!("`{ident}` has no variant, so it has no items"),
            );
            return None;
        }
        (Some(tag), None) => return Some(tag),
        (_, Some(apart)) => {
            errors.help(
                apart,
                format_args!("an entity that is an enum {FORM}"),
                format_args!("write `#[serde(tag = \"type\")]` on `{ident}`, without `{apart}`"),
            );
            return None;
        }
        _ if !data.variants.is_empty() && data.variants.iter().all(is_entity) => {
            "an enum that lists entities is a table: derive `DynaTable` on it instead"
        }
        _ => "write `#[serde(tag = \"type\")]` on it, with the name of the attribute",
    };
    errors.help(
        ident,
        format_args!("an entity that is an enum {FORM}, and `{ident}` has no tag"),
        help,
    );
    None
}

fn raw_variant(
    input: &DeriveInput,
    variant: &syn::Variant,
    container: &SerdeAttr,
    errors: &mut Errors,
) -> Option<RawVariant> {
    refuse(&variant.attrs, "a variant of an entity", errors);
    let serde = SerdeAttr::parse(&variant.attrs, errors);
    if let Some(form) = serde.apart.as_ref().or(serde.with.as_ref()) {
        errors.help(
            form,
            format_args!("an entity is stored field by field, and `{form}` stores another form"),
            "remove it from the variant",
        );
    }
    let ident = &variant.ident;
    let text = ident.unraw().to_string();
    let name = serde.rename.unwrap_or_else(|| {
        let case = container.rename_all;
        case.map_or_else(|| text.clone(), |case| case.variant(&text))
    });
    let of_fields = SerdeAttr {
        rename_all: serde.rename_all.or(container.rename_all_fields),
        ..SerdeAttr::default()
    };
    let mut fields = Vec::new();
    match &variant.fields {
        Fields::Unit => {}
        Fields::Named(named) => {
            for field in &named.named {
                let dyna = FieldAttr::parse(&field.attrs, errors);
                let mut raw = raw_field(field, &of_fields, dyna, errors)?;
                // The fields of an enum are as visible as the enum.
                raw.field.vis = input.vis.clone();
                fields.push(RawVariantField {
                    name: raw.field.ident.unraw().to_string(),
                    ty: docs::spelled(field.ty.to_token_stream()),
                    attrs: attributes(&field.attrs),
                    raw,
                });
            }
        }
        Fields::Unnamed(_) => {
            errors.help(
                variant,
                format_args!("`{ident}` has no named fields, and templates refer to them as `<field>`"),
                format_args!("write `{ident} {{ .. }}`, with the fields of the keys; a struct with the others can be one more, with `#[serde(flatten)]`"),
            );
            return None;
        }
    }
    Some(RawVariant {
        ident: ident.clone(),
        name,
        fields,
    })
}

/// What serde and Dyna are told of a field.
fn attributes(attrs: &[Attribute]) -> Vec<String> {
    let is_ours = |attr: &&Attribute| attr.path().is_ident("serde") || attr.path().is_ident("dyna");
    let ours = attrs.iter().filter(is_ours);
    let mut texts: Vec<_> = ours
        .map(|attr| attr.to_token_stream().to_string())
        .collect();
    texts.sort();
    texts
}

/// A variant is read by the name that it is written with.
fn check_names(variants: &[RawVariant], errors: &mut Errors) {
    for (at, variant) in variants.iter().enumerate() {
        let mut earlier = variants[..at].iter();
        if let Some(other) = earlier.find(|other| other.name == variant.name) {
            let (ident, other, name) = (&variant.ident, &other.ident, &variant.name);
            errors.at(
                ident,
                format_args!("`{other}` and `{ident}` are both stored as `{name}`"),
            );
        }
    }
}

/// Each field of a variant has an attribute of its own, which is not the tag. The fields of all variants are judged once.
fn check_stored(variants: &[RawVariant], tag: &str, errors: &mut Errors) {
    let mut found = Errors::default();
    for variant in variants {
        let fields = variant.fields.iter().map(|field| &field.raw);
        check_attributes(fields.clone(), &mut found);
        let mut stored = fields.filter(|raw| raw.is_stored());
        let has_alias = |raw: &&RawField| raw.field.aliases.iter().any(|alias| alias == tag);
        if let Some(raw) = stored.find(has_alias) {
            found.at(
                &raw.field.ident,
                format_args!(
                    "the alias `{tag}` of `{}` is the tag of the enum",
                    raw.field.ident
                ),
            );
        }
        if !found.is_empty() {
            break;
        }
    }
    errors.extend(found);
}

/// The fields that some variants lack or have otherwise, each once.
fn uncommon(variants: &[RawVariant]) -> Vec<Uncommon> {
    let mut found: Vec<Uncommon> = Vec::new();
    let fields = variants.iter().flat_map(|variant| &variant.fields);
    for field in fields.filter(|field| !field.raw.flatten) {
        let name = &field.name;
        if found.iter().any(|other| other.name == *name) {
            continue;
        }
        if let Some(why) = variants
            .iter()
            .find_map(|one| difference(variants, one, name))
        {
            let name = name.clone();
            found.push(Uncommon { name, why });
        }
    }
    found
}

/// What a variant does otherwise with a field than the first variant that has it.
fn difference(variants: &[RawVariant], variant: &RawVariant, name: &str) -> Option<String> {
    let find = |variant: &'_ RawVariant| variant.fields.iter().position(|field| field.name == name);
    let (first, at) = variants.iter().find_map(|one| Some((one, find(one)?)))?;
    let ours = &first.fields[at];
    let (a, b) = (&first.ident, &variant.ident);
    let Some(theirs) = find(variant).map(|at| &variant.fields[at]) else {
        return Some(format!("`{b}` has no field `{name}`"));
    };
    let attribute = |field: &'_ RawVariantField| field.raw.field.attribute.clone();
    let (x, y) = (attribute(ours), attribute(theirs));
    if ours.ty != theirs.ty {
        let (x, y) = (&ours.ty, &theirs.ty);
        return Some(format!("`{name}` is `{x}` in `{a}` and `{y}` in `{b}`"));
    }
    if x != y {
        return Some(format!(
            "`{name}` is stored as `{x}` in `{a}` and as `{y}` in `{b}`"
        ));
    }
    (ours.attrs != theirs.attrs).then(|| {
        format!(
            "the `#[serde(..)]` and `#[dyna(..)]` of `{name}` are not the same in `{a}` and `{b}`"
        )
    })
}

/// What Dyna fills in, or reads from a key, is in every item.
fn check_managed(variants: &[RawVariant], uncommon: &[Uncommon], errors: &mut Errors) {
    for Uncommon { name, why } in uncommon {
        let fields = variants.iter().flat_map(|variant| &variant.fields);
        let mut fields = fields.filter(|field| field.name == *name).map(|it| &it.raw);
        let option = fields.find_map(|raw| {
            let mut managed = ManagedRole::ALL.into_iter();
            let managed = managed.find(|(_, role)| raw.field.managed == Some(*role));
            let option = managed.map(|(name, _)| name);
            Some((
                raw,
                option.or(raw.key_only.is_some().then_some("key_only"))?,
            ))
        });
        if let Some((raw, option)) = option {
            errors.help(
                &raw.field.ident,
                format_args!(
                    "`{option}` is for a field that every variant has in the same form, and {why}"
                ),
                "give every variant the field, with the same type and attributes",
            );
        }
    }
}

/// What one variant only writes is hidden from all of them when they are read.
fn check_write_only(
    variants: &[RawVariant],
    list: &[(Ident, String, crate::model::Flattened)],
    errors: &mut Errors,
) {
    for (ident, _, flattened) in list {
        for attribute in &flattened.write_only {
            let fields = variants.iter().flat_map(|variant| &variant.fields);
            let mut stored = fields.map(|field| &field.raw).filter(|raw| raw.is_stored());
            if let Some(raw) = stored.find(|raw| raw.field.attribute == *attribute) {
                errors.at(
                    &raw.field.ident,
                    format_args!(
                        "`{attribute}` is read here, and `{ident}` only writes it: serde would not find it"
                    ),
                );
            }
        }
    }
}

/// The tag, as a field that no write sets.
fn tag_field(input: &DeriveInput, tag: &str) -> Field {
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let mut name = String::new();
    for c in tag.chars() {
        let is_capital = c.is_uppercase() && tag.contains(char::is_lowercase);
        if is_capital && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        name.push(if is_word(c) {
            c.to_ascii_lowercase()
        } else {
            '_'
        });
    }
    let parsed = syn::parse_str::<Ident>(&name);
    let parsed = parsed.or_else(|_| syn::parse_str::<Ident>(&format!("r#{name}")));
    let mut ident = parsed.unwrap_or_else(|_| Ident::new("variant", Span::call_site()));
    ident.set_span(input.ident.span());
    Field {
        ident,
        vis: input.vis.clone(),
        ty: parse_quote!(::std::string::String),
        attribute: tag.to_owned(),
        aliases: Vec::new(),
        stores_null: false,
        key_only: false,
        comment: format!(" The name of the variant of [`{}`].", input.ident),
        managed: Some(ManagedRole::Variant),
        sentinel: None,
        serialize: None,
        deserialize: None,
        form: Form::Plain,
        when_absent: WhenAbsent::Nothing,
    }
}
