//! The parser of key templates: problems lie in the text, and what is accepted is all of the text.

use crate::template::{Piece, caret, parse};

pub(super) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match parse(&text) {
        Ok(template) => {
            let mut literal_bytes = 0;
            let mut end = 0;
            for piece in &template.pieces {
                match piece {
                    Piece::Literal(literal) => {
                        assert!(!literal.is_empty());
                        literal_bytes += literal.len();
                        // `<<` is one character.
                        end += literal.len() + literal.matches('<').count();
                    }
                    Piece::Placeholder(placeholder) => {
                        assert_eq!(placeholder.at.start, end, "nothing lies between pieces");
                        end = placeholder.at.end;
                        let whole = &text[placeholder.at.clone()];
                        assert!(whole.starts_with('<') && whole.ends_with('>'));
                        assert!(!placeholder.path.is_empty());
                        let _ = &text[placeholder.path_at.clone()];
                    }
                }
            }
            assert_eq!(end, text.len());
            assert!(literal_bytes <= text.len());
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            for problem in &problems {
                // A range that is not of whole characters panics here.
                let _ = &text[problem.at.clone()];
                assert!(!problem.message.is_empty());
                assert!(caret(&text, problem.at.clone()).contains('^'));
            }
            assert!(problems.is_sorted_by_key(|problem| problem.at.start));
        }
    }
}
