//! What is written after a transaction has come in: a remark on it, another date, and the statement of a whole month.

use crate::model::{Annotation, PuteaMatai, Tag, Transaction, Upload};
use dyna_runtime::{Rekey, Result, Table, Update};
use jiff::civil::Date;

/// Adds an annotation after those that are there, without reading them, if there is such a transaction.
pub fn annotate(transaction: &Transaction, annotation: &Annotation) -> Update<Transaction> {
    let Transaction {
        user_id,
        account_id,
        date,
        transaction_id,
        ..
    } = transaction;
    Transaction::update(user_id, account_id, date, transaction_id)
        .append(Transaction::ANNOTATIONS, [annotation])
}

/// Gives a transaction another date. The date is in its key, so this is a move, maybe to another month's partition. It fails if the
/// transaction was annotated since it was read: a move writes the whole item, and would lose that.
pub fn redate(from: Date, transaction: &Transaction) -> Rekey<'_, Transaction> {
    let Transaction {
        user_id,
        account_id,
        transaction_id,
        annotations,
        ..
    } = transaction;
    let old = Transaction::key(user_id, account_id, from, transaction_id);
    let unchanged = Transaction::ANNOTATIONS.eq(annotations);
    Transaction::rekey(old, transaction).when(unchanged)
}

/// Gives a tag another text.
pub fn rename_tag(user: &str, tag: &str, text: &str) -> Update<Tag> {
    Tag::update(user, tag).set(Tag::TEXT, text)
}

/// Writes the transactions of a statement, and when all are there, that it was uploaded. A statement that is imported again writes the same
/// items again.
pub async fn import(
    db: &Table<PuteaMatai>,
    upload: &Upload,
    transactions: &[Transaction],
) -> Result<()> {
    let mut left = db.batch_write().put_all(transactions);
    while !left.is_empty() {
        left = left.send().await?;
    }
    upload.put().send(db).await
}
