//! The names of what is generated.

use quote::format_ident;
use syn::Ident;
use syn::ext::IdentExt;

/// `CONTENT`, where the user wrote `content`.
pub(crate) fn const_name(field: &Ident) -> Ident {
    let name = field.unraw().to_string().to_uppercase();
    format_ident!("{name}", span = field.span())
}
