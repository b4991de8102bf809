//! The functions that query. `__rt` must be in scope.

use super::chain;
use super::each::each;
use super::parts;
use super::templates::secondary;
use crate::model::{ArgUse, Entity, Index, Key, Part, Template, distinct, steps as steps_name};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt;

/// The arguments of a function that takes key fields: one for each field, however often its key names it.
pub(super) struct Args<'a>(Vec<&'a Part>);

impl<'a> Args<'a> {
    pub(super) fn new(parts: impl Iterator<Item = &'a Part>) -> Self {
        Self(parts.collect())
    }

    /// `channel_id: impl AsKeyPart<String>`
    pub(super) fn parameters(&self) -> Vec<TokenStream> {
        let parts = distinct(self.0.iter().copied());
        parts
            .into_iter()
            .map(|part| parameter(part, &self.0))
            .collect()
    }

    pub(super) fn names(&self) -> Vec<&'a Ident> {
        distinct(self.0.iter().copied())
            .into_iter()
            .map(|part| &part.arg)
            .collect()
    }
}

/// A parameter for a field, which may be given to a function of the user's, stand in the key as it is, or both.
pub(super) fn parameter(part: &Part, all: &[&Part]) -> TokenStream {
    let (arg, bounds) = (&part.arg, parameter_bounds(part, all));
    quote!(#arg: impl #bounds)
}

/// What an argument has to be.
pub(super) fn parameter_bounds(part: &Part, all: &[&Part]) -> TokenStream {
    if !part.inputs.is_empty() {
        return quote!(__rt::FunctionValue);
    }
    let ty = parts::lookup_ty(part);
    if part.or_empty {
        return quote!(__rt::OptionalArg<#ty>);
    }
    match part.arg_use(all) {
        ArgUse::Part => quote!(__rt::AsKeyPart<#ty>),
        ArgUse::Value => quote!(__rt::AsNativeValue<#ty>),
        ArgUse::Both => quote!(__rt::AsKeyPart<#ty> + __rt::AsNativeValue<#ty>),
    }
}

/// The arguments that fill templates, as a tuple.
pub(super) fn all_given(templates: &[Template]) -> TokenStream {
    let given = templates
        .iter()
        .flat_map(|template| template.parts().map(|part| given(template, part)));
    quote!((#(#given,)*))
}

pub(super) fn given(template: &Template, part: &Part) -> TokenStream {
    let (arg, ty) = (&part.arg, parts::lookup_ty(part));
    if !part.inputs.is_empty() {
        return quote!(__rt::function_value(&#arg));
    }
    if part.or_empty {
        let given = quote!(__rt::OptionalArg::<#ty>::maybe(&#arg));
        let call = (!part.functions.is_empty()).then(|| {
            let call = chain::mapped(template, part);
            quote!(.map(#call))
        });
        return quote!(__rt::or_empty(#given #call));
    }
    if part.takes_value() {
        let value = quote!(&*__rt::AsNativeValue::<#ty>::value(&#arg));
        return chain::of_value(template, part, value);
    }
    let written = quote!(__rt::lookup::<#ty, _>(&#arg));
    if part.functions.is_empty() {
        return written;
    }
    chain::of_written(template, part, written)
}

/// The primary key or an index, as something to query.
pub(super) struct Space<'e> {
    pub(super) entity: &'e Entity,
    pub(super) key: &'e Key,
    index: Option<(usize, &'e Index)>,
}

impl<'e> Space<'e> {
    /// The primary key, then the indexes.
    pub(super) fn of(entity: &'e Entity) -> impl Iterator<Item = Self> {
        let indexes = entity.indexes.iter().enumerate();
        let indexes = indexes.map(|(n, index)| (&index.key, Some((n, index))));
        std::iter::once((&entity.key, None))
            .chain(indexes)
            .map(move |(key, index)| Self { entity, key, index })
    }

    /// What is queried, as a type.
    pub(super) fn space(&self) -> TokenStream {
        let table = &self.entity.table;
        match self.index {
            Some((_, index)) => secondary(self.entity, index),
            None => quote!(__rt::Primary<#table>),
        }
    }

    /// Which key of the entity it is, as data.
    pub(super) fn key_ref(&self) -> TokenStream {
        match self.index {
            None => quote!(__rt::KeyRef::PrimaryKey),
            Some((n, _)) => {
                let n = Literal::usize_unsuffixed(n);
                quote!(__rt::KeyRef::Index(#n))
            }
        }
    }

    /// Which key of the entity it is, in types: 0 is the primary.
    pub(super) fn number(&self) -> Literal {
        Literal::usize_unsuffixed(self.index.map_or(0, |(n, _)| n + 1))
    }

    /// The functions that start a query: of one partition, and of several.
    pub(super) fn queries(&self) -> Option<TokenStream> {
        let queryable = self.key.is_queryable();
        if self.index.is_none() && !queryable {
            return None;
        }
        let (vis, space, number) = (&self.entity.vis, self.space(), self.number());
        let key = self.key_ref();
        let accessor = self.accessor();
        let parameters = Args::new(self.key.pk.iter().flat_map(Template::parts)).parameters();
        let pk = all_given(&self.key.pk);
        let steps = if queryable {
            let steps = steps_name(&self.entity.ident);
            quote!(#steps<#number, 0>)
        } else {
            quote!(__rt::NoSteps)
        };
        let query = quote!(__rt::Query<Self, #space, #steps>);
        let each = each(self, &query);
        let doc = self.doc();
        Some(quote! {
            #[doc = #doc]
            #vis fn #accessor(#(#parameters),*) -> #query {
                __rt::query(#key, #pk)
            }
            #each
        })
    }

    /// What the function that starts a query is called.
    pub(super) fn accessor(&self) -> Ident {
        self.index.map_or_else(
            || format_ident!("query"),
            |(_, index)| index.accessor.clone(),
        )
    }

    /// The partition, the order, and the steps that follow.
    fn doc(&self) -> String {
        let through = self
            .index
            .map(|(_, index)| format!(" through index `{}`", index.name))
            .unwrap_or_default();
        let mut doc = format!("Queries the partition {}{through}", texts(&self.key.pk));
        let steps = self.key.sk.iter().flat_map(Template::parts);
        let steps: Vec<_> = steps
            .map(|part| format!("`.{}(..)`", part.arg.unraw()))
            .collect();
        if !self.key.sk.is_empty() {
            doc.extend([", in the order of ", &texts(&self.key.sk)]);
        }
        if !steps.is_empty() {
            doc.extend(["; its fields follow as ", &steps.join(", ")]);
        }
        doc + "."
    }
}

/// The templates as they are written.
pub(super) fn texts<'t>(templates: impl IntoIterator<Item = &'t Template>) -> String {
    let texts = templates.into_iter();
    let texts = texts.map(|template| format!("`{}`", template.literal.value()));
    texts.collect::<Vec<_>>().join(", ")
}
