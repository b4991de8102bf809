//! The access patterns of the design, in its order and under its names.

use crate::model::{PuteaMatai, Startup, Tag, Transaction, Upload};
use dyna_runtime::{Cursor, Page, Result, Table};
use jiff::ToSpan;
use jiff::civil::Date;

type Db = Table<PuteaMatai>;

/// 4.1 Fetch user profile, accounts, and tags in one query for fast app startup.
pub async fn startup(db: &Db, user: &str) -> Result<Vec<Startup>> {
    Startup::query(user).all(db).await
}

/// 4.2 Query a single month: its transactions from one day to another, both included. The month is that of the first day; where the
/// last day may be in another, `multiple_months` is the one to ask, and costs no more if it is not.
pub async fn single_month(
    db: &Db,
    (user, account): (&str, &str),
    from: Date,
    to: Date,
) -> Result<Vec<Transaction>> {
    let month = Transaction::query(user, account, from);
    month.date_range(from..=to).all(db).await
}

/// 4.2 Query multiple months: from one day to another, both included, merged in the order of their dates.
pub async fn multiple_months(
    db: &Db,
    (user, account): (&str, &str),
    from: Date,
    to: Date,
) -> Result<Vec<Transaction>> {
    let months = months(from, to).map(|month| (user, account, month));
    let each = Transaction::query_many(months);
    each.date_range(from..=to).all(db).await
}

/// The same in pages, newest first: one limit and one cursor, however many months there are.
pub async fn multiple_months_in_pages(
    db: &Db,
    (user, account): (&str, &str),
    (from, to): (Date, Date),
    limit: usize,
    after: Option<Cursor>,
) -> Result<Page<Transaction>> {
    let months = months(from, to).map(|month| (user, account, month));
    let newest = Transaction::query_many(months).date_range(from..=to);
    let newest = newest.descending().limit(limit);
    newest.after(after).send(db).await
}

/// 4.3 Fetch uploads for an account.
pub async fn uploads_for_account(db: &Db, user: &str, account: &str) -> Result<Vec<Upload>> {
    Upload::query(user, account).all(db).await
}

/// 4.4 Fetch all tags for a user.
pub async fn tags_for_user(db: &Db, user: &str) -> Result<Vec<Tag>> {
    Tag::query(user).all(db).await
}

/// The first days of the months from one day to another.
pub fn months(from: Date, to: Date) -> impl Iterator<Item = Date> {
    let firsts = from.first_of_month().series(1.month());
    firsts.take_while(move |first| *first <= to)
}
