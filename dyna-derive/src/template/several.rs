//! A function of several fields: `<(status, number)|crate::keys::issue_sort>`.

use super::part::Part;
use super::reader::TemplateReader;
use super::{Function, Placeholder};

const FORM: &str = "write `<(a, b)|crate::keys::of_both>`: two fields or more, and a function of yours with its path";

impl TemplateReader {
    /// Reads a list of fields and the function that is given all of them.
    pub(super) fn several(
        &mut self,
        head: Part<'_>,
        function: Option<Part<'_>>,
        whole: Part<'_>,
    ) -> Option<Placeholder> {
        let is_closed = head.text.ends_with(')');
        let Some(function) = function.filter(|_| is_closed) else {
            self.report("a list of fields needs a function", FORM, whole.at());
            return None;
        };
        let inside = head.slice(1..head.text.len() - 1);
        let fields: Vec<_> = inside.split(",").map(Part::trim).collect();
        if fields.len() < 2 || fields.iter().any(|field| field.text.is_empty()) {
            self.report("this is no list of fields", FORM, head.at());
            return None;
        }
        let paths: Vec<_> = fields
            .iter()
            .map(|field| self.path(*field, whole))
            .collect();
        let function = self.function(function, head, whole)?;
        if !matches!(function, Function::Path(_)) {
            self.report("this function takes one field", FORM, whole.at());
            return None;
        }
        let mut paths = paths.into_iter().collect::<Option<Vec<_>>>()?.into_iter();
        Some(Placeholder {
            path: paths.next()?,
            others: paths.collect(),
            optional: false,
            format: None,
            functions: vec![function],
            rest: false,
            at: whole.at(),
            path_at: fields.first().map_or_else(|| head.at(), |first| first.at()),
        })
    }
}
