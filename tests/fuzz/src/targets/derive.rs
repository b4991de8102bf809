//! All six derives, on any item of Rust: what they print are items of Rust, with or without errors among them.

use crate::derives;
use syn::DeriveInput;

pub(super) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // rustc calls no derive on what it cannot parse.
    let Ok(input) = syn::parse_str::<DeriveInput>(text) else {
        return;
    };
    for derive in [
        derives::entity,
        derives::table,
        derives::key_part,
        derives::nested,
        derives::projection,
        derives::collection,
    ] {
        let tokens = derive(&input);
        let printed = syn::parse2::<syn::File>(tokens);
        assert!(printed.is_ok(), "not Rust: {:?}", printed.err());
    }
}
