//! An item is the same, whether it is made of attributes or written straight into the request.

use super::server::{Answer, Server};
use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::codec::Item;
use dyna_runtime::entity::Replaceable;
use dyna_runtime::request::HasEntity;
use dyna_runtime::{DynaEntity, DynaTable, Put, Table};
use proptest::prelude::*;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

/// When everything is written, in milliseconds.
const NOW: u64 = 1_772_000_000_123;

/// What the fields of all kinds are made of.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Base {
    id: String,
    n: u16,
    text: String,
    note: Option<i64>,
    nested: Nested,
    tags: BTreeSet<String>,
    numbers: BTreeSet<i32>,
    bytes: Vec<u8>,
    owner: Option<String>,
    rest: BTreeMap<String, Option<u8>>,
    version: u64,
    created: u64,
    updated: Option<u64>,
    ends: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Nested {
    ratio: f64,
    list: Vec<Choice>,
    by_name: BTreeMap<String, bool>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Choice {
    Nothing,
    One(String),
    Two(i8, u64),
    Named { unit: (), deep: Option<Box<Nested>> },
}

macro_rules! kinds {
    ($($name:ident $pk:literal $sk:literal ($($key:tt)*) { $($(#[$option:meta])* $field:ident: $type:ty,)* })*) => {
        #[derive(DynaTable)]
        #[dyna(name = "kinds", pk = "pk", sk = "sk", tag = "kind", ttl = "ttl", index(gsi1, pk = "owner", sk = "gsi1sk"))]
        enum Kinds {
            $($name($name),)*
        }

        $(
            #[derive(Debug, Clone, Serialize, Deserialize, DynaEntity)]
            #[dyna(table = Kinds, pk = $pk, sk = $sk, $($key)*)]
            struct $name {
                $($(#[$option])* $field: $type,)*
            }

            impl From<&Base> for $name {
                fn from(base: &Base) -> Self {
                    let base = base.clone();
                    Self { $($field: base.$field,)* }
                }
            }
        )*
    };
}

kinds! {
    Plain "PLAIN#<id>" "A" () {
        id: String,
        n: u16,
        #[serde(rename = "re \"named\"")]
        text: String,
        note: Option<i64>,
        nested: Nested,
        #[serde(with = "dyna_runtime::serde::string_set", default, skip_serializing_if = "BTreeSet::is_empty")]
        tags: BTreeSet<String>,
        #[serde(with = "dyna_runtime::serde::number_set", default, skip_serializing_if = "BTreeSet::is_empty")]
        numbers: BTreeSet<i32>,
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    }
    KeyOnly "KEY_ONLY#<id>" "<n:05>" () {
        #[dyna(key_only)]
        id: String,
        #[dyna(key_only)]
        #[serde(rename = "number")]
        n: u16,
        text: String,
        nested: Nested,
    }
    Flat "FLAT#<id>" "<n:05>" () {
        #[dyna(key_only)]
        id: String,
        n: u16,
        #[serde(flatten)]
        nested: Nested,
        #[dyna(version)]
        version: u64,
        #[serde(flatten)]
        rest: BTreeMap<String, Option<u8>>,
        #[dyna(ttl)]
        ends: Option<u64>,
    }
    Native "NATIVE#<id>" "A" (gsi1(as = by_owner_0, pk = "<owner>", sk = "<n:05>")) {
        id: String,
        n: u16,
        text: String,
        owner: Option<String>,
    }
    NativeKept "NATIVE_KEPT#<id>" "A" (gsi1(as = by_owner_1, pk = "<owner>", sk = "<n:05>")) {
        id: String,
        n: u16,
        owner: Option<String>,
        #[dyna(updated_at)]
        updated: Option<u64>,
        #[dyna(created_at)]
        created: u64,
        #[dyna(version)]
        version: u64,
        #[dyna(ttl)]
        #[serde(rename = "ttl")]
        ends: Option<u64>,
    }
    V "V#<id>" "A" () { id: String, text: String, #[dyna(version)] version: u64, }
    C "C#<id>" "A" () { id: String, text: String, #[dyna(created_at)] created: u64, }
    U "U#<id>" "A" () { id: String, text: String, #[dyna(updated_at)] updated: Option<u64>, }
    E "E#<id>" "A" () { id: String, text: String, #[dyna(ttl)] ends: Option<u64>, }
    Vc "VC#<id>" "A" () { id: String, #[dyna(version)] version: u64, #[dyna(created_at)] created: u64, }
    Vu "VU#<id>" "A" () { id: String, #[dyna(version)] version: u64, #[dyna(updated_at)] updated: Option<u64>, }
    Ve "VE#<id>" "A" () { id: String, #[dyna(version)] version: u64, #[dyna(ttl)] ends: Option<u64>, }
    Cu "CU#<id>" "A" () { id: String, #[dyna(created_at)] created: u64, #[dyna(updated_at)] updated: Option<u64>, }
    Ce "CE#<id>" "A" () { id: String, #[dyna(created_at)] created: u64, #[dyna(ttl)] ends: Option<u64>, }
    Ue "UE#<id>" "A" () { id: String, #[dyna(updated_at)] updated: Option<u64>, #[dyna(ttl)] ends: Option<u64>, }
    Vcu "VCU#<id>" "A" () {
        id: String,
        #[dyna(created_at)]
        created: u64,
        #[dyna(version)]
        version: u64,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[dyna(updated_at)]
        updated: Option<u64>,
    }
    Vce "VCE#<id>" "A" () {
        id: String,
        #[dyna(created_at)]
        created: u64,
        #[dyna(version)]
        version: u64,
        #[dyna(ttl)]
        ends: Option<u64>,
    }
    Vue "VUE#<id>" "A" () {
        id: String,
        #[dyna(updated_at)]
        updated: Option<u64>,
        #[dyna(version)]
        version: u64,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        #[dyna(ttl)]
        ends: Option<u64>,
    }
    Cue "CUE#<id>" "A" () {
        id: String,
        #[dyna(ttl)]
        ends: Option<u64>,
        #[dyna(updated_at)]
        updated: Option<u64>,
        #[dyna(created_at)]
        created: u64,
    }
    Unique "UNIQUE#<id>" "A" () {
        id: String,
        #[dyna(unique)]
        #[serde(rename = "name")]
        text: String,
        #[dyna(unique)]
        note: Option<i64>,
        nested: Nested,
        #[dyna(updated_at)]
        updated: Option<u64>,
    }
}

fn nested(depth: u32) -> BoxedStrategy<Nested> {
    let choice = match depth {
        0 => any::<String>().prop_map(Choice::One).boxed(),
        depth => prop_oneof![
            Just(Choice::Nothing),
            any::<(i8, u64)>().prop_map(|(a, b)| Choice::Two(a, b)),
            proptest::option::of(nested(depth - 1).prop_map(Box::new))
                .prop_map(|deep| Choice::Named { unit: (), deep }),
        ]
        .boxed(),
    };
    // DynamoDB stores every finite `f32`, and not every `f64`.
    let ratio = any::<f32>().prop_map(f64::from);
    let ratio = ratio.prop_filter("DynamoDB has no such number", |ratio| ratio.is_finite());
    let list = proptest::collection::vec(choice, 0..3);
    let by_name = proptest::collection::btree_map(".+", any::<bool>(), 0..3);
    let all = (ratio, list, by_name);
    all.prop_map(|(ratio, list, by_name)| Nested {
        ratio,
        list,
        by_name,
    })
    .boxed()
}

fn base() -> impl Strategy<Value = Base> {
    use proptest::collection::{btree_map, btree_set, vec};
    use proptest::option::of;
    let plain = (
        "[a-z\"\\\\é]{1,6}",
        any::<u16>(),
        any::<String>().prop_map(|text| format!("!{text}")),
        of(any::<i64>()),
        nested(2),
    );
    let sets = (
        btree_set("[a-z\"\n]{1,9}", 0..3),
        btree_set(any::<i32>(), 0..3),
        vec(any::<u8>(), 0..20),
        of("[a-z]{1,40}"),
        btree_map(
            "[a-z\"]{1,3}|ratio|version|id|updated",
            of(any::<u8>()),
            0..3,
        ),
    );
    let kept = (0..3_u64, any::<u32>(), of(any::<u32>()), of(any::<u32>()));
    (plain, sets, kept).prop_map(
        |((id, n, text, note, nested), (tags, numbers, bytes, owner, rest), kept)| Base {
            id,
            n,
            text,
            note,
            nested,
            tags,
            numbers,
            bytes,
            owner,
            rest,
            version: kept.0,
            created: kept.1.into(),
            updated: kept.2.map(u64::from),
            ends: kept.3.map(u64::from),
        },
    )
}

/// The form that an attribute has in a request.
fn wire(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => json!({ "S": text }),
        AttributeValue::N(digits) => json!({ "N": digits }),
        AttributeValue::B(bytes) => json!({ "B": aws_smithy_types::base64::encode(bytes) }),
        AttributeValue::Bool(value) => json!({ "BOOL": value }),
        AttributeValue::Null(_) => json!({ "NULL": true }),
        AttributeValue::Ss(texts) => json!({ "SS": texts }),
        AttributeValue::Ns(digits) => json!({ "NS": digits }),
        AttributeValue::L(list) => json!({ "L": list.iter().map(wire).collect::<Vec<_>>() }),
        AttributeValue::M(map) => json!({ "M": wire_item(map) }),
        other => panic!("no field is stored as {other:?}"),
    }
}

fn wire_item(item: &Item) -> Value {
    let attributes = item.iter().map(|(name, value)| (name.clone(), wire(value)));
    Value::Object(attributes.collect())
}

/// The item as attributes, and what a write fills into it.
fn expected<E: DynaEntity>(entity: &E, is_create: bool) -> Result<Value, String> {
    let mut item = entity.encode().map_err(|error| error.to_string())?;
    let fields = E::META.managed;
    let number = |number: u64| AttributeValue::N(number.to_string());
    let mut is_new = is_create;
    if let Some(version) = fields.version {
        let attribute = version.name.attribute;
        // A new item does not look at what it brings.
        let before = if is_create {
            0
        } else {
            item[attribute].as_n().unwrap().parse().unwrap()
        };
        is_new |= before == 0;
        item.insert(attribute.to_owned(), number(before + 1));
    }
    let created = fields.created_at.filter(|_| is_new);
    for stamp in created.into_iter().chain(fields.updated_at) {
        item.insert(stamp.name.attribute.to_owned(), number(NOW));
    }
    Ok(wire_item(&item))
}

fn db(answer: &str) -> (Server, Table<Kinds>) {
    let server = Server::new([Answer::new(200, answer)]);
    let now = || SystemTime::UNIX_EPOCH + Duration::from_millis(NOW);
    let db = Kinds::open(server.client()).with_clock(now);
    (server, db)
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().unwrap();
    runtime.block_on(future)
}

/// The members of the one request, or the error.
fn sent<T>(server: &Server, sent: dyna_runtime::Result<T>) -> Result<Value, String> {
    sent.map_err(|error| error.to_string())?;
    Ok(super::server::members(&server.asked()[0]))
}

/// Writes an entity alone and in a transaction.
fn is_written<E: DynaEntity + Replaceable>(entity: &E) -> Result<(), TestCaseError>
where
    Kinds: HasEntity<E>,
{
    for is_create in [false, true] {
        let (server, db) = db("{}");
        let put = || {
            if is_create {
                Put::create(entity)
            } else {
                Put::new(entity)
            }
        };
        let one = sent(&server, run(put().send(&db))).map(|asked| asked["Item"].clone());
        prop_assert_eq!(one, expected(entity, is_create));
        let (server, db) = self::db("{}");
        let together = sent(&server, run(db.transact().put(put()).send()));
        let item = together.map(|asked| asked["TransactItems"][0]["Put"]["Item"].clone());
        prop_assert_eq!(item, expected(entity, is_create));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_item_of_every_kind_is_the_one_of_its_attributes(base in base()) {
        macro_rules! are_written {
            ($($kind:ident)*) => {$( is_written(&$kind::from(&base))?; )*};
        }
        are_written! {
            Plain KeyOnly Flat Native NativeKept V C U E Vc Vu Ve Cu Ce Ue Vcu Vce Vue Cue
        }
    }

    #[test]
    fn an_item_with_unique_fields_has_its_sentinels(base in base()) {
        let entity = Unique::from(&base);
        let (server, db) = db("{}");
        let asked = sent(&server, run(entity.create().send(&db))).unwrap();
        let item = |n: usize| asked["TransactItems"][n]["Put"]["Item"].clone();
        let whole = expected(&entity, true).unwrap();
        prop_assert_eq!(item(0), whole.clone());
        let owner = json!({ "L": [whole["pk"], whole["sk"]] });
        prop_assert_eq!(item(1)["dyna:owner"].clone(), owner.clone());
        prop_assert!(item(1)["pk"]["S"].as_str().unwrap().ends_with(&base.text));
        match base.note {
            Some(_) => prop_assert_eq!(item(2)["dyna:owner"].clone(), owner),
            None => prop_assert!(item(2).is_null()),
        }
    }

    /// Items that are written together, and keys of others, each in its place.
    #[test]
    fn a_batch_writes_each_item_in_its_place(bases in proptest::collection::vec(base(), 1..12)) {
        let (server, db) = db(r#"{"UnprocessedItems":{}}"#);
        let bases: Vec<Base> = bases.into_iter().zip(0..).map(numbered).collect();
        let plain: Vec<Plain> = bases.iter().map(Plain::from).collect();
        let kept: Vec<Cue> = bases.iter().map(Cue::from).collect();
        let batch = db.batch_write().put_all(&plain).delete(Plain::key("gone")).put_all(&kept);
        let asked = sent(&server, run(batch.send())).unwrap();

        let put = |item| json!({ "PutRequest": { "Item": item } });
        let key = json!({ "pk": { "S": "PLAIN#gone" }, "sk": { "S": "A" } });
        let plain = plain.iter().map(|one| put(expected(one, false).unwrap()));
        let kept = kept.iter().map(|one| put(expected(one, false).unwrap()));
        let delete = json!({ "DeleteRequest": { "Key": key } });
        let wanted: Vec<Value> = plain.chain([delete]).chain(kept).collect();
        prop_assert_eq!(&asked["RequestItems"]["kinds"], &Value::Array(wanted));
    }
}

/// Written by hand, with an attribute that is no field.
#[derive(Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "lies", pk = "pk"), pk = "LIE#<id>")]
struct Lie {
    id: String,
}

impl Serialize for Lie {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Lie", 2)?;
        fields.serialize_field("id", &self.id)?;
        fields.serialize_field("pk", "LIE#other")?;
        fields.end()
    }
}

#[test]
fn no_field_poses_as_a_key() {
    let server = Server::new([Answer::new(200, "{}")]);
    let db = Lie::open(server.client());
    let lie = Lie {
        id: "own".to_owned(),
    };
    let told = dyna_runtime::__private::Entity::encode(&lie)
        .unwrap_err()
        .to_string();
    assert_eq!(run(lie.put().send(&db)).unwrap_err().to_string(), told);
    let batch = db.batch_write().put(&lie).send();
    assert_eq!(run(batch).unwrap_err().to_string(), told);
    assert!(server.asked().is_empty());
}

/// The same with another id.
fn numbered((base, n): (Base, u16)) -> Base {
    let id = n.to_string();
    Base { id, ..base }
}

/// What no one looks at is written first, in the order of the fields; what there is as attributes comes behind it.
#[test]
fn only_inspected_attributes_become_maps() {
    let base = Base {
        id: "ann".to_owned(),
        n: 7,
        text: "x".to_owned(),
        note: None,
        nested: Nested {
            ratio: 0.5,
            list: Vec::new(),
            by_name: BTreeMap::new(),
        },
        tags: BTreeSet::new(),
        numbers: BTreeSet::new(),
        bytes: Vec::new(),
        owner: Some("bob".to_owned()),
        rest: BTreeMap::from([("more".to_owned(), Some(1))]),
        version: 1,
        created: 2,
        updated: None,
        ends: Some(3),
    };
    let nested = r#""ratio":{"N":"0.5"},"list":{"L":[]},"by_name":{"M":{}}"#;
    macro_rules! begins {
        ($($kind:ident $fields:expr,)*) => {$({
            let (server, db) = db("{}");
            run($kind::from(&base).create().send(&db)).unwrap();
            let asked = &server.asked()[0];
            let item = asked.split_once(r#""Item":"#).unwrap().1;
            assert!(item.starts_with(&$fields), "{item}");
        })*};
    }
    begins! {
        V r#"{"id":{"S":"ann"},"text":{"S":"x"},"pk":"#,
        Cue r#"{"id":{"S":"ann"},"pk":"#,
        KeyOnly format!(r#"{{"text":{{"S":"x"}},"nested":{{"M":{{{nested}}}}},"pk":"#),
        Flat format!(r#"{{"n":{{"N":"7"}},{nested},"more":{{"N":"1"}},"pk":"#),
        NativeKept r#"{"id":{"S":"ann"},"n":{"N":"7"},"pk":"#,
    }
}
