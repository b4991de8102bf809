//! The source of the reads of an entity.

use super::Index;
use super::emit::Case;
use std::fmt::Write as _;

/// The reads of the table and its indexes: the method, what it gives, the calls on the query of an index, whether the index must hold
/// whole items, and the calls on the query of the table.
const READS: &[(&str, &str, &str, bool, &str)] = &[
    ("all", "Vec<Self>", "all(db)", true, "consistent().all(db)"),
    (
        "newest",
        "Vec<Self>",
        "descending().all(db)",
        true,
        "descending().all(db)",
    ),
    ("hydrated", "Vec<Self>", "hydrate().all(db)", false, ""),
    ("count", "usize", "count(db)", false, "count(db)"),
    (
        "views",
        "Vec<View>",
        "project::<View>().all(db)",
        true,
        "project::<View>().all(db)",
    ),
];

/// The same for all entities.
const COMMON: &str = r#"
        fn range<'a>(&self, db: &'a Table<Tab>, low: u32, high: u32) -> ResponseFuture<'a, Vec<Self>> { Thing::query(self.id.clone()).n_range(low..=high).all(db) }
        fn live<'a>(&self, db: &'a Table<Tab>) -> ResponseFuture<'a, Vec<Self>> { Thing::query(self.id.clone()).skip_expired().all(db) }
        fn paged<'a>(&self, db: &'a Table<Tab>, after: Option<Cursor>) -> ResponseFuture<'a, Page<Self>> { Thing::query(self.id.clone()).limit(2).after(after).send(db) }
        fn readable<'a>(&self, db: &'a Table<Tab>, after: Option<Cursor>) -> ResponseFuture<'a, Page<Self>> { Thing::query(self.id.clone()).limit(2).after(after).skip_unreadable().send(db) }
        fn both<'a>(&self, db: &'a Table<Tab>) -> ResponseFuture<'a, Vec<Both>> { Both::query(self.id.clone()).all(db) }
        fn table(db: &Table<Tab>) -> ResponseFuture<'_, Vec<Tab>> { Tab::scan().all(db) }
        fn scanned(db: &Table<Tab>) -> ResponseFuture<'_, Vec<Self>> { Thing::scan().segments(2).all(db) }
        fn scan_count(db: &Table<Tab>) -> ResponseFuture<'_, usize> { Thing::scan().count(db) }
        fn scan_views(db: &Table<Tab>) -> ResponseFuture<'_, Vec<View>> { Thing::scan().project::<View>().all(db) }
        fn as_both(&self) -> Both { Both::Thing(self.clone()) }
        fn as_tab(&self) -> Tab { Tab::Thing(self.clone()) }
        fn view(&self) -> View { self.viewed() }
        fn side(&self, m: u16) -> Side { Side { id: self.id.clone(), m, words: "side".to_owned() } }
        fn side_as_both(side: &Side) -> Both { Both::Side(side.clone()) }
        fn side_as_tab(side: &Side) -> Tab { Tab::Side(side.clone()) }
        fn side_item(side: &Side) -> Item {
            let mut item = Item::default();
            item.insert("id", text(&side.id));
            item.insert("m", number(side.m));
            item.insert("words", text(&side.words));
            item.insert("sk", text(&format!("SIDE#{:03}", side.m)));
            item.insert("entityType", text("Side"));
            item
        }
"#;

/// Of an entity whose sort key ends with any text.
const STARTING: &str = "
        fn starting<'a>(&self, db: &'a Table<Tab>) -> Option<(ResponseFuture<'a, Vec<Self>>, fn(&Self, &Self) -> bool)> {
            let found = Thing::query(self.id.clone()).n(self.n).path_starts_with(\"a\").all(db);
            Some((found, |one, like| one.n == like.n && one.path.starts_with('a')))
        }
";

impl Case<'_> {
    pub(super) fn reads(&self) -> String {
        let mut out = COMMON.to_owned();
        if self.has("rest") {
            out += STARTING;
        }
        for (name, gives, calls, must_be_whole, of_table) in READS {
            let mut arms = String::new();
            if !of_table.is_empty() {
                let _ = write!(
                    arms,
                    "0 => Some(Thing::query(self.id.clone()).{of_table}), "
                );
            }
            for (at, Index { query, whole, .. }) in self.indexes().enumerate() {
                if *whole || !must_be_whole {
                    let at = at + 1;
                    let _ = write!(arms, "{at} => ({query}).map(|query| query.{calls}), ");
                }
            }
            out += &method(name, gives, &arms);
        }
        let scans = self.indexes().enumerate().map(|(at, index)| {
            let (at, constant) = (at + 1, index.accessor.to_uppercase());
            format!("{at} => Some(Thing::scan().index(Tab::{constant}).hydrate().all(db)), ")
        });
        out + &method("index_scan", "Vec<Self>", &scans.collect::<String>())
    }
}

/// A read of the key that is given by its number.
fn method(name: &str, gives: &str, arms: &str) -> String {
    let head = format!("fn {name}<'a>(&self, db: &'a Table<Tab>, at: usize)");
    format!("{head} -> Option<ResponseFuture<'a, {gives}>> {{ match at {{ {arms} _ => None }} }}\n")
}
