//! The patterns, the traps and the changes with their sample data, as answers that are compared between engines.

use crate::model::PuteaMatai;
use crate::sample::{self, CARD, EVERYDAY, GROCERIES, NEIGHBOUR, USER};
use crate::{changes, patterns as p, traps};
use dyna_examples::{Answers, Result};
use dyna_runtime::Table;
use jiff::civil::date;

pub async fn of_patterns(to: &mut Answers, db: &Table<PuteaMatai>) {
    let account = (USER, EVERYDAY);
    let startup = "Fetch user profile, accounts, and tags in one query";
    to.ask(startup, p::startup(db, USER)).await;
    let nobody = format!("{startup}: nobody");
    to.ask(&nobody, p::startup(db, "nobody")).await;

    let (from, until) = (date(2025, 8, 11), date(2025, 8, 14));
    let month = p::single_month(db, account, from, until);
    to.ask("Query a single month", month).await;
    let month = p::single_month(db, account, date(2025, 2, 1), date(2025, 2, 28));
    to.ask("Query a single month: all of it", month).await;

    let (from, until) = (date(2025, 1, 1), date(2025, 12, 31));
    let year = p::multiple_months(db, (USER, CARD), from, until);
    to.ask("Query multiple months", year).await;
    let (from, until) = (date(2025, 11, 1), date(2025, 12, 2));
    let page = |after| p::multiple_months_in_pages(db, account, (from, until), 3, after);
    let next = to.page("Query multiple months: in pages", page(None)).await;
    to.page("Query multiple months: next page", page(next))
        .await;

    let uploads = p::uploads_for_account(db, USER, EVERYDAY);
    to.ask("Fetch uploads for an account", uploads).await;
    let uploads = p::uploads_for_account(db, USER, CARD);
    to.ask("Fetch uploads for an account: none", uploads).await;
    let tags = p::tags_for_user(db, USER);
    to.ask("Fetch all tags for a user", tags).await;
}

pub async fn of_traps(to: &mut Answers, db: &Table<PuteaMatai>) -> Result<()> {
    let days = traps::TO_THE_LAST_DAY.send(db);
    to.ask("Query a single month: as designed", days).await;
    let (from, until) = (date(2025, 8, 29), date(2025, 8, 31));
    let days = p::single_month(db, (USER, EVERYDAY), from, until);
    to.ask("Query a single month: to its last day", days).await;
    let other = traps::OTHER_ID.send(db);
    to.ask("Query a single month: another id", other).await;
    traps::add_basket(db).await?;
    let tags = traps::ALL_TAGS.send(db);
    to.ask("Fetch all tags for a user: as designed", tags).await;
    let tags = p::tags_for_user(db, NEIGHBOUR);
    to.ask("Fetch all tags for a user: a late id", tags).await;
    Ok(())
}

pub async fn of_changes(to: &mut Answers, db: &Table<PuteaMatai>) {
    let mut shopping = sample::shopping();
    let day = shopping.date;
    let annotated = changes::annotate(&shopping, &sample::remark());
    let annotated = annotated.returning_new().send(db);
    let annotated = to.ask("Annotate a transaction", annotated).await;
    shopping.date = date(2025, 7, 31);
    let stale = changes::redate(day, &shopping).send(db);
    to.ask(
        "Give a transaction another date: annotated meanwhile",
        stale,
    )
    .await;
    shopping.annotations = annotated.map_or_else(Vec::new, |it| it.annotations);
    let moved = || changes::redate(day, &shopping).send(db);
    to.ask("Give a transaction another date", moved()).await;
    to.ask("Give a transaction another date: again", moved())
        .await;
    let days = (date(2025, 7, 31), day);
    let moved = p::multiple_months(db, (USER, EVERYDAY), days.0, days.1);
    to.ask("Give a transaction another date: what is there", moved)
        .await;
    let renamed = changes::rename_tag(USER, GROCERIES, "Food").send(db);
    to.ask("Rename a tag", renamed).await;
    to.ask("Rename a tag: all tags", p::tags_for_user(db, USER))
        .await;
    let (upload, transactions) = sample::statement();
    let imported = changes::import(db, &upload, &transactions);
    to.ask("Import a statement", imported).await;
    let (from, until) = (upload.date_range.start, upload.date_range.end);
    let imported = p::single_month(db, (USER, EVERYDAY), from, until);
    to.ask("Import a statement: its transactions", imported)
        .await;
}
