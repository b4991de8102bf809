//! A collection with errors.

use crate::attr::{CollectionAttr, crate_path};
use crate::error::Errors;
use crate::tokens;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput};

/// `impl DynaCollection` with nothing in it, and its query.
pub(crate) fn collection(input: &DeriveInput) -> TokenStream {
    let (ident, vis) = (&input.ident, &input.vis);
    let mut reported = Errors::default();
    let attr = CollectionAttr::parse(&input.attrs, &mut reported);
    reported.discard();
    let krate = crate_path(attr.krate.get());
    let first = match &input.data {
        Data::Enum(data) => data
            .variants
            .iter()
            .find_map(|one| one.fields.iter().next()),
        Data::Struct(_) | Data::Union(_) => None,
    };
    let Some(first) = first.filter(|_| input.generics.params.is_empty()) else {
        return TokenStream::new();
    };
    let first = &first.ty;
    let table = quote!(<#first as __rt::Entity>::Table);
    let space = match attr.index.get() {
        None => quote!(__rt::Primary<#table>),
        Some(index) => {
            let name = tokens::name(&quote!(__rt), &index.to_string(), index.span());
            quote!(__rt::Secondary<#table, #name>)
        }
    };
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[automatically_derived]
            impl __rt::DynaCollection for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                const META: &'static __rt::CollectionMeta = &__rt::CollectionMeta::new(
                    "",
                    &[],
                    &__rt::TableSchema::BROKEN.key,
                    &[],
                );
            }
            #[automatically_derived]
            impl __rt::View<Self> for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                fn read(_: __rt::ItemSource<'_, '_>) -> __rt::Result<Self> {
                    ::core::unreachable!()
                }
            }
            #[automatically_derived]
            impl<__T> __rt::StoredIn<__T> for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                const OVERLAP: __rt::Overlap = __rt::Overlap::NONE;
            }
            #[allow(dead_code, unused_variables)]
            #[automatically_derived]
            impl #ident {
                #vis fn query(partition: impl ::core::marker::Sized) -> __rt::Query<Self, #space, __rt::NoSteps> {
                    ::core::unreachable!()
                }
            }
        };
    }
}
