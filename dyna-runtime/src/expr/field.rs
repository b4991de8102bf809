//! Paths to the fields of an entity, and the conditions on them.

use super::condition::Condition;
use super::expression::Expr;
use super::form::{Alike, AsIs, HasElements, SortsAs};
use super::nested::{ComparableTo, Container, HasNested, ListField, MapField, TextField};
use super::node::{Junction, Node, Subject};
use super::operand::{Encoded, Encoding, Operand};
use super::path::Path;
use super::role::{Element, Free, Nested};
use super::size::Size;
use crate::codec::form::Plain;
use crate::codec::number::StoredNumber;
use crate::codec::{DecodeError, EncodeError, Nulls, ValueReader, ValueWriter, kind, stored};
use crate::derived::Derived;
use crate::key::rfc3339::cutting;
use crate::schema::AttributeName;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;

/// The most values that `IN` takes.
const MAX_IN: usize = 100;

/// A field of `E` with values of type `T`, or a place inside of one: what conditions and updates are made of.
///
/// `#[derive(DynaEntity)]` and `#[derive(DynaFields)]` make one per field: `Message::CONTENT`. [`field`](Self::field),
/// [`index`](Self::index) and [`entry`](Self::entry) go on into it; everything else makes a [`Condition`]. `R` says what an
/// [`Update`](crate::Update) may do with it: see [`role`](super::role). `W` says how it is stored: see [`form`](super::form).
///
/// See the [module](crate::expr) for an example.
pub struct Field<E, T, R = Free, W = Plain> {
    pub(crate) path: Path,
    pub(crate) encoding: Encoding<T>,
    types: PhantomData<fn() -> (E, R)>,
    form: PhantomData<fn() -> W>,
}

impl<E, T, R> Field<E, T, R> {
    /// A field that is stored in `attribute`, and named `expr` in expressions.
    #[doc(hidden)]
    pub const fn new(_: Derived, attribute: &'static str, expr: &'static str) -> Self
    where
        T: Serialize + DeserializeOwned,
    {
        Self::with(
            Path::new(AttributeName::new(attribute, expr)),
            Encoding::both(),
        )
    }
}

impl<E, T, R, W> Field<E, T, R, W> {
    /// The same, but stored by a function of its own: that of `#[serde(with = "..")]`.
    #[doc(hidden)]
    pub const fn encoded(
        _: Derived,
        attribute: &'static str,
        expr: &'static str,
        write: fn(&T, ValueWriter) -> Encoded,
        read: fn(ValueReader<'_, '_>) -> Result<T, DecodeError>,
    ) -> Self {
        let name = AttributeName::new(attribute, expr);
        Self::with(Path::new(name), Encoding::with(write, read))
    }

    /// The same, which may also be stored under these names.
    #[doc(hidden)]
    #[must_use]
    pub const fn aliases(mut self, _: Derived, aliases: &'static [AttributeName]) -> Self {
        self.path.or_under(aliases);
        self
    }

    /// The same, of an entity that may store NULL in it.
    #[doc(hidden)]
    #[must_use]
    pub const fn nulls(mut self, _: Derived, nulls: Nulls<'static>) -> Self {
        let stores_null = nulls.stores(self.path.root().attribute);
        self.encoding = self.encoding.storing_null(stores_null);
        self
    }

    const fn with(path: Path, encoding: Encoding<T>) -> Self {
        Self {
            path,
            encoding,
            types: PhantomData,
            form: PhantomData,
        }
    }

    /// The attribute it is stored in, or in which it is found.
    pub const fn attribute(&self) -> &'static str {
        self.path.root().attribute
    }

    /// How an expression names the attribute: an alias such as `#status` if the name is reserved.
    pub const fn expression(&self) -> &'static str {
        self.path.root().expr
    }

    /// A field of the struct that is stored here: `User::DATA.field(UserData::EMAIL)`. An `Option` of a struct has its fields too.
    pub fn field<S, U, N, V>(self, next: Field<S, U, N, V>) -> Field<E, U, Nested, V>
    where
        T: HasNested<S>,
        W: AsIs,
    {
        let encoding = next.encoding.inside(self.encoding);
        Field::with(self.path.then(next.path), encoding)
    }

    /// An element of the list that is stored here, counted from 0: `Message::REACTIONS.index(2)`. Sets have no order.
    pub fn index<U: Serialize + DeserializeOwned>(self, index: usize) -> Field<E, U, Element>
    where
        T: ListField<Element = U>,
        W: AsIs,
    {
        let encoding = Encoding::both().inside(self.encoding);
        Field::with(self.path.at(index), encoding)
    }

    /// An entry of the map that is stored here: `User::PREFERENCES.entry("theme")`.
    pub fn entry<U: Serialize + DeserializeOwned>(
        self,
        key: impl Into<String>,
    ) -> Field<E, U, Element>
    where
        T: MapField<Value = U>,
        W: AsIs,
    {
        let encoding = Encoding::both().inside(self.encoding);
        Field::with(self.path.entry(key.into()), encoding)
    }

    /// Is equal. `eq(None)` is [`missing`](Self::missing): NULL and a missing attribute are the same.
    pub fn eq(self, value: impl Operand<T>) -> Condition<E> {
        self.compare(" = ", value)
    }

    /// Is not equal: also true if the attribute is missing, or of another type. `ne(None)` is [`exists`](Self::exists).
    pub fn ne(self, value: impl Operand<T>) -> Condition<E> {
        self.compare(" <> ", value)
    }

    /// Is less. For fields whose stored form [sorts](super::Sorted) as their values do: text, numbers, bytes, and instants that are stored
    /// with [`rfc3339`](crate::serde::rfc3339). The request fails if the value is `None`.
    pub fn lt(self, value: impl Operand<T>) -> Condition<E>
    where
        T: SortsAs<W>,
    {
        self.order(" < ", value)
    }

    /// Is less or equal. See [`lt`](Self::lt).
    pub fn le(self, value: impl Operand<T>) -> Condition<E>
    where
        T: SortsAs<W>,
    {
        self.order(" <= ", value)
    }

    /// Is greater. See [`lt`](Self::lt).
    pub fn gt(self, value: impl Operand<T>) -> Condition<E>
    where
        T: SortsAs<W>,
    {
        self.order(" > ", value)
    }

    /// Is greater or equal. See [`lt`](Self::lt).
    pub fn ge(self, value: impl Operand<T>) -> Condition<E>
    where
        T: SortsAs<W>,
    {
        self.order(" >= ", value)
    }

    /// Is equal to what another field of the same item holds. Never, if one of the two is missing or NULL.
    pub fn eq_field<U: ComparableTo<T>, N, V>(self, other: Field<E, U, N, V>) -> Condition<E>
    where
        V: Alike<W>,
    {
        self.beside(" = ", &other.path)
    }

    /// Is not equal to what another field of the same item holds: also true if the two are of different types, or one of them is missing
    /// or NULL.
    pub fn ne_field<U: ComparableTo<T>, N, V>(self, other: Field<E, U, N, V>) -> Condition<E>
    where
        V: Alike<W>,
    {
        self.beside(" <> ", &other.path)
    }

    /// Is less than what another field of the same item holds: `Invite::USES.lt_field(Invite::MAX_USES)`. Never, if one of the two is
    /// missing, or they are not of one type that has an order.
    pub fn lt_field<U: ComparableTo<T>, N, V>(self, other: Field<E, U, N, V>) -> Condition<E>
    where
        V: Alike<W>,
        T: SortsAs<W>,
    {
        self.beside(" < ", &other.path)
    }

    /// Is less than or equal to what another field of the same item holds. See [`lt_field`](Self::lt_field).
    pub fn le_field<U: ComparableTo<T>, N, V>(self, other: Field<E, U, N, V>) -> Condition<E>
    where
        V: Alike<W>,
        T: SortsAs<W>,
    {
        self.beside(" <= ", &other.path)
    }

    /// Is greater than what another field of the same item holds. See [`lt_field`](Self::lt_field).
    pub fn gt_field<U: ComparableTo<T>, N, V>(self, other: Field<E, U, N, V>) -> Condition<E>
    where
        V: Alike<W>,
        T: SortsAs<W>,
    {
        self.beside(" > ", &other.path)
    }

    /// Is greater than or equal to what another field of the same item holds. See [`lt_field`](Self::lt_field).
    pub fn ge_field<U: ComparableTo<T>, N, V>(self, other: Field<E, U, N, V>) -> Condition<E>
    where
        V: Alike<W>,
        T: SortsAs<W>,
    {
        self.beside(" >= ", &other.path)
    }

    /// Is between the two, both included; never, if `low` is greater than `high`. See [`lt`](Self::lt).
    pub fn between(self, low: impl Operand<T>, high: impl Operand<T>) -> Condition<E>
    where
        T: SortsAs<W>,
    {
        let (low, is_cut) = cutting(|| low.encode(self.encoding));
        // What it is cut to is before the range, and so is all that is stored up to it. Behind the upper end, nothing is.
        let low = low.map(|low| if is_cut { low.map(just_behind) } else { low });
        let (high, _) = cutting(|| high.encode(self.encoding));
        let ends = low.and_then(|low| range(low, high?));
        Condition::of(&self.path, ends, |path, ends| match ends {
            Some((low, high)) => Node::Between(Subject::Value(path), low.clone(), high.clone()),
            None => Node::Never,
        })
    }

    /// Is equal to one of the values: never, if there are none. The request fails if there are more than 100.
    pub fn is_in<V: Operand<T>>(self, values: impl IntoIterator<Item = V>) -> Condition<E> {
        let values = values
            .into_iter()
            .take(MAX_IN + 1)
            .map(|value| {
                let (value, is_cut) = cutting(|| value.encode(self.encoding));
                Ok((value?, is_cut))
            })
            .collect::<Result<Vec<_>, _>>()
            .and_then(|values| match values.len() {
                0..=MAX_IN => Ok(values),
                _ => Err(EncodeError::new("`is_in` takes at most 100 values")),
            });
        Condition::try_of(&self.path, values, |path, values| {
            let absent = values.iter().any(|(value, _)| value.is_none());
            // What is cut off equals nothing that is stored.
            let whole = values.into_iter().filter(|(_, is_cut)| !is_cut);
            let values: Vec<_> = whole.filter_map(|(value, _)| value).collect();
            let among = Expr::wherever(path, Junction::Or, |path| match values.as_slice() {
                [] => Node::Never,
                values => Node::In(path, values.to_vec()),
            });
            if absent {
                among.or(Expr::missing(path))
            } else {
                among
            }
        })
    }

    /// Has a value: it is there, and not NULL.
    pub fn exists(self) -> Condition<E> {
        Condition::from_expr(Expr::exists(&self.path))
    }

    /// Has no value: it is not there, or NULL. Both are read as `None`.
    pub fn missing(self) -> Condition<E> {
        Condition::from_expr(Expr::missing(&self.path))
    }

    /// Is stored as this type.
    pub fn has_type(self, kind: AttributeType) -> Condition<E> {
        let kind = AttributeValue::S(kind.code().to_owned());
        self.call("attribute_type", Ok(kind))
    }

    /// Is text that starts with this.
    pub fn starts_with(self, prefix: impl Into<String>) -> Condition<E>
    where
        T: TextField,
        W: AsIs,
    {
        let prefix = AttributeValue::S(prefix.into());
        self.call("begins_with", Ok(prefix))
    }

    /// Contains this: text with this substring, or a list or a set with this element.
    pub fn contains(self, element: impl Operand<T::Element>) -> Condition<E>
    where
        T: Container,
        W: HasElements,
    {
        let (element, is_cut) = cutting(|| element.encode(Encoding::plain().inside(self.encoding)));
        if is_cut {
            return Condition::from_expr(Expr::never());
        }
        self.call("contains", stored(element).and_then(W::element))
    }

    /// How long it is, to be compared: the length of text or bytes, the number of elements of a list, a set or a map. A number, a
    /// boolean and NULL have no size.
    pub fn size(self) -> Size<E> {
        Size::new(self.path)
    }

    fn compare(self, comparator: &'static str, value: impl Operand<T>) -> Condition<E> {
        let (value, is_cut) = cutting(|| value.encode(self.encoding));
        Condition::try_of(&self.path, value, |path, value| match (value, comparator) {
            // It equals nothing that is stored.
            (Some(_), " <> ") if is_cut => Expr::default(),
            (Some(_), _) if is_cut => Expr::never(),
            (Some(value), _) => Expr::compare(path, comparator, &value),
            (None, " <> ") => Expr::exists(path),
            (None, _) => Expr::missing(path),
        })
    }

    fn call(
        self,
        function: &'static str,
        value: Result<AttributeValue, EncodeError>,
    ) -> Condition<E> {
        Condition::of(&self.path, value, |path, value| {
            Node::Call(function, path, Some(value.clone()))
        })
    }

    fn beside(self, comparator: &'static str, other: &Path) -> Condition<E> {
        Condition::from_expr(Expr::beside(&self.path, comparator, other))
    }

    fn order(self, comparator: &'static str, value: impl Operand<T>) -> Condition<E> {
        let (value, is_cut) = cutting(|| value.encode(self.encoding));
        let value = value.and_then(ordered);
        // What is stored is not later than the value if it is not later than what that is cut to.
        let comparator = match comparator {
            " < " if is_cut => " <= ",
            " >= " if is_cut => " > ",
            comparator => comparator,
        };
        Condition::try_of(&self.path, value, |path, value| {
            Expr::compare(path, comparator, &value)
        })
    }
}

impl<E, T, R, W> Clone for Field<E, T, R, W> {
    fn clone(&self) -> Self {
        Self::with(self.path.clone(), self.encoding)
    }
}

/// Without the keys of maps, which may be personal data.
impl<E, T, R, W> fmt::Debug for Field<E, T, R, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = super::Rendered::default();
        self.path.render(&mut out);
        write!(f, "Field({})", out.expression)
    }
}

/// The text that sorts right after this one, before all others of its length.
fn just_behind(value: AttributeValue) -> AttributeValue {
    match value {
        AttributeValue::S(text) => AttributeValue::S(text + "+"),
        other => other,
    }
}

/// The value, if DynamoDB can put it in order: it refuses a request that compares anything else so.
fn ordered(value: Option<AttributeValue>) -> Result<AttributeValue, EncodeError> {
    match stored(Ok(value))? {
        value @ (AttributeValue::S(_) | AttributeValue::N(_) | AttributeValue::B(_)) => Ok(value),
        other => Err(EncodeError::new(format!(
            "expected text, a number or bytes, which have an order, found {}",
            kind(&other)
        ))),
    }
}

/// The ends of a range, unless it is empty: DynamoDB refuses one whose ends are the wrong way round.
fn range(
    low: Option<AttributeValue>,
    high: Option<AttributeValue>,
) -> Result<Option<(AttributeValue, AttributeValue)>, EncodeError> {
    let (low, high) = (ordered(low)?, ordered(high)?);
    match compare(&low, &high) {
        None => Err(EncodeError::new("the ends of a range are of one type")),
        Some(Ordering::Greater) => Ok(None),
        Some(_) => Ok(Some((low, high))),
    }
}

/// The order of two values of one type.
fn compare(a: &AttributeValue, b: &AttributeValue) -> Option<Ordering> {
    match (a, b) {
        (AttributeValue::S(a), AttributeValue::S(b)) => Some(a.cmp(b)),
        (AttributeValue::B(a), AttributeValue::B(b)) => Some(a.as_ref().cmp(b.as_ref())),
        (AttributeValue::N(a), AttributeValue::N(b)) => {
            Some(StoredNumber::parse(a)?.cmp(&StoredNumber::parse(b)?))
        }
        _ => None,
    }
}

/// The types of DynamoDB's attributes, as its own [`AttributeValue`] calls them.
// A variant called `String` would turn every `String` in the compiler's messages into `std::string::String`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AttributeType {
    /// Text.
    S,
    /// A number.
    N,
    /// Bytes.
    B,
    /// True or false.
    Bool,
    /// NULL, which is read as `None`.
    Null,
    /// A list.
    L,
    /// A map or a struct.
    M,
    /// A set of text.
    Ss,
    /// A set of numbers.
    Ns,
    /// A set of bytes.
    Bs,
}

impl AttributeType {
    /// How an expression writes it.
    const fn code(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
            Self::Bool => "BOOL",
            Self::Null => "NULL",
            Self::L => "L",
            Self::M => "M",
            Self::Ss => "SS",
            Self::Ns => "NS",
            Self::Bs => "BS",
        }
    }
}
