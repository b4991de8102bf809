//! What Dyna keeps of an item by itself, as const data.

use crate::expand::fields::{form, stored_name};
use crate::model::{Entity, Field, ManagedRole};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// `Kept { .. }`
pub(super) fn managed(entity: &Entity) -> TokenStream {
    let fields = &entity.fields;
    let members: Vec<_> = fields.iter().filter_map(member).collect();
    let unique = fields
        .iter()
        .filter(|field| field.managed == Some(ManagedRole::Unique));
    let unique: Vec<_> = unique.map(|field| sentinel(entity, field)).collect();
    if members.is_empty() && unique.is_empty() {
        return quote!(__rt::Managed::NONE);
    }
    let unique = (!unique.is_empty()).then(|| quote!(unique: &[#(#unique),*],));
    quote!(__rt::Managed { #(#members,)* #unique ..__rt::Managed::NONE })
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
        ManagedRole::Unique => return None,
    };
    let value = tokens::option(Some(value));
    Some(quote!(#member: #value))
}

/// `Unique { .. }`: the partition key of the items that stand for the values of a unique field.
fn sentinel(entity: &Entity, field: &Field) -> TokenStream {
    let name = stored_name(field);
    let delimiter = char::from(entity.delimiter);
    let owner = format!(
        "UNIQUE{delimiter}{}{delimiter}{}",
        entity.tag, field.attribute
    );
    let text = format!("{owner}{delimiter}<{}..>", field.ident);
    let literals = owner.split(delimiter);
    let delimiter = Literal::byte_character(entity.delimiter);
    quote! {
        __rt::Unique {
            name: #name,
            template: __rt::Template {
                text: #text,
                delimiter: #delimiter,
                fields: &[#(__rt::lit(#literals),)* __rt::part("value", __rt::Shape::Rest)],
            },
        }
    }
}

fn stamp(field: &Field, name: &TokenStream) -> TokenStream {
    let ty = &field.ty;
    let span = tokens::located(ty.span());
    let form = form(field).unwrap_or_else(|| quote!(__rt::Plain));
    let at = quote_spanned!(span=> <#ty as __rt::Stamped<#form>>::from_time);
    let write = match &field.serialize {
        Some(function) => quote!(__rt::stored(#function(&#at(__now), __rt::ValueWriter::OMITTING))),
        None => quote!(__rt::to_value(&#at(__now))),
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
