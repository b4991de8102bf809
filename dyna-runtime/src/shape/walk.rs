//! Going through a template piece by piece, as queries do while they fix one field after the other.

use super::{Kind, Part, Seg, Template};

/// A piece of a template, delimiters included.
enum Piece {
    Literal(&'static str),
    Delimiter(char),
    Part(Part),
}

impl Template {
    fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        let delimiter = char::from(self.delimiter);
        self.fields.iter().enumerate().flat_map(move |(at, field)| {
            let start = (at > 0).then_some(Piece::Delimiter(delimiter));
            let (one, several): (_, &'static [Seg]) = match field.kind() {
                Kind::Lit(text) => (Some(Piece::Literal(text)), &[]),
                Kind::Part(part) => (Some(Piece::Part(part)), &[]),
                Kind::Mixed(segs) => (None, segs),
            };
            let several = several.iter().map(|seg| match seg {
                Seg::Lit(text) => Piece::Literal(text),
                Seg::Part(part) => Piece::Part(*part),
            });
            start.into_iter().chain(one).chain(several)
        })
    }

    /// The placeholders in order.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Part> + use<> {
        self.pieces().filter_map(|piece| match piece {
            Piece::Part(part) => Some(part),
            Piece::Literal(_) | Piece::Delimiter(_) => None,
        })
    }

    /// The key with these texts in the place of its placeholders.
    #[cfg(feature = "schema")]
    pub(crate) fn fill(&self, mut text: impl FnMut(&Part) -> String) -> String {
        let mut key = String::new();
        for piece in self.pieces() {
            match piece {
                Piece::Literal(literal) => key += literal,
                Piece::Delimiter(delimiter) => key.push(delimiter),
                Piece::Part(part) => key += &text(&part),
            }
        }
        key
    }

    /// Appends the text between placeholder `after`, or the start, and the next placeholder.
    pub(crate) fn literals_after(&self, after: Option<usize>, out: &mut String) {
        let mut seen = 0;
        let wanted = after.map_or(0, |after| after + 1);
        for piece in self.pieces() {
            match piece {
                Piece::Part(_) if seen == wanted => return,
                Piece::Part(_) => seen += 1,
                Piece::Literal(text) if seen == wanted => out.push_str(text),
                Piece::Delimiter(delimiter) if seen == wanted => out.push(delimiter),
                Piece::Literal(_) | Piece::Delimiter(_) => {}
            }
        }
    }
}
