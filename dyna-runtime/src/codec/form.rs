//! The forms in which fields are stored, as types: by the `Serialize` of their type, or by a module of `#[serde(with = "..")]`.

/// Stored as its type serializes.
#[derive(Debug)]
pub enum Plain {}

/// Stored by functions of the user's own, in a form that is not known here.
#[derive(Debug)]
pub enum Opaque {}

/// Stored by [`string_set`](crate::serde::string_set).
#[derive(Debug)]
pub enum StringSet {}

/// Stored by [`number_set`](crate::serde::number_set).
#[derive(Debug)]
pub enum NumberSet {}

/// Stored by [`binary_set`](crate::serde::binary_set).
#[derive(Debug)]
pub enum BinarySet {}

/// Stored by [`rfc3339`](crate::serde::rfc3339) or [`rfc3339::option`](crate::serde::rfc3339::option).
#[derive(Debug)]
pub enum Rfc3339 {}

/// Stored by `decimal`, as a number.
#[derive(Debug)]
pub enum DecimalNumber {}

/// Stored by `serde_bytes`.
#[derive(Debug)]
pub enum Bytes {}

/// The form of `#[serde(with = "..")]` modules that declare none.
#[doc(hidden)]
pub mod unknown {
    pub use super::Opaque as __Form;
}
