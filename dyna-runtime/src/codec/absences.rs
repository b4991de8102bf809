//! The absent fields of a value as serde sees them: `None`, skipped, empty. The stored form does not show all of them: `Some(None)` is
//! stored like `None`, and of a field that is absent in a map of unknown length nothing is stored.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::ser::{self, Serializer};

use super::error::EncodeError;
use super::map_keys::MapKeyWriter;

/// Where something is absent in a value.
#[derive(Debug, Default)]
pub(crate) struct Absences {
    places: BTreeMap<Vec<WalkStep>, Counts>,
}

/// How often what is at a place, which may be in any element of a list.
#[derive(Debug, Default)]
struct Counts {
    /// An entry of a map of unknown length, or a field of a struct with a flattened field, which serde hands over alike.
    entries: usize,
    /// The same, or a field of any struct, and absent.
    absent: usize,
    /// `Some` of nothing.
    nothing: usize,
    /// Left out by `#[serde(skip_serializing_if = "..")]`.
    skipped: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum WalkStep {
    Field(&'static str),
    /// The name of an attribute, which is the table's schema.
    Attribute(String),
    /// The key of a map, which is contents.
    Entry(String),
    Element,
}

impl Absences {
    /// The absences of a value whose fields are attributes.
    pub(crate) fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, EncodeError> {
        let mut seen = Seen::default();
        value.serialize(AbsenceWalk {
            seen: &mut seen,
            is_some: false,
        })?;
        Ok(seen.absences)
    }

    /// The attributes that are absent, though serde asks for them as entries.
    pub(crate) fn absent(&self) -> impl Iterator<Item = &str> {
        let absent = self.places.iter().filter(|(_, counts)| counts.absent > 0);
        absent.filter_map(|(place, _)| match place.as_slice() {
            [WalkStep::Attribute(name)] => Some(name.as_str()),
            _ => None,
        })
    }

    /// The attributes that lack something inside of them.
    pub(crate) fn incomplete(&self) -> BTreeSet<&str> {
        let places = self.places.iter();
        let lacking = places.filter(|(_, counts)| counts.absent + counts.skipped > 0);
        let attributes = lacking.filter_map(|(place, _)| match place.as_slice() {
            [WalkStep::Field(name), _, ..] => Some(*name),
            [WalkStep::Attribute(name), _, ..] => Some(name.as_str()),
            _ => None,
        });
        attributes.collect()
    }

    /// Whether this attribute is absent.
    pub(crate) fn lacks(&self, attribute: &str) -> bool {
        let mut absent = self.places.iter().filter(|(_, counts)| counts.absent > 0);
        absent.any(|(place, _)| is_attribute(place, attribute))
    }

    /// The same without some attributes, which are not written as they are.
    pub(crate) fn without(mut self, attributes: &[&str]) -> Self {
        let is_left =
            |place: &Vec<WalkStep>| !attributes.iter().any(|one| is_attribute(place, one));
        self.places.retain(|place, _| is_left(place));
        self
    }

    /// Fails if what was read is not absent where this is.
    pub(crate) fn check(&self, read: &Self) -> Result<(), EncodeError> {
        for (place, own) in &self.places {
            let none = Counts::default();
            let read = read.places.get(place).unwrap_or(&none);
            let problem = if read.nothing < own.nothing {
                NOTHING
            } else if read.absent < own.absent {
                LEFT_OUT
            } else if read.skipped < own.skipped {
                SKIPPED
            } else if read.entries > own.entries {
                REPEATED
            } else {
                continue;
            };
            return Err(located(EncodeError::new(problem), place));
        }
        let mut added = read.places.iter().filter(|(_, read)| read.entries > 0);
        match added.find(|(place, _)| !self.places.contains_key(*place)) {
            Some((place, _)) => Err(located(EncodeError::new(ADDED), place)),
            None => Ok(()),
        }
    }
}

/// Fails if what was read of a value is not absent where the value is. Both are written with NULL for what is absent.
pub(crate) fn compare_absent(
    own: &AttributeValue,
    read: &AttributeValue,
) -> Result<(), EncodeError> {
    let (own, read) = (Nulls::of(own), Nulls::of(read));
    let (none, all) = (Nulled::default(), own.0.keys().chain(read.0.keys()));
    for place in all {
        let [own, read] = [&own, &read].map(|nulls| nulls.0.get(place).unwrap_or(&none));
        let problem = if read.null < own.null {
            LEFT_OUT
        } else if read.all > own.all {
            ADDED
        } else if read.all < own.all {
            LOST
        } else {
            continue;
        };
        let error = EncodeError::new(problem);
        return Err(place.iter().fold(error, |error, _| error.in_entry()));
    }
    Ok(())
}

/// The entries of the maps in a value, by the names on the way, with those that are NULL.
#[derive(Default)]
struct Nulls<'v>(BTreeMap<Vec<&'v str>, Nulled>);

#[derive(Default)]
struct Nulled {
    all: usize,
    null: usize,
}

impl<'v> Nulls<'v> {
    fn of(value: &'v AttributeValue) -> Self {
        let mut nulls = Self::default();
        nulls.look(value, &mut Vec::new());
        nulls
    }

    fn look(&mut self, value: &'v AttributeValue, place: &mut Vec<&'v str>) {
        match value {
            AttributeValue::M(map) => {
                for (name, value) in map {
                    place.push(name);
                    let counts = self.0.entry(place.clone()).or_default();
                    counts.all += 1;
                    counts.null += usize::from(value.is_null());
                    self.look(value, place);
                    place.pop();
                }
            }
            AttributeValue::L(list) => {
                for value in list {
                    self.look(value, place);
                }
            }
            _ => {}
        }
    }
}

/// Why a `Some` of nothing is not written.
pub(crate) const NOTHING: &str = "is a `Some` without a value, such as `Some(None)` or `Some(())`, which would be read back as `None`";
pub(crate) const LEFT_OUT: &str = "is `None`, which is not stored and would be read back as another value; store it with `#[dyna(nulls = \"store\")]`";
const SKIPPED: &str = "is skipped by `#[serde(skip_serializing_if = \"..\")]`, but its serde default is a different value: it would not be \
                       read back";
const REPEATED: &str = "would be read into two flattened fields: declare a flattened map last, and beside it no struct that flattens a \
    field of its own";
const LOST: &str = "would be lost: serde writes it but does not read it back";
const ADDED: &str = "is not written, but would be read: the `Option` of a flattened struct whose fields may all be absent is never \
                     read as `None`, and what `skip_serializing_if` leaves out is read as its default";

fn is_attribute(place: &[WalkStep], attribute: &str) -> bool {
    match place {
        [WalkStep::Attribute(name)] => name == attribute,
        [WalkStep::Field(name)] => *name == attribute,
        _ => false,
    }
}

fn located(error: EncodeError, place: &[WalkStep]) -> EncodeError {
    place.iter().rev().fold(error, |error, step| match step {
        WalkStep::Field(name) => error.in_field(*name),
        WalkStep::Attribute(name) => error.in_field(name.clone()),
        WalkStep::Entry(_) | WalkStep::Element => error.in_entry(),
    })
}

/// The absences so far, and the current path.
#[derive(Default)]
struct Seen {
    absences: Absences,
    place: Vec<WalkStep>,
}

impl Seen {
    fn here(&mut self) -> &mut Counts {
        self.absences.places.entry(self.place.clone()).or_default()
    }

    /// Looks at a value inside of the one that is looked at; whether it is absent.
    fn inside<T: Serialize + ?Sized>(&mut self, step: WalkStep, value: &T) -> Seeing {
        self.place.push(step);
        let seen = value.serialize(AbsenceWalk {
            seen: self,
            is_some: false,
        });
        self.place.pop();
        seen
    }
}

/// Whether the value is `None`.
type Seeing = Result<bool, EncodeError>;

/// Looks at the value it is given.
struct AbsenceWalk<'s> {
    seen: &'s mut Seen,
    /// Whether it is what a `Some` holds.
    is_some: bool,
}

impl<'s> AbsenceWalk<'s> {
    fn nothing(self) {
        if self.is_some {
            self.seen.here().nothing += 1;
        }
    }

    fn parts(self, variant: Option<&'static str>) -> WalkParts<'s> {
        self.seen.place.extend(variant.map(WalkStep::Field));
        WalkParts {
            seen: self.seen,
            is_open: false,
            key: None,
            is_variant: variant.is_some(),
        }
    }
}

macro_rules! present {
    ($($method:ident($($type:ty),*))*) => {$(
        fn $method(self, $(_: $type),*) -> Seeing {
            Ok(false)
        }
    )*};
}

impl<'s> Serializer for AbsenceWalk<'s> {
    type Ok = bool;
    type Error = EncodeError;
    type SerializeSeq = WalkParts<'s>;
    type SerializeTuple = WalkParts<'s>;
    type SerializeTupleStruct = WalkParts<'s>;
    type SerializeTupleVariant = WalkParts<'s>;
    type SerializeMap = WalkParts<'s>;
    type SerializeStruct = WalkParts<'s>;
    type SerializeStructVariant = WalkParts<'s>;

    present! {
        serialize_bool(bool) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_f32(f32) serialize_f64(f64) serialize_unit_variant(&'static str, u32, &'static str)
    }

    fn serialize_none(self) -> Seeing {
        self.nothing();
        Ok(true)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Seeing {
        value.serialize(Self {
            is_some: true,
            ..self
        })
    }

    fn serialize_unit(self) -> Seeing {
        self.nothing();
        Ok(false)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Seeing {
        self.serialize_unit()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Seeing {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Seeing {
        self.seen.inside(WalkStep::Field(variant), value)?;
        Ok(false)
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<WalkParts<'s>, EncodeError> {
        Ok(self.parts(None))
    }

    fn serialize_tuple(self, _length: usize) -> Result<WalkParts<'s>, EncodeError> {
        Ok(self.parts(None))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<WalkParts<'s>, EncodeError> {
        Ok(self.parts(None))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<WalkParts<'s>, EncodeError> {
        Ok(self.parts(Some(variant)))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<WalkParts<'s>, EncodeError> {
        Ok(WalkParts {
            is_open: length.is_none(),
            ..self.parts(None)
        })
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        _length: usize,
    ) -> Result<WalkParts<'s>, EncodeError> {
        Ok(self.parts(None))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<WalkParts<'s>, EncodeError> {
        Ok(self.parts(Some(variant)))
    }
}

/// Looks at what a list, a map or a struct holds.
struct WalkParts<'s> {
    seen: &'s mut Seen,
    /// Whether it is a map of unknown length.
    is_open: bool,
    key: Option<String>,
    is_variant: bool,
}

impl WalkParts<'_> {
    fn part<T: Serialize + ?Sized>(
        &mut self,
        step: WalkStep,
        value: &T,
    ) -> Result<(), EncodeError> {
        self.seen.inside(step, value).map(drop)
    }

    fn close(self) {
        if self.is_variant {
            self.seen.place.pop();
        }
    }
}

macro_rules! elements_of {
    ($($trait:ident::$method:ident)*) => {$(
        impl ser::$trait for WalkParts<'_> {
            type Ok = bool;
            type Error = EncodeError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
                self.part(WalkStep::Element, value)
            }

            fn end(self) -> Seeing {
                self.close();
                Ok(false)
            }
        }
    )*};
}

elements_of! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

macro_rules! fields_of {
    ($($trait:ident)*) => {$(
        impl ser::$trait for WalkParts<'_> {
            type Ok = bool;
            type Error = EncodeError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), EncodeError> {
                if self.seen.inside(WalkStep::Field(name), value)? {
                    self.seen.place.push(WalkStep::Field(name));
                    self.seen.here().absent += 1;
                    self.seen.place.pop();
                }
                Ok(())
            }

            fn skip_field(&mut self, name: &'static str) -> Result<(), EncodeError> {
                self.seen.place.push(WalkStep::Field(name));
                self.seen.here().skipped += 1;
                self.seen.place.pop();
                Ok(())
            }

            fn end(self) -> Seeing {
                self.close();
                Ok(false)
            }
        }
    )*};
}

fields_of! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for WalkParts<'_> {
    type Ok = bool;
    type Error = EncodeError;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), EncodeError> {
        self.key = Some(key.serialize(MapKeyWriter)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        let Some(key) = self.key.take() else {
            return Err(EncodeError::new("a map's value was written before its key"));
        };
        let step = if self.seen.place.is_empty() {
            WalkStep::Attribute(key)
        } else {
            WalkStep::Entry(key)
        };
        let is_absent = self.seen.inside(step.clone(), value)?;
        if self.is_open {
            self.seen.place.push(step);
            let counts = self.seen.here();
            counts.entries += 1;
            counts.absent += usize::from(is_absent);
            self.seen.place.pop();
        }
        Ok(())
    }

    fn end(self) -> Seeing {
        self.close();
        Ok(false)
    }
}
