//! Whether a stored item is what a write makes: what can be said after a lost response.

use crate::codec::Item;
use crate::codec::number::is_same_number;
use crate::entity::changes::{Assignment, Change};
use crate::write::{Write, WriteKind};
use aws_sdk_dynamodb::types::AttributeValue;

impl Write {
    /// Whether what was found is exactly what the write makes. Of an update that is only known by the version that it counts on.
    pub(crate) fn is_as_written(&self, found: Option<&Item>) -> bool {
        match (&self.action, found) {
            (WriteKind::Put(item), Some(found)) => {
                let item = item.map(self.meta.name);
                item.is_ok_and(|item| is_same_item(&item, found))
            }
            (WriteKind::Update(_, assignments), Some(found)) => {
                let Some(check) = &self.version_check else {
                    return false;
                };
                let is_done = |assignment: &Assignment| is_done(assignment, found);
                let is_version = |assignment: &&Assignment| check.is_of(assignment.path.name());
                let mut others = assignments
                    .iter()
                    .filter(|assignment| !is_version(assignment));
                check.is_next(found) && others.all(is_done)
            }
            (WriteKind::Delete(_), None) => true,
            _ => false,
        }
    }
}

impl Write {
    /// Whether what was found has the version that the write makes, and other content: then someone else has written it, and the write was
    /// not applied and never will be, since it replaces the version before.
    pub(crate) fn is_anothers(&self, found: &Item) -> bool {
        let Some(check) = &self.version_check else {
            return false;
        };
        let is_other = match &self.action {
            WriteKind::Put(item) => {
                let item = item.map(self.meta.name);
                item.is_ok_and(|item| !is_same_item(&item, found))
            }
            WriteKind::Update(_, assignments) => {
                let is_version = |assignment: &&Assignment| check.is_of(assignment.path.name());
                let mut others = assignments
                    .iter()
                    .filter(|assignment| !is_version(assignment));
                others.any(|assignment| is_undone(assignment, found))
            }
            WriteKind::Delete(_) | WriteKind::Check(_) => false,
        };
        is_other && check.is_of_an_item() && check.is_next(found)
    }
}

/// Whether two items are the same to DynamoDB.
pub(crate) fn is_same_item(one: &Item, other: &Item) -> bool {
    let is_found = |(name, value): (&String, _)| {
        let found = other.get(name);
        found.is_some_and(|found| is_same(found, value))
    };
    one.len() == other.len() && one.iter().all(is_found)
}

/// Whether a change has been made, as far as the item tells.
fn is_done(assignment: &Assignment, found: &Item) -> bool {
    let found = assignment.path.find(found);
    match &assignment.change {
        Change::Set(value) => found.is_some_and(|found| is_same(found, value)),
        Change::Remove => found.is_none(),
        Change::SetIfAbsent(_) => found.is_some(),
        _ => false,
    }
}

/// Whether a change has certainly not been made.
fn is_undone(assignment: &Assignment, found: &Item) -> bool {
    let is_told = matches!(
        assignment.change,
        Change::Set(_) | Change::Remove | Change::SetIfAbsent(_)
    );
    is_told && !is_done(assignment, found)
}

/// Whether two values are the same to DynamoDB, which writes numbers in its own way and sets in any order.
fn is_same(one: &AttributeValue, other: &AttributeValue) -> bool {
    use AttributeValue as A;
    let is_same_set = |one: &[String], other: &[String], same: fn(&String, &String) -> bool| {
        let has = |value: &String| other.iter().any(|other| same(value, other));
        one.len() == other.len() && one.iter().all(has)
    };
    match (one, other) {
        (A::N(one), A::N(other)) => is_same_number(one, other),
        (A::Ns(one), A::Ns(other)) => {
            is_same_set(one, other, |one, other| is_same_number(one, other))
        }
        (A::Ss(one), A::Ss(other)) => is_same_set(one, other, |one, other| one == other),
        (A::Bs(one), A::Bs(other)) => {
            one.len() == other.len() && one.iter().all(|one| other.contains(one))
        }
        (A::L(one), A::L(other)) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(one, other)| is_same(one, other))
        }
        (A::M(one), A::M(other)) => {
            let has = |(name, one)| other.get(name).is_some_and(|other| is_same(one, other));
            one.len() == other.len() && one.iter().all(has)
        }
        (one, other) => one == other,
    }
}
