//! Entities of several shapes, and what DynamoDB would say of them.

use crate::answers::{self, Item};
use crate::fixture;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The table of everything.
#[derive(Debug, DynaTable)]
#[expect(clippy::large_enum_variant, reason = "it is never a value here")]
#[dyna(
    name = "chat",
    pk = "pk",
    sk = "sk",
    tag = "entity_type",
    nulls = "store"
)]
pub enum Chat {
    /// Fourteen fields.
    Message(Message),
    /// Three fields.
    LastRead(LastRead),
    /// Maps and lists in each other.
    Profile(Profile),
    /// A hundred attributes.
    Metrics(Metrics),
}

pub use answers::{map, same};
pub use fixture::Reaction;

crate::message! {
    /// A message.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
    #[dyna(table = Chat, pk = "CHANNEL#<channel_id>", sk = "MSG#<sent_ms:013>#<message_id>")]
    Reaction
}

/// How far someone has read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<user_id>", sk = "READ#<channel_id>")]
pub struct LastRead {
    /// Who.
    pub user_id: String,
    /// Where.
    pub channel_id: String,
    /// The last message.
    pub message_id: String,
}

/// What someone has set, in nested structs, maps and lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Chat, pk = "USER#<user_id>", sk = "PROFILE")]
pub struct Profile {
    /// Who.
    pub user_id: String,
    /// By device.
    pub devices: Vec<Device>,
    /// By channel.
    pub muted: BTreeMap<String, Mute>,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Device {
    /// Its name.
    pub name: String,
    /// Its settings.
    pub settings: BTreeMap<String, Setting>,
}

/// A setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value")]
pub enum Setting {
    /// On or off.
    Switch(bool),
    /// So much.
    Level(i32),
    /// One of these.
    Choice(Vec<String>),
}

/// A channel that is silent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mute {
    /// Until when.
    pub until_ms: Option<u64>,
    /// Who can still be heard.
    pub except: Vec<String>,
}

macro_rules! metrics {
    ($($field:ident)*) => {
        /// What was counted in an hour: 95 numbers, which make 100 attributes with the keys, the tag and the fields of the keys.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
        #[dyna(table = Chat, pk = "METRICS#<server_id>", sk = "HOUR#<hour:08>")]
        #[expect(missing_docs, reason = "numbered")]
        pub struct Metrics {
            pub server_id: String,
            pub hour: u32,
            $(pub $field: u64,)*
        }

        impl Metrics {
            fn numbered() -> Self {
                let mut value = 7;
                let mut next = || {
                    value = value * 31 % 1_000_003;
                    value
                };
                Self { server_id: "server-1".to_owned(), hour: 482_015, $($field: next(),)* }
            }
        }
    };
}

metrics! {
    m00 m01 m02 m03 m04 m05 m06 m07 m08 m09 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19
    m20 m21 m22 m23 m24 m25 m26 m27 m28 m29 m30 m31 m32 m33 m34 m35 m36 m37 m38 m39
    m40 m41 m42 m43 m44 m45 m46 m47 m48 m49 m50 m51 m52 m53 m54 m55 m56 m57 m58 m59
    m60 m61 m62 m63 m64 m65 m66 m67 m68 m69 m70 m71 m72 m73 m74 m75 m76 m77 m78 m79
    m80 m81 m82 m83 m84 m85 m86 m87 m88 m89 m90 m91 m92 m93 m94
}

/// An entity that is measured.
pub trait Sample: DynaEntity<Table = Chat> + Clone + Serialize + DeserializeOwned {
    /// One of them.
    fn sample() -> Self;

    /// Its key, as someone without Dyna would write it.
    fn keys(&self) -> (String, String);

    /// What the tag says.
    const TAG: &'static str;
}

impl Sample for Message {
    const TAG: &'static str = "Message";

    fn sample() -> Self {
        messages(1).remove(0)
    }

    fn keys(&self) -> (String, String) {
        fixture::keys(&self.channel_id, self.sent_ms, &self.message_id)
    }
}

impl Sample for LastRead {
    const TAG: &'static str = "LastRead";

    fn sample() -> Self {
        Self {
            user_id: "user-1".to_owned(),
            channel_id: "general-4711".to_owned(),
            message_id: "01J0000000000000000000000".to_owned(),
        }
    }

    fn keys(&self) -> (String, String) {
        let pk = format!("USER#{}", self.user_id);
        (pk, format!("READ#{}", self.channel_id))
    }
}

impl Sample for Profile {
    const TAG: &'static str = "Profile";

    fn sample() -> Self {
        let settings = [
            ("sound", Setting::Switch(true)),
            ("volume", Setting::Level(-12)),
            (
                "badges",
                Setting::Choice(vec!["new".to_owned(), "mentions".to_owned()]),
            ),
        ];
        let settings: BTreeMap<_, _> = settings
            .map(|(name, value)| (name.to_owned(), value))
            .into();
        let device = |name: &str| Device {
            name: name.to_owned(),
            settings: settings.clone(),
        };
        let mute = |n: u64| Mute {
            until_ms: n.is_multiple_of(2).then_some(n),
            except: vec![format!("user-{n}")],
        };
        Self {
            user_id: "user-1".to_owned(),
            devices: ["phone", "laptop", "tablet"].map(device).into(),
            muted: (0..8).map(|n| (format!("channel-{n}"), mute(n))).collect(),
        }
    }

    fn keys(&self) -> (String, String) {
        (format!("USER#{}", self.user_id), "PROFILE".to_owned())
    }
}

impl Sample for Metrics {
    const TAG: &'static str = "Metrics";

    fn sample() -> Self {
        Self::numbered()
    }

    fn keys(&self) -> (String, String) {
        let pk = format!("METRICS#{}", self.server_id);
        (pk, format!("HOUR#{:08}", self.hour))
    }
}

/// The messages of a channel.
pub fn messages(count: usize) -> Vec<Message> {
    fixture::messages(count).into_iter().map(same).collect()
}

/// An item as `serde_dynamo` makes it, with the keys and the tag that Dyna stores.
pub fn item<E: Sample>(entity: &E) -> Item {
    answers::item(entity, entity.keys(), E::TAG)
}

/// The answer to a `GetItem`.
pub fn answer<E: Sample>(entity: &E) -> String {
    answers::one(&item(entity))
}

/// The answer to a `Query`: a page.
pub fn page<E: Sample>(entities: &[E]) -> String {
    answers::page(entities.iter().map(item))
}
