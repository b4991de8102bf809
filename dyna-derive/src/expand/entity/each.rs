//! The function that queries several partitions: it takes what tells them apart, and goes through all buckets itself.

use super::queries::{Space, given, parameter_bounds};
use crate::model::{Part, Template, distinct};
use crate::template::Function;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt;

/// The partitions of a key, as a list of what is given for each.
pub(super) struct Each<'a> {
    templates: &'a [Template],
    /// The fields that are given.
    given: Vec<&'a Part>,
}

impl<'a> Each<'a> {
    /// The partitions, if there are several.
    pub(super) fn new(templates: &'a [Template]) -> Option<Self> {
        let parts = || templates.iter().flat_map(Template::parts);
        parts().next()?;
        let given = distinct(parts().filter(|part| buckets(part).is_none()));
        Some(Self { templates, given })
    }

    /// `query_each`, or `by_id_each` for an index.
    pub(super) fn function(&self, space: &Space<'_>, query: &TokenStream) -> TokenStream {
        let (vis, number) = (&space.entity.vis, space.number());
        let accessor = space.accessor().unraw();
        let name = format_ident!("{accessor}_each", span = accessor.span());
        let doc = self.doc(&accessor);
        let (parameter, list) = if self.given.is_empty() {
            (None, quote!([()]))
        } else {
            (Some(self.parameter()), quote!(list))
        };
        let names = self.given.iter().map(|part| &part.arg);
        let (pattern, add) = (tuple(names.map(|name| quote!(#name))), self.add());
        quote! {
            #[doc = #doc]
            #vis fn #name(#parameter) -> #query {
                __rt::query_each(#number, #list, |__draft, #pattern| #add)
            }
        }
    }

    fn doc(&self, accessor: &Ident) -> String {
        let names: Vec<_> = self
            .given
            .iter()
            .map(|part| format!("`{}`", part.path))
            .collect();
        let mut doc = format!("The same as `{accessor}`, over several partitions");
        if !names.is_empty() {
            doc.extend([": a list of ", &names.join(" and ")]);
        }
        if self.buckets().next().is_some() {
            doc += ", each with all its buckets";
        }
        doc + "."
    }

    /// `list: impl IntoIterator<Item = (impl AsPart<String>, impl AsPart<Date>)>`
    fn parameter(&self) -> TokenStream {
        let all: Vec<_> = self.templates.iter().flat_map(Template::parts).collect();
        let items = self.given.iter().map(|part| {
            let bounds = parameter_bounds(part, &all);
            quote!(impl #bounds)
        });
        let item = tuple(items);
        quote!(list: impl ::core::iter::IntoIterator<Item = #item>)
    }

    /// Adds the partitions of one element of the list.
    fn add(&self) -> TokenStream {
        let mut at = 0;
        let values = self
            .templates
            .iter()
            .flat_map(|template| template.parts().map(move |part| (template, part)));
        let values: Vec<_> = values
            .map(|(template, part)| {
                if self.is_given(part) {
                    return given(template, part);
                }
                at += 1;
                let bucket = bucket(at);
                quote!(&#bucket)
            })
            .collect();
        let add = quote!(__draft.partition((#(#values,)*)));
        let buckets = self.buckets().enumerate();
        buckets.fold(add, |add, (n, buckets)| {
            let bucket = bucket(n + 1);
            quote! {
                for #bucket in __rt::shards::<#buckets>() {
                    #add
                }
            }
        })
    }

    /// How many buckets each field has that is not given.
    fn buckets(&self) -> impl Iterator<Item = u16> {
        let parts = self.templates.iter().flat_map(Template::parts);
        parts
            .filter(|part| !self.is_given(part))
            .filter_map(buckets)
    }

    /// Whether the field is given, be it for another placeholder.
    fn is_given(&self, part: &Part) -> bool {
        self.given.iter().any(|given| given.path == part.path)
    }
}

/// How many buckets a placeholder has.
fn buckets(part: &Part) -> Option<u16> {
    match part.function {
        Some(Function::Shard(buckets)) => Some(buckets),
        _ => None,
    }
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
