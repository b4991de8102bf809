//! The key of a table or an index as const data, with its key conditions spelled out.

use crate::attr::{KeyAttr, KeyKind, ProjectionAttr};
use crate::reserved::expression;
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

/// The key of the table or of an index.
pub(super) struct Key<'a> {
    pub(super) name: &'a str,
    pub(super) scope: Ident,
    pub(super) pk: &'a KeyAttr,
    pub(super) sk: Option<&'a KeyAttr>,
    pub(super) projection: &'a ProjectionAttr,
}

impl Key<'_> {
    pub(super) fn quote(&self) -> TokenStream {
        let Self { name, scope, .. } = self;
        let pk = attribute(self.pk);
        let sk = tokens::option(self.sk.map(attribute));
        let projection = match self.projection {
            ProjectionAttr::All => quote!(__rt::Projection::All),
            ProjectionAttr::KeysOnly => quote!(__rt::Projection::KeysOnly),
            ProjectionAttr::Include(attributes) => {
                quote!(__rt::Projection::Include(&[#(#attributes),*]))
            }
        };
        let conditions = self.conditions();
        quote! {
            __rt::IndexSchema {
                name: #name,
                scope: __rt::Scope::#scope,
                pk: #pk,
                sk: #sk,
                projection: #projection,
                conditions: #conditions,
            }
        }
    }

    /// The key conditions, spelled out once here so that no request has to.
    fn conditions(&self) -> TokenStream {
        let pk = expression(&self.pk.name.value());
        let all = format!("{pk} = :p");
        let with = |condition: fn(&str) -> String| match self.sk {
            Some(sk) => format!("{all} AND {}", condition(&expression(&sk.name.value()))),
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

pub(super) fn kind_type(key: Option<&KeyAttr>) -> TokenStream {
    let kind = key.map_or_else(|| format_ident!("NoSort"), |key| kind(key.kind));
    quote!(__rt::#kind)
}
