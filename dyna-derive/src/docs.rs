//! Doc comments of types and fields, and the spelling of names and types in docs.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// A doc comment as it is written; empty if there is none.
pub(crate) fn comment(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => match &doc.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The first paragraph of a doc comment, on one line; empty if there is none.
pub(crate) fn first_paragraph(comment: &str) -> String {
    let lines = comment.lines().map(str::trim);
    let paragraph = lines.skip_while(|line| line.is_empty());
    let paragraph = paragraph.take_while(|line| !line.is_empty());
    paragraph.collect::<Vec<_>>().join(" ")
}

/// ``a `User` ``, or ``an `Order` ``: by the first letter, of which a U mostly sounds like "you".
pub(crate) fn with_article(name: &str) -> String {
    let article = if name.starts_with(|first| "AEIOaeio".contains(first)) {
        "an"
    } else {
        "a"
    };
    format!("{article} `{name}`")
}

/// A type as people write it: `Option<Vec<u8>>`.
pub(crate) fn spelled(tokens: TokenStream) -> String {
    let mut out = String::new();
    spell(tokens, &mut out);
    out
}

fn spell(tokens: TokenStream, out: &mut String) {
    let mut words = false;
    for token in tokens {
        match token {
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                if words {
                    out.push(' ');
                }
                *out += &token.to_string();
                words = true;
            }
            TokenTree::Punct(punct) => {
                out.push(punct.as_char());
                if matches!(punct.as_char(), ',' | ';') {
                    out.push(' ');
                }
                words = false;
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                *out += open;
                spell(group.stream(), out);
                *out += close;
                words = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{comment, first_paragraph, spelled, with_article};
    use syn::parse_quote;

    #[test]
    fn types_are_spelled_without_needless_spaces() {
        for text in [
            "String",
            "Option<Vec<u8>>",
            "std::collections::BTreeMap<String, (u8, [u16; 2])>",
            "Box<dyn Fn(u8)>",
            "()",
        ] {
            assert_eq!(spelled(text.parse().unwrap()), text);
        }
    }

    #[test]
    fn the_first_paragraph_is_one_line() {
        let item: syn::ItemStruct = parse_quote! {
            /// One line,
            /// and another.
            ///
            /// More.
            #[derive(Debug)]
            struct A;
        };
        let text = comment(&item.attrs);
        assert_eq!(text, " One line,\n and another.\n\n More.");
        assert_eq!(first_paragraph(&text), "One line, and another.");
        assert_eq!(first_paragraph(&comment(&[])), "");
    }

    #[test]
    fn the_article_follows_the_first_letter() {
        assert_eq!(with_article("User"), "a `User`");
        assert_eq!(with_article("Order"), "an `Order`");
        assert_eq!(with_article("Card"), "a `Card`");
    }
}
