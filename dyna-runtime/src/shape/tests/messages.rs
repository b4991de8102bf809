//! The messages, word by word.

use std::panic::catch_unwind;

use super::{mixed, part, seg, template};
use crate::shape::{
    ConstString, Field, Keys, Seg, Shape, Template, assert_disjoint, assert_sortable,
    assert_unambiguous, byte, run,
};

fn message(proof: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(proof).expect_err("the proof must fail");
    *panic.downcast::<String>().expect("a formatted message")
}

fn user(entity: &'static str, sk: Template) -> Keys {
    let pk = template(
        "USER#<user_id>",
        &[Field::lit("USER"), part("user_id", Shape::Text)],
    );
    Keys {
        entity,
        pk,
        sk: Some(sk),
    }
}

fn only(entity: &'static str, pk: Template) -> Keys {
    Keys {
        entity,
        pk,
        sk: None,
    }
}

#[test]
fn a_collision_shows_both_keys_and_an_example() {
    let profile = user("Profile", template("PROFILE", &[Field::lit("PROFILE")]));
    let page = user(
        "Page",
        template("<section>", &[part("section", Shape::Text)]),
    );
    assert_eq!(
        message(|| assert_disjoint("discord", &profile, &page)),
        r#"`Profile` and `Page` can write the same key in table `discord`

    Profile  pk = "USER#<user_id>"  sk = "PROFILE"
    Page     pk = "USER#<user_id>"  sk = "<section>"
    both     pk = "USER#x"          sk = "PROFILE"

give one of them a distinct literal prefix"#
    );
}

#[test]
fn a_table_without_sort_key_has_no_such_column() {
    let a = only(
        "A",
        template("É#<id>", &[Field::lit("É"), part("id", Shape::Text)]),
    );
    let b = only("Page", template("<path..>", &[part("path", Shape::Rest)]));
    assert_eq!(
        message(|| assert_disjoint("t", &a, &b)),
        r#"`A` and `Page` can write the same key in table `t`

    A     pk = "É#<id>"
    Page  pk = "<path..>"
    both  pk = "É#x"

give one of them a distinct literal prefix"#
    );
}

#[test]
fn columns_align_by_characters() {
    let sk = template("S", &[Field::lit("S")]);
    let a = Keys {
        sk: Some(sk),
        ..only(
            "Über",
            template("É#<id>", &[Field::lit("É"), part("id", Shape::Text)]),
        )
    };
    let b = Keys {
        sk: Some(sk),
        ..only("B", template("<path..>", &[part("path", Shape::Rest)]))
    };
    assert_eq!(
        message(|| assert_disjoint("t", &a, &b)),
        r#"`Über` and `B` can write the same key in table `t`

    Über  pk = "É#<id>"    sk = "S"
    B     pk = "<path..>"  sk = "S"
    both  pk = "É#x"       sk = "S"

give one of them a distinct literal prefix"#
    );
}

#[test]
fn number_keys_get_other_advice() {
    let a = only("A", template("<id>", &[part("id", Shape::Opaque)]));
    let b = only("B", template("<n>", &[part("n", Shape::Opaque)]));
    assert_eq!(
        message(|| assert_disjoint("t", &a, &b)),
        r#"`A` and `B` can write the same key in table `t`

    A     pk = "<id>"
    B     pk = "<n>"
    both  pk = "0"

a number or binary key cannot carry a prefix: keep them in two tables, or use text keys"#
    );
}

#[test]
fn doubt_is_called_doubt() {
    let long = &*"L".repeat(600).leak();
    let a = only(
        "A",
        template("<a>LL…", &[mixed(&[seg("a", Shape::Text), Seg::Lit(long)])]),
    );
    let b = only(
        "B",
        template("<b>-", &[mixed(&[seg("b", Shape::Text), Seg::Lit("-")])]),
    );
    assert_eq!(
        message(|| assert_disjoint("t", &a, &b)),
        r#"`A` and `B` may write the same key in table `t`: their templates are too long to compare

    A  pk = "<a>LL…"
    B  pk = "<b>-"

give one of them a distinct literal prefix"#
    );
}

#[test]
fn disjoint_keys_pass() {
    let a = user("A", template("A", &[Field::lit("A")]));
    let b = user("B", template("B", &[Field::lit("B")]));
    assert_disjoint("t", &a, &b);
}

#[test]
fn a_variable_width_is_underlined() {
    let segs = [
        seg("first", Shape::Text),
        Seg::Lit("-"),
        seg("last", Shape::Text),
    ];
    let name = template("NAME#<first>-<last>", &[Field::lit("NAME"), mixed(&segs)]);
    assert_eq!(
        message(|| assert_unambiguous("Person", &name)),
        r#"`Person`: <first> has no fixed width, so it must be followed by '#' or by parts of a fixed width alone, or end the key

    "NAME#<first>-<last>"
          ^^^^^^^

"x-x-x" would be both <first> = "x" and "x-x": put '#' after it, or fix its width: <first:len=8>"#
    );
    let segs = [seg("n", Shape::Number(3)), seg("m", Shape::Number(20))];
    assert_eq!(
        message(|| assert_unambiguous("Pair", &template("<n><m>", &[mixed(&segs)]))),
        r#"`Pair`: <n> has no fixed width, so it must be followed by '#' or by parts of a fixed width alone, or end the key

    "<n><m>"
     ^^^

"111" would be both <n> = "1" and "11": put '#' after it, or fix its width: <n:03>"#
    );
}

#[test]
fn words_that_begin_alike_are_named() {
    let segs = [
        seg("kind", Shape::OneOf(&["a", "ab"])),
        seg("id", Shape::Text),
    ];
    assert_eq!(
        message(|| assert_unambiguous("Item", &template("<kind><id>", &[mixed(&segs)]))),
        r#"`Item`: <kind> can be "a" or "ab", so it must be followed by '#' or end the key

    "<kind><id>"
     ^^^^^^

otherwise two values could give the same key: put '#' after it, or rename a word"#
    );
}

#[test]
fn a_rest_in_the_middle_is_named() {
    let t = template(
        "<path..>#<id>",
        &[part("path", Shape::Rest), part("id", Shape::Text)],
    );
    assert_eq!(
        message(|| assert_unambiguous("File", &t)),
        r#"`File`: <path..> may contain '#', so everything after it needs a fixed width, and <id> has none

    "<path..>#<id>"
     ^^^^^^^^

move it to the end, fix the width of what follows: <id:len=8>, or write <path> for text without '#'"#
    );
}

#[test]
fn the_delimiter_inside_a_placeholder_is_named() {
    const TIME: Shape = Shape::Fixed(&[byte(b'0'), byte(b':'), run(crate::shape::DIGIT, 2)]);
    let t = Template {
        delimiter: b':',
        ..template("AT:<at:HH:mm>", &[Field::lit("AT"), part("at", TIME)])
    };
    assert_eq!(
        message(|| assert_unambiguous("Log", &t)),
        r#"`Log`: <at> can contain ':', the delimiter of this key

    "AT:<at:HH:mm>"
        ^^^^^^^^^^

choose another delimiter, or a format without ':'"#
    );
    let t = template("<kind>", &[part("kind", Shape::OneOf(&["a", "b#c"]))]);
    assert_eq!(
        message(|| assert_unambiguous("Log", &t)),
        r#"`Log`: the word "b#c" of <kind> contains '#', the delimiter of this key

    "<kind>"
     ^^^^^^

choose another delimiter, or rename the word"#
    );
}

#[test]
fn an_opaque_key_stands_alone() {
    let t = template("N#<n>", &[Field::lit("N"), part("n", Shape::Opaque)]);
    assert_eq!(
        message(|| assert_unambiguous("Log", &t)),
        r#"`Log`: <n> is a number or binary key, so it must be the whole key

    "N#<n>"
       ^^^

make it the whole template"#
    );
}

#[test]
fn an_unpadded_number_in_a_sort_key_is_named() {
    let fields = [Field::lit("MSG"), part("ts", Shape::Number(20))];
    assert_eq!(
        message(|| assert_sortable("Message", &template("MSG#<ts>", &fields), &[])),
        r#"`Message`: the number <ts> would sort as text in this sort key: "10" before "9"

    "MSG#<ts>"
         ^^^^

write <ts:020> to pad it to its full width, or fewer digits if its values stay small; <ts:plain> is looked up by its value alone, and has no ranges"#
    );
}

/// A placeholder that the text does not show is not underlined.
#[test]
fn without_a_place_there_is_no_mark() {
    let t = template("<tss>", &[part("ts", Shape::Number(3))]);
    assert!(
        message(|| assert_sortable("M", &t, &[])).contains("\n\n    \"<tss>\"\n\nwrite <ts:03>")
    );
}

#[test]
fn a_delimiter_that_does_not_print_is_shown_by_number() {
    let t = Template {
        delimiter: 0x1f,
        ..template(
            "<a><b>",
            &[mixed(&[seg("a", Shape::Text), seg("b", Shape::Text)])],
        )
    };
    assert!(message(|| assert_unambiguous("M", &t)).contains(r"followed by '\x1f' or"));
}

/// Text that does not fit is cut between two characters, and says so.
#[test]
fn long_messages_are_cut_between_characters() {
    let mut text = ConstString::new();
    text.push(&"a".repeat(4000));
    text.push(&"é".repeat(100));
    text.push("never seen");
    assert_eq!(
        text.as_str(),
        format!("{}{}…", "a".repeat(4000), "é".repeat(46))
    );
    let long = &*"L".repeat(5000).leak();
    let a = only("A", template(long, &[Field::lit(long)]));
    assert!(message(|| assert_disjoint("t", &a, &a)).ends_with("LL…"));
}
