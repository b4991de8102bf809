//! The functions of an entity. `__rt` must be in scope.

use super::keys::read;
use super::parts;
use super::queries::{Args, Space, all_given, texts};
use crate::docs;
use crate::expand::fields;
use crate::model::Entity;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

pub(super) fn functions(entity: &Entity) -> TokenStream {
    let Entity {
        ident, vis, table, ..
    } = entity;
    let (by_key, by_item) = (by_key(entity), by_item(entity));
    let parse_key = parse_key(entity);
    let queries = Space::of(entity).filter_map(|space| space.queries());
    let consts = fields::entity_consts(entity);
    quote! {
        // A program rarely uses all of these; a key has as many fields as it has.
        #[allow(dead_code, clippy::too_many_arguments)]
        #[automatically_derived]
        impl #ident {
            #by_key
            #by_item
            /// Scans the table for items of this entity.
            #vis fn scan() -> __rt::Scan<Self, __rt::Primary<#table>> {
                __rt::Scan::entity()
            }
            #parse_key
            #(#queries)*
            #consts
        }
    }
}

/// The functions that take the fields of the primary key.
fn by_key(entity: &Entity) -> TokenStream {
    let (vis, replaceable) = (&entity.vis, replaceable(entity));
    let args = Args::new(entity.key.parts());
    let (parameters, names) = (args.parameters(), args.names());
    let (pk, sk) = (all_given(&entity.key.pk), all_given(&entity.key.sk));
    let upsert = upsert(entity, &parameters, &names);
    let of = docs::with_article(&entity.ident.unraw().to_string());
    let templates = texts(entity.key.pk.iter().chain(&entity.key.sk));
    let key_doc = format!("The primary key of {of}: {templates}.");
    let get_doc = format!("Reads the item with the key {templates}.");
    let update_doc = format!("Changes the item with the key {templates}. Fails if there is none.");
    let delete_doc = format!("Deletes the item with the key {templates}.");
    quote! {
        #[doc = #key_doc]
        #vis fn key(#(#parameters),*) -> __rt::Key<Self> {
            __rt::Key::new(#pk, #sk)
        }
        #[doc = #get_doc]
        #vis fn get(#(#parameters),*) -> __rt::Get<Self> {
            __rt::Get::new(Self::key(#(#names),*))
        }
        #[doc = #update_doc]
        #vis fn update(#(#parameters),*) -> __rt::Update<Self> {
            __rt::Update::new(Self::key(#(#names),*))
        }
        #upsert
        #[doc = #delete_doc]
        #vis fn delete(#(#parameters),*) -> __rt::Delete<Self> #replaceable {
            __rt::Delete::new(Self::key(#(#names),*))
        }
        /// Asks something of the item with this key, in a transaction.
        #vis fn check(#(#parameters),*) -> __rt::ConditionCheck<Self, __rt::NoCondition> {
            __rt::ConditionCheck::new(Self::key(#(#names),*))
        }
    }
}

/// The functions that take an item.
fn by_item(entity: &Entity) -> TokenStream {
    let (vis, replaceable) = (&entity.vis, replaceable(entity));
    quote! {
        /// Changes the item that was loaded as this entity, if what its index keys are made of is still the same.
        #vis fn update_loaded(loaded: &Self) -> __rt::Update<Self, __rt::Nothing, __rt::Loaded> {
            __rt::Update::loaded(loaded)
        }
        /// Deletes the item that was loaded as this entity, if it is still there and has the same version.
        #vis fn delete_loaded(loaded: &Self) -> __rt::Delete<Self> {
            __rt::Delete::loaded(loaded)
        }
        /// Writes it. An item with the same key is replaced as a whole.
        #vis fn put(&self) -> __rt::Put<'_, Self> #replaceable {
            __rt::Put::new(self)
        }
        /// Writes it, and fails if there is an item with the same key.
        #vis fn create(&self) -> __rt::Put<'_, Self> {
            __rt::Put::create(self)
        }
        /// Writes it over the item with the same key, and fails if there is none.
        #vis fn replace(&self) -> __rt::Put<'_, Self> #replaceable {
            __rt::Put::replace(self)
        }
        /// Writes it under its key in place of the item with another key, in one transaction.
        #vis fn rekey(from: __rt::Key<Self>, to: &Self) -> __rt::Rekey<'_, Self> #replaceable {
            __rt::Rekey::new(from, to)
        }
        /// Writes another entity under its own key in place of the item that was loaded as this one, in one transaction.
        #vis fn rekey_loaded<'__to>(loaded: &Self, to: &'__to Self) -> __rt::Rekey<'__to, Self> {
            __rt::Rekey::loaded(loaded, to)
        }
    }
}

/// `upsert`, if the key says all fields that are in it, so that a new item has them.
fn upsert(
    entity: &Entity,
    parameters: &[TokenStream],
    names: &[&syn::Ident],
) -> Option<TokenStream> {
    let (vis, replaceable) = (&entity.vis, replaceable(entity));
    entity.is_made_of_key().then(|| {
        quote! {
            /// Changes the item with this key, or makes one.
            #vis fn upsert(#(#parameters),*) -> __rt::Update<Self> #replaceable {
                __rt::Update::upsert(Self::key(#(#names),*))
            }
        }
    })
}

/// The bound of functions that replace or delete items. It is higher-ranked so that it is judged where they are called.
fn replaceable(entity: &Entity) -> Option<TokenStream> {
    (!entity.is_replaceable()).then(|| quote!(where for<'__a> Self: __rt::Replaceable))
}

/// `parse_key`, if every field can be read back.
fn parse_key(entity: &Entity) -> Option<TokenStream> {
    let vis = &entity.vis;
    let parsed = entity.parsed()?;
    let types = parsed.iter().map(|(part, _)| parts::ty(part));
    let values = parsed.iter().map(|(part, slot)| read(entity, part, *slot));
    let values: Vec<_> = values.collect();
    let (ty, value) = match values.as_slice() {
        [value] => (quote!(#(#types)*), value.clone()),
        values => (
            quote!((#(#types),*)),
            quote!(::core::result::Result::Ok((#(#values?),*))),
        ),
    };
    let sk = (!entity.key.sk.is_empty()).then(|| quote!(, sk: &str));
    let sk_value = if sk.is_some() { quote!(sk) } else { quote!("") };
    Some(quote! {
        /// The fields of a stored primary key.
        #vis fn parse_key(pk: &str #sk) -> ::core::result::Result<#ty, __rt::KeyError> {
            let __key = __rt::parse_key::<Self>(pk, #sk_value)?;
            #value
        }
    })
}
