//! The schema as text, with names and sample items of others: JSON stays JSON and holds them, and no text ends the page's script.

use crate::input::Input;
use dyna_cli::{Catalog, Format};
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

#[derive(Debug, DynaTable)]
#[dyna(
    name = "shop-{stage}",
    pk = "pk",
    sk = "sk",
    tag = "kind",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
enum Shop {
    Order(Order),
}

#[derive(Debug, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Shop,
    pk = "CUSTOMER#<customer>",
    sk = "ORDER#<number:06>",
    gsi1(as = by_state, pk = "STATE#<state>", sk = "<number:06>")
)]
struct Order {
    customer: String,
    number: u32,
    state: String,
    notes: Vec<String>,
    prices: BTreeMap<String, f64>,
}

/// How often each format of the plain catalog has these.
const MARKS: [&str; 3] = ["<script", "</script", "<style"];

fn marks(text: &str) -> [usize; 3] {
    MARKS.map(|mark| text.to_ascii_lowercase().matches(mark).count())
}

static PLAIN: LazyLock<[usize; 3]> =
    LazyLock::new(|| marks(&Catalog::of::<Shop>().to_text(Format::Html)));

pub(super) fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let stage = input.text();
    let mut orders = Vec::new();
    for _ in 0..input.below(3) {
        orders.push(Order {
            customer: input.text(),
            number: u32::from(input.byte()),
            state: input.text(),
            notes: (0..input.below(3)).map(|_| input.text()).collect(),
            prices: (0..input.below(3))
                .map(|_| (input.text(), f64::from(input.byte()) / 8.0))
                .collect(),
        });
    }
    let texts: Vec<String> = orders
        .iter()
        .flat_map(|order| order.notes.clone())
        .collect();
    let catalog = Catalog::of::<Shop>().with_variable("stage", &stage);
    // A key may not hold every text.
    let Ok(catalog) = catalog.samples(orders.into_iter().map(Shop::Order)) else {
        return;
    };
    for format in Format::ALL {
        let text = catalog.to_text(format);
        match format {
            Format::CloudFormationJson => drop(json(&text)),
            Format::Workbench => {
                let document = json(&text).to_string();
                for note in &texts {
                    let inside = serde_json::to_string(note).expect("text is JSON");
                    let inside = inside.trim_matches('"').trim_end_matches('\\');
                    // The list stands as text in a member, so its quotes are escaped once more.
                    let plain = inside.chars().all(char::is_alphanumeric);
                    assert!(
                        !plain || document.contains(inside),
                        "{note:?} is not in {document}"
                    );
                }
            }
            Format::Html => assert_eq!(marks(&text), *PLAIN),
            _ => assert!(!text.is_empty()),
        }
    }
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}
