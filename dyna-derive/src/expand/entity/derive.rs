//! Everything that `#[derive(DynaEntity)]` generates, and the functions of an entity.

use super::queries::{Args, Space, all_given};
use super::templates::Quoted;
use super::{flattened, managed, queries, setters};
use crate::expand::fields::{self, field_metas, forms};
use crate::model::{Entity, Feed, Key, ManagedRole, Part, Role, distinct};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// Everything that `#[derive(DynaEntity)]` generates.
pub(crate) fn entity(entity: &Entity) -> TokenStream {
    let krate = &entity.krate;
    let implementation = implementation(entity);
    let checks = checks(entity);
    let inherent = inherent(entity);
    let steps = queries::steps(entity);
    let partitions = Space::of(entity).map(|space| space.in_partition());
    let (_, setters) = setters::setters(entity);
    let forms = forms(&entity.fields);
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[allow(unused_imports)]
            use __rt::UnknownKind as _;
            #forms
            #implementation
            #checks
            #inherent
            #steps
            #(#partitions)*
            #setters
        };
    }
}

fn implementation(entity: &Entity) -> TokenStream {
    let Entity {
        ident,
        table,
        tag,
        sees_unknown,
        doc,
        ..
    } = entity;
    let name = ident.unraw().to_string();
    let quoted = Quoted { entity };
    let key = quoted.templates(&entity.key, None);
    let indexes = entity.indexes.iter().map(|index| {
        let accessor = index.accessor.unraw().to_string();
        let schema = quoted.has_index(index);
        let keys = quoted.templates(&index.key, Some(index));
        quote!(__rt::IndexMeta { accessor: #accessor, schema: #schema::INDEX, keys: #keys })
    });
    let fields = field_metas(&entity.fields);
    let feeds = entity.feeds();
    let feeds = feeds.iter().map(|Feed { part, is_known }| {
        let Part { path, names, .. } = part;
        quote!(__rt::Feed { path: #path, names: &[#names], is_known: #is_known })
    });
    let kept = managed::managed(entity);
    let nulls = nulls(entity);
    let (setters, _) = setters::setters(entity);
    let guards = guards(entity);
    let write_keys = quoted.write_keys();
    let read_keys = quoted.read_keys();
    // Under the table's name, so that an error about its visibility points there.
    let span = tokens::located(table.span());
    let table_type = quote_spanned!(span=> type Table = #table;);
    let serde = serde(entity);
    let flattened = flattened::flattened(entity);
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
                feeds: &[#(#feeds),*],
                kept: #kept,
                sees_unknown: #sees_unknown,
                nulls: #nulls,
            };
            #write_keys
            #read_keys
            #serde
            #flattened
        }
        #guards
    }
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
    let fields = entity.fields.iter().filter(|field| field.stores_null);
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
    let replaceable = (!entity.has(ManagedRole::Unique)).then(|| {
        quote! {
            #[automatically_derived]
            impl __rt::Replaceable for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            }
        }
    });
    let unconditional = (!entity.has(ManagedRole::Unique) && !entity.has(ManagedRole::Version))
        .then(|| {
            quote! {
                #[automatically_derived]
                impl __rt::Unconditional for #ident {
                    const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                }
            }
        });
    let expiring = entity.has(ManagedRole::Ttl).then(|| {
        quote! {
            #[automatically_derived]
            impl __rt::Expiring for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            }
        }
    });
    quote!(#replaceable #unconditional #expiring)
}

/// The bound of functions that replace or delete items. It is higher-ranked so that it is judged where they are called.
fn replaceable(entity: &Entity) -> Option<TokenStream> {
    let is_refused = entity.has(ManagedRole::Unique);
    is_refused.then(|| quote!(where for<'__a> Self: __rt::Replaceable))
}

/// The proofs of each template, with the span of its literal, and of the entity.
fn checks(entity: &Entity) -> TokenStream {
    let ident = &entity.ident;
    let keys = std::iter::once(&entity.key).chain(entity.indexes.iter().map(|index| &index.key));
    let templates = keys.enumerate().flat_map(|(space, key)| {
        key.templates().map(move |(template, role, at)| {
            // Every token has the span of the literal: rustc points at what they have in common.
            let span = tokens::located(template.literal.span());
            let check = match role {
                Role::Partition => quote_spanned!(span=> check_partition),
                Role::Sort => quote_spanned!(span=> check_sort),
            };
            let number = |n| {
                let mut literal = Literal::usize_unsuffixed(n);
                literal.set_span(span);
                literal
            };
            let (space, at) = (number(space), number(at));
            quote_spanned! {span=>
                const _: () = __rt::#check(<#ident as __rt::Entity>::META, #space, #at);
            }
        })
    });
    let span = tokens::located(ident.span());
    quote_spanned! {span=>
        #(#templates)*
        const _: () = __rt::check_entity(<#ident as __rt::Entity>::META);
    }
}

fn inherent(entity: &Entity) -> TokenStream {
    let Entity {
        ident, vis, table, ..
    } = entity;
    let args = Args::new(entity.key.parts());
    let (parameters, names) = (args.parameters(), args.names());
    let (pk, sk) = (all_given(&entity.key.pk), all_given(&entity.key.sk));
    let parse_key = parse_key(entity);
    let queries = Space::of(entity).filter_map(|space| space.queries());
    let consts = fields::entity_consts(entity);
    let upsert = upsert(entity, &parameters, &names);
    let replaceable = replaceable(entity);
    let doc = format!("The primary key of a `{ident}`.");
    quote! {
        // A program rarely uses all of these; a key has as many fields as it has.
        #[allow(dead_code, clippy::too_many_arguments)]
        #[automatically_derived]
        impl #ident {
            #[doc = #doc]
            #vis fn key(#(#parameters),*) -> __rt::Key<Self> {
                __rt::Key::new(#pk, #sk)
            }
            /// Reads the item with this key.
            #vis fn get(#(#parameters),*) -> __rt::Get<Self> {
                __rt::Get::new(Self::key(#(#names),*))
            }
            /// Changes the item with this key, and fails if there is none.
            #vis fn update(#(#parameters),*) -> __rt::Update<Self> {
                __rt::Update::new(Self::key(#(#names),*))
            }
            #upsert
            /// Changes the item that was loaded as this entity, if what its index keys are made of is still the same.
            #vis fn update_of(loaded: &Self) -> __rt::Update<Self, __rt::Nothing, __rt::Loaded> {
                __rt::Update::loaded(loaded)
            }
            /// Deletes the item that was loaded as this entity, if it is still there and has the same version.
            #vis fn delete_of(loaded: &Self) -> __rt::Delete<Self> {
                __rt::Delete::loaded(loaded)
            }
            /// Deletes the item with this key.
            #vis fn delete(#(#parameters),*) -> __rt::Delete<Self> #replaceable {
                __rt::Delete::new(Self::key(#(#names),*))
            }
            /// Asks something of the item with this key, in a transaction.
            #vis fn check(#(#parameters),*) -> __rt::Check<Self, __rt::Unasked> {
                __rt::Check::new(Self::key(#(#names),*))
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
            #vis fn move_to(from: __rt::Key<Self>, to: &Self) -> __rt::Move<'_, Self> #replaceable {
                __rt::Move::new(from, to)
            }
            /// Writes another entity under its own key in place of the item that was loaded as this one, in one transaction.
            #vis fn move_of<'__to>(loaded: &Self, to: &'__to Self) -> __rt::Move<'__to, Self> {
                __rt::Move::loaded(loaded, to)
            }
            /// Reads all of them, looking at every item of the table.
            #vis fn scan() -> __rt::Scan<Self, __rt::Primary<#table>> {
                __rt::Scan::entity()
            }
            #parse_key
            #(#queries)*
            #consts
        }
    }
}

/// `upsert`, if the key says all fields that are in it, so that a new item has them.
fn upsert(
    entity: &Entity,
    parameters: &[TokenStream],
    names: &[&syn::Ident],
) -> Option<TokenStream> {
    let quoted = Quoted { entity };
    let mut parts = entity.key.parts();
    let is_whole = parts.all(|part| !part.path.contains('.') && quoted.read(part).is_some());
    let (vis, replaceable) = (&entity.vis, replaceable(entity));
    is_whole.then(|| {
        quote! {
            /// Changes the item with this key, or makes one.
            #vis fn upsert(#(#parameters),*) -> __rt::Update<Self> #replaceable {
                __rt::Update::upsert(Self::key(#(#names),*))
            }
        }
    })
}

/// `parse_key`, if every field can be read back.
fn parse_key(entity: &Entity) -> Option<TokenStream> {
    let vis = &entity.vis;
    let parts = distinct(entity.key.parts());
    let values = parts
        .iter()
        .map(|part| Quoted { entity }.read(part))
        .collect::<Option<Vec<_>>>()?;
    let types = parts.iter().map(|part| &part.ty);
    let (ty, value) = match values.as_slice() {
        [] => return None,
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

/// Whether a query by this key would do more than `get` does.
pub(super) fn is_queryable(key: &Key) -> bool {
    key.sk.iter().any(|sk| sk.parts().next().is_some())
}
