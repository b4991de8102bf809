//! The identity of an entity.

/// The identity of an entity: its table, name, tag and templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EntityId([&'static str; 5]);

impl EntityId {
    pub(crate) const fn new(texts: [&'static str; 5]) -> Self {
        Self(texts)
    }
}
