//! The variants of an entity that is an enum. `__rt` must be in scope.

use crate::expand::fields::field_metas;
use crate::model::Entity;
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// `Some(&Variants { .. })`: the tag, and the fields that each variant has of its own; `None` of a struct.
pub(super) fn variants(entity: &Entity) -> TokenStream {
    let variants = entity.variants.as_ref().map(|variants| {
        let tag = &variants.tag;
        let list = variants.list.iter().map(|variant| {
            let (name, only) = (&variant.name, field_metas(&variant.only, &|_| false));
            quote!(__rt::Variant { name: #name, fields: &[#only] })
        });
        quote!(&__rt::Variants { tag: #tag, list: &[#(#list),*] })
    });
    tokens::option(variants)
}

/// The fields that all variants have, as those of a struct: what projections are compared with.
pub(super) fn common_fields(entity: &Entity) -> Option<TokenStream> {
    entity.variants.as_ref()?;
    let (ident, vis) = (&entity.ident, &entity.vis);
    // The message about a field that only some variants have names this type.
    let name = format_ident!("__CommonFieldsOf{ident}");
    let fields = entity.fields.iter().map(|field| {
        let (ident, ty) = (&field.ident, &field.ty);
        quote!(pub #ident: #ty)
    });
    Some(quote! {
        #[doc(hidden)]
        #[allow(dead_code, missing_debug_implementations, private_interfaces)]
        #vis struct #name { #(#fields),* }
        #[automatically_derived]
        impl #ident {
            #[doc(hidden)]
            #[allow(dead_code)]
            #vis fn __fields(&self) -> &#name {
                ::core::unreachable!()
            }
        }
    })
}
