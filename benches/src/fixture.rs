//! What is read and written: the same values for all, made anew in every run, always alike.

use serde::{Deserialize, Serialize};

/// Declares a chat message of fourteen fields, two of them optional, with what the peer asks of a struct. None is a `bool`: not every
/// peer has them.
#[macro_export]
macro_rules! message {
    ($(#[$attribute:meta])* $reaction:ty) => {
        $(#[$attribute])*
        pub struct Message {
            /// The channel, which is the partition.
            pub channel_id: String,
            /// When it was sent, in milliseconds.
            pub sent_ms: u64,
            /// Its id.
            pub message_id: String,
            /// Who wrote it.
            pub author_id: String,
            /// The name of the author.
            pub author_name: String,
            /// What it says.
            pub content: String,
            /// The language it is in.
            pub language: String,
            /// Its number in the channel.
            pub number: u64,
            /// When it was changed.
            pub edited_ms: Option<u64>,
            /// The message that it answers.
            pub reply_to: Option<String>,
            /// How many files it has.
            pub attachments: u32,
            /// Who is mentioned.
            pub mentions: Vec<String>,
            /// What others think of it.
            pub reactions: Vec<$reaction>,
            /// How often it was changed.
            pub revision: u32,
        }
    };
}

/// Declares a reaction to a message.
#[macro_export]
macro_rules! reaction {
    ($(#[$attribute:meta])*) => {
        $(#[$attribute])*
        pub struct Reaction {
            /// As text.
            pub emoji: String,
            /// How many people agree.
            pub count: u32,
            /// Who they are.
            pub user_ids: Vec<String>,
        }
    };
}

message! {
    /// A message, as plain data.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    Reaction
}

reaction! {
    /// A reaction, as plain data.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
}

/// Numbers that look random, and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        let [.., a, b, c, d] = self.0.to_le_bytes();
        (u32::from_le_bytes([a, b, c, d]) >> 1) % sides
    }

    fn pick(&mut self, of: &[&str]) -> String {
        of[self.roll(of.len().try_into().unwrap_or(1)) as usize].to_owned()
    }

    fn id(&mut self, prefix: &str) -> String {
        let (high, low) = (self.roll(1 << 31), self.roll(1 << 31));
        format!("{prefix}{high:08x}{low:08x}")
    }

    fn ids(&mut self, prefix: &str, most: u32) -> Vec<String> {
        (0..self.roll(most + 1)).map(|_| self.id(prefix)).collect()
    }
}

const WORDS: [&str; 12] = [
    "the", "deploy", "went", "out", "without", "a", "hitch", "and", "nobody", "noticed", "größer",
    "日本",
];

/// The key of a message, as someone without Dyna would write it.
pub fn keys(channel_id: &str, sent_ms: u64, message_id: &str) -> (String, String) {
    let pk = format!("CHANNEL#{channel_id}");
    (pk, format!("MSG#{sent_ms:013}#{message_id}"))
}

/// The messages of one channel, in the order of their keys. One text in ten has characters that JSON escapes.
pub fn messages(count: usize) -> Vec<Message> {
    let mut dice = Dice(42);
    (0..).take(count).map(|n| message(&mut dice, n)).collect()
}

fn message(dice: &mut Dice, n: u64) -> Message {
    let words: Vec<String> = (0..6 + dice.roll(20)).map(|_| dice.pick(&WORDS)).collect();
    let mut content = words.join(" ");
    if n.is_multiple_of(10) {
        content.push_str(" \"quoted\"\n\tand on a new line");
    }
    Message {
        channel_id: "general-4711".to_owned(),
        sent_ms: 1_735_257_600_000 + n * 1_733,
        message_id: dice.id("01J"),
        author_id: dice.id("user-"),
        author_name: format!("Author {}", dice.roll(500)),
        content,
        language: dice.pick(&["en", "de", "ja"]),
        number: n,
        edited_ms: (dice.roll(4) == 0).then_some(1_735_300_000_000 + n),
        reply_to: (dice.roll(3) == 0).then(|| dice.id("01J")),
        attachments: dice.roll(4),
        mentions: dice.ids("user-", 2),
        reactions: (0..dice.roll(3)).map(|_| reaction(dice)).collect(),
        revision: dice.roll(5),
    }
}

fn reaction(dice: &mut Dice) -> Reaction {
    let user_ids = dice.ids("user-", 3);
    Reaction {
        emoji: dice.pick(&["👍", "🎉", ":eyes:"]),
        count: user_ids.len().try_into().unwrap_or(u32::MAX),
        user_ids,
    }
}
