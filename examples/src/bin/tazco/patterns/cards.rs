//! `tazco-cards`.

use crate::model::{Card, CardStatus};
use dyna_runtime::{Result, Table};

type Db = Table<Card>;

/// `findById`
pub async fn find_by_id(db: &Db, ecosystem_id: &str, card_id: &str) -> Result<Option<Card>> {
    Card::get(ecosystem_id, card_id).send(db).await
}

/// `findByUser`, with an optional status: then it asks the index, which reads no card of another status.
pub async fn find_by_user(
    db: &Db,
    ecosystem_id: &str,
    status: Option<CardStatus>,
) -> Result<Vec<Card>> {
    match status {
        None => Card::query(ecosystem_id).all(db).await,
        Some(status) => {
            let cards = Card::of_user_by_status(ecosystem_id);
            cards.status(status).all(db).await
        }
    }
}

/// `updateBalance`: fails with `is_version_conflict` if the card has changed since it was loaded.
pub async fn update_balance(db: &Db, card: &Card, balance: i64) -> Result<Card> {
    let change = Card::update_loaded(card)
        .set(Card::BALANCE, balance)
        .set(Card::AVAILABLE_CREDIT, card.limit - balance);
    change.returning_new().send(db).await
}
