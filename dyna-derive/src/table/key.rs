//! The key of a table or an index as const data, with its key conditions spelled out.

use crate::attr::{IndexProjectionAttr, KeyAttr, KeyKind};
use crate::reserved::expression;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

/// The key of the table or of an index.
pub(super) struct Key<'a> {
    pub(super) name: &'a str,
    pub(super) scope: Ident,
    pub(super) pk: &'a [KeyAttr],
    pub(super) sk: &'a [KeyAttr],
    pub(super) projection: &'a IndexProjectionAttr,
    pub(super) throughput: TokenStream,
}

impl Key<'_> {
    pub(super) fn quote(&self) -> TokenStream {
        let Self {
            name,
            scope,
            throughput,
            ..
        } = self;
        let pk = self.pk.iter().map(attribute);
        let sk = self.sk.iter().map(attribute);
        let projection = match self.projection {
            IndexProjectionAttr::All => quote!(__rt::Projection::All),
            IndexProjectionAttr::KeysOnly => quote!(__rt::Projection::KeysOnly),
            IndexProjectionAttr::Include(attributes) => {
                quote!(__rt::Projection::Include(&[#(#attributes),*]))
            }
        };
        let conditions = (0..self.sk.len().max(1)).map(|at| self.conditions(at));
        quote! {
            __rt::IndexSchema {
                name: #name,
                scope: __rt::Scope::#scope,
                pk: &[#(#pk),*],
                sk: &[#(#sk),*],
                projection: #projection,
                throughput: #throughput,
                conditions: &[#(#conditions),*],
            }
        }
    }

    /// The key conditions that bound attribute `at` of the sort key, spelled out once here so that no request has to.
    fn conditions(&self, at: usize) -> TokenStream {
        let named = |key: &KeyAttr| expression(&key.name.value());
        let partition = self.pk.iter().enumerate().map(|(n, pk)| match n {
            0 => format!("{} = :p", named(pk)),
            n => format!("{} = :p{n}", named(pk)),
        });
        let fixed = self.sk.iter().take(at).enumerate();
        let fixed = fixed.map(|(n, sk)| format!("{} = :k{n}", named(sk)));
        let all = partition.chain(fixed).collect::<Vec<_>>().join(" AND ");
        let with = |condition: fn(&str) -> String| match self.sk.get(at) {
            Some(sk) => format!("{all} AND {}", condition(&named(sk))),
            None => all.clone(),
        };
        let equals = with(|sk| format!("{sk} = :s"));
        let begins_with = with(|sk| format!("begins_with({sk}, :s)"));
        let between = with(|sk| format!("{sk} BETWEEN :s AND :t"));
        let at_least = with(|sk| format!("{sk} >= :s"));
        let at_most = with(|sk| format!("{sk} <= :s"));
        quote! {
            __rt::Conditions {
                all: #all,
                equals: #equals,
                begins_with: #begins_with,
                between: #between,
                at_least: #at_least,
                at_most: #at_most,
            }
        }
    }
}

pub(super) fn attribute(key: &KeyAttr) -> TokenStream {
    let name = key.name.value();
    let expr = expression(&name);
    let kind = kind(key.kind);
    quote!(__rt::Attribute { name: #name, expr: #expr, kind: __rt::Kind::#kind })
}

fn kind(kind: KeyKind) -> Ident {
    match kind {
        KeyKind::S => format_ident!("S"),
        KeyKind::N => format_ident!("N"),
        KeyKind::B => format_ident!("B"),
    }
}

/// The type of a partition or sort key: of its attribute, or a tuple of those of all.
pub(super) fn kind_type(keys: &[KeyAttr]) -> TokenStream {
    let mut kinds = keys.iter().map(|key| kind(key.kind));
    match (keys.len(), kinds.next()) {
        (_, None) => quote!(__rt::NoSort),
        (1, Some(kind)) => quote!(__rt::#kind),
        (_, Some(first)) => quote!((__rt::#first, #(__rt::#kinds),*)),
    }
}
