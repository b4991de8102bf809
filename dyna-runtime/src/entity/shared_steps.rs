//! The steps of a collection: the fields at the start of the sort key that all members write alike.

use super::collection::{CollectionMeta, Span};
use crate::key::range::SortCondition;
use crate::shape::Template;

impl CollectionMeta {
    /// Appends what stands after the field of step `n` in all members.
    pub(crate) fn after(&self, n: usize, out: &mut String) {
        let Some(template) = self.sort_key(0) else {
            return;
        };
        if n + 1 < self.steps.len() {
            template.literals_after(Some(n), out);
        } else if self.goes_on(n) {
            out.push(char::from(template.delimiter));
        }
    }

    /// Whether something stands after the field of step `n`: a delimiter in all members, or nothing.
    pub(crate) fn goes_on(&self, n: usize) -> bool {
        let key = self.sort_key(0).map_or("", |key| key.text);
        placeholder(key, n).is_some_and(|(_, end)| end < key.len())
    }

    /// The sort keys that the members can have if they begin with this text, which ends with the field of step `n`.
    pub(crate) fn narrowed(&self, n: usize, text: &str) -> SortCondition {
        let span = |template: &Template| {
            let mut low = text.to_owned();
            template.literals_after(Some(n), &mut low);
            Span::new(low, template.parts().count() > n + 1)
        };
        self.spanned(span)
    }
}

/// The type of a field of a member, which is that of its step.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a member has the field of this step as a `{Self}`, and the step takes a `{T}`",
    label = "another type than the member's field"
)]
pub trait StepOf<T> {}

impl<T> StepOf<T> for T {}

/// Proves that a field of a member has the type of its step.
pub const fn same_step<T, F: StepOf<T>>(_: &F) {}

/// Where placeholder `n` of a template is: from `<` to behind its `>`.
pub(crate) const fn placeholder(template: &str, n: usize) -> Option<(usize, usize)> {
    let text = template.as_bytes();
    let (mut at, mut left) = (0, n);
    while at < text.len() {
        if text[at] != b'<' {
            at += 1;
        } else if at + 1 < text.len() && text[at + 1] == b'<' {
            at += 2;
        } else {
            let start = at;
            while at < text.len() && text[at] != b'>' {
                at += 1;
            }
            at += 1;
            if left == 0 {
                return Some((start, at));
            }
            left -= 1;
        }
    }
    None
}
