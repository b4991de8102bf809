//! The targets, each with what it is compared with.

mod condition;
mod cursor;
mod derive;
mod forms;
mod item;
mod key;
mod response;
mod template;

/// A function that takes any bytes, and panics where a law is broken.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name of its folder in the corpus.
    pub name: &'static str,
    /// Tries one input.
    pub run: fn(&[u8]),
    /// Whether its inputs are Rust, which is changed token by token.
    pub(crate) is_rust: bool,
    /// How much longer than the cheapest of all one input takes, about.
    pub(crate) cost: u64,
}

const fn bytes(name: &'static str, run: fn(&[u8]), cost: u64) -> Target {
    Target {
        name,
        run,
        is_rust: false,
        cost,
    }
}

/// All targets.
pub const TARGETS: [Target; 8] = [
    bytes("template", template::run, 1),
    Target {
        name: "derive",
        run: derive::run,
        is_rust: true,
        cost: 200,
    },
    bytes("key", key::run, 1),
    bytes("cursor", cursor::run, 10),
    bytes("item", item::run, 4),
    bytes("response", response::run, 40),
    bytes("condition", condition::run, 6),
    bytes("forms", forms::run, 200),
];

/// Tries one input of the target of this name.
pub fn try_input(target: &str, bytes: &[u8]) {
    let mut targets = TARGETS.iter();
    let target = targets.find(|it| it.name == target);
    (target.expect("the name of a target").run)(bytes);
}
