#![no_main]
//! libFuzzer on the target `derive` of `tests/fuzz`.

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dyna_fuzz::try_input("derive", bytes));
