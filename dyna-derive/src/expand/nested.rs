//! `#[derive(DynaFields)]`: the fields of a nested struct as paths and as types.

use super::fields::{consts, field_metas, forms, stored_name};
use crate::model::{Nested, Reachable};
use crate::tokens;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

/// Everything that `#[derive(DynaFields)]` generates.
pub(crate) fn nested(nested: &Nested) -> TokenStream {
    let Nested {
        ident,
        krate,
        fields,
        reachable,
    } = nested;
    let name = ident.unraw().to_string();
    let (consts, forms, metas) = (
        consts(fields),
        forms(fields),
        field_metas(fields, &|_| false),
    );
    let reachable = reachable.iter().map(|field| has_field(nested, field));
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[allow(unused_imports)]
            use __rt::UnknownKind as _;
            #forms
            #(#reachable)*
            #[automatically_derived]
            impl __rt::DynaFields for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                const NAME: &'static str = #name;
                const FIELDS: &'static [__rt::FieldMeta] = &[#metas];
            }
            // A program rarely uses all of these.
            #[allow(dead_code)]
            #[automatically_derived]
            impl #ident {
                #consts
            }
        };
    }
}

/// `impl HasField`
fn has_field(nested: &Nested, field: &Reachable) -> TokenStream {
    let (of, Reachable { ident, ty, .. }) = (&nested.ident, field);
    let name = ident.unraw().to_string();
    let name = tokens::name(&quote!(__rt), &name, ident.span());
    let stored = field.stored.and_then(|n| nested.fields.get(n));
    let stored = stored.map_or_else(|| quote!(__rt::AttributeName::new("", "")), stored_name);
    quote! {
        #[automatically_derived]
        impl __rt::HasField<#name> for #of {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            type Type = #ty;
            const NAME: __rt::AttributeName = #stored;
        }
    }
}
