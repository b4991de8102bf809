//! The derives do not care what else has a name. That they compile is the test; that they work is shown once.
//!
//! Whole crates of their own stand for what a crate alone can turn on: `no-prelude`, `renamed` and `strict`.

use dyna_runtime::{DynaEntity, DynaFields, DynaTable, KeyPart};
use serde::{Deserialize, Serialize};

/// The three crates have the same entities, and work alike.
macro_rules! works {
    ($($name:ident),*) => {$(
        #[tokio::test]
        async fn $name() {
            use $name::{All, Data, Id, Kind, One, Own, Two};
            let db = All::embedded().await.unwrap();
            let one = One {
                a: Id("a".to_owned()),
                data: Data { c: "C".to_owned() },
                d: dyna_runtime::Ordered(-1),
                e: 8,
                kind: Kind::B,
                f: 9,
                g: Some("g".to_owned()),
                h: Id("h".to_owned()),
            };
            one.create().send(&db).await.unwrap();
            let query = One::query(&one.a, "C", dyna_runtime::Ordered(-1)).e_range(8_u32..);
            assert_eq!(query.one(&db).await.unwrap(), Some(one));
            let two = Two { a: "a".to_owned(), b: 7, n: 3, rest: "r#r".to_owned() };
            two.put().send(&db).await.unwrap();
            assert_eq!(Two::get("a", 7_u64, 3_u16, "r#r").send(&db).await.unwrap(), Some(two));
            let db = Own::embedded().await.unwrap();
            let own = Own { id: Id("a".to_owned()), n: -3 };
            own.put().send(&db).await.unwrap();
            assert_eq!(Own::query(&own.id).n_range(..0_i64).all(&db).await.unwrap(), [own]);
        }
    )*};
}

use dyna_tests_no_prelude as no_prelude;
use dyna_tests_renamed as renamed;
use dyna_tests_strict as strict;

works!(no_prelude, renamed, strict);

/// Everything that generated code could mean is something else here.
mod shadowed {
    #![allow(clippy::too_many_arguments, reason = "one key with all of the names")]

    use super::{Deserialize, DynaEntity, DynaFields, DynaTable, KeyPart, Serialize};

    macro_rules! newtypes {
        ($($name:ident)*) => {$(
            #[allow(dead_code, reason = "that it has the name is enough")]
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, KeyPart)]
            pub(super) struct $name(pub(super) std::string::String);
        )*};
    }

    newtypes! {
        String Vec Result Some None Ok Err Box Key Part Parts S N B Query Get Put Delete Error Draft Steps Done Field
        Name Shape Template Primary Secondary Schema Client KeyBuf KeyError Entity Index Tag Attribute Kind Self_
    }

    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, KeyPart)]
    pub(super) enum Option {
        Some,
        None,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
    pub(super) struct Data {
        pub(super) inner: Key,
    }

    #[derive(DynaTable)]
    #[dyna(
        name = "shadowed",
        pk = "pk",
        sk = "sk",
        index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
    )]
    pub(super) enum Table {
        Item(Item),
        Entity2(Entity2),
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(
        table = Table,
        pk = "ITEM#<string>#<result>#<data.inner>",
        sk = "<vec>#<part>#<s>#<n>#<query>#<out>#<key>",
        gsi1(as = by_some, pk = "SOME#<some>", sk = "<kind>#<table>"),
    )]
    pub(super) struct Item {
        pub(super) string: String,
        pub(super) result: Result,
        pub(super) data: Data,
        pub(super) vec: Vec,
        pub(super) part: Part,
        pub(super) s: S,
        pub(super) n: N,
        pub(super) query: Query,
        pub(super) out: Template,
        pub(super) key: Key,
        pub(super) some: std::option::Option<Some>,
        pub(super) kind: Kind,
        pub(super) table: Option,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = Table, pk = "<pk>", sk = "SK#<range>#<text>#<this>")]
    pub(super) struct Entity2 {
        #[serde(rename = "a")]
        #[dyna(key_only)]
        pub(super) pk: Ok,
        #[dyna(key_only)]
        pub(super) range: Err,
        #[dyna(key_only)]
        pub(super) text: Box,
        #[dyna(key_only)]
        pub(super) this: Self_,
    }

    pub(super) type Db = dyna_runtime::Table<Table>;
}

#[tokio::test]
async fn other_types_of_the_same_names_do_not_matter() {
    use shadowed::{Data, Db, Entity2, Item, Option};
    let text = |text: &str| text.to_owned();
    let engine = dyna_runtime::embedded::Embedded::in_memory().unwrap();
    let db = Db::embedded_in(&engine).await.unwrap();
    let item = Item {
        string: shadowed::String(text("1")),
        result: shadowed::Result(text("2")),
        data: Data {
            inner: shadowed::Key(text("3")),
        },
        vec: shadowed::Vec(text("4")),
        part: shadowed::Part(text("5")),
        s: shadowed::S(text("6")),
        n: shadowed::N(text("7")),
        query: shadowed::Query(text("8")),
        out: shadowed::Template(text("9")),
        key: shadowed::Key(text("10")),
        some: Some(shadowed::Some(text("11"))),
        kind: shadowed::Kind(text("12")),
        table: Option::None,
    };
    item.create().send(&db).await.unwrap();
    let found = Item::by_some(shadowed::Some(text("11")))
        .kind(&item.kind)
        .table(Option::None);
    assert_eq!(found.one(&db).await.unwrap(), Some(item.clone()));
    let found = Item::query(&item.string, &item.result, &item.data.inner)
        .vec(&item.vec)
        .part(&item.part);
    assert_eq!(found.all(&db).await.unwrap(), [item]);
    let other = Entity2 {
        pk: shadowed::Ok(text("a")),
        range: shadowed::Err(text("b")),
        text: shadowed::Box(text("c")),
        this: shadowed::Self_(text("d")),
    };
    other.put().send(&db).await.unwrap();
    assert_eq!(
        Entity2::query(&other.pk)
            .range(&other.range)
            .one(&db)
            .await
            .unwrap(),
        Some(other)
    );
}

/// Keywords as names of fields, in templates too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "raw", pk = "pk", sk = "sk", index(gsi1, pk = "gsi1pk", sk = "gsi1sk")),
    pk = "<r#type>",
    sk = "<r#match:03>#<nested.r#as>#<r#loop>",
    gsi1(as = r#in, pk = "<r#loop>", sk = "<r#fn>"),
)]
struct Raw {
    r#type: String,
    r#match: u16,
    nested: RawNested,
    r#loop: String,
    r#fn: Option<String>,
    r#struct: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct RawNested {
    r#as: String,
}

#[tokio::test]
async fn keywords_are_fields() {
    let db = Raw::embedded().await.unwrap();
    let raw = Raw {
        r#type: "t".to_owned(),
        r#match: 5,
        nested: RawNested {
            r#as: "a".to_owned(),
        },
        r#loop: "l".to_owned(),
        r#fn: Some("f".to_owned()),
        r#struct: true,
    };
    raw.create().send(&db).await.unwrap();
    assert_eq!(
        Raw::query("t")
            .r#match(5_u16)
            .r#as("a")
            .loop_range("a"..)
            .one(&db)
            .await
            .unwrap(),
        Some(raw.clone())
    );
    assert_eq!(
        Raw::r#in("l").fn_starts_with("f").one(&db).await.unwrap(),
        Some(raw.clone())
    );
    assert_eq!(
        Raw::query("t").match_range(6_u16..).one(&db).await.unwrap(),
        None
    );
    assert_eq!(Raw::TYPE.attribute(), "type");
    assert_eq!(
        Raw::parse_key("t", "005#a#l").unwrap(),
        ("t".to_owned(), 5, "a".to_owned(), "l".to_owned())
    );
    let error = Raw::key("t", 5_u16, "#", "l").check().unwrap_err();
    assert_eq!(error.field(), "nested.as");
}

/// Keywords that live in the key alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "raw-keys", pk = "pk", sk = "sk"),
    pk = "RAW#<r#type>",
    sk = "<r#move:03>"
)]
struct RawKeys {
    #[dyna(key_only)]
    r#type: String,
    #[dyna(key_only)]
    r#move: u16,
}

#[tokio::test]
async fn keywords_are_read_from_keys() {
    let db = RawKeys::embedded().await.unwrap();
    let raw = RawKeys {
        r#type: "t".to_owned(),
        r#move: 5,
    };
    raw.create().send(&db).await.unwrap();
    assert_eq!(RawKeys::get("t", 5_u16).send(&db).await.unwrap(), Some(raw));
}

/// Nothing of what is generated is used, and no one warns of it.
mod unused {
    use super::{Deserialize, DynaEntity, DynaFields, DynaTable, KeyPart, Serialize};

    #[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
    #[dyna(
        table(name = "unused", pk = "pk", sk = "sk", index(gsi1, pk = "a", sk = "b")),
        pk = "P#<id>",
        sk = "<kind>#<nested.x>#<n:03>",
        gsi1(pk = "<id>", sk = "<n:03>")
    )]
    pub(crate) struct Unused {
        pub id: Id,
        kind: Kind,
        pub(super) nested: Nested,
        n: u16,
    }

    #[derive(Serialize, Deserialize, KeyPart)]
    struct Private(String);

    #[derive(Serialize, Deserialize, KeyPart)]
    pub(crate) struct Id(Private);

    #[derive(Serialize, Deserialize, KeyPart)]
    pub(crate) enum Kind {
        A,
    }

    #[derive(Serialize, Deserialize, DynaFields)]
    pub(crate) struct Nested {
        pub(crate) x: String,
        private: Option<u8>,
    }

    /// `Debug` is not asked of an entity, nor `Clone`.
    pub(super) fn make() -> Unused {
        let nested = Nested {
            x: String::new(),
            private: None,
        };
        Unused {
            id: Id(Private(String::new())),
            kind: Kind::A,
            nested,
            n: 1,
        }
    }
}

#[test]
fn unused_entities_have_keys() {
    let unused = unused::make();
    assert!(unused.put().explain().get("Error").is_some());
    assert_eq!(unused.nested.x, "");
}

/// Entities may be declared in a function, with all that they refer to.
#[tokio::test]
async fn entities_may_be_local() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, KeyPart)]
    enum State {
        On,
    }

    #[derive(DynaTable)]
    #[dyna(name = "local", pk = "pk", sk = "sk")]
    enum Local {
        Entry(Entry),
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = Local, pk = "<state>", sk = "<id>")]
    struct Entry {
        state: State,
        id: String,
    }

    let db = Local::embedded().await.unwrap();
    let entry = Entry {
        state: State::On,
        id: "a".to_owned(),
    };
    entry.create().send(&db).await.unwrap();
    assert_eq!(
        Entry::query(State::On)
            .id_starts_with("a")
            .all(&db)
            .await
            .unwrap(),
        [entry]
    );
}

/// Names that generated code has too: of the steps of a query, and of an argument.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "recipes", pk = "pk", sk = "sk"),
    pk = "COOK#<cook.id>",
    sk = "<id>#<steps>"
)]
struct Recipe {
    cook: Cook,
    id: String,
    steps: RecipeSteps,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaFields)]
struct Cook {
    id: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, KeyPart)]
struct RecipeSteps(String);

#[tokio::test]
async fn generated_names_do_not_meet_those_of_the_user() {
    let db = Recipe::embedded().await.unwrap();
    let recipe = Recipe {
        cook: Cook {
            id: "ann".to_owned(),
        },
        id: "pie".to_owned(),
        steps: RecipeSteps("bake".to_owned()),
    };
    recipe.create().send(&db).await.unwrap();
    let found = Recipe::query("ann").id("pie").steps(&recipe.steps);
    assert_eq!(found.one(&db).await.unwrap(), Some(recipe.clone()));
    assert_eq!(
        Recipe::get("ann", "pie", &recipe.steps)
            .send(&db)
            .await
            .unwrap(),
        Some(recipe)
    );
}
