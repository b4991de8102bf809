//! The entities that a table lists: how its items are read and written, and the proof that they can share it.

use crate::expand::members::read;
use crate::model::{Entities, Member, Table};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

/// `impl DynaTable`, and the proof that no two entities can write the same key.
pub(super) fn registry(table: &Table, schema: &TokenStream) -> Option<TokenStream> {
    let ident = &table.ident;
    let (entities, codec, itself) = match &table.entities {
        Entities::None => return None,
        Entities::Itself => (vec![ident.to_token_stream()], own_codec(), None),
        Entities::Variants { members, unknown } => (
            members
                .iter()
                .map(|member| member.entity.to_token_stream())
                .collect(),
            codec(members, unknown.as_ref()),
            Some(lists_itself(ident)),
        ),
    };
    let listed = entities
        .iter()
        .enumerate()
        .map(|(at, entity)| lists(ident, schema, at, entity));
    Some(quote! {
        #[automatically_derived]
        impl __rt::DynaTable for #ident {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            type Schema = #schema;
            const ENTITIES: &'static [&'static __rt::EntityMeta] =
                &[#(<#entities as __rt::Entity>::META),*];
            #codec
        }
        #(#listed)*
        #itself
    })
}

/// `impl HasEntity`, and the proofs of one entity.
fn lists(table: &Ident, schema: &TokenStream, at: usize, entity: &TokenStream) -> TokenStream {
    let span = tokens::located(entity.span());
    quote_spanned! {span=>
        #[automatically_derived]
        impl __rt::HasEntity<#entity> for #table {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            const OVERLAP: __rt::Overlap = __rt::Overlap::of(<#table as __rt::DynaTable>::ENTITIES, #at);
            const AT: usize = #at;
        }
        const _: bool = <<#entity as __rt::Entity>::Table as __rt::SameTable<#schema>>::IS_SAME;
        const _: () = __rt::check_disjoint(<#table as __rt::DynaTable>::ENTITIES, #at);
    }
}

/// An enum is read from its table as a whole.
fn lists_itself(table: &Ident) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl __rt::HasEntity<Self> for #table {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            const OVERLAP: __rt::Overlap = __rt::Overlap::NONE;
        }
    }
}

/// `read` and `to_item` of an entity that is its own table.
fn own_codec() -> TokenStream {
    quote! {
        fn read(item: __rt::ItemSource<'_, '_>) -> __rt::Result<Self> {
            <Self as __rt::View<Self>>::read(item)
        }
        fn to_item(&self) -> __rt::Result<__rt::Item> {
            __rt::Entity::encode(self)
        }
    }
}

/// `read` and `to_item` of an enum.
fn codec(members: &[Member], unknown: Option<&Ident>) -> TokenStream {
    // The first entity is the last arm: `which` finds no other numbers.
    let read: Vec<_> = members.iter().map(read).collect();
    let arms = read.iter().enumerate().skip(1).map(|(n, read)| {
        let n = Literal::usize_unsuffixed(n);
        quote!(#n => #read,)
    });
    let first = read.first();
    let which = which(unknown);
    let writes = members.iter().map(|Member { variant, entity }| {
        let span = tokens::located(entity.span());
        let encode = quote_spanned!(span=> <#entity as __rt::Entity>::encode(entity));
        quote!(Self::#variant(ref entity) => #encode,)
    });
    let unknown = unknown.map(|unknown| {
        quote_spanned! {unknown.span()=>
            Self::#unknown(ref item) => ::core::result::Result::Ok(__rt::UnknownItem::to_item(item)),
        }
    });
    quote! {
        fn read(item: __rt::ItemSource<'_, '_>) -> __rt::Result<Self> {
            match #which {
                #(#arms)*
                _ => #first,
            }
        }
        fn to_item(&self) -> __rt::Result<__rt::Item> {
            match *self {
                #(#writes)*
                #unknown
            }
        }
    }
}

/// The number of the entity that `item` is of.
fn which(unknown: Option<&Ident>) -> TokenStream {
    match unknown {
        None => quote!(__rt::which(Self::ENTITIES, &item)?),
        Some(unknown) => quote_spanned! {unknown.span()=>
            match __rt::which_or_unknown(Self::ENTITIES, &item)? {
                ::core::option::Option::Some(__at) => __at,
                ::core::option::Option::None => {
                    return __rt::unknown::<Self, _>(item).map(Self::#unknown);
                }
            }
        },
    }
}

/// `From` of each entity, for an enum of them.
pub(super) fn conversions(table: &Table) -> TokenStream {
    let ident = &table.ident;
    let conversions = table.members().iter().map(|Member { variant, entity }| {
        quote! {
            #[automatically_derived]
            impl ::core::convert::From<#entity> for #ident {
                fn from(entity: #entity) -> Self {
                    Self::#variant(entity)
                }
            }
        }
    });
    quote!(#(#conversions)*)
}
