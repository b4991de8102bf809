//! The orders of the shop.

use dyna_runtime::{DynaEntity, KeyPart};
use dyna_tests_table::ShopTable;
use serde::{Deserialize, Serialize};

/// An order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = ShopTable,
    pk = "USER#<user>",
    sk = "ORDER#<n:05>",
    gsi1(as = by_state, pk = "STATE#<state>", sk = "<user>#<n:05>")
)]
pub struct Order {
    /// Who ordered.
    pub user: String,
    /// The number of the order.
    pub n: u32,
    /// How far it is.
    pub state: State,
}

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, KeyPart)]
pub enum State {
    /// Not sent yet.
    Open,
    /// Sent.
    Sent,
}
