//! Attributes that are added to an item, or hidden in it, while it is read.

use super::Item;

/// How the attributes of an item differ from those that are stored.
#[derive(Default)]
pub(crate) struct Overlay {
    /// Attributes that are added. What may be stored under their names is not to be shown.
    pub(crate) added: Item,
    /// Attributes that are NULL if they are stored under none of their names, of which the last is their own.
    pub(crate) asked: Vec<Vec<&'static str>>,
    /// Which of the stored attributes are shown.
    pub(crate) visible: Visible,
}

/// Which of the stored attributes are shown.
pub(crate) enum Visible {
    AllBut(Vec<&'static str>),
    Only(Vec<&'static str>),
}

impl Default for Visible {
    fn default() -> Self {
        Self::AllBut(Vec::new())
    }
}

impl Visible {
    /// Whether the attribute of this name is shown.
    pub(super) fn has(&self, name: &str) -> bool {
        match self {
            Self::AllBut(names) => !names.contains(&name),
            Self::Only(names) => names.contains(&name),
        }
    }
}
