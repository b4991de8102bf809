//! The update expression: `SET` .. `REMOVE` .. `ADD` .. `DELETE` .., each with its changes in the order in which they were made.

use crate::entity::changes::{Assignment, Change};
use crate::expr::Rendered;
use aws_sdk_dynamodb::types::AttributeValue;

/// The sections of an update expression.
const SECTIONS: [&str; 4] = ["SET ", "REMOVE ", "ADD ", "DELETE "];

pub(crate) fn render(assignments: &[Assignment], out: &mut Rendered) {
    for (n, section) in SECTIONS.into_iter().enumerate() {
        let mut first = true;
        for assignment in assignments
            .iter()
            .filter(|assignment| assignment.section() == n)
        {
            if first && !out.expression.is_empty() {
                out.push(" ");
            }
            out.push(if first { section } else { ", " });
            first = false;
            assignment.render(out);
        }
    }
}

impl Assignment {
    fn section(&self) -> usize {
        match self.change {
            Change::Remove => 1,
            Change::Add(_) => 2,
            Change::Delete(_) => 3,
            _ => 0,
        }
    }

    fn render(&self, out: &mut Rendered) {
        let Self { path, change, .. } = self;
        path.render(out);
        match change {
            Change::Remove => {}
            Change::Set(value) => {
                out.push(" = ");
                out.value(value);
            }
            Change::SetIfAbsent(value) => {
                out.push(" = ");
                self.if_absent(value, out);
            }
            Change::Plus(value) => {
                out.push(" = ");
                self.if_absent(&AttributeValue::N("0".to_owned()), out);
                out.push(" + ");
                out.value(value);
            }
            Change::Append(value) => {
                out.push(" = list_append(");
                self.if_absent(&AttributeValue::L(Vec::new()), out);
                out.push(", ");
                out.value(value);
                out.push(")");
            }
            Change::Prepend(value) => {
                out.push(" = list_append(");
                out.value(value);
                out.push(", ");
                self.if_absent(&AttributeValue::L(Vec::new()), out);
                out.push(")");
            }
            Change::Add(value) | Change::Delete(value) => {
                out.push(" ");
                out.value(value);
            }
        }
    }

    /// `if_not_exists(path, value)`.
    fn if_absent(&self, value: &AttributeValue, out: &mut Rendered) {
        out.push("if_not_exists(");
        self.path.render(out);
        out.push(", ");
        out.value(value);
        out.push(")");
    }
}
