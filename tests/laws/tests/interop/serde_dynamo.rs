//! Items that `serde_dynamo` makes of a struct and the SDK puts.

use super::beside;
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_interop::Model;
use dyna_runtime::{DynaEntity, DynaTable, Result, Table};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, BTreeSet};

/// The struct that was there before Dyna.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    id: String,
    #[serde(flatten)]
    body: Body,
    #[serde(with = "serde_dynamo::string_set")]
    labels: BTreeSet<String>,
    #[serde(with = "serde_dynamo::number_set")]
    codes: BTreeSet<i32>,
    numbered: BTreeMap<u32, bool>,
}

/// The same for Dyna: the sets are read with its own modules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table(name = "serde_dynamo-{copy}", pk = "id", nulls = "store"),
    pk = "<id>"
)]
struct Ours {
    id: String,
    #[serde(flatten)]
    body: Body,
    #[serde(with = "dyna_runtime::serde::string_set")]
    labels: BTreeSet<String>,
    #[serde(with = "dyna_runtime::serde::number_set")]
    codes: BTreeSet<i32>,
    numbered: BTreeMap<u32, bool>,
}

/// What needs no change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Body {
    small: i8,
    large: i64,
    float: f64,
    truth: bool,
    letter: char,
    bytes: ByteBuf,
    absent: Option<u8>,
    present: Option<u8>,
    unit: (),
    pair: (u8, String),
    list: Vec<Option<u8>>,
    map: BTreeMap<String, u8>,
    plain: Shape,
    newtype: Shape,
    tuple: Shape,
    named: Shape,
    tagged: Tagged,
    untagged: Untagged,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Plain,
    Newtype(u8),
    Tuple(u8, u8),
    Named { a: Option<u8> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "of")]
enum Tagged {
    One(u8),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Text(String),
    Number(i64),
}

fn document(id: &str) -> Document {
    Document {
        id: id.into(),
        body: Body {
            small: -8,
            large: i64::MIN,
            float: 0.1,
            truth: true,
            letter: 'ö',
            bytes: ByteBuf::from([0, 255]),
            absent: None,
            present: Some(1),
            unit: (),
            pair: (1, "x".into()),
            list: vec![Some(1), None],
            map: BTreeMap::from([("k".into(), 1)]),
            plain: Shape::Plain,
            newtype: Shape::Newtype(1),
            tuple: Shape::Tuple(1, 2),
            named: Shape::Named { a: None },
            tagged: Tagged::One(1),
            untagged: Untagged::Number(-1),
        },
        labels: BTreeSet::from(["a".into(), "b".into()]),
        codes: BTreeSet::from([-1, 10]),
        numbered: BTreeMap::from([(7, true)]),
    }
}

impl Model for Ours {
    const LIBRARY: &'static str = "serde_dynamo";

    async fn read_all(db: &Table<Self>) -> Result<Vec<Self>> {
        Self::scan().consistent().all(db).await
    }

    async fn write_back(self, db: &Table<Self>) -> Result<()> {
        self.put().send(db).await
    }

    async fn change(db: &Table<Self>) -> Result<()> {
        let Some(first) = Self::get("d1").send(db).await? else {
            return Ok(());
        };
        Self::update("d1")
            .set(Self::LABELS, BTreeSet::from(["c".to_owned()]))
            .send(db)
            .await?;
        let third = Self {
            id: "d3".into(),
            ..first
        };
        third.create().send(db).await
    }
}

async fn put(db: &Table<Ours>, document: &Document) {
    let put = db.client().put_item().table_name(db.name().unwrap());
    let item = serde_dynamo::to_item(document).unwrap();
    put.set_item(Some(item)).send().await.unwrap();
}

#[tokio::test]
async fn items_of_serde_dynamo_are_written_back_as_they_were() {
    beside::<Ours>(
        2,
        async |db| {
            put(db, &document("d1")).await;
            let mut other = document("d2");
            other.body.untagged = Untagged::Text("x".into());
            put(db, &other).await;
        },
        async |db| {
            put(db, &document("d3")).await;
            let mut first = document("d1");
            first.labels = BTreeSet::from(["c".into()]);
            put(db, &first).await;
        },
    )
    .await;
}

#[tokio::test]
async fn serde_dynamo_reads_what_dyna_writes() {
    let db = Ours::embedded().await.unwrap();
    put(&db, &document("d1")).await;
    Ours::change(&db).await.unwrap();
    let get = db.client().get_item().table_name(db.name().unwrap());
    let get = get.key("id", AttributeValue::S("d3".into()));
    let item = get.send().await.unwrap().item.unwrap();
    let found: Document = serde_dynamo::from_item(item).unwrap();
    assert_eq!(found, document("d3"));
}
