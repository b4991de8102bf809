//! A catalog of films that `DynamoDB-Toolbox` writes: `toolbox.mjs` has the same model.

use crate::Model;
use dyna_runtime::{DynaEntity, DynaTable, Result, Table};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::{BTreeMap, BTreeSet};

/// The table.
#[derive(Debug, DynaTable)]
#[dyna(
    name = "toolbox-{copy}",
    pk = "pk",
    sk = "sk",
    tag = "_et",
    index(gsi1, pk = "gsi1pk", sk = number("gsi1sk"))
)]
pub enum Catalog {
    /// `Film`
    Film(Film),
    /// `Review`
    Review(Review),
    /// `Counter`
    Counter(Counter),
}

/// A film: its key is computed, and its links are an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Catalog,
    pk = "FILM#<id>",
    sk = "FILM",
    gsi1(as = by_country, pk = "COUNTRY#<country>", sk = "<year>"),
)]
pub struct Film {
    id: String,
    #[serde(rename = "t")]
    title: String,
    year: u16,
    rating: Option<f64>,
    #[serde(default, with = "dyna_runtime::serde::string_set")]
    genres: Option<BTreeSet<String>>,
    cast: Option<Vec<Role>>,
    names: Option<BTreeMap<String, String>>,
    poster: Option<ByteBuf>,
    seen: bool,
    country: Option<String>,
    #[dyna(created_at)]
    #[serde(rename = "_ct", with = "dyna_runtime::serde::rfc3339")]
    created: Timestamp,
    #[dyna(updated_at)]
    #[serde(rename = "_md", with = "dyna_runtime::serde::rfc3339")]
    modified: Timestamp,
}

/// Somebody in a film.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Role {
    name: String,
    #[serde(rename = "r")]
    role: Option<String>,
}

/// A review: its attributes are in the key alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Catalog, pk = "FILM#<film_id>", sk = "REVIEW#<user_id>")]
pub struct Review {
    #[dyna(key_only)]
    film_id: String,
    #[dyna(key_only)]
    user_id: String,
    stars: u8,
    verdict: Option<Verdict>,
    extra: Option<serde_json::Value>,
    #[dyna(created_at)]
    #[serde(rename = "ca", with = "dyna_runtime::serde::rfc3339")]
    created: Timestamp,
    #[dyna(updated_at)]
    #[serde(rename = "ma", with = "dyna_runtime::serde::rfc3339")]
    modified: Timestamp,
}

/// A union with a discriminator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Verdict {
    Text { text: String },
    Video { url: String, seconds: u32 },
}

/// A counter: its key attributes are what they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Catalog, pk = "<name>", sk = "#")]
pub struct Counter {
    #[serde(rename = "pk")]
    name: String,
    count: u64,
}

impl Model for Catalog {
    const LIBRARY: &'static str = "toolbox";

    async fn read_all(db: &Table<Self>) -> Result<Vec<Self>> {
        Self::scan().consistent().all(db).await
    }

    async fn write_back(self, db: &Table<Self>) -> Result<()> {
        match self {
            Self::Film(film) => film.put().send(db).await,
            Self::Review(review) => review.put().send(db).await,
            Self::Counter(counter) => counter.put().send(db).await,
        }
    }

    async fn change(db: &Table<Self>) -> Result<()> {
        let film = Film::update("f1").set(Film::SEEN, false);
        film.set(Film::RATING, 8.4).send(db).await?;
        let review = Review::update("f1", "bob").add(Review::STARS, 1);
        review.remove(Review::VERDICT).send(db).await?;
        Review::delete("f2", "ann").send(db).await?;
        Counter::update("films")
            .add(Counter::COUNT, 1)
            .send(db)
            .await?;
        let film = Film {
            id: "f3".into(),
            title: "Amélie".into(),
            year: 2001,
            rating: None,
            genres: Some(BTreeSet::from(["comedy".into()])),
            cast: None,
            names: None,
            poster: None,
            seen: false,
            country: Some("fr".into()),
            created: Timestamp::UNIX_EPOCH,
            modified: Timestamp::UNIX_EPOCH,
        };
        film.create().send(db).await?;
        let review = Review {
            film_id: "f3".into(),
            user_id: "cy".into(),
            stars: 5,
            verdict: None,
            extra: None,
            created: Timestamp::UNIX_EPOCH,
            modified: Timestamp::UNIX_EPOCH,
        };
        review.create().send(db).await?;
        let counter = Counter {
            name: "reviews".into(),
            count: 3,
        };
        counter.create().send(db).await
    }
}
