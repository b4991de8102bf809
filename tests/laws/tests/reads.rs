//! Reads: items of other software, pages that never end, cursors that cannot be made.

mod shared_table;
