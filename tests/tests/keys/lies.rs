//! A `KeyPart` written by hand that lies about its shape is caught when the key is built, whatever builds it.

#![allow(
    clippy::too_many_arguments,
    reason = "one key with a liar of each shape"
)]

use dyna_runtime::error::KeyErrorKind;
use dyna_runtime::shape::{DIGIT, Shape, run};
use dyna_runtime::{DynaEntity, DynaTable, KeyBuf, KeyPart};
use serde::{Deserialize, Serialize};

macro_rules! liars {
    ($($(#[$doc:meta])* $name:ident: $shape:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        struct $name(String);

        impl KeyPart for $name {
            const SHAPE: Shape = $shape;

            fn encode(&self, out: &mut KeyBuf) {
                out.fixed(&self.0);
            }

            fn decode(text: &str) -> Option<Self> {
                Some(Self(text.to_owned()))
            }
        }
    )*};
}

// Each writes whatever it holds.
liars! {
    AsText: Shape::Text;
    AsSized: Shape::Sized(3);
    AsDigits: Shape::Digits(3);
    AsNumber: Shape::Number(3);
    AsFixed: Shape::Fixed(&[run(DIGIT, 2)]);
    AsWord: Shape::OneOf(&["on", "off"]);
    AsRest: Shape::Rest;
}

/// The shape is the inner one, and so is the lie.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, KeyPart)]
struct Wrapped(AsDigits);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "lies", pk = "pk", sk = "sk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "P#<text>#<sized>#<digits>#<number>#<fixed>#<word>",
    sk = "S#<wrapped>#<made|crate::keys::lies::word>#<rest>",
    gsi1(as = by_word, pk = "G#<maybe>", sk = "<digits>")
)]
struct Liar {
    text: AsText,
    sized: AsSized,
    digits: AsDigits,
    number: AsNumber,
    fixed: AsFixed,
    word: AsWord,
    wrapped: Wrapped,
    made: AsText,
    rest: AsRest,
    maybe: Option<AsWord>,
}

/// A function of the user's whose result lies.
fn word(text: &AsText) -> AsWord {
    AsWord(text.0.clone())
}

/// One that tells the truth in every field.
fn honest() -> Liar {
    Liar {
        text: AsText("é b".to_owned()),
        sized: AsSized("abc".to_owned()),
        digits: AsDigits("012".to_owned()),
        number: AsNumber("7".to_owned()),
        fixed: AsFixed("99".to_owned()),
        word: AsWord("off".to_owned()),
        wrapped: Wrapped(AsDigits("345".to_owned())),
        made: AsText("on".to_owned()),
        rest: AsRest("a#b".to_owned()),
        maybe: Some(AsWord("on".to_owned())),
    }
}

/// Everything that is written with a lie in one field, and the field.
fn lies() -> Vec<(&'static str, Liar)> {
    let mut lies = Vec::new();
    let mut lie = |field: &'static str, texts: &[&str], set: fn(&mut Liar, String)| {
        for text in texts {
            let mut liar = honest();
            set(&mut liar, (*text).to_owned());
            lies.push((field, liar));
        }
    };
    lie("text", &["", "a#b", "#", "a\u{10FFFF}"], |it, text| {
        it.text.0 = text;
    });
    lie("sized", &["", "ab", "abcd", "éé", "a#b"], |it, text| {
        it.sized.0 = text;
    });
    lie(
        "digits",
        &["", "12", "1234", "12a", "1#2", "+12"],
        |it, text| it.digits.0 = text,
    );
    lie("number", &["", "1234", "-1", "1.", "1#2"], |it, text| {
        it.number.0 = text;
    });
    lie("fixed", &["", "1", "123", "1#", "1a"], |it, text| {
        it.fixed.0 = text;
    });
    lie("word", &["", "o", "offf", "On", "on#off"], |it, text| {
        it.word.0 = text;
    });
    lie("wrapped", &["", "12", "1#2", "abc"], |it, text| {
        it.wrapped.0.0 = text;
    });
    lie("made", &["", "o", "on#off"], |it, text| it.made.0 = text);
    lie("rest", &["", "a\u{10FFFF}"], |it, text| it.rest.0 = text);
    lies
}

#[test]
fn the_truth_is_written() {
    assert_eq!(
        honest().put().explain().get("Item.pk"),
        Some("\"P#é b#abc#012#7#99#off\"")
    );
    assert_eq!(
        honest().put().explain().get("Item.sk"),
        Some("\"S#345#on#a#b\"")
    );
    assert_eq!(
        honest().put().explain().get("Item.gsi1pk"),
        Some("\"G#on\"")
    );
}

#[test]
fn key_part_that_breaks_its_shape_is_refused() {
    for (field, it) in lies() {
        let Liar {
            text,
            sized,
            digits,
            number,
            fixed,
            word,
            wrapped,
            made,
            rest,
            ..
        } = &it;
        let error = Liar::key(
            text, sized, digits, number, fixed, word, wrapped, made, rest,
        )
        .check()
        .unwrap_err();
        assert_eq!(
            (error.entity(), error.field(), error.kind()),
            ("Liar", field, KeyErrorKind::ShapeMismatch),
            "{it:?}"
        );
        assert_eq!(
            it.put().explain().get("Error"),
            Some(error.to_string().as_str())
        );
        let query = Liar::query(text, sized, digits, number, fixed, word);
        let query = query.wrapped(wrapped).made(made).rest(rest);
        assert_eq!(
            query.explain().get("Error"),
            Some(error.to_string().as_str())
        );
    }
}

#[tokio::test]
async fn a_lie_makes_no_request() {
    let engine = dyna_runtime::embedded::Embedded::in_memory().unwrap();
    let db = dyna_runtime::Table::<Liar>::embedded_in(&engine)
        .await
        .unwrap();
    let before = engine.requests();
    for (_, it) in lies() {
        assert!(it.put().send(&db).await.unwrap_err().is_invalid_key());
    }
    for maybe in ["", "x", "on#off"] {
        let it = Liar {
            maybe: Some(AsWord(maybe.to_owned())),
            ..honest()
        };
        let error = it.create().send(&db).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "Liar: key field `maybe` does not match its `KeyPart::SHAPE`"
        );
        assert!(
            Liar::by_word(AsWord(maybe.to_owned()))
                .all(&db)
                .await
                .unwrap_err()
                .is_invalid_key()
        );
    }
    assert_eq!(engine.requests(), before);
    honest().create().send(&db).await.unwrap();
    assert_eq!(
        Liar::by_word(AsWord("on".to_owned()))
            .one(&db)
            .await
            .unwrap(),
        Some(honest())
    );
}
