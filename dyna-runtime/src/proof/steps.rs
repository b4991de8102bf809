//! Proofs about the steps of collections: all members write the fields at the start of their sort keys alike.

use crate::entity::collection::CollectionMeta;
use crate::entity::shared_steps::placeholder;
use crate::key::range::{AT_END, BEFORE_MORE, FIXED_WIDTH, NO_RANGE};
use crate::schema::ScalarType;
use crate::shape::{ConstString, Template, same};

/// Proves that step `n` of a collection is field `n` of the sort key of all members, in the same form and after the same text.
#[track_caller]
pub const fn check_step(meta: &CollectionMeta, n: usize) {
    let mut member = 0;
    while member < meta.members.len() {
        // An entity or a table with errors has no name, and enough errors.
        let of = meta.members[member];
        if of.name.is_empty() || of.schema.type_name.is_empty() || of.key_ref(meta.index).is_none()
        {
            return;
        }
        member += 1;
    }
    let [attribute] = meta.index.sk else {
        let text = start(meta, n).with("the sort key is one attribute");
        panic!("{}", text.with("\n\nleave the step out").as_str())
    };
    let (Some(first), ScalarType::S) = (meta.sort_key(0), attribute.kind) else {
        let text = start(meta, n).with("the sort key is text");
        panic!("{}", text.with("\n\nleave the step out").as_str())
    };
    let Some((begin, end)) = placeholder(first.text, n) else {
        no_such_field(meta, n, first)
    };
    if !same(name(first.text, begin, end), meta.steps[n]) {
        no_such_field(meta, n, first)
    }
    if !is_plain(first.text, begin, end) {
        let text = start(meta, n).with("it is written by a function, may be empty, or has no end");
        let text = text.with("\n\n    \"").with(first.text).with("\"\n\n");
        panic!("{}", text.with("leave the step out").as_str())
    }
    let mut member = 1;
    while member < meta.members.len() {
        if let Some(other) = meta.sort_key(member) {
            check_alike(meta, n, member, first, other, end);
        }
        member += 1;
    }
    if !is_whole(first, end) {
        let text = start(meta, n).with("a delimiter or the end of the key follows it");
        let text = text.with("\n\n    \"").with(first.text).with("\"\n\n");
        panic!("{}", text.with("leave the step out").as_str())
    }
}

/// What a range over step `n` asks of the type of its field.
#[must_use]
pub const fn shared_range(meta: &CollectionMeta, n: usize) -> u8 {
    let Some(first) = meta.sort_key(0) else {
        return NO_RANGE;
    };
    let Some((begin, end)) = placeholder(first.text, n) else {
        return NO_RANGE;
    };
    let text = first.text.as_bytes();
    let format = begin + 1 + name(first.text, begin, end).len();
    match text.split_at(format).1 {
        [b':', b'p', b'l', ..] => NO_RANGE,
        [b':', ..] => FIXED_WIDTH,
        _ if end == text.len() => AT_END,
        _ => BEFORE_MORE,
    }
}

const fn start(meta: &CollectionMeta, n: usize) -> ConstString {
    let text = ConstString::new().with("`").with(meta.name);
    text.with("`: of the step `")
        .with(meta.steps[n])
        .with("`, ")
}

#[track_caller]
const fn no_such_field(meta: &CollectionMeta, n: usize, first: &Template) -> ! {
    let text = ConstString::new().with("`").with(meta.name);
    let text = text.with("`: the step `").with(meta.steps[n]);
    let text = text.with("` is not the next field in the sort key of `");
    let text = text.with(meta.members[0].name).with("`\n\n    \"");
    let text = text.with(first.text).with("\"\n\n");
    panic!(
        "{}",
        text.with("write the fields at the start of the sort key, in its order")
            .as_str()
    )
}

#[track_caller]
const fn check_alike(
    meta: &CollectionMeta,
    n: usize,
    member: usize,
    first: &Template,
    other: &Template,
    end: usize,
) {
    if is_alike(first, other, end) {
        return;
    }
    let text = ConstString::new().with("`").with(meta.name);
    let text = text.with("`: `").with(meta.members[member].name);
    let text = text.with("` does not have the step `").with(meta.steps[n]);
    let text = text.with("` as `").with(meta.members[0].name);
    let text = text.with("` has it\n\n    \"").with(first.text);
    let text = text.with("\"\n    \"").with(other.text).with("\"\n\n");
    panic!(
        "{}",
        text.with("the sort keys are the same up to the field of a step, and the delimiter follows it in all or in none")
            .as_str()
    )
}

/// Whether two templates have the same text up to here, and both go on or both end.
const fn is_alike(first: &Template, other: &Template, end: usize) -> bool {
    let (a, b) = (first.text.as_bytes(), other.text.as_bytes());
    if b.len() < end || first.delimiter != other.delimiter {
        return false;
    }
    let mut at = 0;
    while at < end {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    is_whole(other, end) && (a.len() == end) == (b.len() == end)
}

/// Whether the field that ends here is followed by the delimiter, or by nothing.
const fn is_whole(template: &Template, end: usize) -> bool {
    let text = template.text.as_bytes();
    text.len() == end || text[end] == template.delimiter
}

/// The name of the placeholder between these places.
const fn name(template: &str, begin: usize, end: usize) -> &str {
    let text = template.as_bytes();
    let mut at = begin + 1;
    while at < end && !matches!(text[at], b':' | b'|' | b'>' | b'?' | b'.' | b'(') {
        at += 1;
    }
    let (before, _) = text.split_at(at);
    let (_, name) = before.split_at(begin + 1);
    match std::str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => "",
    }
}

/// Whether a placeholder is a field that is written as it is, or in a format.
const fn is_plain(template: &str, begin: usize, end: usize) -> bool {
    let text = template.as_bytes();
    let (_, rest) = text.split_at(begin + 1 + name(template, begin, end).len());
    matches!(rest, [b':' | b'>', ..])
}
