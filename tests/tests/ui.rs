//! What the compiler says of each mistake. The first line of a case names the mistake; its `.stderr` is the message.
//!
//! After a change of wording: `TRYBUILD=overwrite cargo test -p dyna-tests ui`, and read the difference. One case alone:
//! `cargo test -p dyna-tests ui -- trybuild=unknown_field`.

#[test]
fn compile_errors_match_expected_output() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
