//! The access patterns of the contract: each item type by its key, what each index is for, and what expires.
//!
//! The sort key of `gsi_waba_itemtype` and `gsi_tenant` is the item type, and that of `gsi_template_waba` a status: items that have it in
//! common are in no order there. Where a list is shown, it is sorted here.

mod changes;
mod indexes;
mod keys;

pub use changes::{Counter, answer_once, delivered, mark_read, receive, tally};
pub use indexes::*;
pub use keys::*;

use crate::model::WhatsApp;
use dyna_runtime::Table;

type Db = Table<WhatsApp>;
