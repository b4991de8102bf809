//! Reads: items of other software, keys that disagree with their attributes, pages that never end, cursors that cannot be made.

mod check_keys;
mod pages;
mod rolling;
mod shared_table;
