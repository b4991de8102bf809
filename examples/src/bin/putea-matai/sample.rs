//! What is in the table: the items of the document, and around them a year of a household with three accounts.

use crate::model::{Account, Annotation, DateRange, Preferences, PuteaMatai, Tag, Transaction};
use crate::model::{Upload, User};
use dyna_runtime::{Result, Table};
use jiff::civil::{Date, Weekday, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use rust_decimal::Decimal;

pub const USER: &str = "user-1234abcd";
pub const NEIGHBOUR: &str = "user-1234abce";
pub const EVERYDAY: &str = "account-5678efgh";
pub const SAVINGS: &str = "account-6789fghi";
pub const CARD: &str = "account-7890ghij";
pub const GROCERIES: &str = "tag-001";

const TAGS: [(&str, &str); 6] = [
    (GROCERIES, "Groceries"),
    ("tag-002", "Entertainment"),
    ("tag-003", "Transport"),
    ("tag-004", "Home"),
    ("tag-005", "Health"),
    ("tag-006", "Savings"),
];

/// Where money goes: a merchant and the place of its tag.
const MERCHANTS: [(&str, usize); 7] = [
    ("Supermarket X", 0),
    ("Cafe Y", 1),
    ("Harbour Ferries", 2),
    ("Corner Dairy", 0),
    ("Kowhai Hardware", 3),
    ("Karori Pharmacy", 4),
    ("Embassy Cinema", 1),
];

/// Writes it all.
pub async fn write(db: &Table<PuteaMatai>) -> Result<()> {
    let mut left = db
        .batch_write()
        .put_all(&users())
        .put_all(&accounts())
        .put_all(&tags())
        .put_all(&transactions())
        .put_all(&uploads());
    while !left.is_empty() {
        left = left.send().await?;
    }
    Ok(())
}

/// What the schema shows: all of it but the transactions of other months than August.
pub fn shown() -> Vec<PuteaMatai> {
    let mut shown: Vec<PuteaMatai> = users().map(PuteaMatai::from).into();
    shown.extend(accounts().map(PuteaMatai::from));
    shown.extend(tags().into_iter().map(PuteaMatai::from));
    let august = transactions().into_iter().filter(|it| it.date.month() == 8);
    shown.extend(august.map(PuteaMatai::from));
    shown.extend(uploads().into_iter().map(PuteaMatai::from));
    shown
}

/// The user of the document, and one whose id sorts right after.
pub fn users() -> [User; 2] {
    [(USER, "user@example.com"), (NEIGHBOUR, "next@example.com")].map(|(id, email)| User {
        user_id: id.to_owned(),
        email: email.to_owned(),
        preferences: Preferences {
            currency: "NZD".to_owned(),
            timezone: "Pacific/Auckland".to_owned(),
        },
    })
}

/// Three of the user, and one of the neighbour that has the id of the user's first.
pub fn accounts() -> [Account; 4] {
    let opened = date(2023, 5, 1);
    [
        (USER, EVERYDAY, "Everyday Checking", opened),
        (USER, SAVINGS, "Rainy Day", opened),
        (USER, CARD, "Credit Card", date(2024, 2, 29)),
        (NEIGHBOUR, EVERYDAY, "Joint", opened),
    ]
    .map(|(user, id, name, opened)| Account {
        user_id: user.to_owned(),
        account_id: id.to_owned(),
        name: name.to_owned(),
        currency: "NZD".to_owned(),
        created_at: at(opened, 12, 0),
    })
}

/// Six of the user, and one of the neighbour.
pub fn tags() -> Vec<Tag> {
    let tag = |user: &str, id: &str, text: &str| Tag {
        user_id: user.to_owned(),
        tag_id: id.to_owned(),
        text: text.to_owned(),
    };
    let mut tags: Vec<_> = TAGS.iter().map(|(id, text)| tag(USER, id, text)).collect();
    tags.push(tag(NEIGHBOUR, GROCERIES, "Food"));
    tags
}

/// The transaction of the document, under the id of the document's account.
pub fn shopping() -> Transaction {
    Transaction {
        transaction_id: "txn-abc123".to_owned(),
        notes: Some("Weekly shopping".to_owned()),
        annotations: vec![Annotation {
            annotation_id: "ann-456def".to_owned(),
            text: "Expected increase in grocery costs next month".to_owned(),
            r#type: "advisory".to_owned(),
            created_at: at(date(2025, 8, 14), 9, 0),
        }],
        ..transaction(EVERYDAY, date(2025, 8, 13), 0, 15_075)
    }
}

/// Another annotation for it.
pub fn remark() -> Annotation {
    Annotation {
        annotation_id: "ann-789ghi".to_owned(),
        text: "Paid back in part".to_owned(),
        r#type: "advisory".to_owned(),
        created_at: at(date(2025, 8, 20), 18, 30),
    }
}

/// The transactions of 2025, account by account, each account's in the order of their keys.
pub fn transactions() -> Vec<Transaction> {
    let mut all = everyday();
    all.extend(savings());
    all.extend(card());
    all.push(Transaction {
        user_id: NEIGHBOUR.to_owned(),
        ..transaction(EVERYDAY, date(2025, 8, 13), 3, 880)
    });
    all
}

/// One each day, a second one on Fridays, and on 13 August also the two of the document.
fn everyday() -> Vec<Transaction> {
    let mut all = Vec::new();
    for (n, day) in days().enumerate() {
        all.push(transaction(EVERYDAY, day, n, cents(n)));
        if day.weekday() == Weekday::Friday {
            let mut second = transaction(EVERYDAY, day, n + 3, cents(n + 3));
            second.transaction_id.push_str("-b");
            all.push(second);
        }
    }
    all.push(shopping());
    all.push(Transaction {
        transaction_id: "txn-def456".to_owned(),
        ..transaction(EVERYDAY, date(2025, 8, 13), 1, 1_250)
    });
    all.sort_by(|a, b| (a.date, &a.transaction_id).cmp(&(b.date, &b.transaction_id)));
    all
}

/// What is put aside on the first of each month.
fn savings() -> Vec<Transaction> {
    let firsts = days().filter(|day| day.day() == 1);
    let put_aside = firsts.map(|day| Transaction {
        merchant: "Own transfer".to_owned(),
        tag_ids: vec![TAGS[5].0.to_owned()],
        tags: vec![TAGS[5].1.to_owned()],
        ..transaction(SAVINGS, day, 0, 20_000)
    });
    put_aside.collect()
}

/// One every third day.
fn card() -> Vec<Transaction> {
    let days = days().enumerate().step_by(3);
    days.map(|(n, day)| transaction(CARD, day, n * 2, cents(n * 5)))
        .collect()
}

/// A statement for each month of the first account, of which July's is the document's.
pub fn uploads() -> Vec<Upload> {
    let firsts = days().filter(|day| day.day() == 1);
    firsts.map(upload).collect()
}

/// The statement of the month that begins on this day, uploaded on the 15th of the next one.
fn upload(first: Date) -> Upload {
    let month = first.strftime("%Y-%m");
    Upload {
        user_id: USER.to_owned(),
        account_id: EVERYDAY.to_owned(),
        upload_id: match first.month() {
            7 => "upload-789xyz".to_owned(),
            month => format!("upload-{month:03}"),
        },
        uploaded_at: at(first + 1.month() + 14.days(), 14, 30),
        date_range: DateRange {
            start: first,
            end: first.last_of_month(),
        },
        s3_object_key: format!("uploads/{USER}/{EVERYDAY}/statement-{month}.csv"),
        status: "processed".to_owned(),
    }
}

/// The statement of a month that is not in the table yet, January 2026, with a transaction for each day.
pub fn statement() -> (Upload, Vec<Transaction>) {
    let upload = Upload {
        upload_id: "upload-013".to_owned(),
        ..upload(date(2026, 1, 1))
    };
    let DateRange { start, end } = upload.date_range;
    let days = start.series(1.day()).take_while(|day| *day <= end);
    let days = days.enumerate();
    let transactions = days.map(|(n, day)| transaction(EVERYDAY, day, n, cents(n)));
    (upload, transactions.collect())
}

/// At the merchant with this number, counted round and round.
fn transaction(account: &str, day: Date, merchant: usize, cents: i64) -> Transaction {
    let (merchant, tag) = MERCHANTS[merchant % MERCHANTS.len()];
    let (tag_id, tag) = TAGS[tag];
    Transaction {
        user_id: USER.to_owned(),
        account_id: account.to_owned(),
        transaction_id: format!("txn-{}", day.strftime("%m%d")),
        date: day,
        amount: Decimal::new(cents, 2).normalize(),
        currency: "NZD".to_owned(),
        merchant: merchant.to_owned(),
        tag_ids: vec![tag_id.to_owned()],
        tags: vec![tag.to_owned()],
        notes: None,
        annotations: vec![],
    }
}

/// Every day of 2025.
fn days() -> impl Iterator<Item = Date> {
    let days = date(2025, 1, 1).series(1.day());
    days.take_while(|day| day.year() == 2025)
}

/// An amount that looks like any other: from 3.05 to 102.04.
fn cents(n: usize) -> i64 {
    i64::try_from(n * 3_571 % 9_900).unwrap_or_default() + 305
}

fn at(day: Date, hour: i8, minute: i8) -> Timestamp {
    let time = day.at(hour, minute, 0, 0).to_zoned(TimeZone::UTC);
    time.map_or(Timestamp::UNIX_EPOCH, |time| time.timestamp())
}
