//! Managed attributes, as const data.

use crate::expand::fields::{form, stored_name};
use crate::model::{Entity, Field, ManagedRole, Sentinel, SentinelPiece};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// `Managed { .. }`
pub(super) fn managed(entity: &Entity) -> TokenStream {
    let fields = &entity.fields;
    let members: Vec<_> = fields.iter().filter_map(member).collect();
    let unique = fields
        .iter()
        .filter(|field| field.managed == Some(ManagedRole::Unique));
    let unique: Vec<_> = unique.map(|field| sentinel(entity, field)).collect();
    let inputs: Vec<_> = inputs(entity).collect();
    let sharing = shares_key_with(entity);
    let partial = entity.partial.then(|| quote!(partial: true,));
    let more = sharing.is_some() || partial.is_some() || !inputs.is_empty();
    if members.is_empty() && unique.is_empty() && !more {
        return quote!(__rt::Managed::NONE);
    }
    let unique = (!unique.is_empty()).then(|| quote!(unique: &[#(#unique),*],));
    let given: Vec<_> = fields.iter().filter_map(|one| given(entity, one)).collect();
    let given = (!given.is_empty()).then(|| quote!(sentinels: &[#(#given),*],));
    let inputs = (!inputs.is_empty()).then(|| quote!(inputs: &[#(#inputs),*],));
    let given = quote!(#(#members,)* #unique #given #inputs #sharing #partial);
    quote!(__rt::Managed { #given ..__rt::Managed::NONE })
}

/// `IndexInputs { .. }` of each index that depends on fields which are no placeholders of its own.
fn inputs(entity: &Entity) -> impl Iterator<Item = TokenStream> {
    let indexes = entity.indexes.iter().enumerate();
    indexes.filter_map(|(n, index)| {
        let fields = index.inputs().into_iter().map(|part| &part.path);
        let fields: Vec<_> = fields.collect();
        let n = Literal::usize_unsuffixed(n);
        (!fields.is_empty())
            .then(|| quote!(__rt::IndexInputs { index: #n, fields: &[#(#fields),*] }))
    })
}

/// The names of the entities that have the same keys.
fn shares_key_with(entity: &Entity) -> Option<TokenStream> {
    let last = |path: &syn::Path| Some(path.segments.last()?.ident.unraw().to_string());
    let names: Vec<_> = entity.shares_key_with.iter().filter_map(last).collect();
    (!names.is_empty()).then(|| quote!(shares_key_with: &[#(#names),*],))
}

fn member(field: &Field) -> Option<TokenStream> {
    let (name, ty) = (stored_name(field), &field.ty);
    let span = tokens::located(ty.span());
    let (member, value) = match field.managed? {
        ManagedRole::Version => {
            let max = quote_spanned!(span=> <#ty as __rt::VersionField>::MAX);
            let value = quote!(__rt::ManagedVersion { name: #name, max: #max });
            (quote!(version), value)
        }
        ManagedRole::CreatedAt => (quote!(created_at), stamp(field, &name)),
        ManagedRole::UpdatedAt => (quote!(updated_at), stamp(field, &name)),
        ManagedRole::Ttl => (quote!(expiry), expiry(field, &name)),
        ManagedRole::Unique | ManagedRole::Variant => return None,
    };
    let value = tokens::option(Some(value));
    Some(quote!(#member: #value))
}

/// `UniqueField { .. }`: the partition key of the items that stand for the values of a unique field.
fn sentinel(entity: &Entity, field: &Field) -> TokenStream {
    let name = stored_name(field);
    if let Some(sentinel) = &field.sentinel {
        let template = given_template(entity, sentinel);
        return quote!(__rt::UniqueField { name: #name, template: #template });
    }
    let delimiter = entity.delimiter.text.as_str();
    let owner = format!(
        "UNIQUE{delimiter}{}{delimiter}{}",
        entity.tag, field.attribute
    );
    let text = format!("{owner}{delimiter}<{}..>", field.ident);
    let mut fields: Vec<_> = literals(&owner, delimiter).collect();
    fields.push(quote!(__rt::part("value", __rt::Shape::Rest)));
    let template = template(&text, delimiter, &fields);
    quote!(__rt::UniqueField { name: #name, template: #template })
}

/// The template of a partition key that the user says.
fn given_template(entity: &Entity, sentinel: &Sentinel) -> TokenStream {
    let delimiter = entity.delimiter.text.as_str();
    let mut fields = vec![Vec::new()];
    for piece in &sentinel.pieces {
        match piece {
            SentinelPiece::Literal(text) => {
                let mut texts = text.split(delimiter);
                let literal = |text| Some(Seg::Literal(text)).filter(|_| !str::is_empty(text));
                extend(&mut fields, texts.next().and_then(literal));
                fields.extend(texts.map(|text| literal(text).into_iter().collect()));
            }
            SentinelPiece::Field { name, rest, .. } => {
                extend(&mut fields, Some(Seg::Field(name, *rest)));
            }
        }
    }
    let fields: Vec<_> = fields.iter().map(|segs| field(segs)).collect();
    template(&sentinel.literal.value(), delimiter, &fields)
}

/// What stands between two delimiters is made of these.
enum Seg<'s> {
    Literal(&'s str),
    /// A field, and whether its value may contain the delimiter.
    Field(&'s str, bool),
}

/// Adds to the last of the fields.
fn extend<'s>(fields: &mut [Vec<Seg<'s>>], seg: Option<Seg<'s>>) {
    if let Some(last) = fields.last_mut() {
        last.extend(seg);
    }
}

fn field(segs: &[Seg<'_>]) -> TokenStream {
    let shape = |rest| {
        if rest {
            quote!(__rt::Shape::Rest)
        } else {
            quote!(__rt::Shape::Text)
        }
    };
    match segs {
        [] => quote!(__rt::lit("")),
        [Seg::Literal(text)] => quote!(__rt::lit(#text)),
        [Seg::Field(name, rest)] => {
            let shape = shape(*rest);
            quote!(__rt::part(#name, #shape))
        }
        segs => {
            let segs = segs.iter().map(|seg| match seg {
                Seg::Literal(text) => quote!(__rt::Seg::Lit(#text)),
                Seg::Field(name, rest) => {
                    let shape = shape(*rest);
                    quote!(__rt::Seg::Part(__rt::Part::new(#name, #shape)))
                }
            });
            quote!(__rt::mixed(&[#(#segs),*]))
        }
    }
}

/// The fields of a text without placeholders.
fn literals(text: &str, delimiter: &str) -> impl Iterator<Item = TokenStream> {
    text.split(delimiter).map(|text| quote!(__rt::lit(#text)))
}

fn template(text: &str, delimiter: &str, fields: &[TokenStream]) -> TokenStream {
    let delimiter = tokens::delimiter(delimiter);
    quote!(__rt::Template { text: #text, delimiter: #delimiter, fields: &[#(#fields),*] })
}

/// `Sentinel { .. }`: what the user says of the items that stand for unique values besides their partition key.
fn given(entity: &Entity, field: &Field) -> Option<TokenStream> {
    let sentinel = field.sentinel.as_ref()?;
    let sk = sentinel.sk.as_deref().unwrap_or("UNIQUE");
    let attribute = &field.attribute;
    let fields: Vec<_> = literals(sk, &entity.delimiter.text).collect();
    let template = template(sk, &entity.delimiter.text, &fields);
    let parts = sentinel.pieces.iter().filter_map(|piece| match piece {
        SentinelPiece::Literal(_) => None,
        SentinelPiece::Field { name, .. } => Some(&entity.field(name)?.attribute),
    });
    let tag = tokens::option(sentinel.tag.as_ref().map(|tag| quote!(#tag)));
    Some(
        quote!(__rt::Sentinel { attribute: #attribute, parts: &[#(#parts),*], sk: #template, tag: #tag }),
    )
}

fn stamp(field: &Field, name: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let span = tokens::located(ty.span());
    let form = form(field).unwrap_or_else(|| quote!(__rt::Plain));
    let at = quote_spanned!(span=> <#ty as __rt::Stamped<#form>>::from_time);
    let write = match &field.serialize {
        Some(function) => {
            quote!(__rt::stored(#function(&#at(__now)?, __rt::ValueWriter::OMITTING)))
        }
        None => quote!(__rt::to_value(&#at(__now)?)),
    };
    quote!(__rt::ManagedTimestamp { name: #name, write: |__now| #write })
}

fn expiry(field: &Field, name: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let span = tokens::located(ty.span());
    let is_seconds = quote_spanned!(span=> <#ty as __rt::TtlField>::IS_SECONDS);
    let read = match &field.deserialize {
        Some(function) => quote!(#function(__rt::ValueReader::of(&mut __value))),
        None => quote!(__rt::from_value(__value)),
    };
    let mutable = field.deserialize.as_ref().map(|_| quote!(mut));
    quote! {
        __rt::TtlSource {
            name: #name,
            is_seconds: #is_seconds,
            read: |#mutable __value, __now| __rt::expires::<#ty>(#read, __now),
        }
    }
}
