//! What the compiler says of each mistake. The first line of a case names the mistake; its `.stderr` is the message.
//!
//! After a change of wording: `TRYBUILD=overwrite cargo test -p dyna-tests ui`, and read the difference. One case alone:
//! `cargo test -p dyna-tests ui -- trybuild=unknown_field`.

#[test]
fn every_mistake_is_told_as_written_down() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
