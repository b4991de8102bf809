//! A table that knows nothing of its entities, which live in other crates.

use dyna_runtime::DynaTable;

/// The table of the shop.
#[derive(Debug, DynaTable)]
#[dyna(
    name = "shop-{stage}",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
pub struct ShopTable;
