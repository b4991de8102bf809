//! What an engineer who knows the SDK well would write by hand for one struct: no name is hashed, no string copied that can be moved.

use crate::shapes::{Message, Reaction};
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::HashMap;

type Item = HashMap<String, AttributeValue>;

/// The key of a message, each half one allocation, refused where a value could pose as another key.
pub fn keys(channel_id: &str, sent_ms: u64, message_id: &str) -> Option<(String, String)> {
    let fits = |text: &str| !text.is_empty() && !text.contains(['#', '\u{10FFFF}']);
    if !fits(channel_id) || !fits(message_id) || sent_ms > 9_999_999_999_999 {
        return None;
    }
    let mut pk = String::with_capacity("CHANNEL#".len() + channel_id.len());
    pk.push_str("CHANNEL#");
    pk.push_str(channel_id);
    let mut sk = String::with_capacity("MSG##".len() + 13 + message_id.len());
    sk.push_str("MSG#");
    digits::<13>(sent_ms, &mut sk);
    sk.push('#');
    sk.push_str(message_id);
    Some((pk, sk))
}

/// Writes a number with zeros in front.
pub fn digits<const WIDTH: usize>(mut number: u64, out: &mut String) {
    let mut digits = [b'0'; WIDTH];
    for digit in digits.iter_mut().rev() {
        *digit += (number % 10) as u8;
        number /= 10;
    }
    out.push_str(str::from_utf8(&digits).expect("digits are text"));
}

/// The item of a message, with its keys and its tag.
pub fn to_item(message: &Message) -> Item {
    let (pk, sk) = keys(&message.channel_id, message.sent_ms, &message.message_id)
        .expect("the fixture has no wrong keys");
    let mut item = fields(message, 3);
    item.insert("pk".to_owned(), AttributeValue::S(pk));
    item.insert("sk".to_owned(), AttributeValue::S(sk));
    item.insert("entity_type".to_owned(), text("Message"));
    item
}

/// The attributes of the fields, with room for more.
pub fn fields(message: &Message, more: usize) -> Item {
    let mut item = Item::with_capacity(14 + more);
    let mut put = |name: &str, value| item.insert(name.to_owned(), value);
    put("channel_id", text(&message.channel_id));
    put("sent_ms", number(message.sent_ms));
    put("message_id", text(&message.message_id));
    put("author_id", text(&message.author_id));
    put("author_name", text(&message.author_name));
    put("content", text(&message.content));
    put("language", text(&message.language));
    put("number", number(message.number));
    put(
        "edited_ms",
        message.edited_ms.map_or(AttributeValue::Null(true), number),
    );
    put(
        "reply_to",
        message
            .reply_to
            .as_deref()
            .map_or(AttributeValue::Null(true), text),
    );
    put("attachments", number(message.attachments.into()));
    put("mentions", texts(&message.mentions));
    put(
        "reactions",
        AttributeValue::L(message.reactions.iter().map(reaction_to).collect()),
    );
    put("revision", number(message.revision.into()));
    item
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn number(number: u64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

fn texts(list: &[String]) -> AttributeValue {
    AttributeValue::L(list.iter().map(|element| text(element)).collect())
}

fn reaction_to(reaction: &Reaction) -> AttributeValue {
    AttributeValue::M(HashMap::from([
        ("emoji".to_owned(), text(&reaction.emoji)),
        ("count".to_owned(), number(reaction.count.into())),
        ("user_ids".to_owned(), texts(&reaction.user_ids)),
    ]))
}

/// The message of an item; `None` if an attribute is missing or is of another type.
pub fn from_item(item: Item) -> Option<Message> {
    let mut channel_id = None;
    let mut sent_ms = None;
    let mut message_id = None;
    let mut author_id = None;
    let mut author_name = None;
    let mut content = None;
    let mut language = None;
    let mut in_channel = None;
    let mut edited_ms = None;
    let mut reply_to = None;
    let mut attachments = None;
    let mut mentions = None;
    let mut reactions = None;
    let mut revision = None;
    for (name, value) in item {
        match (name.as_str(), value) {
            ("channel_id", AttributeValue::S(text)) => channel_id = Some(text),
            ("sent_ms", AttributeValue::N(number)) => sent_ms = number.parse().ok(),
            ("message_id", AttributeValue::S(text)) => message_id = Some(text),
            ("author_id", AttributeValue::S(text)) => author_id = Some(text),
            ("author_name", AttributeValue::S(text)) => author_name = Some(text),
            ("content", AttributeValue::S(text)) => content = Some(text),
            ("language", AttributeValue::S(text)) => language = Some(text),
            ("number", AttributeValue::N(number)) => in_channel = number.parse().ok(),
            ("edited_ms", AttributeValue::N(number)) => edited_ms = Some(number.parse().ok()?),
            ("reply_to", AttributeValue::S(text)) => reply_to = Some(text),
            ("attachments", AttributeValue::N(number)) => attachments = number.parse().ok(),
            ("mentions", AttributeValue::L(list)) => mentions = Some(texts_of(list)?),
            ("reactions", AttributeValue::L(list)) => {
                reactions = Some(list.into_iter().map(reaction_of).collect::<Option<_>>()?);
            }
            ("revision", AttributeValue::N(number)) => revision = number.parse().ok(),
            _ => {}
        }
    }
    Some(Message {
        channel_id: channel_id?,
        sent_ms: sent_ms?,
        message_id: message_id?,
        author_id: author_id?,
        author_name: author_name?,
        content: content?,
        language: language?,
        number: in_channel?,
        edited_ms,
        reply_to,
        attachments: attachments?,
        mentions: mentions?,
        reactions: reactions?,
        revision: revision?,
    })
}

fn text_of(value: AttributeValue) -> Option<String> {
    match value {
        AttributeValue::S(text) => Some(text),
        _ => None,
    }
}

fn texts_of(list: Vec<AttributeValue>) -> Option<Vec<String>> {
    list.into_iter().map(text_of).collect()
}

fn reaction_of(value: AttributeValue) -> Option<Reaction> {
    let AttributeValue::M(entries) = value else {
        return None;
    };
    let (mut emoji, mut count, mut user_ids) = (None, None, None);
    for (name, value) in entries {
        match (name.as_str(), value) {
            ("emoji", AttributeValue::S(text)) => emoji = Some(text),
            ("count", AttributeValue::N(number)) => count = number.parse().ok(),
            ("user_ids", AttributeValue::L(list)) => user_ids = texts_of(list),
            _ => {}
        }
    }
    Some(Reaction {
        emoji: emoji?,
        count: count?,
        user_ids: user_ids?,
    })
}
