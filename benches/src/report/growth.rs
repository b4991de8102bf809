//! How the cost of a work grows with what there is of it.

use super::{Row, grouped, ratio};
use std::fmt::Write as _;

/// How many there are in the work whose name ends so.
type Sizes = &'static [(u64, &'static str)];

const ITEMS: Sizes = &[
    (0, "0"),
    (1, "1"),
    (10, "10"),
    (100, "100"),
    (2_000, "2000"),
];
const FIELDS: Sizes = &[(3, "small"), (14, "14-fields"), (97, "100-attributes")];
const ENTITIES: Sizes = &[(2, "2-entities"), (8, "8-entities"), (32, "32-entities")];

/// Where a further one should cost nothing.
const ITSELF: &str = "itself";
/// Where it has to cost something.
const PEER: &str = "serde_dynamo";

/// Works, what they have more and more of, and what they are compared with.
const SERIES: [(&str, &str, Sizes, &str); 7] = [
    ("query", "items", ITEMS, PEER),
    ("encode", "fields", FIELDS, PEER),
    ("decode", "fields", FIELDS, PEER),
    ("put", "fields", FIELDS, PEER),
    ("get", "fields", FIELDS, PEER),
    ("scan", "entities", ENTITIES, ITSELF),
    ("query", "entities", ENTITIES, ITSELF),
];

const HEAD: &str = "
## Growth

| work: what grows | how many: instructions | most : fewest | each further one | with serde_dynamo |
|---|---|--:|--:|--:|
";

/// One line for each series of which all works were counted, and the same for scripts.
pub(super) fn growth(rows: &[Row], out: &mut String) {
    let (mut table, mut lines) = (String::new(), String::new());
    for (work, what, sizes, against) in SERIES {
        let counted = |&(size, name): &(u64, &str)| {
            let name = format!("{work}/{name}");
            let (_, costs) = rows.iter().find(|(work, _)| *work == name)?;
            // Dyna is the first everywhere, and `serde_dynamo` the second.
            let mut counts = costs.iter().map(|(_, cost)| cost.instructions);
            Some((size, counts.next()??, counts.next()??))
        };
        let counted: Option<Vec<_>> = sizes.iter().map(counted).collect();
        let Some(counted @ [first, .., last]) = counted.as_deref() else {
            continue;
        };
        let each = |fewest: u64, most: u64| most.saturating_sub(fewest) / (last.0 - first.0);
        let (ours, theirs) = (each(first.1, last.1), each(first.2, last.2));
        let counts = counted
            .iter()
            .map(|(size, ours, _)| format!("{size}: {}", grouped(*ours)));
        let counts = counts.collect::<Vec<_>>().join(" · ");
        let grown = ratio(Some(last.1), Some(first.1));
        let _ = writeln!(
            table,
            "| {work}: {what} | {counts} | {grown} | {} | {} |",
            grouped(ours),
            grouped(theirs)
        );
        let ratio = match against {
            ITSELF => grown,
            _ => ratio(Some(ours), Some(theirs)),
        };
        let _ = writeln!(lines, "ratio growth/{work}/{what}/{against} {ratio}");
    }
    if !table.is_empty() {
        let _ = write!(out, "{HEAD}{table}\n```\n{lines}```\n");
    }
}
