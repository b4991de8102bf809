use super::LayoutItem::{
    Day, DayOfYear, Hour, Literal as Text, Micros, Millis, Minute, Month, Nanos, Second, Year,
};
use super::{Format, Function, LayoutItem, Piece, Placeholder, Template, caret, parse};

fn literal(text: &str) -> Piece {
    Piece::Literal(text.to_owned())
}

/// A placeholder whose place is found by its own text.
fn field(template: &str, text: &str, path: &str) -> Placeholder {
    let start = template.find(text).expect("the text is in the template");
    Placeholder {
        others: Vec::new(),
        optional: false,
        path: path.split('.').map(str::to_owned).collect(),
        format: None,
        functions: Vec::new(),
        rest: false,
        at: start..start + text.len(),
        path_at: start + 1..start + 1 + path.len(),
    }
}

fn plain(template: &str, text: &str, path: &str) -> Piece {
    Piece::Placeholder(field(template, text, path))
}

fn format_of(text: &str) -> Format {
    let template = parse(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    let placeholder = template.placeholders().next().expect("a placeholder");
    placeholder.format.clone().expect("a format")
}

fn functions_of(text: &str) -> Vec<Function> {
    let template = parse(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    let placeholder = template.placeholders().next().expect("a placeholder");
    placeholder.functions.clone()
}

/// Each problem as its message and the text it points at.
fn problems(text: &str) -> Vec<(String, &str)> {
    let problems = parse(text).expect_err(text);
    let shown = problems
        .into_iter()
        .map(|problem| (problem.message, &text[problem.at]));
    shown.collect()
}

fn help(text: &str) -> String {
    let problems = parse(text).expect_err(text);
    problems[0].help.clone().expect("a help")
}

#[test]
fn good_templates_give_their_pieces() {
    let table: Vec<(&str, Vec<Piece>)> = vec![
        ("@PROFILE", vec![literal("@PROFILE")]),
        ("<id>", vec![plain("<id>", "<id>", "id")]),
        (
            "CHANNEL#<channel_id>",
            vec![
                literal("CHANNEL#"),
                plain("CHANNEL#<channel_id>", "<channel_id>", "channel_id"),
            ],
        ),
        (
            "é<data.email>-<r#type>",
            vec![
                literal("é"),
                plain("é<data.email>-<r#type>", "<data.email>", "data.email"),
                literal("-"),
                plain("é<data.email>-<r#type>", "<r#type>", "r#type"),
            ],
        ),
        (
            "<a><_b>",
            vec![plain("<a><_b>", "<a>", "a"), plain("<a><_b>", "<_b>", "_b")],
        ),
        ("<<a> > <<", vec![literal("<a> > <")]),
        (
            "<<<a>>",
            vec![
                literal("<"),
                Piece::Placeholder(Placeholder {
                    at: 2..5,
                    path_at: 3..4,
                    ..field("<a>", "<a>", "a")
                }),
                literal(">"),
            ],
        ),
        (
            "a{<b>}",
            vec![literal("a{"), plain("a{<b>}", "<b>", "b"), literal("}")],
        ),
        ("{\"k\":1}", vec![literal("{\"k\":1}")]),
    ];
    for (text, pieces) in table {
        assert_eq!(parse(text), Ok(Template { pieces }), "{text}");
    }
}

#[test]
fn format_function_and_rest_are_kept_together() {
    let text = "MSG#<sent_ms:013|crate::keys::back>#<file.path..|lower>";
    let pieces = vec![
        literal("MSG#"),
        Piece::Placeholder(Placeholder {
            format: Some(Format::Width(13)),
            functions: vec![Function::Path("crate::keys::back".to_owned())],
            ..field(text, "<sent_ms:013|crate::keys::back>", "sent_ms")
        }),
        literal("#"),
        Piece::Placeholder(Placeholder {
            functions: vec![Function::Lower],
            rest: true,
            ..field(text, "<file.path..|lower>", "file.path")
        }),
    ];
    assert_eq!(parse(text), Ok(Template { pieces }));
}

#[test]
fn formats_are_widths_lengths_and_layouts() {
    let text = |text: &str| Text(text.to_owned());
    let table = [
        ("<a:01>", Format::Width(1)),
        ("<a:039>", Format::Width(39)),
        ("<a:plain>", Format::Plain),
        ("<a:010>", Format::Width(10)),
        ("<a:len=1>", Format::Len(1)),
        ("<a:len=2048>", Format::Len(2048)),
        ("<a:%Y-%m>", Format::Layout(vec![Year, text("-"), Month])),
        (
            "<a:%Y-%m-%d %H:%M:%S.%3fZ>",
            Format::Layout(vec![
                Year,
                text("-"),
                Month,
                text("-"),
                Day,
                text(" "),
                Hour,
                text(":"),
                Minute,
                text(":"),
                Second,
                text("."),
                Millis,
                text("Z"),
            ]),
        ),
        (
            "<a:%6f%9f%j>",
            Format::Layout(vec![Micros, Nanos, DayOfYear]),
        ),
        (
            "<a:é%%%%x%Y%%>",
            Format::Layout(vec![text("é%%x"), Year, text("%")]),
        ),
    ];
    for (template, format) in table {
        assert_eq!(format_of(template), format, "{template}");
    }
}

#[test]
fn functions_are_built_in_or_have_a_path() {
    let path = |path: &str| Function::Path(path.to_owned());
    let table = [
        ("<a|sha256>", Function::Sha256),
        ("<a|lower>", Function::Lower),
        ("<a|upper>", Function::Upper),
        ("<a|trim>", Function::Trim),
        ("<a|shard(1)>", Function::Shard(1)),
        ("<a|shard(65535)>", Function::Shard(65535)),
        (
            "<a|shard(4, with = crate::keys::bucket)>",
            Function::ShardBy(4, "crate::keys::bucket".to_owned()),
        ),
        (
            "<a|shard(4,with=::dep::f)>",
            Function::ShardBy(4, "::dep::f".to_owned()),
        ),
        ("<a:%Y|a::b::f>", path("a::b::f")),
        ("<a|super::super::f>", path("super::super::f")),
        ("<a|::dep::f>", path("::dep::f")),
        ("<a|Self::r#fn>", path("Self::r#fn")),
    ];
    for (template, function) in table {
        assert_eq!(functions_of(template), [function], "{template}");
    }
}

#[test]
fn functions_chain() {
    let own = Function::Path("a::f".to_owned());
    assert_eq!(
        functions_of("<a|trim|lower>"),
        [Function::Trim, Function::Lower]
    );
    assert_eq!(
        functions_of("<a|a::f|lower|shard(2)>"),
        [own, Function::Lower, Function::Shard(2)]
    );
    assert_eq!(functions_of("<a>"), []);
}

/// Each template has that one problem, at that text.
fn assert_problems(table: &[(&str, &str, &str)]) {
    for (text, message, at) in table {
        assert_eq!(problems(text), [((*message).to_owned(), *at)], "{text}");
    }
}

#[test]
fn bad_templates_say_what_is_wrong_and_where() {
    let no_field = "the placeholder names no field";
    let blank = "whitespace inside a placeholder";
    let table = [
        ("", "the template is empty", ""),
        ("A#<user_id#B", "this `<` is never closed", "<user_id"),
        ("A#<", "this `<` is never closed", "<"),
        ("<a#<b>", "this `<` is never closed", "<a"),
        ("A#<>", no_field, "<>"),
        ("A#<:013>", no_field, "<:013>"),
        ("A#<..>", no_field, "<..>"),
        ("é<9a>", "`9a` is not a field name", "9a"),
        ("<a-b>", "`a-b` is not a field name", "a-b"),
        ("<_>", "`_` is not a field name", "_"),
        ("<a.r#self>", "`r#self` is not a field name", "r#self"),
        ("<a.type>", "`type` is a Rust keyword", "type"),
        ("<self.a>", "`self` is not a field name", "self"),
        ("<a.>", "a field name is missing beside the `.`", "a."),
        ("<a...>", "a field name is missing beside the `.`", "a."),
        ("< a>", blank, " "),
        ("<a \t:013>", blank, " \t"),
        ("<a|a:: f>", blank, " "),
        ("<a: 013>", blank, " "),
        ("<a: %Y>", "whitespace around a layout", " %Y"),
        (
            "A#{user_id}",
            "`{user_id}` is not a placeholder",
            "{user_id}",
        ),
        (
            "A#${ type:04 }",
            "`{ type:04 }` is not a placeholder",
            "{ type:04 }",
        ),
        ("A#{}", "`{}` is not a placeholder", "{}"),
        (
            "a\u{10FFFF}",
            "U+10FFFF cannot stand in a key",
            "\u{10FFFF}",
        ),
        (
            "<a:%Y\u{10FFFF}>",
            "U+10FFFF cannot stand in a key",
            "\u{10FFFF}",
        ),
        (
            "<a..>#<b..>",
            "only one placeholder of a template can have `..`",
            "<b..>",
        ),
        ("<a:013..>", "`..` is in the wrong place", ".."),
        ("<a|lower..>", "`..` is in the wrong place", ".."),
        (
            "<a..:013>",
            "`..` takes text of any length, a format fixes it: a placeholder has one of the two",
            "<a..:013>",
        ),
    ];
    assert_problems(&table);
}

#[test]
fn bad_formats_say_what_is_wrong_and_where() {
    let width = "a width is 1 to 39 digits";
    let length = "a length is 1 to 2048 bytes";
    let table = [
        ("<a:>", "the format after `:` is missing", "<a:>"),
        ("<a:0>", width, "0"),
        ("<a:040>", width, "040"),
        ("<a:99>", width, "99"),
        ("<a:0999999999999>", width, "0999999999999"),
        ("<a:13>", "a width is written with one leading zero", "13"),
        (
            "<a:0013>",
            "a width is written with one leading zero",
            "0013",
        ),
        ("<a:len>", "a length is written with `=`", "len"),
        ("<a:len=>", length, "len="),
        ("<a:len=0>", length, "len=0"),
        ("<a:len=+4>", length, "len=+4"),
        ("<a:len=2049>", length, "len=2049"),
        ("<a:YYYY>", "`:YYYY` is not a format", "YYYY"),
        ("<a::b>", "`::b` is not a format", ":b"),
        ("<a:%Y%q>", "`%q` is not a part of a layout", "%q"),
        ("<a:%4f>", "`%4f` is not a part of a layout", "%4f"),
        ("<a:%Y%>", "`%` is not a part of a layout", "%"),
        ("<a:%é>", "`%é` is not a part of a layout", "%é"),
        ("<a:%%>", "the layout has no part of a date or time", "%%"),
    ];
    assert_problems(&table);
}

#[test]
fn bad_functions_say_what_is_wrong_and_where() {
    let shards = "`shard` takes the number of shards first, 1 to 65535";
    let with = "`shard` takes a function of yours by its path, after `with =`";
    let table = [
        ("<a|>", "the function after `|` is missing", "<a|>"),
        (
            "<a|lower|>",
            "the function after `|` is missing",
            "<a|lower|>",
        ),
        ("<a|shard(4, f)>", with, "shard(4, f)"),
        ("<a|shard(4, with = f)>", with, "shard(4, with = f)"),
        ("<a|shard(4, by = a::f)>", with, "shard(4, by = a::f)"),
        (
            "<a|lower:013>",
            "a function is given the value itself, so it has no format",
            "lower:013",
        ),
        ("<a|shard>", "`shard` needs an argument", "shard"),
        ("<a|shard()>", shards, "shard()"),
        ("<a|shard(0)>", shards, "shard(0)"),
        ("<a|shard(65536)>", shards, "shard(65536)"),
        ("<a|shard(16>", shards, "shard(16"),
        ("<a|lower()>", "`lower` takes no argument here", "lower()"),
        ("<a|a::f(1)>", "`a::f` takes no argument here", "a::f(1)"),
        ("<a|a::>", "`a::` is not the path of a function", "a::"),
        ("<a|::f>", "`::f` is not the path of a function", "::f"),
        ("<a|a::9>", "`a::9` is not the path of a function", "a::9"),
        (
            "<a|SHA-256>",
            "`SHA-256` is not a built-in function, did you mean `sha256`?",
            "SHA-256",
        ),
        (
            "<a|lowercase>",
            "`lowercase` is not a built-in function, did you mean `lower`?",
            "lowercase",
        ),
        (
            "<a|bucket>",
            "`bucket` is not a built-in function: `lower`, `upper`, `trim`, `sha256`, `shard(16)`",
            "bucket",
        ),
    ];
    assert_problems(&table);
}

#[test]
fn help_says_what_to_type() {
    let table = [
        (
            "A#<user_id#B",
            "write `<user_id>`, or `<<` for the character `<` itself",
        ),
        (
            "A#<",
            "write `<field>`, or `<<` for the character `<` itself",
        ),
        ("{user_id}", "placeholders are written `<user_id>`"),
        ("{}", "placeholders are written `<field>`"),
        ("<a:13>", "write `:013`"),
        ("<a:0013>", "write `:013`"),
        ("<type>", "write `r#type`"),
        (
            "<a::b>",
            "a nested field is written with a dot, such as `<outer.inner>`",
        ),
        ("<a|lower:013>", "write `<a|lower>`"),
        (
            "<a|shard>",
            "write the number of shards, such as `|shard(16)`",
        ),
        (
            "<a|bucket>",
            "a function of yours is written with its path, such as `|crate::keys::bucket`",
        ),
        (
            "<a:%q>",
            "the supported ones are `%Y` `%m` `%d` `%H` `%M` `%S` `%3f` `%6f` `%9f` `%j`, and `%%` for `%` itself",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(help(text), expected, "{text}");
    }
}

#[test]
fn all_problems_are_told_in_the_order_of_their_places() {
    let found = problems("<z..><a..>{b}<c.9.8:%q%w|nope>\u{10FFFF}<d");
    let places: Vec<_> = found.iter().map(|(_, at)| *at).collect();
    assert_eq!(
        places,
        [
            "<a..>",
            "{b}",
            "9",
            "8",
            "%q",
            "%w",
            "nope",
            "\u{10FFFF}",
            "<d"
        ]
    );
}

#[test]
fn layouts_from_the_year_down_keep_the_order() {
    let keeps = |text: &str| format_of(text).keeps_order();
    for text in [
        "<a:013>",
        "<a:len=24>",
        "<a:%Y>",
        "<a:v%Y-%m>",
        "<a:%Y%m%d>",
        "<a:%Y-%m-%dT%H>",
        "<a:%Y-%m-%dT%H:%M>",
        "<a:%Y-%m-%dT%H:%M:%SZ>",
        "<a:%Y-%m-%dT%H:%M:%S.%3fZ>",
        "<a:%Y%m%d%H%M%S%9f>",
        "<a:%Y-%j>",
        "<a:%Y-%jT%H:%M:%S.%6f>",
    ] {
        assert!(keeps(text), "{text}");
    }
    for text in [
        "<a:%m>",
        "<a:%d-%m-%Y>",
        "<a:%Y-%d>",
        "<a:%Y-%d-%m>",
        "<a:%Y-%mT%H>",
        "<a:%Y%H>",
        "<a:%Y-%m-%j>",
        "<a:%Y%j%d>",
        "<a:%Y-%m-%dT%H:%S>",
        "<a:%Y%m%d%H%M%3f>",
        "<a:%Y%m%d%H%M%S%3f%6f>",
        "<a:%H:%M>",
    ] {
        assert!(!keeps(text), "{text}");
    }
}

#[test]
fn carets_stand_under_the_range_by_characters() {
    assert_eq!(caret("A#<9a>", 3..5), "A#<9a>\n   ^^");
    assert_eq!(caret("éü<9ö>", 5..8), "éü<9ö>\n   ^^");
    assert_eq!(caret("", 0..0), "\n^");
    assert_eq!(caret("ab", 2..2), "ab\n  ^");
    assert_eq!(caret("a\n<>", 2..4), "a\u{FFFD}<>\n  ^^");
    assert_eq!(caret("é", 1..99), "é\n ^");
}

/// Law: any text is a template or has problems; every range is one of the text; literals are merged and never empty.
#[test]
fn no_text_makes_the_parser_panic() {
    let letters: Vec<char> = "<>:|.0%a#é{}".chars().collect();
    let mut texts = vec![String::new()];
    for _ in 0..=4 {
        for text in &texts {
            hold_law(text);
            hold_law(&format!("<a:{text}>"));
            hold_law(&format!("<a|{text}>"));
        }
        let longer = |text: &String| {
            letters
                .iter()
                .map(|c| format!("{text}{c}"))
                .collect::<Vec<_>>()
        };
        texts = texts.iter().flat_map(longer).collect();
    }
}

fn hold_law(text: &str) {
    match parse(text) {
        Ok(template) => {
            assert!(!template.pieces.is_empty(), "{text}");
            assert!(!template.pieces.contains(&literal("")), "{text}");
            let literals =
                |pair: &[Piece]| pair.iter().all(|piece| matches!(piece, Piece::Literal(_)));
            assert!(!template.pieces.windows(2).any(literals), "{text}");
            for placeholder in template.placeholders() {
                hold_placeholder_law(text, placeholder);
            }
        }
        Err(problems) => {
            assert!(!problems.is_empty(), "{text}");
            for problem in problems {
                assert!(
                    text.get(problem.at.clone()).is_some(),
                    "{text}: {problem:?}"
                );
                assert!(!problem.message.ends_with('.'), "{text}: {problem:?}");
                assert!(caret(text, problem.at).ends_with('^'), "{text}");
            }
        }
    }
}

fn hold_placeholder_law(text: &str, placeholder: &Placeholder) {
    let whole = &text[placeholder.at.clone()];
    assert!(whole.starts_with('<') && whole.ends_with('>'), "{text}");
    assert_eq!(
        text[placeholder.path_at.clone()],
        placeholder.path.join(".")
    );
    if let Some(Format::Layout(items)) = &placeholder.format {
        assert!(
            items
                .iter()
                .any(|item| !matches!(item, LayoutItem::Literal(_))),
            "{text}"
        );
    }
}

#[test]
fn a_question_mark_follows_the_field() {
    for (text, path) in [
        ("<city?>", "city"),
        ("<at.day?:02>", "at.day"),
        ("<city?|lower>", "city"),
    ] {
        let template = parse(text).unwrap();
        let one = template.placeholders().next().unwrap();
        assert!(one.optional, "{text}");
        assert_eq!(one.path.join("."), path);
    }
    let problems = parse("<rest?..>").unwrap_err();
    assert!(problems[0].message.contains("not both"));
}

#[test]
fn several_fields_are_given_to_a_function() {
    let template = parse("A#<(status, data.number)|crate::keys::sort>").unwrap();
    let one = template.placeholders().next().unwrap();
    assert_eq!(one.path, ["status"]);
    assert_eq!(one.others, [["data", "number"]]);
    assert_eq!(one.named(), ["sort"]);
    for bad in [
        "<(a, b)>",
        "<(a)|f::g>",
        "<(a,)|f::g>",
        "<(a, b|f::g>",
        "<(a, b)|lower>",
        "<(a, 1)|f::g>",
    ] {
        assert_eq!(parse(bad).unwrap_err().len(), 1, "{bad}");
    }
}
