//! A placeholder: its types, and how to get at its field. `__rt` must be in scope.

use crate::expand::fields::stored_name;
use crate::model::{Entity, Part, const_name};
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// A field inside of a nested struct, all of it under the type that the user gave.
struct Inside {
    /// The type of the struct.
    of: TokenStream,
    /// `<UserData as HasField<Name<'e', 'm', ..>>>`
    has_field: TokenStream,
    ident: Ident,
}

/// The type of the field.
pub(super) fn ty(part: &Part) -> TokenStream {
    inside(part).1
}

/// The type that look-ups take.
pub(super) fn lookup_ty(part: &Part) -> TokenStream {
    match &part.lookup_ty {
        Some(ty) => ty.to_token_stream(),
        None => ty(part),
    }
}

/// `channel_id`, or `data.email`, at the place of the template.
pub(super) fn access(part: &Part) -> TokenStream {
    let fields = part.fields.iter().map(|field| {
        let mut field = field.clone();
        field.set_span(tokens::located(part.span));
        field
    });
    quote!(#(#fields).*)
}

/// The field as a path: `User::DATA.field(<UserData>::EMAIL)`.
pub(super) fn path(entity: &Entity, part: &Part) -> TokenStream {
    let ident = &entity.ident;
    let constant = part.fields.first().map(const_name);
    let mut path = quote!(#ident::#constant);
    for Inside { of, ident, .. } in inside(part).0 {
        let (span, constant) = (of.span(), const_name(&ident));
        path.extend(quote_spanned!(span=> .field(<#of>::#constant)));
    }
    path
}

/// The names that it is stored under: of the attribute, and of the fields on the way.
pub(super) fn names(entity: &Entity, part: &Part) -> TokenStream {
    let first = entity.field(&part.path).map(stored_name).into_iter();
    let inside = inside(part).0.into_iter();
    let inside = inside.map(|Inside { has_field, of, .. }| {
        let span = of.span();
        quote_spanned!(span=> #has_field::NAME)
    });
    let names = first.chain(inside);
    quote!(#(#names),*)
}

/// The fields on the way, and the type of the last.
fn inside(part: &Part) -> (Vec<Inside>, TokenStream) {
    let (mut found, mut ty) = (Vec::new(), part.ty.to_token_stream());
    let span = part.ty.span();
    for ident in part.fields.iter().skip(1) {
        let name = tokens::name(&quote!(__rt), &ident.unraw().to_string(), span);
        let span = tokens::located(span);
        let has_field = quote_spanned!(span=> <#ty as __rt::HasField<#name>>);
        let inner = quote_spanned!(span=> #has_field::Type);
        found.push(Inside {
            of: std::mem::replace(&mut ty, inner),
            has_field,
            ident: ident.clone(),
        });
    }
    (found, ty)
}
