//! The items of the design, as its text has them, and what the model makes of them.

use super::with_few;
use crate::model::{Channel, Connection, Discord, Invite, LastRead, Membership, Message, Reaction};
use crate::model::{Server, User};
use crate::sample::{GENERAL, HELLO, SENT, TEST_SERVER, TESTUSER};
use dyna_examples::{item, stored, written_back};
use dyna_runtime::entity::Replaceable;
use dyna_runtime::request::HasEntity;
use dyna_runtime::{DynaEntity, Get};
use serde_json::Value;

const USER: &str = r#"{
  "pk": "USER#01JGSXXX...",
  "sk": "PROFILE",
  "gsi1pk": "EMAIL#user@example.com",
  "gsi1sk": "USER#01JGSXXX...",
  "entityType": "User",
  "userId": "01JGSXXX...",
  "email": "user@example.com",
  "username": "john_doe",
  "passwordHash": "$2a$10$...",
  "avatarUrl": "https://s3.../avatars/01JGSXXX.jpg",
  "createdAt": "2025-12-27T00:00:00.000Z",
  "updatedAt": "2025-12-27T00:00:00.000Z"
}"#;

const SERVER: &str = r#"{
  "pk": "SERVER#01JGSYYY...",
  "sk": "META",
  "gsi1pk": "SERVER#01JGSYYY...",
  "gsi1sk": "META",
  "entityType": "Server",
  "serverId": "01JGSYYY...",
  "name": "My Discord Server",
  "ownerId": "01JGSXXX...",
  "iconUrl": "https://s3.../server-icons/01JGSYYY.jpg",
  "createdAt": "2025-12-27T00:00:00.000Z",
  "updatedAt": "2025-12-27T00:00:00.000Z"
}"#;

const MEMBERSHIP: &str = r#"{
  "pk": "USER#01JGSXXX...",
  "sk": "SERVER#01JGSYYY...",
  "gsi1pk": "SERVER#01JGSYYY...",
  "gsi1sk": "USER#01JGSXXX...",
  "entityType": "ServerMembership",
  "userId": "01JGSXXX...",
  "serverId": "01JGSYYY...",
  "role": "member",
  "joinedAt": "2025-12-27T00:00:00.000Z"
}"#;

const CHANNEL: &str = r#"{
  "pk": "SERVER#01JGSYYY...",
  "sk": "CHANNEL#01JGSZSZ...",
  "gsi1pk": "CHANNEL#01JGSZSZ...",
  "gsi1sk": "META",
  "entityType": "Channel",
  "channelId": "01JGSZSZ...",
  "serverId": "01JGSYYY...",
  "name": "general",
  "topic": "General discussion",
  "createdAt": "2025-12-27T00:00:00.000Z",
  "updatedAt": "2025-12-27T00:00:00.000Z"
}"#;

const MESSAGE: &str = r#"{
  "pk": "CHANNEL#01JGSZSZ...",
  "sk": "MSG#1735257600000#01JGSTTT...",
  "gsi1pk": "MSG#01JGSTTT...",
  "gsi1sk": "CHANNEL#01JGSZSZ...",
  "entityType": "Message",
  "messageId": "01JGSTTT...",
  "channelId": "01JGSZSZ...",
  "userId": "01JGSXXX...",
  "username": "john_doe",
  "content": "Hello, world!",
  "edited": false,
  "editedAt": null,
  "reactions": [],
  "createdAt": "2025-12-27T00:00:00.000Z",
  "updatedAt": "2025-12-27T00:00:00.000Z"
}"#;

const INVITE: &str = r#"{
  "pk": "SERVER#01JGSYYY...",
  "sk": "INVITE#abc123xyz",
  "gsi1pk": "INVITE#abc123xyz",
  "gsi1sk": "SERVER#01JGSYYY...",
  "entityType": "Invite",
  "inviteCode": "abc123xyz",
  "serverId": "01JGSYYY...",
  "createdBy": "01JGSXXX...",
  "expiresAt": null,
  "maxUses": null,
  "uses": 0,
  "createdAt": "2025-12-27T00:00:00.000Z"
}"#;

const CONNECTION: &str = r#"{
  "pk": "CHANNEL#01JGSZSZ...",
  "sk": "CONN#xyz789conn",
  "gsi1pk": "CONN#xyz789conn",
  "gsi1sk": "USER#01JGSXXX...",
  "entityType": "Connection",
  "connectionId": "xyz789conn",
  "channelId": "01JGSZSZ...",
  "serverId": "01JGSYYY...",
  "userId": "01JGSXXX...",
  "connectedAt": "2025-12-27T00:00:00.000Z",
  "ttl": 1735344000
}"#;

const LAST_READ: &str = r#"{
  "pk": "USER#01JGSXXX...",
  "sk": "LASTREAD#CHANNEL#01JGSZSZ...",
  "gsi1pk": "CHANNEL#01JGSZSZ...",
  "gsi1sk": "USER#01JGSXXX...",
  "entityType": "LastRead",
  "userId": "01JGSXXX...",
  "channelId": "01JGSZSZ...",
  "lastReadMessageId": "01JGSTTT...",
  "lastReadTimestamp": 1735257600000,
  "updatedAt": "2025-12-27T00:00:00.000Z"
}"#;

const SAMPLE_USER: &str = r#"{
  "pk": "USER#01JGSTEST001",
  "sk": "PROFILE",
  "gsi1pk": "EMAIL#test@example.com",
  "gsi1sk": "USER#01JGSTEST001",
  "entityType": "User",
  "userId": "01JGSTEST001",
  "email": "test@example.com",
  "username": "testuser",
  "passwordHash": "$2a$10$HASHEDPASSWORD",
  "avatarUrl": null,
  "createdAt": "2025-12-27T00:00:00.000Z",
  "updatedAt": "2025-12-27T00:00:00.000Z"
}"#;

const SAMPLE_SERVER: &str = r#"{
  "pk": "SERVER#01JGSTEST002",
  "sk": "META",
  "gsi1pk": "SERVER#01JGSTEST002",
  "gsi1sk": "META",
  "entityType": "Server",
  "serverId": "01JGSTEST002",
  "name": "Test Server",
  "ownerId": "01JGSTEST001",
  "iconUrl": null,
  "createdAt": "2025-12-27T00:00:00.000Z",
  "updatedAt": "2025-12-27T00:00:00.000Z"
}"#;

const SAMPLE_MEMBERSHIP: &str = r#"{
  "pk": "USER#01JGSTEST001",
  "sk": "SERVER#01JGSTEST002",
  "gsi1pk": "SERVER#01JGSTEST002",
  "gsi1sk": "USER#01JGSTEST001",
  "entityType": "ServerMembership",
  "userId": "01JGSTEST001",
  "serverId": "01JGSTEST002",
  "role": "owner",
  "joinedAt": "2025-12-27T00:00:00.000Z"
}"#;

const SAMPLE_CHANNEL: &str = r#"{
  "pk": "SERVER#01JGSTEST002",
  "sk": "CHANNEL#01JGSTEST003",
  "gsi1pk": "CHANNEL#01JGSTEST003",
  "gsi1sk": "META",
  "entityType": "Channel",
  "channelId": "01JGSTEST003",
  "serverId": "01JGSTEST002",
  "name": "general",
  "topic": "General chat",
  "createdAt": "2025-12-27T00:00:00.000Z",
  "updatedAt": "2025-12-27T00:00:00.000Z"
}"#;

const SAMPLE_MESSAGE: &str = r#"{
  "pk": "CHANNEL#01JGSTEST003",
  "sk": "MSG#1735257600000#01JGSTEST004",
  "gsi1pk": "MSG#01JGSTEST004",
  "gsi1sk": "CHANNEL#01JGSTEST003",
  "entityType": "Message",
  "messageId": "01JGSTEST004",
  "channelId": "01JGSTEST003",
  "userId": "01JGSTEST001",
  "username": "testuser",
  "content": "Hello, world!",
  "edited": false,
  "editedAt": null,
  "reactions": [],
  "createdAt": "2025-12-27T00:00:00.000Z",
  "updatedAt": "2025-12-27T00:00:00.000Z"
}"#;

/// An item of the design is read as an entity, and written again attribute by attribute as it was.
async fn holds<E: DynaEntity + Replaceable>(text: &str, get: Get<E>)
where
    Discord: HasEntity<E>,
{
    let designed = item(text).unwrap();
    let again = written_back::<Discord, E>(&designed, get).await;
    assert_eq!(again.unwrap(), Some(designed));
}

#[tokio::test]
async fn the_items_of_the_design_are_stored_as_they_are() {
    let (user, server, channel) = ("01JGSXXX...", "01JGSYYY...", "01JGSZSZ...");
    holds(USER, User::get(user)).await;
    holds(SERVER, Server::get(server)).await;
    holds(MEMBERSHIP, Membership::get(user, server)).await;
    holds(CHANNEL, Channel::get(server, channel)).await;
    holds(
        MESSAGE,
        Message::get(channel, 1_735_257_600_000, "01JGSTTT..."),
    )
    .await;
    holds(INVITE, Invite::get(server, "abc123xyz")).await;
    holds(CONNECTION, Connection::get(channel, "xyz789conn")).await;
    holds(LAST_READ, LastRead::get(user, channel)).await;
}

#[tokio::test]
async fn the_sample_items_of_the_design_are_stored_as_they_are() {
    holds(SAMPLE_USER, User::get(TESTUSER)).await;
    holds(SAMPLE_SERVER, Server::get(TEST_SERVER)).await;
    holds(SAMPLE_MEMBERSHIP, Membership::get(TESTUSER, TEST_SERVER)).await;
    holds(SAMPLE_CHANNEL, Channel::get(TEST_SERVER, GENERAL)).await;
    holds(SAMPLE_MESSAGE, Message::get(GENERAL, SENT, HELLO)).await;
}

#[tokio::test]
async fn the_program_writes_the_sample_items_of_the_design() {
    let db = with_few().await;
    let samples = [
        SAMPLE_USER,
        SAMPLE_SERVER,
        SAMPLE_MEMBERSHIP,
        SAMPLE_CHANNEL,
        SAMPLE_MESSAGE,
    ];
    for designed in samples.map(|text| item(text).unwrap()) {
        let found = stored(&db, &designed).await.unwrap();
        assert_eq!(found, Some(designed));
    }
}

#[tokio::test]
async fn reactions_are_stored_as_a_list_of_maps() {
    let reactions = r#"[{ "emoji": "👍", "userIds": ["01JGSXXX...", "01JGSYYY..."], "count": 2 }]"#;
    let reactions: Value = serde_json::from_str(reactions).unwrap();
    let mut message: Value = serde_json::from_str(MESSAGE).unwrap();
    message["reactions"] = reactions.clone();
    let get = Message::get("01JGSZSZ...", 1_735_257_600_000, "01JGSTTT...");
    holds(&message.to_string(), get).await;
    let reactions: Vec<Reaction> = serde_json::from_value(reactions).unwrap();
    assert_eq!(reactions[0].user_ids.len(), 2);
}
