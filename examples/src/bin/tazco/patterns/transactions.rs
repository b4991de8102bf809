//! `tazco-transactions`.

use crate::model::{Transaction, TransactionType};
use dyna_runtime::{Cursor, Page, Result, Table};
use uuid::Uuid;

type Db = Table<Transaction>;

/// `findByCard`, newest first, with an optional type. DynamoDB filters, so a page is full as long as there is more, and its cursor is
/// opaque text that opens no other card.
pub async fn find_by_card(
    db: &Db,
    (ecosystem_id, card_id): (&str, &str),
    r#type: Option<TransactionType>,
    limit: usize,
    after: Option<Cursor>,
) -> Result<Page<Transaction>> {
    let newest = Transaction::query(ecosystem_id, card_id).descending();
    let newest = match r#type {
        Some(r#type) => newest.filter(Transaction::TYPE.eq(r#type)),
        None => newest,
    };
    newest.limit(limit).after(after).send(db).await
}

/// `findById`
pub async fn find_by_id(
    db: &Db,
    (ecosystem_id, card_id): (&str, &str),
    transaction_id: Uuid,
) -> Result<Option<Transaction>> {
    let get = Transaction::get(ecosystem_id, card_id, transaction_id);
    get.send(db).await
}

/// `getRecent`
pub async fn get_recent(
    db: &Db,
    (ecosystem_id, card_id): (&str, &str),
    limit: usize,
) -> Result<Vec<Transaction>> {
    let newest = Transaction::query(ecosystem_id, card_id).descending();
    newest.limit(limit).all(db).await
}
