//! Cursors: text of others. What is accepted has one text, never leads out of the partition, and comes back from the key that it is.

use crate::input::Input;
use crate::server::Caller;
use base64ct::{Base64UrlUnpadded, Encoding};
use dyna_runtime::{Cursor, DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(name = "notes", pk = "pk", sk = "sk", index(gsi1, pk = "topic", sk = number("n"))),
    pk = "USER#<user>",
    sk = "<id>",
    gsi1(as = by_topic, pk = "<topic>", sk = "<n>")
)]
struct Note {
    user: String,
    id: String,
    topic: String,
    n: i64,
}

/// Bytes of a cursor before the key: its form, and the fingerprint of its query.
const HEAD: usize = 17;

struct Queries {
    caller: Caller,
    /// What cursors of the table and of the index begin with.
    heads: [Vec<u8>; 2],
}

thread_local! {
    static QUERIES: Queries = Queries::new();
}

impl Queries {
    fn new() -> Self {
        let caller = Caller::new();
        let head = |is_index: bool| {
            let mut last = json!({ "pk": { "S": "USER#ann" }, "sk": { "S": "a" } });
            if is_index {
                last["topic"] = json!({ "S": "x" });
                last["n"] = json!({ "N": "1" });
            }
            let body =
                json!({ "Count": 0, "Items": [], "ScannedCount": 0, "LastEvaluatedKey": last });
            let next = page(&caller, is_index, None, body.to_string().as_bytes());
            let next = next.expect("a page with a cursor");
            let mut bytes = Base64UrlUnpadded::decode_vec(&next).expect("base64");
            bytes.truncate(HEAD);
            bytes
        };
        let heads = [head(false), head(true)];
        Self { caller, heads }
    }
}

/// Where a page of one request ends, if it does and the cursor is accepted.
fn page(caller: &Caller, is_index: bool, after: Option<Cursor>, body: &[u8]) -> Option<String> {
    let db = caller.table::<Note>();
    caller.server.respond(body);
    let page = if is_index {
        caller.wait(Note::by_topic("x").page_size(1).after(after).send(&db))
    } else {
        caller.wait(Note::query("ann").page_size(1).after(after).send(&db))
    };
    Some(page.ok()?.next?.to_string())
}

pub(super) fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let kind = input.byte();
    if kind > 191 {
        let text = input.rest();
        if let Ok(cursor) = text.parse::<Cursor>() {
            assert_eq!(cursor.to_string(), text);
        }
        return;
    }
    let is_index = kind % 2 == 1;
    QUERIES.with(|queries| {
        let mut bytes = queries.heads[usize::from(is_index)].clone();
        bytes.extend(input.0);
        bytes.extend(crc32fast::hash(&bytes).to_be_bytes());
        let text = Base64UrlUnpadded::encode_string(&bytes);
        let Ok(cursor) = text.parse::<Cursor>() else {
            return;
        };
        assert_eq!(cursor.to_string(), text);
        let caller = &queries.caller;
        page(caller, is_index, Some(cursor.clone()), b"{}");
        let Some(request) = caller.server.request() else {
            return;
        };
        let start = &request["ExclusiveStartKey"];
        if start.is_null() {
            return;
        }
        let (partition, value) = if is_index {
            ("topic", "x")
        } else {
            ("pk", "USER#ann")
        };
        assert_eq!(
            start[partition]["S"], value,
            "a cursor of another partition"
        );
        // A response that ends at the same key gives the same cursor.
        let body = json!({ "Count": 0, "Items": [], "ScannedCount": 0, "LastEvaluatedKey": start });
        let next = page(caller, is_index, None, body.to_string().as_bytes());
        if let Some(next) = next {
            assert_eq!(next, text);
        }
    });
}
