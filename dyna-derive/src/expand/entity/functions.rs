//! The functions of an entity. `__rt` must be in scope.

use super::keys::read;
use super::parts;
use super::queries::{Args, Space, all_given, parameter_bounds, texts};
use crate::docs;
use crate::expand::fields;
use crate::model::{ArgUse, Entity, distinct};
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
    let (vis, deletable) = (&entity.vis, deletable(entity));
    let args = Args::new(entity.key.parts());
    let (parameters, names) = (args.parameters(), args.names());
    let (pk, sk) = (all_given(&entity.key.pk), all_given(&entity.key.sk));
    let of = docs::with_article(&entity.ident.unraw().to_string());
    let templates = texts(entity.key.pk.iter().chain(&entity.key.sk));
    let key_doc = format!("The primary key of {of}: {templates}.");
    let get_doc = format!("Reads the item with the key {templates}.");
    let update_doc =
        format!("Updates the item with the key {templates}. Fails if it does not exist.");
    let check_doc =
        format!("Checks a condition on the item with the key {templates}, in a transaction.");
    let upsert = upsert(entity, &parameters, &names, &templates);
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
        #vis fn delete(#(#parameters),*) -> __rt::Delete<Self> #deletable {
            __rt::Delete::new(Self::key(#(#names),*))
        }
        #[doc = #check_doc]
        #vis fn check(#(#parameters),*) -> __rt::ConditionCheck<Self, __rt::NoCondition> {
            __rt::ConditionCheck::new(Self::key(#(#names),*))
        }
    }
}

/// The functions that take an item.
fn by_item(entity: &Entity) -> TokenStream {
    let (vis, replaceable) = (&entity.vis, replaceable(entity));
    let whole = whole(entity);
    quote! {
        /// Updates a loaded item. Fails if its version, or a field of a recomputed index key, has changed since.
        #vis fn update_loaded(loaded: &Self) -> __rt::Update<Self, __rt::Nothing, __rt::Loaded> {
            __rt::Update::loaded(loaded)
        }
        /// Deletes a loaded item. Fails if its version has changed or the item is gone.
        #vis fn delete_loaded(loaded: &Self) -> __rt::Delete<Self> {
            __rt::Delete::loaded(loaded)
        }
        /// Writes the entity and replaces any item with the same key.
        #vis fn put(&self) -> __rt::Put<'_, Self> #replaceable {
            __rt::Put::new(self)
        }
        /// Writes the entity. Fails if an item with the same key exists.
        #vis fn create(&self) -> __rt::Put<'_, Self> {
            __rt::Put::create(self)
        }
        /// Replaces the item with the same key. Fails if it does not exist.
        #vis fn replace(&self) -> __rt::Put<'_, Self> #replaceable {
            __rt::Put::replace(self)
        }
        /// Moves an item to a new primary key: deletes `from` and creates `to`, in one transaction.
        #vis fn rekey(from: __rt::Key<Self>, to: &Self) -> __rt::Rekey<'_, Self> #replaceable {
            __rt::Rekey::new(from, to)
        }
        /// Moves a loaded item to the primary key of `to`, in one transaction.
        #vis fn rekey_loaded<'__to>(loaded: &Self, to: &'__to Self) -> __rt::Rekey<'__to, Self> #whole {
            __rt::Rekey::loaded(loaded, to)
        }
    }
}

/// `upsert`, if the key says all fields that are in it, so that a new item has them.
fn upsert(
    entity: &Entity,
    parameters: &[TokenStream],
    names: &[&syn::Ident],
    templates: &str,
) -> Option<TokenStream> {
    let vis = &entity.vis;
    let makes = one_form(entity).or_else(|| deletable(entity));
    if !entity.is_made_of_key() {
        return None;
    }
    let given = entity.given_parts();
    let (parameters, key) = if given.is_empty() {
        (parameters.to_vec(), quote!(Self::key(#(#names),*)))
    } else {
        let (pk, sk) = (all_given(&entity.key.pk), all_given(&entity.key.sk));
        let parts: Vec<_> = entity.key.parts().collect();
        let parameters = distinct(parts.iter().copied()).into_iter().map(|part| {
            let (arg, ty) = (&part.arg, parts::ty(part));
            let bounds = parameter_bounds(part, &parts);
            let is_given = given.iter().any(|given| given.path == part.path);
            // What goes into a function as text is stored as a value too.
            let value = (is_given && part.arg_use(&parts) == ArgUse::Part)
                .then(|| quote!(+ __rt::AsNativeValue<#ty>));
            quote!(#arg: impl #bounds #value)
        });
        (parameters.collect(), quote!(__rt::Key::new(#pk, #sk)))
    };
    let sets = given.iter().map(|part| {
        let (field, arg, ty) = (parts::path(entity, part), &part.arg, parts::ty(part));
        quote!(.given(__rt::Derived, #field, &*__rt::AsNativeValue::<#ty>::value(&#arg)))
    });
    let doc = format!("Updates the item with the key {templates}, or creates it.");
    let of = (!given.is_empty()).then(|| quote!(<Self>::));
    Some(quote! {
        #[doc = #doc]
        #vis fn upsert(#(#parameters),*) -> __rt::Update<Self> #makes {
            __rt::Update::#of upsert(#key)#(#sets)*
        }
    })
}

/// The bound of functions that make an item of a key: which variant of an enum it would be is not known.
fn one_form(entity: &Entity) -> Option<TokenStream> {
    let is_enum = entity.variants.is_some();
    is_enum.then(|| quote!(where for<'__a> Self: __rt::MadeOfKey))
}

/// The bound of functions that delete items. It is higher-ranked so that it is judged where they are called.
fn deletable(entity: &Entity) -> Option<TokenStream> {
    (!entity.is_deletable()).then(|| quote!(where for<'__a> Self: __rt::Replaceable))
}

/// The bound of functions that replace items: they delete what was there.
fn replaceable(entity: &Entity) -> Option<TokenStream> {
    whole(entity).or_else(|| deletable(entity))
}

/// The bound of functions that write whole items, if these may have attributes that the entity does not know.
fn whole(entity: &Entity) -> Option<TokenStream> {
    entity
        .partial
        .then(|| quote!(where for<'__a> Self: __rt::WrittenWhole))
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
