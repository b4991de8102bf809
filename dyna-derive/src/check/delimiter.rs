//! The delimiter of keys.

use crate::error::Errors;
use syn::LitStr;

/// The delimiter: one ASCII punctuation mark.
pub(super) fn delimiter(given: Option<&LitStr>, errors: &mut Errors) -> u8 {
    let Some(literal) = given else { return b'#' };
    match literal.value().as_bytes() {
        [byte] if byte.is_ascii_punctuation() && !b"<>".contains(byte) => *byte,
        _ => {
            errors.at(
                literal,
                "a delimiter is one ASCII punctuation mark other than `<` and `>`, such as \"#\"",
            );
            b'#'
        }
    }
}
