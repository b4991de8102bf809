//! What went wrong, and where in the value. Never what the value was.
//!
//! The place is collected while an error travels outwards, so a value without errors pays nothing for it.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{Expected, Unexpected};

/// A value that cannot be written as an attribute.
///
/// The message names the place and the problem, and none of the contents: `tags: a set cannot be empty`.
/// An item's attributes and the fields of structs are named; the keys of maps are contents, and are shown as `*`.
#[derive(Clone, thiserror::Error)]
#[error("{0}")]
pub struct EncodeError(Box<Fault>);

/// A stored attribute that does not have the form its type asks for.
///
/// The message names the place and the problem, and none of the contents:
/// `reactions[2].count: expected number, found string`.
/// Fields of structs are named; the keys of maps are contents, and are shown as `*`.
#[derive(thiserror::Error)]
#[error("{0}")]
pub struct DecodeError(Box<Fault>);

#[derive(Clone)]
struct Fault {
    /// Innermost first: the order in which an error meets them on its way out.
    path: Vec<Segment>,
    problem: String,
    /// The field that is missing, if one is.
    missing: Option<&'static str>,
}

#[derive(Clone, PartialEq)]
pub(super) enum Segment {
    Field(Cow<'static, str>),
    Index(usize),
    Entry,
}

impl Segment {
    /// Whether it is the way to this place. The keys of maps are not known.
    pub(super) fn leads_to(&self, place: &Self) -> bool {
        matches!((self, place), (Self::Entry, Self::Field(_))) || self == place
    }
}

impl Fault {
    fn path(&self) -> String {
        let mut path = String::new();
        for segment in self.path.iter().rev() {
            if !path.is_empty() && !matches!(segment, Segment::Index(_)) {
                path.push('.');
            }
            match segment {
                Segment::Field(name) => path.push_str(name),
                // Writing to a `String` cannot fail.
                Segment::Index(index) => drop(write!(path, "[{index}]")),
                Segment::Entry => path.push('*'),
            }
        }
        path
    }

    fn debug(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("path", &self.path())
            .field("problem", &self.problem)
            .finish()
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        f.write_str(&self.problem)
    }
}

macro_rules! located {
    ($($error:ident)*) => {$(
        impl $error {
            #[cold]
            pub(crate) fn new(problem: impl Into<String>) -> Self {
                Self(Box::new(Fault {
                    path: Vec::new(),
                    problem: problem.into(),
                    missing: None,
                }))
            }

            #[cold]
            pub(crate) fn in_field(mut self, name: impl Into<Cow<'static, str>>) -> Self {
                self.0.path.push(Segment::Field(name.into()));
                self
            }

            #[cold]
            pub(crate) fn in_element(mut self, index: usize) -> Self {
                self.0.path.push(Segment::Index(index));
                self
            }

            #[cold]
            pub(crate) fn in_entry(mut self) -> Self {
                self.0.path.push(Segment::Entry);
                self
            }

            /// Where the problem is, such as `reactions[2].count`; empty for the value itself.
            #[must_use]
            pub fn path(&self) -> String {
                self.0.path()
            }

            /// What the problem is, such as `expected number, found string`.
            #[must_use]
            pub fn problem(&self) -> &str {
                &self.0.problem
            }
        }

        impl fmt::Debug for $error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.debug(stringify!($error), f)
            }
        }
    )*};
}

located! { EncodeError DecodeError }

impl serde::ser::Error for EncodeError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}

impl serde::de::Error for DecodeError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {expected}, found {}", kind_of(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(match kind_of(found) {
            "number" => format!("expected {expected}, found a number out of range"),
            kind => format!("expected {expected}, found an invalid {kind}"),
        })
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {expected}, found length {length}"))
    }

    fn unknown_variant(_found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("unknown variant, expected {}", OneOf(expected)))
    }

    fn unknown_field(_found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("unknown attribute, expected {}", OneOf(expected)))
    }

    fn missing_field(field: &'static str) -> Self {
        let mut error = Self::new(format!("missing attribute `{field}`"));
        error.0.missing = Some(field);
        error
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(format!("duplicate attribute `{field}`"))
    }
}

impl DecodeError {
    /// The field that is missing, if one is, and where: innermost first.
    pub(super) fn missing(&self) -> Option<(Vec<Segment>, &'static str)> {
        Some((self.0.path.clone(), self.0.missing?))
    }

    /// For a number whose `text` is not one of type `expected`.
    #[cold]
    pub(super) fn wrong_number(expected: &str, text: &str) -> Self {
        let found = match text.parse::<f64>() {
            Ok(number) if number.fract() != 0.0 => "a number with a fraction",
            Ok(_) => "a number out of range",
            Err(_) => "a malformed number",
        };
        Self::new(format!("expected {expected}, found {found}"))
    }
}

/// The name of an attribute's type.
pub(crate) fn kind(value: &AttributeValue) -> &'static str {
    match value {
        AttributeValue::S(_) => "string",
        AttributeValue::N(_) => "number",
        AttributeValue::B(_) => "binary",
        AttributeValue::Bool(_) => "boolean",
        AttributeValue::Null(_) => "null",
        AttributeValue::L(_) => "list",
        AttributeValue::M(_) => "map",
        AttributeValue::Ss(_) => "string set",
        AttributeValue::Ns(_) => "number set",
        AttributeValue::Bs(_) => "binary set",
        _ => "attribute of an unknown type",
    }
}

/// The name of what serde found, without the contents that serde would print.
fn kind_of(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "number",
        Unexpected::Char(_) | Unexpected::Str(_) => "string",
        Unexpected::Bytes(_) => "binary",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::NewtypeStruct => "newtype",
        Unexpected::Seq => "list",
        Unexpected::Map => "map",
        Unexpected::Enum => "enum",
        Unexpected::UnitVariant => "unit variant",
        Unexpected::NewtypeVariant => "newtype variant",
        Unexpected::TupleVariant => "tuple variant",
        Unexpected::StructVariant => "struct variant",
        // Free text; serde itself puts 128-bit integers here, digits included.
        Unexpected::Other(_) => "value",
    }
}

/// The names that would have been accepted, as a phrase.
struct OneOf(&'static [&'static str]);

impl Display for OneOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("none"),
            [name] => write!(f, "`{name}`"),
            [first, rest @ ..] => {
                write!(f, "one of `{first}`")?;
                rest.iter().try_for_each(|name| write!(f, ", `{name}`"))
            }
        }
    }
}
