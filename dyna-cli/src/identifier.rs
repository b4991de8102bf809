//! Identifiers for other tools, made from the names of tables, types and variables.

/// A table's name: text, and variables in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'n> {
    Text(&'n str),
    Variable(&'n str),
}

/// `chat-{stage}` as `chat-` and the variable `stage`.
pub(crate) fn pieces(name: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = name;
    while let Some((text, after)) = rest.split_once('{') {
        let (variable, after) = after.split_once('}').unwrap_or((after, ""));
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        pieces.push(Piece::Variable(variable));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

/// The name as a tool writes it: each text in between, and each variable by what the tool calls it.
pub(crate) fn with_variables(
    name: &str,
    variables: &[(&str, String)],
    text: impl Fn(&str) -> String,
    variable: impl Fn(&str) -> String,
) -> String {
    let pieces = pieces(name).into_iter().map(|piece| match piece {
        Piece::Text(plain) => text(plain),
        Piece::Variable(name) => {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map_or_else(String::new, |(_, called)| variable(called))
        }
    });
    pieces.collect()
}

/// A field as Rust spells it: `r#type`.
pub(crate) fn identifier(name: &str) -> String {
    const KEYWORDS: [&str; 48] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do",
        "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in",
        "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
        "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe",
        "unsized", "use", "virtual", "where", "while", "yield",
    ];
    if KEYWORDS.contains(&name) {
        return format!("r#{name}");
    }
    name.to_owned()
}

/// `by_email` to `ByEmail`: letters and digits of ASCII only.
pub(crate) fn pascal(name: &str) -> String {
    words(name)
        .map(|word| {
            let mut chars = word.chars();
            let first = chars.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(chars).collect::<String>()
        })
        .collect()
}

/// `DiscordTable` or `by-email` to `discord_table` and `by_email`.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::new();
    for word in words(name) {
        for (at, c) in word.char_indices() {
            let boundary = if at == 0 {
                !out.is_empty()
            } else {
                c.is_ascii_uppercase() && !out.ends_with(|c: char| c.is_ascii_uppercase())
            };
            if boundary && !out.ends_with('_') {
                out.push('_');
            }
            out.push(c);
        }
    }
    let out = out.to_ascii_lowercase();
    // No tool takes a name that starts with a digit.
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("table_{out}");
    }
    out
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// The name, or with a number after it if another has it already.
pub(crate) fn unique(name: String, taken: &mut Vec<String>) -> String {
    let mut found = name.clone();
    let mut number = 2;
    while taken.contains(&found) {
        found = format!("{name}{number}");
        number += 1;
    }
    taken.push(found.clone());
    found
}

#[cfg(test)]
mod tests {
    use super::{Piece, pascal, pieces, snake, unique};

    #[test]
    fn names_are_split_at_their_variables() {
        assert_eq!(
            pieces("{app}-x-{stage}"),
            [
                Piece::Variable("app"),
                Piece::Text("-x-"),
                Piece::Variable("stage")
            ]
        );
        assert_eq!(pieces("plain"), [Piece::Text("plain")]);
    }

    #[test]
    fn names_are_those_of_other_tools() {
        assert_eq!(pascal("my-app_stage"), "MyAppStage");
        assert_eq!(snake("DiscordTable"), "discord_table");
        assert_eq!(snake("my-app.Stage"), "my_app_stage");
        assert_eq!(snake("HTTPLog"), "httplog");
        assert_eq!(snake("2nd"), "table_2nd");
    }

    #[test]
    fn names_are_given_once() {
        let mut taken = Vec::new();
        let names = ["a", "a", "b", "a"].map(|name| unique(name.to_owned(), &mut taken));
        assert_eq!(names, ["a", "a2", "b", "a3"]);
    }
}
