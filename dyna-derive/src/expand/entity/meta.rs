//! `impl Entity`: the entity as const data, its keys, and the calls of serde. `__rt` must be in scope.

use super::flattened::flattened;
use super::keys::{read_index_keys, read_keys, write_keys};
use super::managed::managed;
use super::parts;
use super::setters::setters_type;
use super::templates::{has_index, is_sparse, templates};
use super::variants::variants;
use crate::expand::fields::field_metas;
use crate::model::{Entity, Feed, Part, Role};
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

pub(super) fn implementation(entity: &Entity) -> TokenStream {
    let Entity {
        ident,
        table,
        tag,
        sees_unknown,
        doc,
        ..
    } = entity;
    let name = ident.unraw().to_string();
    let key = templates(entity, &entity.key, None);
    let indexes = entity.indexes.iter().map(|index| {
        let accessor = index.accessor.unraw().to_string();
        let schema = has_index(entity, index);
        let keys = templates(entity, &index.key, Some(index));
        let is_sparse = is_sparse(entity, index);
        quote!(__rt::IndexMeta { accessor: #accessor, schema: #schema::INDEX, keys: #keys, is_sparse: #is_sparse })
    });
    let fields = field_metas(&entity.fields, &|field| entity.is_index_only(field));
    let feeds = entity.feeds();
    let feeds = feeds.iter().map(|Feed { part, is_known }| {
        let (path, place) = (&part.path, place(entity, part));
        quote!(__rt::KeyField { path: #path, place: #place, is_known: #is_known })
    });
    let kept = managed(entity);
    let nulls = nulls(entity);
    let variants = variants(entity);
    let setters = setters_type(entity);
    let guards = guards(entity);
    let write_keys = write_keys(entity);
    let read_keys = read_keys(entity);
    let read_index_keys = read_index_keys(entity);
    // Under the table's name, so that an error about its visibility points there.
    let span = tokens::located(table.span());
    let table_type = quote_spanned!(span=> type Table = #table;);
    let serde = serde(entity);
    let flattened = flattened(entity);
    quote! {
        #[automatically_derived]
        impl __rt::Entity for #ident {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            #table_type
            type Setters = #setters;
            const META: &'static __rt::EntityMeta = &__rt::EntityMeta {
                name: #name,
                doc: #doc,
                tag: #tag,
                schema: <#table as __rt::Schema>::SCHEMA,
                key: #key,
                indexes: &[#(#indexes),*],
                fields: &[#fields],
                key_fields: &[#(#feeds),*],
                managed: #kept,
                reads_unknown: #sees_unknown,
                nulls: #nulls,
                variants: #variants,
            };
            #write_keys
            #read_keys
            #read_index_keys
            #serde
            #flattened
        }
        #guards
    }
}

/// Where a field that keys are made of is stored: in an attribute, or in the keys of indexes.
fn place(entity: &Entity, part: &Part) -> TokenStream {
    let field = entity.field(&part.path);
    let Some(field) = field.filter(|field| entity.is_index_only(field)) else {
        let names = parts::names(entity, part);
        return quote!(__rt::KeyFieldPlace::Attribute(&[#names]));
    };
    let slots = entity.index_slots(field).map(|(n, _, slot)| {
        let (index, at) = (has_index(entity, &entity.indexes[n]), slot.template);
        let half = match slot.role {
            Role::Partition => quote!(pk),
            Role::Sort => quote!(sk),
        };
        quote!(__rt::AttributeName::of_key(&#index::INDEX.#half[#at]))
    });
    quote!(__rt::KeyFieldPlace::IndexKeys(&[#(#slots),*]))
}

/// The two calls of serde: the only ones, so that a derive that is missing is one error.
fn serde(entity: &Entity) -> TokenStream {
    let ident = &entity.ident;
    let span = tokens::located(ident.span());
    let serialize = quote_spanned!(span=> __rt::serialize::<#ident, __S>);
    let deserialize = quote_spanned!(span=> __rt::deserialize::<'__de, #ident, __D>);
    quote! {
        #[inline]
        fn __serialize<__S: __rt::Serializer>(
            &self,
            __to: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            #serialize(self, __to)
        }
        #[inline]
        fn __deserialize<'__de, __D: __rt::Deserializer<'__de>>(
            __from: __D,
        ) -> ::core::result::Result<Self, __D::Error> {
            #deserialize(__from)
        }
    }
}

/// Where `None` is stored as NULL.
fn nulls(entity: &Entity) -> TokenStream {
    let variants = entity.variants.iter().flat_map(|variants| &variants.list);
    let fields = entity
        .fields
        .iter()
        .chain(variants.flat_map(|variant| &variant.only));
    let fields = fields.filter(|field| field.stores_null);
    let attributes: Vec<_> = fields.map(|field| &field.attribute).collect();
    match (entity.stores_null, attributes.as_slice()) {
        (true, _) => quote!(__rt::Nulls::Store),
        (false, []) => quote!(__rt::Nulls::Omit),
        (false, attributes) => quote!(__rt::Nulls::In(&[#(#attributes),*])),
    }
}

/// Which writes need no condition to be right, and whether an item can have expired.
fn guards(entity: &Entity) -> TokenStream {
    let ident = &entity.ident;
    // What can be replaced can be deleted too.
    let (replaceable, batch) = if entity.partial {
        (quote!(DeletableByKey), quote!(BatchDeletable))
    } else {
        (quote!(Replaceable), quote!(BatchWritable))
    };
    let guards = [
        (entity.is_deletable(), replaceable),
        (entity.is_unconditional(), batch),
        (entity.is_expiring(), quote!(Expiring)),
    ];
    let guards = guards
        .into_iter()
        .filter_map(|(holds, name)| holds.then_some(name));
    quote! {
        #(
            #[automatically_derived]
            impl __rt::#guards for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            }
        )*
    }
}
