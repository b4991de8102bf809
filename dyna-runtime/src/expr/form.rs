//! How a field is stored, as a type: by the `Serialize` of its type, or by a module of `#[serde(with = "..")]`. It decides what may be
//! asked of a part of a value, and whether stored values sort like the values themselves.

use crate::codec::form::{BinarySet, Bytes, DecimalNumber, NumberSet, Plain, Rfc3339, StringSet};
use crate::codec::{EncodeError, sets};
use crate::key::{DatePart, Ordered};
use aws_sdk_dynamodb::types::AttributeValue;
use std::borrow::Cow;
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;

/// Names the form of a field. Only derives implement it.
#[doc(hidden)]
pub trait StoredBy {
    /// The form.
    type Form;
}

/// A form in which the parts of a value are stored as they are on their own: the elements of a list, the entries of a map, the fields of
/// a struct, the beginning of a text.
#[diagnostic::on_unimplemented(
    message = "this field is stored by `#[serde(with = \"..\")]`: Dyna does not know how its parts are stored",
    label = "a part of this field cannot be named or changed alone",
    note = "write or compare the whole value: `set`, `eq`, `is_in`",
    note = "or give the element a type of its own that serializes so, and remove `with` from the field"
)]
pub trait AsIs {}
impl AsIs for Plain {}

/// A form in which `contains` finds an element.
#[diagnostic::on_unimplemented(
    message = "this field is stored by `#[serde(with = \"..\")]`, which gives its elements a form that is not known here",
    label = "`contains` could not find an element of this field",
    note = "`contains` knows the elements of `dyna_runtime::serde::string_set`, `number_set` and `binary_set`, and of fields without `with`",
    note = "write the path of the module as it is, without an alias"
)]
pub trait HasElements {
    /// The element as the field stores it, from the one that its type serializes to.
    #[doc(hidden)]
    fn element(element: AttributeValue) -> Result<AttributeValue, EncodeError>;
}

impl HasElements for Plain {
    fn element(element: AttributeValue) -> Result<AttributeValue, EncodeError> {
        Ok(element)
    }
}

impl HasElements for StringSet {
    fn element(element: AttributeValue) -> Result<AttributeValue, EncodeError> {
        sets::string(element).map(AttributeValue::S)
    }
}

impl HasElements for NumberSet {
    fn element(element: AttributeValue) -> Result<AttributeValue, EncodeError> {
        sets::number(element).map(AttributeValue::N)
    }
}

impl HasElements for BinarySet {
    fn element(element: AttributeValue) -> Result<AttributeValue, EncodeError> {
        sets::binary(element).map(AttributeValue::B)
    }
}

/// A form in which numbers add up: the sum of two stored numbers is what their sum is stored as.
#[diagnostic::on_unimplemented(
    message = "this field is stored by `#[serde(with = \"..\")]`: Dyna does not know what its stored number means",
    label = "cannot be added to in place",
    note = "set it to a value instead: `set`"
)]
pub trait AddsUp {}
impl AddsUp for Plain {}
impl AddsUp for DecimalNumber {}

/// A form in which two fields can be compared with each other: the same for both, and known.
#[diagnostic::on_unimplemented(
    message = "these two fields are not known to be stored in the same form",
    label = "another `#[serde(with = \"..\")]`, or one that is not known here",
    note = "two fields of an item are compared if both have no `with`, or the same module of `dyna_runtime`"
)]
pub trait Alike<W> {}

macro_rules! alike {
    ($($form:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Alike<$form> for $form {}
    )*};
}

alike!(
    Plain,
    StringSet,
    NumberSet,
    BinarySet,
    Rfc3339,
    DecimalNumber,
    Bytes
);

/// A type whose values, stored in the form `W`, sort in DynamoDB as they do in Rust.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` stored this way may not sort in DynamoDB as it does in Rust",
    label = "stored like this it may sort differently",
    note = "a date or time sorts if all of its values have one width: store it with `#[serde(with = \"dyna_runtime::serde::rfc3339\")]`, an `Option` of one with `\"dyna_runtime::serde::rfc3339::option\"`",
    note = "a `Decimal` sorts as a number: `#[serde(with = \"dyna_runtime::serde::decimal\")]`; bytes sort with `#[serde(with = \"serde_bytes\")]`; what other functions write may sort in any order",
    note = "a type of your own that is stored as text, a number or bytes in the order of its values implements `dyna_runtime::expr::Sorted`"
)]
pub trait SortsAs<W> {}

/// A type whose `Serialize` writes text, numbers or bytes that DynamoDB sorts as Rust sorts the values.
///
/// It is what [`lt`](super::Field::lt), [`between`](super::Field::between) and their like ask of a field. Integers, floats, text,
/// [`Ordered`], `Uuid` and `Ulid` have it. Text is compared byte by byte, so instants whose text has no fixed width,
/// such as `jiff::Timestamp` or `chrono::DateTime` by their own `Serialize`, do not; nor do dates, since years before 0 and after 9999
/// are longer: [`rfc3339`](crate::serde::rfc3339) stores both so that they sort.
///
/// Implement it for a type of your own that keeps the promise. Nothing can check it.
///
/// ```
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Cents(u64);
///
/// impl dyna_runtime::expr::Sorted for Cents {}
/// ```
pub trait Sorted {}

macro_rules! sorted {
    ($($type:ty),*) => {$(impl Sorted for $type {})*};
}

sorted!(
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, char, str, String
);
sorted!(
    NonZero<u8>,
    NonZero<u16>,
    NonZero<u32>,
    NonZero<u64>,
    NonZero<u128>,
    NonZero<usize>
);
sorted!(
    NonZero<i8>,
    NonZero<i16>,
    NonZero<i32>,
    NonZero<i64>,
    NonZero<i128>,
    NonZero<isize>
);
#[cfg(feature = "uuid")]
sorted!(uuid::Uuid);
#[cfg(feature = "ulid")]
sorted!(ulid::Ulid);

impl<T: Sorted> Sorted for Ordered<T> {}
impl<T: Sorted + ?Sized> Sorted for Box<T> {}
impl<T: Sorted + ?Sized> Sorted for Arc<T> {}
impl<T: Sorted + ?Sized> Sorted for Rc<T> {}
impl<T: Sorted + ToOwned + ?Sized> Sorted for Cow<'_, T> {}
impl<T: Sorted> Sorted for Option<T> {}

#[diagnostic::do_not_recommend]
impl<T: Sorted> SortsAs<Plain> for T {}

#[diagnostic::do_not_recommend]
impl<T: DatePart> SortsAs<Rfc3339> for T {}
#[diagnostic::do_not_recommend]
impl<T: DatePart> SortsAs<Rfc3339> for Option<T> {}

#[cfg(feature = "rust_decimal")]
#[diagnostic::do_not_recommend]
impl<T: crate::codec::decimal::Exact> SortsAs<DecimalNumber> for T {}

#[diagnostic::do_not_recommend]
impl<T: IsBytes> SortsAs<Bytes> for T {}

/// What `serde_bytes` stores as bytes.
trait IsBytes {}
impl IsBytes for Vec<u8> {}
impl IsBytes for Box<[u8]> {}
impl<const N: usize> IsBytes for [u8; N] {}
impl<T: IsBytes> IsBytes for Option<T> {}
