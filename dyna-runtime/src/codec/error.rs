//! Errors of the codec: what happened and where in the value, never the value itself.
//!
//! The place is collected while an error travels outwards, so a value without errors pays nothing for it.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{Expected, Unexpected};

use crate::codec::number::StoredNumber;

/// A value that cannot be written as an attribute.
///
/// The message names the place and the problem, and none of the contents: `tags: a set cannot be empty`.
/// An item's attributes and the fields of structs are named; the keys of maps are contents, and are shown as `*`.
/// What a type's own `Serialize` says may have contents: [`reveal`](Self::reveal) has it.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct EncodeError(Box<Fault>);

/// A stored attribute that does not have the form its type asks for.
///
/// The message names the place and the problem, and none of the contents:
/// `reactions[2].count: expected number, found string`.
/// Fields of structs are named; the keys of maps are contents, and are shown as `*`.
/// What a type's own `Deserialize` says may have contents: [`reveal`](Self::reveal) has it.
#[derive(thiserror::Error)]
#[error("{0}")]
pub struct DecodeError(Box<Fault>);

#[derive(Clone, PartialEq)]
struct Fault {
    /// Innermost first: the order in which an error meets them on its way out.
    path: Vec<Segment>,
    problem: String,
    /// The message of the type, which may contain values.
    message: Option<String>,
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

    /// The place, and what is said of it.
    fn with(&self, problem: &str) -> String {
        match self.path() {
            path if path.is_empty() => problem.to_owned(),
            path => format!("{path}: {problem}"),
        }
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
        f.write_str(&self.with(&self.problem))
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
                    message: None,
                    missing: None,
                }))
            }

            /// The error of a type. Its message may have contents, unless it is known to have none.
            #[cold]
            fn of_type(problem: &str, message: String) -> Self {
                if is_harmless(&message) {
                    return Self::new(message);
                }
                let mut error = Self::new(problem);
                error.0.message = Some(message);
                error
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

            /// The problem, such as `expected number, found string`.
            #[must_use]
            pub fn problem(&self) -> &str {
                &self.0.problem
            }

            /// The place and the problem in the words of the type, which may show the value and thereby personal data:
            /// `home: "ann@example" is no address`. The same as the error's text if the type said nothing.
            #[must_use]
            pub fn reveal(&self) -> String {
                match &self.0.message {
                    Some(message) => self.0.with(message),
                    None => self.to_string(),
                }
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
        let problem =
            "rejected by the type's `Serialize`; `EncodeError::reveal` returns its message";
        Self::of_type(problem, message.to_string())
    }
}

impl serde::de::Error for DecodeError {
    fn custom<T: Display>(message: T) -> Self {
        let problem =
            "rejected by the type's `Deserialize`; `DecodeError::reveal` returns its message";
        Self::of_type(problem, message.to_string())
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
        Self::new(format!(
            "duplicate attribute `{field}`: it is stored under more than one of its names"
        ))
    }
}

impl DecodeError {
    /// The field that is missing, if one is.
    pub(crate) fn missing_attribute(&self) -> Option<&'static str> {
        self.0.missing
    }

    /// The field that is missing, if one is, and where: innermost first.
    pub(super) fn missing(&self) -> Option<(Vec<Segment>, &'static str)> {
        Some((self.0.path.clone(), self.0.missing?))
    }

    /// Whether it names this attribute itself.
    pub(super) fn names(&self, name: &str) -> bool {
        self.0.problem.contains(&format!("`{name}`"))
    }

    /// For a number whose `text` is not one of type `expected`.
    #[cold]
    pub(super) fn wrong_number(expected: &str, text: &str) -> Self {
        let found = match StoredNumber::parse(text) {
            Some(number) if number.has_fraction() => "a number with a fraction",
            Some(_) => "a number out of range",
            None => "a malformed number",
        };
        Self::new(format!("expected {expected}, found {found}"))
    }
}

impl EncodeError {
    /// For a value that could not be read again after it was written.
    #[cold]
    pub(crate) fn unreadable(error: DecodeError) -> Self {
        let fault = *error.0;
        let problem = format!(
            "could not be read back ({}): where serde looks ahead, in a flattened field and in an internally tagged or untagged enum, \
             it reads neither 128-bit integers nor maps whose keys are numbers, nor a variant whose value is `None`, which is not \
             stored unless `#[dyna(nulls = \"store\")]` says so; a field that `skip_serializing_if` leaves out is read only with \
             `#[serde(default)]`",
            fault.problem
        );
        Self(Box::new(Fault { problem, ..fault }))
    }
}

impl DecodeError {
    /// How deep inside of the value the problem is.
    pub(crate) fn depth(&self) -> usize {
        self.0.path.len()
    }
}

/// Whether a message is known to have no contents: one that serde makes of names of types, or one of ours.
fn is_harmless(message: &str) -> bool {
    const NAMING: [&str; 2] = [
        "data did not match any variant of untagged enum ",
        "no variant of enum ",
    ];
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mut naming = NAMING.iter().filter_map(|text| message.strip_prefix(text));
    let named = naming.next().map(|rest| {
        rest.strip_suffix(" found in flattened data")
            .unwrap_or(rest)
    });
    named.is_some_and(is_name)
        || matches!(
            message,
            "i128 is not supported"
                | "u128 is not supported"
                | "is a date outside of the years 0000 to 9999"
                | "has a part below a millisecond, which is not stored: round it first"
        )
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
        // How what serde's buffer has no type for is handed over: see `buffered`.
        Unexpected::NewtypeStruct => {
            "a set, which `string_set`, `number_set` or `binary_set` of `dyna_runtime` reads, \
             or a number of more digits than a float, which `decimal` reads"
        }
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
