//! The key of a table or an index as const data, with its key conditions spelled out.

use super::settings::throughput;
use crate::model::{IndexProjection, KeyAttribute, KeyKind, KeySchema, Scope};
use crate::reserved::expression;
use proc_macro2::TokenStream;
use quote::quote;

/// `IndexSchema::new(..)`
pub(super) fn key_schema(key: &KeySchema) -> TokenStream {
    let name = &key.name;
    let scope = match key.scope {
        Scope::Table => quote!(Table),
        Scope::Global => quote!(Global),
        Scope::Local => quote!(Local),
    };
    let (pk, sk) = (key.pk.iter().map(attribute), key.sk.iter().map(attribute));
    let projection = match &key.projection {
        IndexProjection::All => None,
        IndexProjection::KeysOnly => Some(quote!(KeysOnly)),
        IndexProjection::Include(attributes) => Some(quote!(Include(&[#(#attributes),*]))),
    };
    let projection = projection.map(|holds| quote!(.projection(__rt::Projection::#holds)));
    let throughput = key.throughput.map(|units| {
        let throughput = throughput(units);
        quote!(.throughput(#throughput))
    });
    let conditions = (0..key.sk.len().max(1)).map(|at| conditions(key, at));
    quote! {
        __rt::IndexSchema::new(
            __rt::IndexKind::#scope,
            #name,
            &[#(#pk),*],
            &[#(#sk),*],
            &[#(#conditions),*],
        ) #projection #throughput
    }
}

/// The key conditions that bound attribute `at` of the sort key, spelled out once here so that no request has to.
fn conditions(key: &KeySchema, at: usize) -> TokenStream {
    let named = |key: &KeyAttribute| expression(&key.name);
    let partition = key.pk.iter().enumerate().map(|(n, pk)| match n {
        0 => format!("{} = :p", named(pk)),
        n => format!("{} = :p{n}", named(pk)),
    });
    let fixed = key.sk.iter().take(at).enumerate();
    let fixed = fixed.map(|(n, sk)| format!("{} = :k{n}", named(sk)));
    let all = partition.chain(fixed).collect::<Vec<_>>().join(" AND ");
    let with = |condition: fn(&str) -> String| match key.sk.get(at) {
        Some(sk) => format!("{all} AND {}", condition(&named(sk))),
        None => all.clone(),
    };
    let equals = with(|sk| format!("{sk} = :s"));
    let begins_with = with(|sk| format!("begins_with({sk}, :s)"));
    let between = with(|sk| format!("{sk} BETWEEN :s AND :t"));
    let at_least = with(|sk| format!("{sk} >= :s"));
    let at_most = with(|sk| format!("{sk} <= :s"));
    quote! {
        __rt::KeyConditions {
            all: #all,
            equals: #equals,
            begins_with: #begins_with,
            between: #between,
            at_least: #at_least,
            at_most: #at_most,
        }
    }
}

pub(super) fn attribute(key: &KeyAttribute) -> TokenStream {
    let name = &key.name;
    let expr = expression(name);
    let kind = kind(key.kind);
    quote!(__rt::KeyAttribute::new(#name, #expr, __rt::ScalarType::#kind))
}

fn kind(kind: KeyKind) -> TokenStream {
    match kind {
        KeyKind::S => quote!(S),
        KeyKind::N => quote!(N),
        KeyKind::B => quote!(B),
    }
}

/// The type of a partition or sort key: of its attribute, or a tuple of those of all.
pub(super) fn kind_type(keys: &[KeyAttribute]) -> TokenStream {
    let mut kinds = keys.iter().map(|key| kind(key.kind));
    match (keys.len(), kinds.next()) {
        (_, None) => quote!(__rt::NoSort),
        (1, Some(kind)) => quote!(__rt::#kind),
        (_, Some(first)) => quote!((__rt::#first, #(__rt::#kinds),*)),
    }
}
