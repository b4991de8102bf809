//! The messages of failed proofs.

use super::{Ambiguity, ConstString, Keys, Part, Seg, Shape, Template, starts_with, witness};

impl ConstString {
    /// `<name>`, or `<name..>`.
    const fn part(self, part: Part) -> ConstString {
        let end = match part.shape {
            Shape::Rest => "..>",
            _ => ">",
        };
        self.with("<").with(part.name).with(end)
    }

    /// One ASCII character.
    pub(crate) const fn ascii(mut self, byte: u8) -> ConstString {
        self.push_ascii(byte);
        self
    }

    /// The delimiter in quotes.
    pub(crate) const fn delimiter(mut self, byte: u8) -> ConstString {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        self.push("'");
        if byte.is_ascii_graphic() || byte == b' ' {
            self.push_ascii(byte);
        } else {
            self.push("\\x");
            self.push_ascii(HEX[(byte >> 4) as usize]);
            self.push_ascii(HEX[(byte & 15) as usize]);
        }
        self.with("'")
    }

    /// How to write the placeholder with a fixed width.
    const fn fixed_width(self, part: Part) -> ConstString {
        let this = self.with("<").with(part.name);
        match part.shape {
            Shape::Number(n) => this.with(":0").number(n).with(">"),
            _ => this.with(":len=8>"),
        }
    }

    /// Two values of a placeholder that give the same key, if its kind and that of the next one are simple.
    const fn two_values(self, part: Part, later: &[Seg]) -> ConstString {
        let (between, next) = match later {
            [Seg::Part(next), ..] => ("", next),
            [Seg::Lit(text), Seg::Part(next), ..] => (*text, next),
            _ => return self.with("otherwise two values could give the same key: "),
        };
        let one = match (part.shape, next.shape) {
            (Shape::Text, Shape::Text | Shape::Rest) => "x",
            (Shape::Number(3..) | Shape::Text, Shape::Number(3..))
            | (Shape::Number(3..), Shape::Text | Shape::Rest)
                if between.is_empty() =>
            {
                "1"
            }
            _ => return self.with("otherwise two values could give the same key: "),
        };
        let this = self.with("\"").with(one).with(between).with(one);
        let this = this.with(between).with(one).with("\" would be both <");
        let this = this.with(part.name).with("> = \"").with(one);
        let this = this.with("\" and \"").with(one).with(between).with(one);
        this.with("\": ")
    }

    /// The template, with a mark under the placeholder in question.
    const fn underlined(self, t: &Template, part: Part) -> ConstString {
        let this = self.with("\n\n    \"").with(t.text).with("\"\n");
        let this = match find(t.text, part.name) {
            Some((from, to)) => this.with("     ").repeat(" ", from).repeat("^", to - from),
            None => return this.with("\n"),
        };
        this.with("\n\n")
    }

    /// One line of the table of keys.
    const fn row(
        self,
        name: &str,
        keys: (&str, Option<&str>),
        widths: (usize, usize),
    ) -> ConstString {
        let this = self.with("    ").with(name);
        let this = this.repeat(" ", widths.0 - width(name));
        let this = this.with("  pk = \"").with(keys.0).with("\"");
        match keys.1 {
            Some(sk) => this
                .repeat(" ", widths.1 - width(keys.0))
                .with("  sk = \"")
                .with(sk)
                .with("\"\n"),
            None => this.with("\n"),
        }
    }
}

/// How many columns a text takes: its characters.
const fn width(text: &str) -> usize {
    let (bytes, mut n, mut i) = (text.as_bytes(), 0, 0);
    while i < bytes.len() {
        if bytes[i] & 0xc0 != 0x80 {
            n += 1;
        }
        i += 1;
    }
    n
}

const fn widest(a: &str, b: &str, c: &str) -> usize {
    let (a, b, c) = (width(a), width(b), width(c));
    let most = if a > b { a } else { b };
    if c > most { c } else { most }
}

/// The columns of the placeholder `name` in a template.
const fn find(text: &str, name: &str) -> Option<(usize, usize)> {
    let (bytes, mut at) = (text.as_bytes(), 0);
    while at < bytes.len() {
        if bytes[at] == b'<' {
            let after = bytes.split_at(at + 1).1;
            if starts_with(after, name.as_bytes())
                && let [b'>' | b':' | b'|' | b'.', ..] = after.split_at(name.len()).1
            {
                let from = width(text.split_at(at).0);
                let mut to = at;
                while to < bytes.len() && bytes[to] != b'>' {
                    to += 1;
                }
                let to = width(text.split_at(to).0) + 1;
                return Some((from, to));
            }
        }
        at += 1;
    }
    None
}

const fn text_of(t: Option<&Template>) -> Option<&'static str> {
    match t {
        Some(t) => Some(t.text),
        None => None,
    }
}

const fn is_opaque(t: &Template) -> bool {
    matches!(t.fields, [field] if field.is_opaque())
}

const fn title(certainty: &str, table: &str, a: &Keys, b: &Keys) -> ConstString {
    let this = ConstString::new().with("`").with(a.entity).with("` and `");
    let this = this.with(b.entity).with("` ").with(certainty);
    this.with(" write the same key in table `")
        .with(table)
        .with("`")
}

/// Two entities that can write the same key.
pub(super) const fn collision(table: &str, a: &Keys, b: &Keys) -> ConstString {
    let pk = witness(&a.pk, &b.pk);
    let sk = match (&a.sk, &b.sk) {
        (Some(x), Some(y)) => witness(x, y),
        _ => ConstString::new(),
    };
    let both = match (a.sk.is_some() || b.sk.is_some(), sk.is_empty()) {
        _ if pk.is_empty() => None,
        (false, _) => Some((pk.as_str(), None)),
        (true, false) => Some((pk.as_str(), Some(sk.as_str()))),
        (true, true) => None,
    };
    let this = title("can", table, a, b).with("\n\n");
    rows(this, a, b, both).with("\n").with(advice(a, b))
}

/// Two entities whose templates are too long to compare.
pub(super) const fn too_long(table: &str, a: &Keys, b: &Keys) -> ConstString {
    let this = title("may", table, a, b).with(": their templates are too long to compare\n\n");
    rows(this, a, b, None).with("\n").with(advice(a, b))
}

const fn rows(
    this: ConstString,
    a: &Keys,
    b: &Keys,
    both: Option<(&str, Option<&str>)>,
) -> ConstString {
    let (name, pk) = match both {
        Some((pk, _)) => ("both", pk),
        None => ("", ""),
    };
    let widths = (
        widest(a.entity, b.entity, name),
        widest(a.pk.text, b.pk.text, pk),
    );
    let this = this.row(a.entity, (a.pk.text, text_of(a.sk.as_ref())), widths);
    let this = this.row(b.entity, (b.pk.text, text_of(b.sk.as_ref())), widths);
    match both {
        Some(keys) => this.row(name, keys, widths),
        None => this,
    }
}

const fn advice(a: &Keys, b: &Keys) -> &'static str {
    let (pk, sk) = (is_opaque(&a.pk) || is_opaque(&b.pk), (&a.sk, &b.sk));
    let no_text = match sk {
        (Some(x), Some(y)) => pk && (is_opaque(x) || is_opaque(y)),
        _ => pk,
    };
    if no_text {
        "a number or binary key cannot carry a prefix: keep them in two tables, or use text keys"
    } else {
        "give one of them a distinct literal prefix"
    }
}

/// A key that can be read back in more than one way.
pub(super) const fn ambiguous(entity: &str, t: &Template, why: Ambiguity) -> ConstString {
    let this = ConstString::new().with("`").with(entity).with("`: ");
    match why {
        Ambiguity::RestBeforeOpen(part, open) => this
            .part(part)
            .with(" may contain ")
            .delimiter(t.delimiter)
            .with(", so everything after it needs a fixed width, and <")
            .with(open.name)
            .with("> has none")
            .underlined(t, part)
            .with("move it to the end, fix the width of what follows: ")
            .fixed_width(open)
            .with(", or write <")
            .with(part.name)
            .with("> for text without ")
            .delimiter(t.delimiter),
        Ambiguity::OpaqueNotAlone(part) => this
            .part(part)
            .with(" is a number or binary key, so it must be the whole key")
            .underlined(t, part)
            .with("make it the whole template"),
        Ambiguity::Delimiter(part) => this
            .part(part)
            .with(" can contain ")
            .delimiter(t.delimiter)
            .with(", the delimiter of this key")
            .underlined(t, part)
            .with("choose another delimiter, or a format without ")
            .delimiter(t.delimiter),
        Ambiguity::DelimiterInWord(part, word) => this
            .with("the word \"")
            .with(word)
            .with("\" of ")
            .part(part)
            .with(" contains ")
            .delimiter(t.delimiter)
            .with(", the delimiter of this key")
            .underlined(t, part)
            .with("choose another delimiter, or rename the word"),
        Ambiguity::VariableWidth(part, later) => this
            .part(part)
            .with(" has no fixed width, so it must be followed by ")
            .delimiter(t.delimiter)
            .with(" or by parts of a fixed width alone, or end the key")
            .underlined(t, part)
            .two_values(part, later)
            .with("put ")
            .delimiter(t.delimiter)
            .with(" after it, or fix its width: ")
            .fixed_width(part),
        Ambiguity::WordsBeginAlike(part, short, long) => this
            .part(part)
            .with(" can be \"")
            .with(short)
            .with("\" or \"")
            .with(long)
            .with("\", so it must be followed by ")
            .delimiter(t.delimiter)
            .with(" or end the key")
            .underlined(t, part)
            .with("otherwise two values could give the same key: put ")
            .delimiter(t.delimiter)
            .with(" after it, or rename a word"),
    }
}

/// A number in a sort key that would sort as text.
pub(super) const fn unsortable(entity: &str, t: &Template, part: Part) -> ConstString {
    ConstString::new()
        .with("`")
        .with(entity)
        .with("`: the number ")
        .part(part)
        .with(" would sort as text in this sort key: \"10\" before \"9\"")
        .underlined(t, part)
        .with("write ")
        .fixed_width(part)
        .with(" to pad it to its full width, or fewer digits if its values stay small; <")
        .with(part.name)
        .with(":plain> is looked up by its value alone, and has no ranges")
}
