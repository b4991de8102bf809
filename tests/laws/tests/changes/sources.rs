//! Records that come as JSON say the same as those of the stream.

use super::model::{Chat, Message, message};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue as A;
use dyna_runtime::change::{Change, ChangeKind, Event, Record, RemovalCause};
use dyna_runtime::codec::Item;
use dyna_runtime::schema::{NewAndOldImages, NewImage, NoImage};
use std::time::{Duration, UNIX_EPOCH};

const KEYS: &str = r#"{"pk":{"S":"CHANNEL#general"},"sk":{"S":"MSG#0001"}}"#;

/// An image of the message with this text.
fn image(text: &str) -> String {
    format!(
        r#"{{"pk":{{"S":"CHANNEL#general"}},"sk":{{"S":"MSG#0001"}},"type":{{"S":"Message"}},"channel":{{"S":"general"}},"n":{{"N":"1"}},"text":{{"S":"{text}"}}}}"#
    )
}

/// A record as Lambda and Kinesis have it.
fn service_record(event: &str, time: &str, new: &str, old: &str, identity: &str) -> String {
    let (new, old) = (new.to_owned(), old.to_owned());
    let image = |name: &str, image: String| match image.as_str() {
        "" => String::new(),
        image => format!(r#""{name}":{image},"#),
    };
    let (new, old) = (image("NewImage", new), image("OldImage", old));
    format!(
        r#"{{"awsRegion":"eu-west-1","eventID":"e","eventName":"{event}","userIdentity":{identity},"tableName":"chat",
        "eventSourceARN":"arn:aws:dynamodb:eu-west-1:1:table/chat/stream/2026-11-18T00:00:00.000",
        "dynamodb":{{"ApproximateCreationDateTime":{time},"Keys":{KEYS},{new}{old}"SequenceNumber":"0042","SizeBytes":9}},"eventSource":"aws:dynamodb"}}"#
    )
}

const TTL: &str = r#"{"type":"Service","principalId":"dynamodb.amazonaws.com"}"#;

fn both(record: Record) -> Change<Chat, NewAndOldImages> {
    Change::from_record(record).unwrap()
}

fn modified() -> ChangeKind<Chat, Chat> {
    ChangeKind::Modify {
        old: Chat::Message(message(1, "a")),
        new: Chat::Message(message(1, "b")),
    }
}

fn removed(cause: RemovalCause) -> ChangeKind<Chat, Chat> {
    let old = Chat::Message(message(1, "b"));
    ChangeKind::Remove { old, cause }
}

#[test]
fn a_lambda_event_has_its_records_in_order() {
    let records = [
        service_record("INSERT", "1480642020", &image("a"), "", "null"),
        service_record("MODIFY", "1480642020.5", &image("b"), &image("a"), "null"),
        service_record("REMOVE", "1.48064202E9", "", &image("b"), TTL),
    ];
    let event = format!("{{\"Records\": [\n{}\n]}}\n", records.join(",\n"));
    let records = Record::from_lambda_event(event.as_bytes()).unwrap();
    let seconds = Duration::from_mins(24_677_367);
    let times: Vec<_> = records.iter().map(|record| record.time.unwrap()).collect();
    let half = Duration::from_millis(500);
    assert_eq!(
        times,
        [seconds, seconds + half, seconds].map(|since| UNIX_EPOCH + since)
    );
    for record in &records {
        assert_eq!(record.table.as_deref(), Some("chat"));
        assert_eq!(record.sequence.as_deref(), Some("0042"));
    }
    let changes: Vec<_> = records.into_iter().map(|it| both(it).kind).collect();
    let inserted = ChangeKind::Insert {
        new: Chat::Message(message(1, "a")),
    };
    assert_eq!(
        changes,
        [inserted, modified(), removed(RemovalCause::Expired)]
    );
    assert!(
        Record::from_lambda_event(br#"{"Records":[]}"#)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn the_table_of_a_lambda_record_is_in_the_arn_of_its_stream() {
    let record = service_record("REMOVE", "1", "", &image("b"), "null");
    let record = record.replace(r#""tableName":"chat","#, "");
    let event = format!(r#"{{"Records":[{record}]}}"#);
    let record = Record::from_lambda_event(event.as_bytes())
        .unwrap()
        .remove(0);
    assert_eq!(record.table.as_deref(), Some("chat"));
}

#[test]
fn only_the_service_itself_expires_items() {
    let another = r#"{"type":"Service","principalId":"replication.dynamodb.amazonaws.com"}"#;
    let user = r#"{"type":"AssumedRole","principalId":"dynamodb.amazonaws.com"}"#;
    for (identity, cause) in [
        ("null", RemovalCause::Deleted),
        (TTL, RemovalCause::Expired),
        (another, RemovalCause::Deleted),
        (user, RemovalCause::Deleted),
        ("{}", RemovalCause::Deleted),
    ] {
        let record = service_record("REMOVE", "1", "", &image("b"), identity);
        let record = Record::from_kinesis(record.as_bytes(), "1").unwrap();
        assert_eq!(both(record).kind, removed(cause), "{identity}");
    }
}

#[test]
fn kinesis_counts_milliseconds_or_microseconds() {
    let milliseconds = service_record("MODIFY", "1636277103382", &image("b"), &image("a"), "null");
    let micro = r#""ApproximateCreationDateTimePrecision":"MICROSECOND","Keys""#;
    let microseconds = milliseconds
        .replace("1636277103382", "1636277103382001")
        .replace(r#""Keys""#, micro);
    for (data, micros) in [(milliseconds, 0), (microseconds, 1)] {
        let record = Record::from_kinesis(data.as_bytes(), "495903").unwrap();
        let time = Duration::from_millis(1_636_277_103_382) + Duration::from_micros(micros);
        assert_eq!(record.time, Some(UNIX_EPOCH + time));
        // Kinesis's own number.
        assert_eq!(record.sequence.as_deref(), Some("495903"));
        assert_eq!(both(record).kind, modified());
    }
}

#[test]
fn a_line_of_an_export_is_told_by_its_images() {
    let line = |images: &str| {
        format!(
            r#"{{"Metadata":{{"WriteTimestampMicros":{{"N":"1680109764000001"}}}},"Keys":{KEYS}{images}}}"#
        )
    };
    let new = |text| format!(r#","NewImage":{}"#, image(text));
    let old = |text| format!(r#","OldImage":{}"#, image(text));
    let read = |images: &str| {
        let record = Record::from_export_line(&format!("{}\r\n", line(images))).unwrap();
        assert_eq!(record.sequence, None);
        let time = Duration::from_micros(1_680_109_764_000_001);
        assert_eq!(record.time, Some(UNIX_EPOCH + time));
        record
    };
    let inserted = read(&new("a"));
    assert_eq!(inserted.event, Event::Insert);
    let changed = read(&(new("b") + &old("a")));
    assert_eq!(both(changed).kind, modified());
    let gone = read(&old("b"));
    assert_eq!(both(gone).kind, removed(RemovalCause::Unknown));

    // Of an export with new images alone.
    let gone: Change<Chat, NewImage> = Change::from_record(read("")).unwrap();
    let expected = ChangeKind::Remove {
        old: NoImage,
        cause: RemovalCause::Unknown,
    };
    assert_eq!(gone.kind, expected);
    assert_eq!(
        gone.key_of::<Message>(),
        Some(Message::key("general", 1_u16))
    );
}

/// Every type of attribute, with escapes, nested.
#[test]
fn all_types_of_attributes_are_read() {
    let all = r#"{"pk":{"S":"a\u00e9\"\n"},"n":{"N":"-1.5E3"},"b":{"B":"AAEC/w=="},"t":{"BOOL":true},"z":{"NULL":true},
        "l":{"L":[{"S":"x"},{"M":{"k":{"N":"1"}}},{"L":[]}]},"ss":{"SS":["a","b"]},"ns":{"NS":["1","2"]},"bs":{"BS":["AA==","AQ=="]}}"#;
    let record =
        Record::from_export_line(&format!(r#"{{"Keys":{all},"NewImage":{all}}}"#)).unwrap();
    let text = |text: &str| A::S(text.to_owned());
    let number = |text: &str| A::N(text.to_owned());
    let entry = |name: &str, value: A| (name.to_owned(), value);
    let expected = Item::from([
        entry("pk", text("a\u{e9}\"\n")),
        entry("n", number("-1.5E3")),
        entry("b", A::B(Blob::new([0, 1, 2, 255]))),
        entry("t", A::Bool(true)),
        entry("z", A::Null(true)),
        entry(
            "l",
            A::L(vec![
                text("x"),
                A::M(Item::from([entry("k", number("1"))])),
                A::L(Vec::new()),
            ]),
        ),
        entry("ss", A::Ss(vec!["a".to_owned(), "b".to_owned()])),
        entry("ns", A::Ns(vec!["1".to_owned(), "2".to_owned()])),
        entry("bs", A::Bs(vec![Blob::new([0]), Blob::new([1])])),
    ]);
    assert_eq!(record.keys, expected);
    assert_eq!(record.new, Some(expected));
}

#[test]
fn what_is_no_record_is_an_error_without_values() {
    let good = service_record("INSERT", "1", &image("SECRET"), "", "null");
    assert!(Record::from_kinesis(good.as_bytes(), "1").is_ok());
    let bad = [
        (String::new(), "it is not the JSON of a record"),
        ("[]".to_owned(), "it is not the JSON of a record"),
        (format!("{good} SECRET"), "it is not the JSON of a record"),
        (good.replace("INSERT", "SECRET"), "`eventName` is not"),
        (good.replace("eventName", "other"), "`eventName` is not"),
        (
            good.replace(r#""dynamodb""#, r#""other""#),
            "it has no `dynamodb`",
        ),
        (good.replace("Keys", "Other"), "it has no `Keys`"),
        (good.replace(KEYS, "null"), "it has no `Keys`"),
        (
            good.replace(KEYS, r#"{"pk":"SECRET"}"#),
            "`Keys` is not an item",
        ),
        (
            good.replace(&image("SECRET"), r#"{"pk":{"X":"SECRET"}}"#),
            "`NewImage` is not an item",
        ),
    ];
    for (data, expected) in bad {
        let error = Record::from_kinesis(data.as_bytes(), "1").unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("the Kinesis record cannot be read: "),
            "{text}"
        );
        assert!(text.contains(expected), "{text}, not {expected}");
        assert!(!text.contains("SECRET"), "{text}");
    }
    // Cut off anywhere, it is an error, and never a panic.
    for end in 0..good.len() {
        assert!(Record::from_kinesis(&good.as_bytes()[..end], "1").is_err());
    }
    assert!(Record::from_kinesis(b"\xff{}", "1").is_err());
    assert!(Record::from_lambda_event(br#"{"Records":{}}"#).is_err());
    assert!(Record::from_lambda_event(b"{}").is_err());
    assert!(Record::from_export_line("{}").is_err());
}
