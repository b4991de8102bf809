//! Typed expressions over the attributes of an item: the filters of reads and the conditions of writes.
//!
//! A [`Field`] is a path to an attribute, a [`Condition`] says something of the values there. Values are checked against the type
//! of the field when the program is compiled, written as attributes at once, and never become part of an expression's text.
//! It knows no requests.
//!
//! ```
//! use dyna_runtime::{Condition, DynaEntity, DynaFields, DynaTable};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
//! #[dyna(table(name = "users", pk = "pk", sk = "sk"), pk = "ORG#<org>", sk = "USER#<n:05>")]
//! struct User {
//!     org: String,
//!     n: u32,
//!     name: String,
//!     tags: Vec<String>,
//!     plan: Option<Plan>,
//! }
//!
//! #[derive(Serialize, Deserialize, DynaFields)]
//! struct Plan {
//!     tier: Tier,
//!     seats: u32,
//! }
//!
//! #[derive(Serialize, Deserialize)]
//! enum Tier { Free, Pro }
//!
//! let pro = User::PLAN.field(Plan::TIER).eq(Tier::Pro);
//! let busy = User::PLAN.field(Plan::SEATS).gt(10).or(User::TAGS.contains("busy"));
//! let query = User::query("acme").filter(pro.and(busy).and(!User::NAME.starts_with("test-")));
//! assert_eq!(
//!     query.explain().get("FilterExpression"),
//!     Some("#plan.tier = :v0 AND (#plan.seats > :v1 OR contains(tags, :v2)) AND NOT begins_with(#name, :v3)"),
//! );
//!
//! // A value of another type does not compile: `User::NAME.eq(7)`.
//! let any: Condition<User> = Condition::any(["ann", "bob"].map(|name| User::NAME.eq(name)));
//! ```
//!
//! # What is not there
//!
//! An `Option` that is `None` is not stored, or as NULL with `#[dyna(nulls = "store")]`. Both are read as `None`, and to conditions they are
//! the same: [`missing`](Field::missing) and [`eq(None)`](Field::eq) are true of both, [`exists`](Field::exists) and
//! [`ne(None)`](Field::ne) of neither. Every other comparison with a missing attribute is false, but [`ne`](Field::ne) is true; the same
//! holds between values of different types, NULL among them.
//!
//! A field with `#[serde(alias = "..")]` may be stored under either name, and a condition holds for both.

mod condition;
mod expression;
mod field;
pub mod form;
mod key_only;
pub(crate) mod kind;
mod nested;
mod node;
pub(crate) mod numeric;
mod operand;
mod path;
mod render;
pub mod role;
mod size;
#[cfg(test)]
mod tests;

pub use condition::{Condition, FilterOf};
pub use field::{AttributeType, Field};
pub use form::Sorted;
pub use key_only::KeyOnlyField;
pub use nested::{ComparableTo, Container, HasNested, ListField, MapField, Set, TextField};
pub use numeric::Numeric;
pub use operand::{Encoding, IntoFieldValue, Operand};
pub use size::Size;

pub(crate) use expression::Expr;
pub(crate) use path::Path;
#[doc(hidden)]
pub(crate) use render::Rendered;
