//! The people of the shop.

use dyna_runtime::DynaEntity;
use serde::{Deserialize, Serialize};

/// A user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = dyna_tests_table::ShopTable,
    pk = "USER#<id>",
    sk = "PROFILE",
    gsi1(as = by_email, pk = "EMAIL#<email|lower>", sk = "USER")
)]
pub struct User {
    /// The id.
    pub id: String,
    /// The address, if it is known.
    pub email: Option<String>,
}

/// An entity that the registry does not list: it has keys, but cannot be written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = dyna_tests_table::ShopTable, pk = "USER#<id>", sk = "DRAFT")]
pub struct Draft {
    /// The id.
    pub id: String,
}
