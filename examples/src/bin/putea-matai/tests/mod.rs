//! The patterns find exactly what they name, items are stored as in the design, and the account is true.

mod changes;
mod items;

use crate::model::{PuteaMatai, Startup, Transaction};
use crate::sample::{self, CARD, EVERYDAY, NEIGHBOUR, SAVINGS, USER};
use crate::{Account, opened, patterns, traps};
use aws_sdk_dynamodb::types::KeySchemaElement;
use dyna_examples::{Answers, COLUMNS, Engine, Model};
use dyna_runtime::Table;
use jiff::civil::{Date, date};

async fn with_samples() -> Table<PuteaMatai> {
    opened(&Engine::embedded().unwrap()).await.unwrap()
}

/// What was written to the account of the user, from one day to another, in the order of the keys.
fn written(account: &str, from: Date, until: Date) -> Vec<Transaction> {
    let mut all = sample::transactions();
    all.retain(|it| it.user_id == USER && it.account_id == account);
    all.retain(|it| from <= it.date && it.date <= until);
    all
}

fn ids(transactions: &[Transaction]) -> Vec<&str> {
    let ids = transactions.iter().map(|it| it.transaction_id.as_str());
    ids.collect()
}

#[tokio::test]
async fn startup_has_the_profile_then_the_accounts_then_the_tags() {
    let db = &with_samples().await;
    let [user, _] = sample::users();
    let [everyday, savings, card, _] = sample::accounts();
    let mut expected = vec![Startup::Profile(user)];
    expected.extend([everyday, savings, card].map(Startup::Account));
    let mut tags = sample::tags();
    tags.retain(|tag| tag.user_id == USER);
    expected.extend(tags.into_iter().map(Startup::Tag));
    let found = patterns::startup(db, USER).await.unwrap();
    assert_eq!(found, expected);
    assert_eq!(found.len(), 1 + 3 + 6);
    assert_eq!(patterns::startup(db, "nobody").await.unwrap(), []);
}

#[test]
fn startup_is_one_query_without_a_filter() {
    let request = Startup::query(USER).explain();
    assert_eq!(
        request.get("KeyConditionExpression"),
        Some("PK = :p AND SK BETWEEN :s AND :t")
    );
    assert_eq!(request.get("FilterExpression"), None);
}

#[tokio::test]
async fn a_single_month_is_found_by_dates_that_both_belong_to_it() {
    let db = &with_samples().await;
    let (from, until) = (date(2025, 8, 12), date(2025, 8, 15));
    let found = patterns::single_month(db, (USER, EVERYDAY), from, until);
    let found = found.await.unwrap();
    // The 15th is a Friday.
    let expected = [
        "txn-0812",
        "txn-0813",
        "txn-abc123",
        "txn-def456",
        "txn-0814",
        "txn-0815",
        "txn-0815-b",
    ];
    assert_eq!(ids(&found), expected);
    assert_eq!(found, written(EVERYDAY, from, until));
    assert_eq!(found[2], sample::shopping());

    // 31 days, five Fridays, and the two of the document.
    let august = patterns::single_month(db, (USER, EVERYDAY), date(2025, 8, 1), date(2025, 8, 31));
    assert_eq!(august.await.unwrap().len(), 31 + 5 + 2);
}

#[tokio::test]
async fn a_month_is_of_one_account_of_one_user() {
    let db = &with_samples().await;
    let month = |user, account| {
        let (from, until) = (date(2025, 8, 1), date(2025, 8, 31));
        patterns::single_month(db, (user, account), from, until)
    };
    let found = month(USER, SAVINGS).await.unwrap();
    assert_eq!(ids(&found), ["txn-0801"]);
    let found = month(NEIGHBOUR, EVERYDAY).await.unwrap();
    assert_eq!(
        found,
        &sample::transactions()[sample::transactions().len() - 1..]
    );
    assert_eq!(month(NEIGHBOUR, SAVINGS).await.unwrap(), []);
}

#[tokio::test]
async fn several_months_are_merged_by_date() {
    let db = &with_samples().await;
    let (from, until) = (date(2025, 7, 30), date(2025, 8, 2));
    let found = patterns::multiple_months(db, (USER, EVERYDAY), from, until);
    let found = found.await.unwrap();
    let expected = ["txn-0730", "txn-0731", "txn-0801", "txn-0801-b", "txn-0802"];
    assert_eq!(ids(&found), expected);

    let (from, until) = (date(2025, 1, 1), date(2025, 12, 31));
    let year = patterns::multiple_months(db, (USER, EVERYDAY), from, until);
    let year = year.await.unwrap();
    assert_eq!(year, written(EVERYDAY, from, until));
    // The days of 2025, its Fridays, and the two of the document.
    assert_eq!(year.len(), 365 + 52 + 2);
    let year = patterns::multiple_months(db, (USER, CARD), from, until);
    assert_eq!(year.await.unwrap().len(), 122);
    let never = patterns::multiple_months(db, (USER, EVERYDAY), until, from);
    assert_eq!(never.await.unwrap(), []);
}

#[test]
fn the_months_are_those_that_have_a_day_in_the_range() {
    let months = |from, until| patterns::months(from, until).collect::<Vec<_>>();
    let expected = [date(2024, 12, 1), date(2025, 1, 1), date(2025, 2, 1)];
    assert_eq!(months(date(2024, 12, 31), date(2025, 2, 1)), expected);
    assert_eq!(
        months(date(2025, 1, 31), date(2025, 1, 31)),
        [date(2025, 1, 1)]
    );
    assert_eq!(months(date(2025, 2, 1), date(2025, 1, 31)), []);
    assert_eq!(months(Date::MAX, Date::MAX), [Date::MAX.first_of_month()]);
}

#[tokio::test]
async fn several_months_come_in_pages_with_one_cursor() {
    let db = &with_samples().await;
    let range = (date(2025, 11, 1), date(2025, 12, 2));
    let page = |after| patterns::multiple_months_in_pages(db, (USER, EVERYDAY), range, 3, after);
    let first = page(None).await.unwrap();
    assert_eq!(ids(&first.items), ["txn-1202", "txn-1201", "txn-1130"]);
    let second = page(first.next.clone()).await.unwrap();
    assert_eq!(ids(&second.items), ["txn-1129", "txn-1128-b", "txn-1128"]);

    let mut all = first.items;
    let mut next = first.next;
    while let Some(cursor) = next {
        let page = page(Some(cursor)).await.unwrap();
        all.extend(page.items);
        next = page.next;
    }
    all.reverse();
    assert_eq!(all, written(EVERYDAY, range.0, range.1));
}

#[tokio::test]
async fn uploads_are_found_by_account() {
    let db = &with_samples().await;
    let mut expected = sample::uploads();
    expected.sort_by(|a, b| a.upload_id.cmp(&b.upload_id));
    let found = patterns::uploads_for_account(db, USER, EVERYDAY);
    let found = found.await.unwrap();
    assert_eq!(found, expected);
    assert_eq!(found.len(), 12);
    assert_eq!(found[11].upload_id, "upload-789xyz");
    let found = patterns::uploads_for_account(db, USER, SAVINGS);
    assert_eq!(found.await.unwrap(), []);
    let found = patterns::uploads_for_account(db, NEIGHBOUR, EVERYDAY);
    assert_eq!(found.await.unwrap(), []);
}

#[tokio::test]
async fn tags_are_found_by_user() {
    let db = &with_samples().await;
    let found = patterns::tags_for_user(db, USER).await.unwrap();
    assert_eq!(found, sample::tags()[..6]);
    let found = patterns::tags_for_user(db, NEIGHBOUR).await.unwrap();
    assert_eq!(found, sample::tags()[6..]);
}

#[tokio::test]
async fn the_last_day_is_left_out_as_designed() {
    let db = &with_samples().await;
    let pk = "USER#user-1234abcd#ACCOUNT#account-5678efgh#2025-08";
    let found = traps::TO_THE_LAST_DAY.ask(db).await.unwrap();
    let expected = ["29#txn-0829", "29#txn-0829-b", "30#txn-0830"];
    let expected = expected.map(|end| format!("{pk} TRANSACTION#2025-08-{end}"));
    assert_eq!(found, expected);
    let (from, until) = (date(2025, 8, 29), date(2025, 8, 31));
    let found = patterns::single_month(db, (USER, EVERYDAY), from, until);
    let expected = ["txn-0829", "txn-0829-b", "txn-0830", "txn-0831"];
    assert_eq!(ids(&found.await.unwrap()), expected);
}

#[tokio::test]
async fn the_id_of_the_sample_transaction_is_of_no_account() {
    let db = &with_samples().await;
    assert!(traps::OTHER_ID.ask(db).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_tag_may_sort_after_the_designed_end() {
    let db = &with_samples().await;
    traps::add_basket(db).await.unwrap();
    let found = traps::ALL_TAGS.ask(db).await.unwrap();
    assert_eq!(found, ["USER#user-1234abce TAG#tag-001"]);
    let [food] = &sample::tags()[6..] else {
        panic!("the neighbour has one tag")
    };
    let found = patterns::tags_for_user(db, NEIGHBOUR).await.unwrap();
    assert_eq!(found, [food.clone(), traps::basket()]);
}

#[tokio::test]
async fn no_user_reads_the_uploads_of_another() {
    let db = &with_samples().await;
    let intruder = format!("{USER}#ACCOUNT#{EVERYDAY}");
    let error = patterns::startup(db, &intruder).await.unwrap_err();
    let expected = "User: key field `user_id` contains the delimiter '#'";
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn the_table_is_the_one_of_the_design() {
    let db = with_samples().await;
    let table = db
        .client()
        .describe_table()
        .table_name("putea-matai-example");
    let table = table.send().await.unwrap().table.unwrap();
    let key = table
        .key_schema()
        .iter()
        .map(KeySchemaElement::attribute_name);
    assert_eq!(key.collect::<Vec<_>>(), ["PK", "SK"]);
    assert!(table.global_secondary_indexes().is_empty());
}

#[tokio::test]
async fn every_item_is_of_one_entity() {
    let db = &with_samples().await;
    let items = PuteaMatai::scan().all(db).await.unwrap();
    let is = |entity: fn(&PuteaMatai) -> bool| items.iter().filter(|it| entity(it)).count();
    assert_eq!(is(|it| matches!(it, PuteaMatai::User(_))), 2);
    assert_eq!(is(|it| matches!(it, PuteaMatai::Account(_))), 4);
    assert_eq!(is(|it| matches!(it, PuteaMatai::Tag(_))), 7);
    assert_eq!(is(|it| matches!(it, PuteaMatai::Upload(_))), 12);
    let transactions = (365 + 52 + 2) + 12 + 122 + 1;
    assert_eq!(
        is(|it| matches!(it, PuteaMatai::Transaction(_))),
        transactions
    );
}

#[tokio::test]
async fn the_account_fits_the_terminal() {
    let mut account = Account::default();
    let engine = Engine::embedded().unwrap();
    PuteaMatai::tell(&engine, &mut account).await.unwrap();
    let text = account.to_string();
    let wide: Vec<_> = text
        .lines()
        .filter(|line| line.chars().count() > COLUMNS)
        .collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[tokio::test]
async fn every_pattern_answers_but_what_is_meant_to_be_refused() {
    let mut answers = Answers::default();
    let engine = Engine::embedded().unwrap();
    PuteaMatai::answer(&engine, &mut answers).await.unwrap();
    let answers = answers.into_vec();
    assert_eq!(answers.len(), 24);
    let refused: Vec<_> = answers
        .iter()
        .filter_map(|a| Some((a.pattern.as_str(), a.answer.get("refused")?.as_str()?)))
        .collect();
    let stale = "Give a transaction another date: annotated meanwhile";
    let again = "Give a transaction another date: again";
    let cancelled = "TransactionCanceledException: 0 ConditionFailed";
    let both = &format!("{cancelled}, 1 ConditionFailed");
    assert_eq!(refused, [(stale, cancelled), (again, both.as_str())]);
}
