//! `#[derive(DynaCollection)]`: entities that share a partition, as one enum.

use super::collection_steps::{checks as step_checks, steps, steps_type};
use super::members::read;
use crate::docs;
use crate::model::{Collection, Member};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// Everything that `#[derive(DynaCollection)]` generates.
pub(crate) fn collection(collection: &Collection) -> TokenStream {
    let Collection {
        krate, ident, vis, ..
    } = collection;
    let name = ident.unraw().to_string();
    let space = space(collection);
    let metas = collection.members().map(meta);
    let view = view(collection);
    let stored = stored(collection);
    let checks = (0..)
        .zip(collection.members())
        .map(|(n, member)| check(collection, n, member));
    let first = &collection.first.entity;
    let (ty, steps, step_checks) = (
        steps_type(collection),
        steps(collection, &space),
        step_checks(collection),
    );
    let names_of_steps = collection.steps.iter();
    let names_of_steps = names_of_steps.map(|(field, _)| field.unraw().to_string());
    let doc = format!(
        "Queries the partition of {}, in the order of their keys.",
        names(collection)
    );
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[automatically_derived]
            impl __rt::DynaCollection for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                const META: &'static __rt::CollectionMeta = &__rt::CollectionMeta::new(
                    #name,
                    &[#(#metas),*],
                    <#space as __rt::Queryable>::INDEX,
                    &[#(#names_of_steps),*],
                );
            }
            #view
            #stored
            #(#checks)*
            #step_checks
            #steps
            // A program may only be given collections.
            #[allow(dead_code)]
            #[automatically_derived]
            impl #ident {
                #[doc = #doc]
                #vis fn query<__A>(partition: __A) -> __rt::Query<Self, #space, #ty>
                where
                    #first: __rt::InPartition<__A, #space>,
                {
                    __rt::collect(<#first as __rt::InPartition<__A, #space>>::spec(partition))
                }
            }
        };
    }
}

/// What is queried, as a type.
fn space(collection: &Collection) -> TokenStream {
    let table = table(collection);
    match &collection.index {
        None => quote!(__rt::Primary<#table>),
        Some(index) => {
            let table = tokens::moved(table, index.span());
            let name = tokens::name(&quote!(__rt), &index.to_string(), index.span());
            let span = tokens::located(index.span());
            quote_spanned!(span=> __rt::Secondary<#table, #name>)
        }
    }
}

fn table(collection: &Collection) -> TokenStream {
    let first = &collection.first.entity;
    let span = tokens::located(first.span());
    quote_spanned!(span=> <#first as __rt::Entity>::Table)
}

/// `User`, `Account` and so on, for people.
fn names(collection: &Collection) -> String {
    let names = collection.members().map(|member| {
        let name = docs::spelled(member.entity.to_token_stream());
        format!("`{name}`")
    });
    names.collect::<Vec<_>>().join(", ")
}

/// The variant of an item: its tag says so, or the shape of its key.
fn view(collection: &Collection) -> TokenStream {
    let ident = &collection.ident;
    let first = read(&collection.first);
    let arms = (1..).zip(&collection.rest).map(|(n, member)| {
        let n = Literal::usize_unsuffixed(n);
        let read = read(member);
        quote!(#n => #read,)
    });
    quote! {
        #[automatically_derived]
        impl __rt::View<Self> for #ident {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            fn read(item: __rt::ItemSource<'_, '_>) -> __rt::Result<Self> {
                match __rt::which(<Self as __rt::DynaCollection>::META.members, &item)? {
                    #(#arms)*
                    _ => #first,
                }
            }
        }
    }
}

/// It is stored wherever all of its members are.
fn stored(collection: &Collection) -> TokenStream {
    let ident = &collection.ident;
    let entities: Vec<_> = collection.members().map(|member| &member.entity).collect();
    quote! {
        #(
            #[automatically_derived]
            impl __rt::HasMember<#entities> for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            }
        )*
        #[automatically_derived]
        impl<__T: #(__rt::HasEntity<#entities>)+*> __rt::StoredIn<__T> for #ident {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            const OVERLAP: __rt::Overlap = __rt::Overlap::of_members(
                <__T as __rt::DynaTable>::ENTITIES,
                &[#(<__T as __rt::HasEntity<#entities>>::AT),*],
                <Self as __rt::DynaCollection>::META,
            );
        }
    }
}

/// The proof that a member is in the partition of the first.
fn check(collection: &Collection, n: usize, member: &Member) -> TokenStream {
    let (ident, entity) = (&collection.ident, &member.entity);
    let table = tokens::moved(table(collection), entity.span());
    let span = tokens::located(entity.span());
    let mut n = Literal::usize_unsuffixed(n);
    n.set_span(span);
    let mut ident = ident.clone();
    ident.set_span(ident.span().located_at(span));
    quote_spanned! {span=>
        const _: bool = <<#entity as __rt::Entity>::Table as __rt::SameTable<#table>>::IS_SAME;
        const _: () = __rt::check_member(<#ident as __rt::DynaCollection>::META, #n);
    }
}

fn meta(member: &Member) -> TokenStream {
    let entity = &member.entity;
    let span = tokens::located(entity.span());
    quote_spanned!(span=> <#entity as __rt::Entity>::META)
}
