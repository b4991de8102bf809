//! The names of what is generated, with the span of what they are made of.

use quote::format_ident;
use syn::Ident;
use syn::ext::IdentExt;

/// `CONTENT`, where the user wrote `content`.
pub(crate) fn const_name(field: &Ident) -> Ident {
    let name = field.unraw().to_string().to_uppercase();
    format_ident!("{name}", span = field.span())
}

/// `by_id_many`: the query over several partitions.
pub(crate) fn each(accessor: &Ident) -> Ident {
    let accessor = accessor.unraw();
    format_ident!("{accessor}_many", span = accessor.span())
}

/// The type of sort-key steps.
pub(crate) fn steps(entity: &Ident) -> Ident {
    format_ident!("__{entity}Steps")
}

/// The type of the setters of indexes.
pub(crate) fn setters(entity: &Ident) -> Ident {
    format_ident!("__{entity}Setters")
}

/// `set_by_status`, or `set_by_status_and_by_owner`, of the queries of these indexes; at the last of them.
pub(crate) fn setter<'a>(accessors: impl Iterator<Item = &'a Ident>) -> Ident {
    let accessors: Vec<_> = accessors.collect();
    let names: Vec<_> = accessors
        .iter()
        .map(|accessor| accessor.unraw().to_string())
        .collect();
    let mut name = format_ident!("set_{}", names.join("_and_"));
    if let Some(last) = accessors.last() {
        name.set_span(last.span());
    }
    name
}

/// What stands for the form of a field whose `with` is called like a module of the runtime's.
pub(crate) fn form(field: &Ident) -> Ident {
    format_ident!("__form_of_{}", field.unraw())
}
