//! The table of a Discord clone: eight entities, one overloaded index, a stream and an expiry. Times are [`Time`], text of one width.
//!
//! What the design says in two ways, or DynamoDB does in another, and what is done here ([`crate::traps`] shows the first five):
//!
//! - "Get all servers" asks for `gsi1pk begins_with SERVER#`. A partition key is compared by equality only, so there is no such query.
//!   An index with the keys of gsi1 turned around has all servers under `META`.
//! - "Get user's connections" asks for `gsi1pk = USER#{userId}`, where no connection is: they write the user to `gsi1sk`. The index that
//!   is turned around has these, too.
//! - "Get channel by ID" asks for a partition of gsi1 that the read positions of the channel share. `Channel::by_id` asks for its
//!   sort key as well.
//! - "Get messages after timestamp" asks for `SK > MSG#{timestamp}#`, which the messages of that very millisecond are after; so would be
//!   every entity that sorts after `MSG#`. A range of `sent_ms` is exact, and stays within the messages.
//! - Connections "auto-expire after 24 hours", but DynamoDB may take days to delete what has expired. `.skip_expired()` leaves it out.
//! - All ids are ULIDs, for which `ulid::Ulid` is the type to take; but those of its sample items, such as `01JGSTEST004`, are too short
//!   to be. They are text here.
//! - The time in a message's sort key is not that of its `createdAt`: in the samples they are a year apart. So it is a field of its own,
//!   in the key alone.
//! - Its samples have NULL where there is no value, so it is stored: `nulls = "store"`.
//! - The `ttl` of its sample connection has the same year missing: it had expired before it was opened.
//! - An e-mail address is unique in its diagram, but nothing keeps it so: `#[dyna(unique)]` on the field would, with one item more for
//!   each user, which the design does not have.

#![expect(
    clippy::struct_field_names,
    reason = "fields have the names of the attributes"
)]

use dyna_examples::Time;
use dyna_runtime::{DynaEntity, DynaTable};
use serde::{Deserialize, Serialize};

/// Everything that lives in the table.
#[derive(Debug, Clone, PartialEq, DynaTable)]
#[dyna(
    name = "discord-clone-{stage}-DiscordTable",
    pk = "pk",
    sk = "sk",
    tag = "entityType",
    ttl = "ttl",
    stream = "new_and_old_images",
    nulls = "store",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
pub enum Discord {
    User(User),
    Server(Server),
    Membership(Membership),
    Channel(Channel),
    Message(Message),
    Invite(Invite),
    Connection(Connection),
    LastRead(LastRead),
}

/// Who can log in. `<email..>` is text that may contain `#`, as addresses may.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Discord,
    pk = "USER#<user_id>",
    sk = "PROFILE",
    gsi1(as = by_email, pk = "EMAIL#<email..>", sk = "USER#<user_id>"),
)]
pub struct User {
    pub user_id: String,
    pub email: String,
    pub username: String,
    pub password_hash: String,
    pub avatar_url: Option<String>,
    pub created_at: Time,
    pub updated_at: Time,
}

/// A community.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Discord,
    pk = "SERVER#<server_id>",
    sk = "META",
    gsi1(as = by_id, pk = "SERVER#<server_id>", sk = "META"),
)]
pub struct Server {
    pub server_id: String,
    pub name: String,
    pub owner_id: String,
    pub icon_url: Option<String>,
    pub created_at: Time,
    pub updated_at: Time,
}

/// A user in a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Discord,
    tag = "ServerMembership",
    pk = "USER#<user_id>",
    sk = "SERVER#<server_id>",
    gsi1(as = of_server, pk = "SERVER#<server_id>", sk = "USER#<user_id>"),
)]
pub struct Membership {
    pub user_id: String,
    pub server_id: String,
    pub role: Role,
    pub joined_at: Time,
}

/// What a member may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    Owner,
    Admin,
    Member,
}

/// A text channel of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Discord,
    pk = "SERVER#<server_id>",
    sk = "CHANNEL#<channel_id>",
    gsi1(as = by_id, pk = "CHANNEL#<channel_id>", sk = "META"),
)]
pub struct Channel {
    pub channel_id: String,
    pub server_id: String,
    pub name: String,
    pub topic: String,
    pub created_at: Time,
    pub updated_at: Time,
}

/// A message in a channel. When it was sent, in Unix milliseconds, is in the sort key alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Discord,
    pk = "CHANNEL#<channel_id>",
    sk = "MSG#<sent_ms:013>#<message_id>",
    gsi1(as = by_id, pk = "MSG#<message_id>", sk = "CHANNEL#<channel_id>"),
)]
pub struct Message {
    pub channel_id: String,
    #[dyna(key_only)]
    pub sent_ms: u64,
    pub message_id: String,
    pub user_id: String,
    pub username: String,
    pub content: String,
    pub edited: bool,
    pub edited_at: Option<Time>,
    pub reactions: Vec<Reaction>,
    pub created_at: Time,
    pub updated_at: Time,
}

/// An emoji under a message, and whose it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reaction {
    pub emoji: String,
    pub user_ids: Vec<String>,
    pub count: u32,
}

/// A code that lets people into a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Discord,
    pk = "SERVER#<server_id>",
    sk = "INVITE#<invite_code>",
    gsi1(as = by_code, pk = "INVITE#<invite_code>", sk = "SERVER#<server_id>"),
)]
pub struct Invite {
    pub invite_code: String,
    pub server_id: String,
    pub created_by: String,
    pub expires_at: Option<Time>,
    pub max_uses: Option<u32>,
    pub uses: u32,
    pub created_at: Time,
}

/// An open `WebSocket`, listening to a channel. DynamoDB deletes it at `ttl`, in epoch seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Discord,
    pk = "CHANNEL#<channel_id>",
    sk = "CONN#<connection_id>",
    gsi1(as = by_id, pk = "CONN#<connection_id>", sk = "USER#<user_id>"),
)]
pub struct Connection {
    pub connection_id: String,
    pub channel_id: String,
    pub server_id: String,
    pub user_id: String,
    pub connected_at: Time,
    #[dyna(ttl)]
    pub ttl: u64,
}

/// How far a user has read in a channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(rename_all = "camelCase")]
#[dyna(
    table = Discord,
    pk = "USER#<user_id>",
    sk = "LASTREAD#CHANNEL#<channel_id>",
    gsi1(as = of_channel, pk = "CHANNEL#<channel_id>", sk = "USER#<user_id>"),
)]
pub struct LastRead {
    pub user_id: String,
    pub channel_id: String,
    pub last_read_message_id: String,
    pub last_read_timestamp: u64,
    pub updated_at: Time,
}
