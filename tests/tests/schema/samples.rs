//! Items to show: made up from the templates, or given.

use super::{Library, Loan, Odd};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_cli::{Catalog, Format};
use dyna_runtime::{DynaEntity, DynaTable, KeyPart};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;

type Item = HashMap<String, AttributeValue>;

/// The items of a catalog, as the model of NoSQL Workbench has them.
fn items(catalog: &Catalog) -> Vec<Item> {
    let model: Value = serde_json::from_str(&catalog.to_text(Format::Workbench)).unwrap();
    let tables = model["DataModel"].as_array().unwrap().iter();
    let facets = tables.flat_map(|table| table["TableFacets"].as_array().unwrap());
    let items = facets.flat_map(|facet| facet["TableData"].as_array().unwrap());
    items.map(item).collect()
}

fn item(item: &Value) -> Item {
    let attributes = item.as_object().unwrap().iter();
    attributes
        .map(|(name, typed)| (name.clone(), value(typed)))
        .collect()
}

fn value(typed: &Value) -> AttributeValue {
    let (kind, value_of) = typed.as_object().unwrap().iter().next().unwrap();
    let text = || value_of.as_str().unwrap().to_owned();
    match kind.as_str() {
        "S" => AttributeValue::S(text()),
        "N" => AttributeValue::N(text()),
        "BOOL" => AttributeValue::Bool(value_of.as_bool().unwrap()),
        "L" => AttributeValue::L(value_of.as_array().unwrap().iter().map(value).collect()),
        kind => panic!("no sample has a {kind}"),
    }
}

/// Every item that is made up is one that the table could have written: its keys are those of its fields.
fn are_items<T: DynaTable>(count: usize) {
    let items = items(&Catalog::of::<T>());
    assert_eq!(items.len(), count);
    for item in items {
        let read = T::from_item(item.clone()).unwrap();
        assert_eq!(read.to_item().unwrap(), item);
    }
}

#[test]
fn generated_items_belong_to_their_entity() {
    are_items::<Library>(2);
    are_items::<Loan>(2);
    are_items::<Odd>(3);
    are_items::<Shape>(2);
}

#[derive(Debug, Clone, Serialize, Deserialize, KeyPart)]
enum Only {
    #[serde(rename = "ONE")]
    One,
}

/// What has its own spelling in a key.
#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "shapes",
        pk = "pk",
        sk = "sk",
        index(by_mail, pk = "mail", sk = "at")
    ),
    pk = "SHAPE#<user_mail|lower>",
    sk = "<ulid>#<uuid>#<n:04>#<at:%Y-%m>#<fixed:len=7>",
    by_mail(pk = "<user_mail|upper>#<only>", sk = "<flag_id>#<user_mail|sha256>")
)]
struct Shape {
    user_mail: String,
    ulid: ulid::Ulid,
    uuid: uuid::Uuid,
    n: u16,
    #[serde(rename = "day")]
    at: jiff::civil::Date,
    fixed: String,
    only: Only,
    flag_id: String,
    maybe: Option<bool>,
}

/// A key with few values has few items.
#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "few", pk = "pk", sk = "sk"),
    pk = "FEW",
    sk = "<only>#<at:%Y>"
)]
struct Few {
    only: Only,
    #[serde(rename = "day")]
    at: jiff::civil::Date,
}

#[test]
fn no_two_items_have_the_same_key() {
    are_items::<Few>(1);
}

#[test]
fn given_items_replace_generated_ones() {
    let ann = Loan {
        isbn: "978".to_owned(),
        reader: "ann".to_owned(),
        since: "2025-01-31T12:00:00.000Z".to_owned(),
        notes: Vec::new(),
    };
    let catalog = Catalog::of::<Library>()
        .table::<Loan>()
        .samples([ann.clone()])
        .unwrap();
    let items = items(&catalog);
    assert_eq!(items.len(), 3, "two books that are made up, and the loan");
    assert_eq!(Loan::from_item(items[2].clone()).unwrap(), ann);
}

#[test]
fn an_item_that_cannot_be_written_is_an_error() {
    let loan = Loan {
        isbn: "978#2".to_owned(),
        reader: "ann".to_owned(),
        since: "2025-01-31T12:00:00.000Z".to_owned(),
        notes: Vec::new(),
    };
    let error = Catalog::of::<Loan>().samples([loan.clone()]).unwrap_err();
    let message = "Loan: key field `isbn` contains the delimiter '#'";
    assert_eq!(error.to_string(), message);
    let program = dyna_cli::main::<Loan>().samples([loan]);
    let answer = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(program.output(["html".to_owned()]));
    assert_eq!(answer, Err(format!("a sample cannot be shown: {message}")));
}
