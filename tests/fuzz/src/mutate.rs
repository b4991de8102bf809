//! Another input from those of the corpus.

use fastrand::Rng;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Longest input.
const LONGEST: usize = 4096;
/// Bytes and texts that parsers look for.
const WORDS: [&[u8]; 34] = [
    b"\0",
    b"\x7f",
    b"\xff",
    b"\n",
    b" ",
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"#",
    b"<",
    b">",
    b"<<",
    b"..",
    b"|",
    b"?",
    b"%Y",
    b":013",
    b":len=",
    b"|lower",
    b"(a, b)|f",
    b"\\u00e9",
    b"\\ud800",
    b"\xf4\x8f\xbf\xbf",
    b"\xc3\xa9",
    b"null",
    b"1E400",
    b"{\"S\":\"\"}",
    b"{\"N\":\"0\"}",
    b"</script>",
];

/// Changes bytes of an input.
pub(crate) fn bytes(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut out = rng.choice(corpus).cloned().unwrap_or_default();
    for _ in 0..rng.u8(1..5) {
        let at = rng.usize(..=out.len());
        match rng.u8(..8) {
            0 if at < out.len() => out[at] ^= 1 << rng.u8(..8),
            1 if at < out.len() => out[at] = rng.u8(..),
            2 => out.truncate(at),
            3 => {
                let end = (at + rng.usize(1..9)).min(out.len());
                out.drain(at..end);
            }
            4 => {
                let end = (at + rng.usize(1..17)).min(out.len());
                let again = out[at..end].to_vec();
                out.splice(at..at, again);
            }
            5 => {
                let other = rng.choice(corpus).map(Vec::as_slice).unwrap_or_default();
                let from = rng.usize(..=other.len());
                out.truncate(at);
                out.extend(&other[from..]);
            }
            6 => out.insert(at, rng.u8(..)),
            _ => {
                let word = WORDS[rng.usize(..WORDS.len())];
                out.splice(at..at, word.iter().copied());
            }
        }
    }
    out.truncate(LONGEST);
    out
}

/// Changes tokens of Rust, so that brackets stay in pairs.
pub(crate) fn rust(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let parsed = |rng: &mut Rng| -> Vec<TokenTree> {
        let text = rng.choice(corpus).map(|text| String::from_utf8_lossy(text));
        let tokens = text.and_then(|text| text.parse::<TokenStream>().ok());
        tokens.into_iter().flatten().collect()
    };
    let mut tokens = parsed(rng);
    let mut others = Vec::new();
    flatten(&parsed(rng), &mut others);
    for _ in 0..rng.u8(1..4) {
        tokens = changed(rng, tokens, &others);
    }
    let mut text = tokens.into_iter().collect::<TokenStream>().to_string();
    // Templates are in literals.
    if rng.u8(..4) == 0 {
        let at = rng.usize(..=text.len());
        let word = WORDS[rng.usize(..WORDS.len())];
        if let (true, Ok(word)) = (text.is_char_boundary(at), std::str::from_utf8(word)) {
            text.insert_str(at, word);
        }
    }
    text.into_bytes()
}

/// All tokens, those inside of brackets too.
fn flatten(tokens: &[TokenTree], out: &mut Vec<TokenTree>) {
    for token in tokens {
        out.push(token.clone());
        if let TokenTree::Group(group) = token {
            flatten(&group.stream().into_iter().collect::<Vec<_>>(), out);
        }
    }
}

fn changed(rng: &mut Rng, mut tokens: Vec<TokenTree>, others: &[TokenTree]) -> Vec<TokenTree> {
    let groups: Vec<usize> = (0..tokens.len())
        .filter(|at| matches!(tokens[*at], TokenTree::Group(_)))
        .collect();
    if let (Some(at), true) = (rng.choice(&groups), rng.u8(..5) > 0)
        && let TokenTree::Group(group) = &tokens[*at]
    {
        let inner = changed(rng, group.stream().into_iter().collect(), others);
        let delimiter = match rng.u8(..40) {
            0 => Delimiter::Parenthesis,
            1 => Delimiter::Bracket,
            _ => group.delimiter(),
        };
        tokens[*at] = Group::new(delimiter, inner.into_iter().collect()).into();
        return tokens;
    }
    let at = rng.usize(..=tokens.len());
    let length = tokens.len();
    match rng.u8(..5) {
        0 if at < length => drop(tokens.remove(at)),
        1 if at < length => tokens.insert(at, tokens[at].clone()),
        2 if at + 1 < length => tokens.swap(at, at + 1),
        3 if at < length => {
            if let Some(other) = rng.choice(others) {
                tokens[at] = other.clone();
            }
        }
        _ => {
            // Options and fields are a few tokens that end with a comma.
            let from = rng.usize(..=others.len());
            let some = others[from..].iter().take(rng.usize(..6)).cloned();
            tokens.splice(at..at, some);
        }
    }
    tokens
}
