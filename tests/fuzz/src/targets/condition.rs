//! Conditions and updates from any sequence of calls: what is rendered says what was built, and refers to all that it names.

use crate::input::Input;
use dyna_runtime::{Condition, DynaEntity, DynaTable, Explain};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "things", pk = "pk"), pk = "THING#<id>")]
struct Thing {
    id: String,
    n: u64,
    #[serde(rename = "size")]
    width: u64,
    text: String,
    list: Vec<u64>,
}

/// A condition beside what it says. Each comparison is with a number of its own; of half of these numbers it is true.
enum Built {
    Known(bool),
    Leaf(u64),
    Not(Box<Self>),
    All(Vec<Self>),
    Any(Vec<Self>),
}

/// Whether a comparison with this number is true.
fn is_true(number: u64) -> bool {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 63 == 0
}

impl Built {
    fn value(&self) -> bool {
        match self {
            Self::Known(value) => *value,
            Self::Leaf(number) => is_true(*number),
            Self::Not(inner) => !inner.value(),
            Self::All(all) => all.iter().all(Self::value),
            Self::Any(any) => any.iter().any(Self::value),
        }
    }
}

fn condition(input: &mut Input<'_>, depth: u8, leaves: &mut u64) -> (Condition<Thing>, Built) {
    let kind = if depth == 0 {
        input.below(6)
    } else {
        input.below(12)
    };
    if kind < 6 {
        *leaves += 1;
        let number = 1_000_000 + *leaves;
        let condition = match kind {
            0 => Thing::N.eq(number),
            1 => Thing::WIDTH.lt(number),
            2 => Thing::N.between(number, number),
            3 => Thing::TEXT
                .size()
                .gt(usize::try_from(number).unwrap_or_default()),
            4 => Thing::WIDTH.is_in([number]),
            // No value is in an empty list.
            _ => return (Thing::N.is_in([0_u64; 0]), Built::Known(false)),
        };
        return (condition, Built::Leaf(number));
    }
    let mut several = || {
        let count = input.below(4);
        (0..count)
            .map(|_| condition(input, depth - 1, leaves))
            .unzip()
    };
    match kind {
        6 | 7 => {
            let (conditions, built): (Vec<_>, Vec<_>) = several();
            (Condition::all(conditions), Built::All(built))
        }
        8 | 9 => {
            let (conditions, built): (Vec<_>, Vec<_>) = several();
            (Condition::any(conditions), Built::Any(built))
        }
        10 => {
            let (inner, built) = condition(input, depth - 1, leaves);
            (inner.not(), Built::Not(Box::new(built)))
        }
        _ => {
            let (one, first) = condition(input, depth - 1, leaves);
            let (other, second) = condition(input, depth - 1, leaves);
            match input.below(2) {
                0 => (one.and(other), Built::All(vec![first, second])),
                _ => (one.or(other), Built::Any(vec![first, second])),
            }
        }
    }
}

pub(super) fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    if input.byte() > 127 {
        return update(&mut input);
    }
    let (condition, built) = condition(&mut input, 6, &mut 0);
    let explained = Thing::scan().filter(condition).explain();
    let Some(text) = explained.get("FilterExpression") else {
        // Always true, or never: then there is no filter, or no request.
        return;
    };
    referred(&explained, &[text]);
    let mut reader = Reader {
        rest: text,
        explained: &explained,
    };
    assert_eq!(reader.any(), built.value(), "{explained}");
    assert_eq!(reader.rest, "");
}

fn update(input: &mut Input<'_>) {
    let mut update = Thing::update("x");
    while !input.is_empty() {
        let number = input.number();
        update = match input.below(9) {
            0 => update.set(Thing::N, number),
            1 => update.set(Thing::TEXT, input.text()),
            2 => update.add(Thing::WIDTH, number),
            3 => update.subtract(Thing::WIDTH, number),
            4 => update.append(Thing::LIST, [number]),
            5 => update.prepend(Thing::LIST, vec![number; usize::from(input.below(3))]),
            6 => update.set_if_missing(Thing::N, number),
            7 => update.remove(Thing::LIST.index::<u64>(usize::from(input.byte()))),
            _ => update.when(Thing::N.ne(number)),
        };
    }
    let explained = update.explain();
    let text = explained.get("UpdateExpression").unwrap_or_default();
    for section in ["SET ", "REMOVE ", "ADD ", "DELETE "] {
        assert!(text.matches(section).count() <= 1, "{text}");
    }
    referred(
        &explained,
        &[
            text,
            explained.get("ConditionExpression").unwrap_or_default(),
        ],
    );
}

/// DynamoDB refuses names and values that no expression refers to, and expressions that refer to others.
fn referred(explained: &Explain, expressions: &[&str]) {
    let is_alias = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '#');
    let words = expressions
        .iter()
        .flat_map(|text| text.split(|c| !is_alias(c)));
    let mut used: Vec<&str> = words.filter(|word| word.starts_with([':', '#'])).collect();
    used.sort_unstable();
    used.dedup();
    let given = explained.parameters().iter().map(|(name, _)| name.as_str());
    let mut given: Vec<&str> = given.filter(|name| name.starts_with([':', '#'])).collect();
    given.sort_unstable();
    assert_eq!(used, given, "{explained}");
}

/// Reads a condition as DynamoDB does: `NOT` before `AND` before `OR`.
struct Reader<'t> {
    rest: &'t str,
    explained: &'t Explain,
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn any(&mut self) -> bool {
        let mut value = self.all();
        while self.eat(" OR ") {
            value |= self.all();
        }
        value
    }

    fn all(&mut self) -> bool {
        let mut value = self.one();
        while self.eat(" AND ") {
            value &= self.one();
        }
        value
    }

    fn one(&mut self) -> bool {
        if self.eat("NOT ") {
            return !self.one();
        }
        if self.eat("(") {
            let value = self.any();
            assert!(self.eat(")"), "{}", self.explained);
            return value;
        }
        let start = self.rest.find(':').expect("a comparison has a value");
        let alias = &self.rest[start..];
        let end = alias[1..].find(|c: char| !c.is_ascii_alphanumeric());
        let alias = &alias[..end.map_or(alias.len(), |end| end + 1)];
        let value = self.explained.get(alias).expect("its value");
        let is_between = self.rest[..start].contains("BETWEEN");
        let is_in = self.rest[..start].contains(" IN (");
        self.rest = &self.rest[start + alias.len()..];
        if is_between {
            assert!(self.eat(" AND :"), "{}", self.explained);
            let digits = |c: char| c.is_ascii_alphanumeric();
            self.rest = self.rest.trim_start_matches(digits);
        }
        assert!(!is_in || self.eat(")"), "{}", self.explained);
        is_true(value.parse().expect("a number"))
    }
}
