//! What an entity flattens, so that the runtime can refuse the names that are declared.

use crate::model::{Entity, FlatField};
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// `fn flattened`, and what goes with it, if the entity flattens anything.
pub(super) fn flattened(entity: &Entity) -> Option<TokenStream> {
    let flattened = &entity.flattened;
    if flattened.fields.is_empty() {
        return None;
    }
    let fields = flattened.fields.iter().map(field);
    let (declared, write_only) = (&flattened.declared, &flattened.write_only);
    let declared = (!declared.is_empty()).then(|| quote!(__out.declared(&[#(#declared),*]);));
    let write_only = (!write_only.is_empty())
        .then(|| quote!(const WRITE_ONLY: &'static [&'static str] = &[#(#write_only),*];));
    Some(quote! {
        fn flattened(&self, __out: &mut __rt::Flattened) {
            #declared
            #(#fields)*
        }
        #write_only
    })
}

fn field(field: &FlatField) -> TokenStream {
    let FlatField { ident, ty, .. } = field;
    let span = tokens::located(ty.span());
    let declares = if field.is_read {
        quote_spanned!(span=> __rt::declared_by::<#ty>())
    } else {
        quote!(&[])
    };
    let names = match &field.serialize {
        Some(function) => quote!(#function(&self.#ident, __names)),
        None => quote_spanned!(span=> __names.of(&self.#ident)),
    };
    quote!(__out.field(#declares, |__names| #names);)
}
