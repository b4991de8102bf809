//! Records that come as JSON: Lambda events, Kinesis records and lines of incremental exports.

use crate::change::{Event, Record, RemovalCause};
use crate::codec::Item;
use crate::codec::json::{Members, elements, to_item};
use crate::error::{Error, Result};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

impl Record {
    /// The records of a Lambda event: the JSON that a function gets whose trigger is the table's stream.
    ///
    /// ```
    /// use dyna_runtime::change::{Event, Record};
    ///
    /// let payload = r#"{"Records": [{
    ///     "eventID": "1", "eventName": "REMOVE", "eventSource": "aws:dynamodb", "awsRegion": "eu-west-1",
    ///     "dynamodb": {
    ///         "ApproximateCreationDateTime": 1480642020,
    ///         "Keys": {"pk": {"S": "USER#ann"}},
    ///         "SequenceNumber": "4421584500000000017450439092",
    ///         "SizeBytes": 59, "StreamViewType": "KEYS_ONLY"
    ///     }
    /// }]}"#;
    /// let records = Record::from_lambda_event(payload.as_bytes())?;
    /// assert_eq!(records[0].event, Event::Remove);
    /// # Ok::<(), dyna_runtime::Error>(())
    /// ```
    pub fn from_lambda_event(payload: &[u8]) -> Result<Vec<Self>> {
        const SOURCE: &str = "the Lambda event";
        let members = members(SOURCE, utf8(SOURCE, payload)?)?;
        let records = required(SOURCE, &members, "Records")?;
        let records = elements(records).map_err(|_| unreadable(SOURCE, "`Records` is no list"))?;
        let record = |json: &&str| service_record("a record of the Lambda event", json, SECOND);
        records.iter().map(record).collect()
    }

    /// A record of a Kinesis data stream that the table's changes go to: its data, and the sequence number that Kinesis gave it.
    ///
    /// Such records carry the item before and after the change, whatever the table declares as its `stream`: read them as
    /// [`Change<T, NewAndOldImages>`](crate::schema::NewAndOldImages). Kinesis may deliver them twice and out of order; `time` tells
    /// the order of the changes of an item.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// use dyna_runtime::change::{Change, ChangeKind, Record};
    /// use dyna_runtime::schema::NewAndOldImages;
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    ///
    /// let data = br#"{"awsRegion":"eu-west-1","eventID":"1","eventName":"INSERT","userIdentity":null,"recordFormat":"application/json",
    ///     "tableName":"users","dynamodb":{"ApproximateCreationDateTime":1636277103382,"Keys":{"pk":{"S":"USER#ann"}},
    ///     "NewImage":{"pk":{"S":"USER#ann"},"id":{"S":"ann"}},"SizeBytes":30},"eventSource":"aws:dynamodb"}"#;
    /// let record = Record::from_kinesis(data, "49590338271490256608559692538361571095921575989136588898")?;
    /// let change = Change::<User, NewAndOldImages>::from_record(record)?;
    /// assert_eq!(change.kind, ChangeKind::Insert { new: User { id: "ann".to_owned() } });
    /// # Ok::<(), dyna_runtime::Error>(())
    /// ```
    pub fn from_kinesis(data: &[u8], sequence: &str) -> Result<Self> {
        const SOURCE: &str = "the Kinesis record";
        let record = service_record(SOURCE, utf8(SOURCE, data)?, MILLISECOND)?;
        Ok(Self {
            sequence: Some(sequence.to_owned()),
            ..record
        })
    }

    /// A line of a data file of an incremental export to S3, in DynamoDB JSON.
    ///
    /// Such a line says what became of an item within the time of the export. It has no sequence number, and does not tell whether an
    /// item that is gone was deleted or expired. Which images it has is decided by the view type of the export: read lines of one with
    /// new and old images as [`Change<T, NewAndOldImages>`](crate::schema::NewAndOldImages), and of one with new images as
    /// [`Change<T, NewImage>`](crate::schema::NewImage). The latter does not tell an update from an insert: both are an
    /// [`Insert`](Event::Insert).
    ///
    /// ```
    /// use dyna_runtime::change::{Event, Record};
    ///
    /// let line = r#"{"Metadata":{"WriteTimestampMicros":{"N":"1680109764000000"}},"Keys":{"pk":{"S":"USER#ann"}},
    ///     "OldImage":{"pk":{"S":"USER#ann"},"id":{"S":"ann"}}}"#;
    /// assert_eq!(Record::from_export_line(line)?.event, Event::Remove);
    /// # Ok::<(), dyna_runtime::Error>(())
    /// ```
    pub fn from_export_line(line: &str) -> Result<Self> {
        const SOURCE: &str = "the line of the export";
        let members = members(SOURCE, line.trim_end())?;
        let keys = required(SOURCE, &members, "Keys")?;
        let keys = item(SOURCE, "Keys", keys)?;
        let (new, old) = images(SOURCE, &members)?;
        let event = match (&new, &old) {
            (Some(_), Some(_)) => Event::Modify,
            (Some(_), None) => Event::Insert,
            (None, _) => Event::Remove,
        };
        let time = members.get("Metadata").and_then(written);
        Ok(Self {
            new,
            old,
            time,
            ..Self::new(event, keys)
        })
    }
}

/// The record that Lambda and Kinesis have. What its times count if it does not say.
fn service_record(source: &'static str, json: &str, unit: u32) -> Result<Record> {
    let outer = members(source, json)?;
    let event = outer.text("eventName");
    let event = event.and_then(|name| Event::from_name(&name));
    let event =
        event.ok_or_else(|| unreadable(source, "`eventName` is not INSERT, MODIFY or REMOVE"))?;
    let inner = members(source, required(source, &outer, "dynamodb")?)?;
    let keys = item(source, "Keys", required(source, &inner, "Keys")?)?;
    let (new, old) = images(source, &inner)?;
    let unit = match inner
        .text("ApproximateCreationDateTimePrecision")
        .as_deref()
    {
        Some("MICROSECOND") => MICROSECOND,
        Some("MILLISECOND") => MILLISECOND,
        _ => unit,
    };
    let time = inner.get("ApproximateCreationDateTime");
    Ok(Record {
        new,
        old,
        sequence: inner.text("SequenceNumber").map(Into::into),
        time: time.and_then(|digits| time_of(digits, unit)),
        cause: cause(source, &outer)?,
        table: table(&outer),
        ..Record::new(event, keys)
    })
}

/// The name of the table: in the record, or in the ARN of its stream.
fn table(record: &Members<'_>) -> Option<String> {
    if let Some(name) = record.text("tableName") {
        return Some(name.into_owned());
    }
    let arn = record.text("eventSourceARN")?;
    let (_, after) = arn.split_once(":table/")?;
    after.split('/').next().map(str::to_owned)
}

fn cause(source: &'static str, record: &Members<'_>) -> Result<RemovalCause> {
    let Some(identity) = record.get("userIdentity") else {
        return Ok(RemovalCause::Deleted);
    };
    let identity = members(source, identity)?;
    let (kind, principal) = (identity.text("type"), identity.text("principalId"));
    Ok(RemovalCause::from_identity(
        kind.as_deref().zip(principal.as_deref()),
    ))
}

/// The units of times, as parts of a second.
const SECOND: u32 = 1;
const MILLISECOND: u32 = 1_000;
const MICROSECOND: u32 = 1_000_000;

/// The time of a number as JSON writes it: with digits behind a point, or an exponent.
fn time_of(digits: &str, unit: u32) -> Option<SystemTime> {
    let nanos_per_unit = 1_000_000_000 / u64::from(unit);
    let since = match digits.parse::<u64>() {
        Ok(count) => {
            let nanos = u128::from(count) * u128::from(nanos_per_unit);
            let seconds = u64::try_from(nanos / 1_000_000_000).ok()?;
            let rest = u32::try_from(nanos % 1_000_000_000).ok()?;
            Duration::new(seconds, rest)
        }
        Err(_) => {
            Duration::try_from_secs_f64(digits.parse::<f64>().ok()? / f64::from(unit)).ok()?
        }
    };
    UNIX_EPOCH.checked_add(since)
}

/// `{"WriteTimestampMicros":{"N":".."}}`
fn written(metadata: &str) -> Option<SystemTime> {
    let metadata = Members::of(metadata).ok()?;
    let number = Members::of(metadata.get("WriteTimestampMicros")?).ok()?;
    time_of(&number.text("N")?, MICROSECOND)
}

fn images(source: &'static str, record: &Members<'_>) -> Result<(Option<Item>, Option<Item>)> {
    let image = |name| {
        let image = record.get(name).map(|json| item(source, name, json));
        // Lambda's types write an image that is not there as one without attributes.
        let image = image.transpose()?;
        Ok::<_, Error>(image.filter(|image| !image.is_empty()))
    };
    Ok((image("NewImage")?, image("OldImage")?))
}

fn item(source: &'static str, member: &'static str, json: &str) -> Result<Item> {
    to_item(json).map_err(|_| unreadable_member(source, member))
}

fn utf8<'j>(source: &'static str, json: &'j [u8]) -> Result<&'j str> {
    simdutf8::basic::from_utf8(json).map_err(|_| unreadable(source, "it is not UTF-8"))
}

fn members<'j>(source: &'static str, json: &'j str) -> Result<Members<'j>> {
    Members::of(json).map_err(|_| unreadable(source, "it is not the JSON of a record"))
}

fn required<'j>(
    source: &'static str,
    members: &Members<'j>,
    name: &'static str,
) -> Result<&'j str> {
    let problem = || Error::Record {
        source_name: source,
        problem: format!("it has no `{name}`"),
    };
    members.get(name).ok_or_else(problem)
}

fn unreadable(source_name: &'static str, problem: &str) -> Error {
    Error::Record {
        source_name,
        problem: problem.to_owned(),
    }
}

fn unreadable_member(source: &'static str, member: &str) -> Error {
    unreadable(
        source,
        &format!("`{member}` is not an item in DynamoDB JSON"),
    )
}
