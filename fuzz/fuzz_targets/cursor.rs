#![no_main]
//! libFuzzer on the target `cursor` of `tests/fuzz`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dyna_fuzz::try_input("cursor", bytes));
