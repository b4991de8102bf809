//! The function that queries several partitions: it takes what tells them apart, and goes through all buckets itself.

use super::queries::{Space, given, parameter_bounds};
use crate::model::{Part, Partitions, each as each_name};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt;

/// `query_many`, or `by_id_many` for an index, if there are several partitions.
pub(super) fn each(space: &Space<'_>, query: &TokenStream) -> Option<TokenStream> {
    let partitions = space.key.partitions()?;
    let (vis, key) = (&space.entity.vis, space.key_ref());
    let accessor = space.accessor();
    let name = each_name(&accessor);
    let doc = doc(&partitions, &accessor.unraw());
    let (parameter, list) = if partitions.given.is_empty() {
        (None, quote!([()]))
    } else {
        (Some(parameter(&partitions)), quote!(list))
    };
    let names = partitions.given.iter().map(|part| &part.arg);
    let (pattern, add) = (tuple(names.map(|name| quote!(#name))), add(&partitions));
    Some(quote! {
        #[doc = #doc]
        #vis fn #name(#parameter) -> #query {
            __rt::query_many(#key, #list, |__spec, #pattern| #add)
        }
    })
}

fn doc(partitions: &Partitions<'_>, accessor: &Ident) -> String {
    let names = partitions.given.iter();
    let names: Vec<_> = names.map(|part| format!("`{}`", part.path)).collect();
    let mut doc = format!("Queries several partitions, merged by sort key; see `{accessor}`");
    if !names.is_empty() {
        doc.extend([". Takes a list of ", &names.join(" and ")]);
    }
    if partitions.buckets().next().is_some() {
        doc += ", with all buckets";
    }
    doc + "."
}

/// `list: impl IntoIterator<Item = (impl AsKeyPart<String>, impl AsKeyPart<Date>)>`
fn parameter(partitions: &Partitions<'_>) -> TokenStream {
    let all: Vec<&Part> = partitions.parts.iter().map(|(_, part)| *part).collect();
    let items = partitions.given.iter().map(|part| {
        let bounds = parameter_bounds(part, &all);
        quote!(impl #bounds)
    });
    let item = tuple(items);
    quote!(list: impl ::core::iter::IntoIterator<Item = #item>)
}

/// Adds the partitions of one element of the list.
fn add(partitions: &Partitions<'_>) -> TokenStream {
    let mut at = 0;
    let values = partitions.parts.iter().map(|(template, part)| {
        if partitions.is_given(part) {
            return given(template, part);
        }
        at += 1;
        let bucket = bucket(at);
        quote!(&#bucket)
    });
    let values: Vec<_> = values.collect();
    let add = quote!(__spec.partition((#(#values,)*)));
    let buckets = partitions.buckets().enumerate();
    buckets.fold(add, |add, (n, buckets)| {
        let bucket = bucket(n + 1);
        quote! {
            for #bucket in __rt::shards::<#buckets>() {
                #add
            }
        }
    })
}

fn bucket(n: usize) -> Ident {
    format_ident!("__bucket{n}")
}

/// `a`, or `(a, b)`.
fn tuple(elements: impl Iterator<Item = TokenStream>) -> TokenStream {
    let elements: Vec<_> = elements.collect();
    match elements.as_slice() {
        [element] => element.clone(),
        elements => quote!((#(#elements),*)),
    }
}
