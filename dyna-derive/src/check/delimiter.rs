//! The delimiters of keys.

use crate::attr::{EntityAttr, TableRef};
use crate::error::Errors;
use syn::LitStr;

/// What stands between the fields of keys unless something else is said.
pub(super) const DEFAULT: &str = "#";

/// The delimiter that is given: one ASCII punctuation mark.
pub(super) fn delimiter(given: Option<&LitStr>, errors: &mut Errors) -> Option<String> {
    let given = given?;
    let valid = valid(given);
    if valid.is_none() {
        errors.at(
            given,
            "a delimiter is one ASCII punctuation mark other than `<` and `>`, such as \"#\"",
        );
    }
    valid
}

/// The delimiter of an entity: its own, or that of its table as far as this derive sees it.
pub(super) fn of_entity(attr: &EntityAttr, errors: &mut Errors) -> String {
    let of_table = match attr.table.get() {
        // What is wrong with it, the derive of the table reports.
        Some(TableRef::Own(table)) => table.delimiter.get().and_then(valid),
        _ => None,
    };
    let own = delimiter(attr.delimiter.get(), errors);
    own.or(of_table).unwrap_or_else(|| DEFAULT.to_owned())
}

fn valid(given: &LitStr) -> Option<String> {
    let text = given.value();
    let is_mark = |byte: &u8| byte.is_ascii_punctuation() && !b"<>".contains(byte);
    matches!(text.as_bytes(), [byte] if is_mark(byte)).then_some(text)
}
