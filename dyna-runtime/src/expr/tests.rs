//! What conditions are written as, exactly, and which values they refuse.

use super::form::SortsAs;
use super::role::Free;
use super::{AttributeType, Condition, Expr, Field, Rendered};
use crate::codec::form;
use crate::codec::form::{Opaque, Plain, StringSet};
use crate::derived::Derived;
use crate::schema::{KeyAttribute, ScalarType};
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::{BTreeMap, BTreeSet, HashMap};

enum Post {}
enum Author {}

const TEXT: Field<Post, String> = Field::new(Derived, "content", "content");
const LIKES: Field<Post, u64> = Field::new(Derived, "likes", "likes");
const DONE: Field<Post, bool> = Field::new(Derived, "done", "done");
const STATUS: Field<Post, String> = Field::new(Derived, "status", "#status");
const NOTE: Field<Post, Option<String>> = Field::new(Derived, "note", "note");
const RANK: Field<Post, Option<i32>> = Field::new(Derived, "rank", "rank");
const RATIO: Field<Post, f64> = Field::new(Derived, "ratio", "ratio");
const TAGS: Field<Post, Vec<String>> = Field::new(Derived, "tags", "tags");
const SOME_TAGS: Field<Post, Option<BTreeSet<u8>>> = Field::new(Derived, "someTags", "someTags");
const GRID: Field<Post, [Vec<u8>; 2]> = Field::new(Derived, "grid", "grid");
const PREFS: Field<Post, HashMap<String, String>> = Field::new(Derived, "prefs", "prefs");
const DEEP: Field<Post, Option<BTreeMap<String, Vec<i8>>>> = Field::new(Derived, "deep", "deep");
const RATIOS: Field<Post, BTreeMap<String, f64>> = Field::new(Derived, "ratios", "ratios");
// The nested struct is a map of its own; only its fields matter here.
const AUTHOR: Field<Post, Author> = Field::encoded(
    Derived,
    "author",
    "author",
    |_, _| unreachable!(),
    |_| unreachable!(),
);
const MAYBE: Field<Post, Option<Box<Author>>> = Field::encoded(
    Derived,
    "maybe",
    "maybe",
    |_, _| unreachable!(),
    |_| unreachable!(),
);
const NAME: Field<Author, String> = Field::new(Derived, "name", "#name");
const AGE: Field<Author, Option<u8>> = Field::new(Derived, "age", "age");

const AMOUNT: Field<Post, Exact> = Field::encoded(
    Derived,
    "amount",
    "amount",
    |exact, _| Ok(Some(AttributeValue::N(exact.0.clone()))),
    |_| unreachable!(),
);

/// A number that is written as it is.
struct Exact(String);
impl super::Sorted for Exact {}

const KEY: KeyAttribute = KeyAttribute {
    name: "pk",
    expr: "pk",
    kind: ScalarType::S,
};

fn rendered(condition: Condition<Post>) -> Rendered {
    let expr = condition.into_expr();
    expr.check().unwrap();
    let mut out = Rendered::default();
    expr.render(&KEY, &mut out);
    out
}

fn text(condition: Condition<Post>) -> String {
    rendered(condition).expression
}

fn error(condition: Condition<Post>) -> String {
    condition.into_expr().check().unwrap_err().to_string()
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn n(number: &str) -> AttributeValue {
    AttributeValue::N(number.to_owned())
}

fn values(condition: Condition<Post>) -> Vec<AttributeValue> {
    let values = rendered(condition).values;
    for (at, (alias, _)) in values.iter().enumerate() {
        assert_eq!(*alias, format!(":v{at}"));
    }
    values.into_iter().map(|(_, value)| value).collect()
}

#[test]
fn every_operator_is_written_as_dynamodb_has_it() {
    let table = [
        (TEXT.eq("x"), "content = :v0"),
        (TEXT.ne("x"), "content <> :v0"),
        (TEXT.lt("x"), "content < :v0"),
        (TEXT.le("x"), "content <= :v0"),
        (TEXT.gt("x"), "content > :v0"),
        (TEXT.ge("x"), "content >= :v0"),
        // What is missing is not equal, and neither is NULL.
        (
            TEXT.eq_field(STATUS),
            "content = #status AND content <> :v0",
        ),
        (STATUS.ne_field(TEXT), "#status <> content OR #status = :v0"),
        (STATUS.lt_field(NOTE), "#status < note"),
        (NOTE.le_field(STATUS), "note <= #status"),
        (TAGS.index(0).gt_field(TEXT), "tags[0] > content"),
        (
            AUTHOR.field(NAME).ge_field(PREFS.entry("x")),
            "author.#name >= prefs.#k0",
        ),
        (LIKES.between(3, 7), "likes BETWEEN :v0 AND :v1"),
        (LIKES.is_in([3]), "likes IN (:v0)"),
        (TEXT.is_in(["a", "b", "c"]), "content IN (:v0, :v1, :v2)"),
        (
            TEXT.exists(),
            "attribute_exists(content) AND content <> :v0",
        ),
        (
            TEXT.missing(),
            "attribute_not_exists(content) OR content = :v0",
        ),
        (NOTE.eq(None), "attribute_not_exists(note) OR note = :v0"),
        (NOTE.ne(None), "attribute_exists(note) AND note <> :v0"),
        (
            RANK.is_in([Some(7), None]),
            "rank IN (:v0) OR attribute_not_exists(rank) OR rank = :v1",
        ),
        (
            RANK.is_in([None]),
            "attribute_not_exists(rank) OR rank = :v0",
        ),
        (
            TAGS.has_type(AttributeType::Ss),
            "attribute_type(tags, :v0)",
        ),
        (TEXT.starts_with("x"), "begins_with(content, :v0)"),
        (NOTE.starts_with("x"), "begins_with(note, :v0)"),
        (TEXT.contains("x"), "contains(content, :v0)"),
        (NOTE.contains("x"), "contains(note, :v0)"),
        (TAGS.contains("x"), "contains(tags, :v0)"),
        (SOME_TAGS.contains(7), "contains(someTags, :v0)"),
        (TAGS.size().eq(3), "size(tags) = :v0"),
        (TAGS.size().ne(3), "size(tags) <> :v0"),
        (TAGS.size().lt(3), "size(tags) < :v0"),
        (TAGS.size().le(3), "size(tags) <= :v0"),
        (TAGS.size().gt(3), "size(tags) > :v0"),
        (TAGS.size().ge(3), "size(tags) >= :v0"),
        (TAGS.size().between(3, 7), "size(tags) BETWEEN :v0 AND :v1"),
    ];
    for (condition, expected) in table {
        assert_eq!(text(condition), expected);
    }
}

#[test]
fn paths_go_into_structs_lists_and_maps() {
    let table = [
        (AUTHOR.field(NAME).eq("ann"), "author.#name = :v0"),
        (MAYBE.field(AGE).gt(7), "maybe.age > :v0"),
        (TAGS.index(2).eq("x"), "tags[2] = :v0"),
        (GRID.index(0).index(7).eq(1), "grid[0][7] = :v0"),
        (PREFS.entry("theme").ne("dark"), "prefs.#k0 <> :v0"),
        (
            DEEP.entry("a.b").index(1).exists(),
            "attribute_exists(deep.#k0[1]) AND deep.#k0[1] <> :v0",
        ),
        (AUTHOR.field(NAME).size().gt(3), "size(author.#name) > :v0"),
    ];
    for (condition, expected) in table {
        assert_eq!(text(condition), expected);
    }
}

#[test]
fn each_alias_is_given_once() {
    let keys = |a: &str, b: &str| PREFS.entry(a).eq("x").or(PREFS.entry(b).eq("y"));
    let out = rendered(STATUS.eq("a").and(STATUS.ne("b")).and(keys("k", "#status")));
    assert_eq!(
        out.expression,
        "#status = :v0 AND #status <> :v1 AND (prefs.#k0 = :v2 OR prefs.#k1 = :v3)"
    );
    let names = [("#status", "status"), ("#k0", "k"), ("#k1", "#status")];
    assert_eq!(
        out.names,
        names.map(|(alias, name)| (alias.to_owned(), name.to_owned()))
    );
    let out = rendered(keys("k", "k").and(TEXT.exists()));
    assert_eq!(out.names, [("#k0".to_owned(), "k".to_owned())]);
}

#[test]
fn parentheses_stand_only_where_precedence_needs_them() {
    let (a, b, c) = (|| DONE.eq(true), || TEXT.eq("b"), || TEXT.ne("c"));
    let (ta, tb, tc) = ("done = :v0", "content = :v1", "content <> :v2");
    let table = [
        (a().and(b()).and(c()), format!("{ta} AND {tb} AND {tc}")),
        (a().and(b().and(c())), format!("{ta} AND {tb} AND {tc}")),
        (a().or(b().or(c())), format!("{ta} OR {tb} OR {tc}")),
        (a().and(b()).or(c()), format!("{ta} AND {tb} OR {tc}")),
        (a().or(b().and(c())), format!("{ta} OR {tb} AND {tc}")),
        (a().or(b()).and(c()), format!("({ta} OR {tb}) AND {tc}")),
        (a().and(b().or(c())), format!("{ta} AND ({tb} OR {tc})")),
        (!a(), format!("NOT {ta}")),
        (a().not().not(), ta.to_owned()),
        (!a().and(b()), format!("NOT ({ta} AND {tb})")),
        (a().and(!b()), format!("{ta} AND NOT {tb}")),
        (
            (!a().or(b())).and(c()),
            format!("NOT ({ta} OR {tb}) AND {tc}"),
        ),
        (
            Condition::all([a(), b().or(c())]),
            format!("{ta} AND ({tb} OR {tc})"),
        ),
        (
            Condition::any([a(), b(), c()]),
            format!("{ta} OR {tb} OR {tc}"),
        ),
        (Condition::all([a()]), ta.to_owned()),
        (
            LIKES.between(1, 2).and(a()),
            "likes BETWEEN :v0 AND :v1 AND done = :v2".to_owned(),
        ),
    ];
    for (condition, expected) in table {
        assert_eq!(text(condition), expected);
    }
}

#[test]
fn a_condition_joins_what_stands_before_it() {
    let after = |condition: Condition<Post>| {
        let mut out = Rendered::default();
        out.push("tag = :e");
        condition.into_expr().render(&KEY, &mut out);
        out.expression
    };
    let (a, b) = (|| TEXT.eq("a"), || DONE.eq(true));
    assert_eq!(after(a()), "tag = :e AND content = :v0");
    assert_eq!(
        after(a().or(b())),
        "tag = :e AND (content = :v0 OR done = :v1)"
    );
    assert_eq!(
        after(a().and(b())),
        "tag = :e AND content = :v0 AND done = :v1"
    );
}

#[test]
fn what_is_always_or_never_true_leaves_the_rest_or_decides_it() {
    let always = || Condition::<Post>::all([]);
    let never = || TEXT.is_in([""; 0]);
    let known = |condition: Condition<Post>| condition.into_expr().known();
    let a = || TEXT.eq("a");
    assert_eq!(known(always()), Some(true));
    assert_eq!(known(!always()), Some(false));
    assert_eq!(known(never()), Some(false));
    assert_eq!(known(Condition::any([])), Some(false));
    assert_eq!(known(LIKES.between(7, 3)), Some(false));
    assert_eq!(known(TAGS.size().between(7, 3)), Some(false));
    assert_eq!(known(RATIO.between(0.5, -0.5)), Some(false));
    assert_eq!(known(RATIO.between(1e300, 1.0)), Some(false));
    assert_eq!(known(TEXT.between("b", "a")), Some(false));
    assert_eq!(known(LIKES.between(u64::MAX, u64::MAX - 1)), Some(false));
    assert_eq!(known(LIKES.between(9, 10)), None);
    // More digits than a float has.
    let fine = |text: &str| Exact(text.to_owned());
    let (less, more) = ("1.00000000000000000001", "1.00000000000000000002");
    assert_eq!(known(AMOUNT.between(fine(more), fine(less))), Some(false));
    assert_eq!(known(AMOUNT.between(fine(less), fine(more))), None);
    assert_eq!(known(a().and(never())), Some(false));
    assert_eq!(known(a().or(!never())), Some(true));
    assert_eq!(text(a().and(always())), "content = :v0");
    assert_eq!(text(never().or(a())), "content = :v0");
    assert_eq!(
        text(always()),
        "attribute_exists(pk) OR attribute_not_exists(pk)"
    );
    assert_eq!(
        text(never()),
        "attribute_exists(pk) AND attribute_not_exists(pk)"
    );
    assert_eq!(known(Condition::all([])), Expr::default().known());
}

#[test]
fn values_are_those_of_the_field() {
    let x = "x".to_owned();
    let owned = || x.clone();
    for condition in [TEXT.eq("x"), TEXT.eq(owned()), TEXT.eq(&x)] {
        assert_eq!(values(condition), [s("x")]);
    }
    let some = [
        NOTE.eq("x"),
        NOTE.eq(owned()),
        NOTE.eq(&x),
        NOTE.eq(Some(owned())),
    ];
    for condition in some {
        assert_eq!(values(condition), [s("x")]);
    }
    assert_eq!(values(NOTE.eq(None)), [AttributeValue::Null(true)]);
    assert_eq!(
        values(RANK.is_in([Some(7), None])),
        [n("7"), AttributeValue::Null(true)]
    );
    assert_eq!(values(RANK.between(-1, 7)), [n("-1"), n("7")]);
    assert_eq!(values(DONE.eq(true)), [AttributeValue::Bool(true)]);
    assert_eq!(values(TAGS.contains("x")), [s("x")]);
    assert_eq!(values(TAGS.eq(vec![])), [AttributeValue::L(vec![])]);
    assert_eq!(values(TAGS.size().lt(3)), [n("3")]);
    assert_eq!(values(TEXT.has_type(AttributeType::Null)), [s("NULL")]);
    assert_eq!(values(RANK.is_in([1, 2].iter())), [n("1"), n("2")]);
}

#[test]
fn a_field_with_a_function_of_its_own_is_compared_in_its_stored_form() {
    const SET: Field<Post, BTreeSet<String>, Free, StringSet> = Field::encoded(
        Derived,
        "set",
        "set",
        crate::serde::string_set::serialize,
        |_| unreachable!(),
    );
    const CODE: Field<Post, Option<String>, Free, Opaque> = Field::encoded(
        Derived,
        "code",
        "code",
        |value, writer| serde::Serialize::serialize(&value.as_ref().map(String::len), writer),
        |_| unreachable!(),
    );
    let set = AttributeValue::Ss(vec!["a".to_owned()]);
    assert_eq!(values(SET.eq(BTreeSet::from(["a".to_owned()]))), [set]);
    assert_eq!(values(CODE.eq("four")), [n("4")]);
    assert_eq!(values(SET.contains("a")), [s("a")]);
    assert!(error(SET.eq(BTreeSet::new())).starts_with("set: a set cannot be empty;"));
}

#[test]
fn types_sort_in_the_forms_in_which_dynamodb_sorts_them_by_value() {
    fn sorts<T: SortsAs<W>, W>() {}
    sorts::<u64, Plain>();
    sorts::<Option<Box<str>>, Plain>();
    sorts::<crate::Ordered<i64>, Plain>();
    sorts::<Option<[u8; 4]>, form::Bytes>();
    #[cfg(feature = "jiff")]
    sorts::<Option<jiff::Timestamp>, form::Rfc3339>();
    #[cfg(feature = "rust_decimal")]
    sorts::<Option<rust_decimal::Decimal>, form::DecimalNumber>();
}

#[test]
fn a_value_that_cannot_be_compared_is_an_error_that_is_kept() {
    // A promise that is not kept.
    struct Nothing;
    impl super::Sorted for Nothing {}
    const NOTHING: Field<Post, Nothing> = Field::encoded(
        Derived,
        "nothing",
        "nothing",
        |_, _| Ok(Some(AttributeValue::Bool(true))),
        |_| unreachable!(),
    );
    assert_eq!(
        error(NOTHING.lt(Nothing)),
        "nothing: expected text, a number or bytes, which have an order, found boolean"
    );
    assert_eq!(
        error(RANK.between(None, Some(3))),
        "rank: expected text, a number or bytes, which have an order, found null"
    );
    assert_eq!(
        error(RATIO.eq(f64::NAN)),
        "ratio: expected a finite number, found NaN or infinity"
    );
    assert_eq!(
        error(LIKES.is_in(0..101)),
        "likes: `is_in` takes at most 100 values"
    );
    assert_eq!(
        error(LIKES.is_in(0..)),
        "likes: `is_in` takes at most 100 values"
    );
    assert_eq!(text(LIKES.is_in(0..100)).matches(':').count(), 100);
    // Whatever becomes of the condition, and without the keys of maps.
    let bad = || RATIOS.entry("secret").le(f64::NAN);
    let expected = "ratios.*: expected a finite number, found NaN or infinity";
    let fine = || TEXT.exists();
    let all = [
        bad(),
        !bad(),
        fine().and(bad()),
        bad().or(fine()),
        Condition::all([fine(), bad()]).and(fine()),
    ];
    for condition in all {
        assert_eq!(error(condition), expected);
    }
}

#[test]
fn values_and_keys_of_maps_never_become_part_of_an_expression() {
    for value in ["x OR 1 = 1", ":v0", "#a", ")", "", "content", "'", "a.b[0]"] {
        let out = rendered(TEXT.eq(value).and(PREFS.entry(value).contains(value)));
        assert_eq!(out.expression, "content = :v0 AND contains(prefs.#k0, :v1)");
        assert_eq!(out.names, [("#k0".to_owned(), value.to_owned())]);
        assert_eq!(out.values[0].1, s(value));
    }
}

#[test]
fn debug_shows_no_values_and_no_keys_of_maps() {
    let condition = STATUS.eq("secret").and(PREFS.entry("secret").eq("secret"));
    assert_eq!(
        format!("{condition:?}"),
        "Condition(#status = :v0 AND prefs.#k0 = :v1)"
    );
    assert_eq!(
        format!("{:?}", Condition::<Post>::any([])),
        "Condition(never)"
    );
    assert_eq!(format!("{:?}", PREFS.entry("secret")), "Field(prefs.#k0)");
    assert_eq!(format!("{:?}", TAGS.index(1).size()), "Size(tags[1])");
}
