//! Where the design does not do what it says, and the way out. The model lists it all.

use crate::model::{PuteaMatai, Tag, Transaction};
use crate::sample::NEIGHBOUR;
use dyna_examples::Designed;
use dyna_runtime::{Result, Table};

/// `SK between TRANSACTION#<startDate> and TRANSACTION#<endDate>`: the key of every transaction goes on after its date, so those of the
/// last day sort after the end.
pub const TO_THE_LAST_DAY: Designed = Designed {
    index: None,
    condition: "PK = :p AND SK BETWEEN :a AND :b",
    values: &[
        (":p", "USER#user-1234abcd#ACCOUNT#account-5678efgh#2025-08"),
        (":a", "TRANSACTION#2025-08-29"),
        (":b", "TRANSACTION#2025-08-31"),
    ],
};

/// The partition of the document's transaction: its account is `5678efgh`, and the account itself is `account-5678efgh`.
pub const OTHER_ID: Designed = Designed {
    index: None,
    condition: "PK = :p",
    values: &[(":p", "USER#user-1234abcd#ACCOUNT#5678efgh#2025-08")],
};

/// `SK between 'TAG#' and 'TAG#\uffff'`: U+FFFF is the last character of those that UTF-16 writes in one piece, not of all.
pub const ALL_TAGS: Designed = Designed {
    index: None,
    condition: "PK = :p AND SK BETWEEN :a AND :b",
    values: &[
        (":p", "USER#user-1234abce"),
        (":a", "TAG#"),
        (":b", "TAG#\u{ffff}"),
    ],
};

/// Gives the neighbour a tag whose id sorts after U+FFFF.
pub async fn add_basket(db: &Table<PuteaMatai>) -> Result<()> {
    basket().put().send(db).await
}

pub fn basket() -> Tag {
    Tag {
        user_id: NEIGHBOUR.to_owned(),
        tag_id: "🧺".to_owned(),
        text: "Laundry".to_owned(),
    }
}

/// The texts of a transaction's tags as the user has them now. Those in the transaction are copies, which do not follow when a tag is renamed;
/// the tags themselves are at hand since the application has started.
pub fn tag_texts<'t>(transaction: &Transaction, tags: &'t [Tag]) -> Vec<&'t str> {
    let ids = transaction.tag_ids.iter();
    let found = ids.filter_map(|id| tags.iter().find(|tag| tag.tag_id == *id));
    found.map(|tag| tag.text.as_str()).collect()
}
