//! The fields of an entity or a nested struct as paths: `Message::CONTENT`, `UserData::EMAIL`.

use crate::model::Field;
use crate::reserved;
use crate::tokens;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// One const per field that has an attribute of its own.
pub(crate) fn consts(fields: &[Field]) -> TokenStream {
    let consts = fields.iter().filter(|field| !field.key_only).map(constant);
    quote!(#(#consts)*)
}

fn constant(field: &Field) -> TokenStream {
    let name = name(&field.ident);
    let (vis, ty, attribute) = (&field.vis, &field.ty, &field.attribute);
    let expr = reserved::expression(attribute);
    let doc = format!("The attribute `{attribute}`.");
    let value = match &field.serialize {
        Some(function) => {
            let value = quote!(|__value| #function(__value, __rt::ValueWriter));
            quote!(__rt::Field::encoded(#attribute, #expr, #value))
        }
        // A type that cannot be serialized is the field's fault.
        None => {
            let span = tokens::located(ty.span());
            quote_spanned!(span=> __rt::Field::new(#attribute, #expr))
        }
    };
    quote! {
        #[doc = #doc]
        #vis const #name: __rt::Field<Self, #ty> = #value;
    }
}

/// `CONTENT`, where the user wrote `content`.
fn name(field: &Ident) -> Ident {
    let name = field.unraw().to_string().to_uppercase();
    format_ident!("{name}", span = field.span())
}
