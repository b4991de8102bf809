//! Nested data that prints as JSON and YAML.

use std::fmt::Write;

/// Nested data. The entries of a map stay in their order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Document {
    Null,
    Bool(bool),
    /// A number as DynamoDB writes it.
    Number(String),
    Text(String),
    List(Vec<Document>),
    Map(Vec<(String, Document)>),
}

/// A map of these entries; those that are `None` are left out.
macro_rules! map {
    ($($key:expr => $value:expr),* $(,)?) => {
        $crate::document::Document::Map(
            [$(($key, $crate::document::MapValue::map_value($value))),*]
                .into_iter()
                .filter_map(|(key, value)| Some((String::from(key), value?)))
                .collect(),
        )
    };
}
pub(crate) use map;

/// A value of a map; `None` is left out.
pub(crate) trait MapValue {
    fn map_value(self) -> Option<Document>;
}

impl<T: Into<Document>> MapValue for T {
    fn map_value(self) -> Option<Document> {
        Some(self.into())
    }
}

impl<T: Into<Document>> MapValue for Option<T> {
    fn map_value(self) -> Option<Document> {
        self.map(Into::into)
    }
}

impl From<bool> for Document {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u32> for Document {
    fn from(value: u32) -> Self {
        Self::Number(value.to_string())
    }
}

impl From<&str> for Document {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Document {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl<T: Into<Document>> From<Vec<T>> for Document {
    fn from(list: Vec<T>) -> Self {
        list.into_iter().collect()
    }
}

impl<T: Into<Document>> FromIterator<T> for Document {
    fn from_iter<I: IntoIterator<Item = T>>(list: I) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

impl Document {
    /// A list, or nothing if it is empty.
    pub(crate) fn non_empty(list: impl IntoIterator<Item = Document>) -> Option<Document> {
        let list: Vec<Document> = list.into_iter().collect();
        (!list.is_empty()).then_some(Document::List(list))
    }

    /// As JSON, indented.
    pub(crate) fn json(&self) -> String {
        let mut out = String::new();
        self.write_json(0, &mut out);
        out
    }

    /// As JSON on one line.
    pub(crate) fn json_in_line(&self) -> String {
        let joined = |list: Vec<String>| list.join(", ");
        match self {
            Self::List(list) => {
                format!(
                    "[{}]",
                    joined(list.iter().map(Self::json_in_line).collect())
                )
            }
            Self::Map(map) => {
                let entries = map.iter().map(|(key, document)| {
                    let key = Self::Text(key.clone()).json();
                    format!("{key}: {}", document.json_in_line())
                });
                format!("{{{}}}", joined(entries.collect()))
            }
            scalar => scalar.json(),
        }
    }

    fn write_json(&self, depth: usize, out: &mut String) {
        match self {
            Self::Null => *out += "null",
            Self::Bool(value) => *out += if *value { "true" } else { "false" },
            Self::Number(number) => *out += number,
            Self::Text(text) => quote(text, out),
            Self::List(list) => nested(('[', ']'), list, depth, out, |document, out| {
                document.write_json(depth + 1, out);
            }),
            Self::Map(map) => nested(('{', '}'), map, depth, out, |(key, document), out| {
                quote(key, out);
                *out += ": ";
                document.write_json(depth + 1, out);
            }),
        }
    }

    /// As YAML, in blocks. Text that YAML could read as something else is quoted.
    pub(crate) fn yaml(&self) -> String {
        let mut out = String::new();
        self.write_yaml(0, &mut out);
        out
    }

    fn write_yaml(&self, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        match self {
            Self::List(list) => {
                for document in list {
                    let mut item = String::new();
                    document.write_yaml(depth + 1, &mut item);
                    let item = item.strip_prefix(&"  ".repeat(depth + 1)).unwrap_or(&item);
                    *out += &format!("{indent}- {item}");
                }
            }
            Self::Map(map) => {
                for (key, document) in map {
                    *out += &indent;
                    scalar(key, out);
                    match document {
                        Self::List(list) if list.is_empty() => *out += ": []\n",
                        Self::Map(map) if map.is_empty() => *out += ": {}\n",
                        Self::List(_) | Self::Map(_) => {
                            *out += ":\n";
                            document.write_yaml(depth + 1, out);
                        }
                        scalar => {
                            *out += ": ";
                            scalar.write_yaml(0, out);
                        }
                    }
                }
            }
            Self::Text(text) => {
                *out += &indent;
                scalar(text, out);
                out.push('\n');
            }
            other => {
                *out += &indent;
                other.write_json(0, out);
                out.push('\n');
            }
        }
    }
}

/// The elements between brackets, each on a line of its own.
fn nested<T>(
    (open, close): (char, char),
    list: &[T],
    depth: usize,
    out: &mut String,
    write: impl Fn(&T, &mut String),
) {
    out.push(open);
    for (at, element) in list.iter().enumerate() {
        *out += if at > 0 { ",\n" } else { "\n" };
        *out += &"  ".repeat(depth + 1);
        write(element, out);
    }
    if !list.is_empty() {
        out.push('\n');
        *out += &"  ".repeat(depth);
    }
    out.push(close);
}

/// A text that YAML reads as text also without quotes, or in quotes.
fn scalar(text: &str, out: &mut String) {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    let word = WORDS.contains(&text.to_ascii_lowercase().as_str());
    if starts && text.chars().all(plain) && !text.ends_with(':') && !word {
        *out += text;
    } else {
        quote(text, out);
    }
}

/// A string of JSON, which is one of YAML too.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    escape(text, out);
    out.push('"');
}

/// What stands between the quotes of a string of JSON, YAML or HCL.
pub(crate) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '"' => *out += "\\\"",
            '\\' => *out += "\\\\",
            '\n' => *out += "\\n",
            '\r' => *out += "\\r",
            '\t' => *out += "\\t",
            // YAML takes none of these as they are.
            '\0'..' '
            | '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
}
