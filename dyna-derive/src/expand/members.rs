//! The variants of a table or a collection.

use crate::model::Member;
use crate::tokens;
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::spanned::Spanned;

/// Reads the entity of a variant from `item`.
pub(super) fn read(member: &Member) -> TokenStream {
    let Member { variant, entity } = member;
    let span = tokens::located(entity.span());
    quote_spanned!(span=> <#entity as __rt::Entity>::read(item).map(Self::#variant))
}
