//! Reads: items of other software, keys that disagree with their attributes, limits, pages that never end, cursors that cannot be made.

mod any_query;
mod check_keys;
mod expired_views;
mod interceptors;
mod limits;
mod marks;
mod pages;
mod rolling;
mod shared_table;
