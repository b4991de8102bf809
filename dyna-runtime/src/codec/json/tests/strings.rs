//! Strings of JSON against `serde_json`.

use fastrand::Rng;

use super::super::strings::{end, has_control, unescape, write};
use super::random;
use super::random::Printer;

#[test]
fn every_string_comes_back() {
    let mut rng = Rng::with_seed(7);
    for _ in 0..20_000 {
        let text = random::text(&mut rng);
        let mut printer = Printer {
            rng: &mut rng,
            loose: true,
            out: String::new(),
        };
        printer.string(&text);
        let (read, length) = unescape(&printer.out, 1, end(printer.out.as_bytes(), 1)).unwrap();
        assert_eq!((read, length), (text.clone(), printer.out.len()));

        let mut written = String::new();
        write(&mut written, &text);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }
}

#[test]
fn half_a_character_is_no_string() {
    let cases = [
        r#"\ud83d""#,
        r#"\ude00""#,
        r#"\ud83d\u0041""#,
        r#"\ud83dx""#,
        r#"\u12""#,
        r#"\u+123""#,
        r#"\x""#,
        r"\",
        "\"".trim_end_matches('"'),
    ];
    for case in cases {
        assert_eq!(unescape(case, 0, end(case.as_bytes(), 0)), None, "{case}");
    }
}

#[test]
fn the_end_of_a_string_is_found_at_every_distance() {
    for length in 0..40 {
        for stop in ['"', '\\'] {
            let text = format!("{}{stop}rest of it", "é".repeat(length));
            assert_eq!(end(text.as_bytes(), 0), 2 * length);
        }
        let text = "\u{7f}".repeat(length);
        assert_eq!(end(text.as_bytes(), 0), length);
    }
}

#[test]
fn control_characters_are_found_at_every_distance() {
    for length in 0..140 {
        let mut text = "é\u{7f} ".repeat(length);
        assert!(!has_control(text.as_bytes()));
        for control in ['\u{1f}', '\n', '\0'] {
            text.push(control);
            assert!(has_control(text.as_bytes()));
            text.pop();
        }
    }
}
