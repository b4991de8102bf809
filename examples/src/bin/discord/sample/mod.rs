//! What is in the table: the five sample items of the design, what makes every pattern find something that can be told at a glance,
//! and around it a crowd.

pub mod crowd;

use crate::model::{Channel, Connection, Discord, Invite, LastRead, Membership, Message, Reaction};
use crate::model::{Role, Server, User};
use dyna_examples::Time;
use dyna_runtime::{BatchWrite, Result, Table};
use jiff::{SignedDuration, Timestamp};

pub const TESTUSER: &str = "01JGSTEST001";
pub const MIRA: &str = "01JGSTEST011";
pub const TEST_SERVER: &str = "01JGSTEST002";
pub const BOOK_CLUB: &str = "01JGSTEST012";
pub const READING_ROOM: &str = "01JGSTEST018";
pub const GENERAL: &str = "01JGSTEST003";
pub const RANDOM: &str = "01JGSTEST013";
pub const HELLO: &str = "01JGSTEST004";
/// When the first message was sent, as its sort key has it.
pub const SENT: u64 = 1_735_257_600_000;

/// When everything was created: 2025-12-27.
pub fn created() -> Time {
    Time(Timestamp::UNIX_EPOCH + SignedDuration::from_secs(1_766_793_600))
}

/// Writes it all.
pub async fn write(db: &Table<Discord>) -> Result<()> {
    write_few(db).await?;
    let crowd = db
        .batch_write()
        .put_all(&crowd::users())
        .put_all(&crowd::servers())
        .put_all(&crowd::memberships())
        .put_all(&crowd::channels())
        .put_all(&crowd::messages())
        .put_all(&crowd::invites())
        .put_all(&crowd::connections())
        .put_all(&crowd::last_reads());
    send(crowd).await
}

/// Writes all of it but the crowd.
pub async fn write_few(db: &Table<Discord>) -> Result<()> {
    let few = db
        .batch_write()
        .put_all(&users())
        .put_all(&servers())
        .put_all(&memberships())
        .put_all(&channels())
        .put_all(&messages())
        .put_all(&invites())
        .put_all(&connections())
        .put_all(&last_reads());
    send(few).await
}

async fn send(mut left: BatchWrite<'_, Discord>) -> Result<()> {
    while !left.is_empty() {
        left = left.send().await?;
    }
    Ok(())
}

/// What the schema shows: all of it but the crowd.
pub fn shown() -> Vec<Discord> {
    let mut shown: Vec<Discord> = users().map(Discord::from).into();
    shown.extend(servers().map(Discord::from));
    shown.extend(memberships().map(Discord::from));
    shown.extend(channels().map(Discord::from));
    shown.extend(messages().map(Discord::from));
    shown.extend(invites().map(Discord::from));
    shown.extend(connections().map(Discord::from));
    shown.extend(last_reads().map(Discord::from));
    shown
}

pub fn users() -> [User; 2] {
    [
        (TESTUSER, "test@example.com", "testuser"),
        (MIRA, "mira@example.com", "mira"),
    ]
    .map(|(id, email, name)| User {
        user_id: id.to_owned(),
        email: email.to_owned(),
        username: name.to_owned(),
        password_hash: "$2a$10$HASHEDPASSWORD".to_owned(),
        avatar_url: None,
        created_at: created(),
        updated_at: created(),
    })
}

pub fn servers() -> [Server; 2] {
    [
        (TEST_SERVER, "Test Server", TESTUSER),
        (BOOK_CLUB, "Book Club", MIRA),
    ]
    .map(|(id, name, owner)| Server {
        server_id: id.to_owned(),
        name: name.to_owned(),
        owner_id: owner.to_owned(),
        icon_url: None,
        created_at: created(),
        updated_at: created(),
    })
}

pub fn memberships() -> [Membership; 4] {
    [
        (TESTUSER, TEST_SERVER, Role::Owner),
        (TESTUSER, BOOK_CLUB, Role::Member),
        (MIRA, TEST_SERVER, Role::Admin),
        (MIRA, BOOK_CLUB, Role::Owner),
    ]
    .map(|(user, server, role)| Membership {
        user_id: user.to_owned(),
        server_id: server.to_owned(),
        role,
        joined_at: created(),
    })
}

pub fn channels() -> [Channel; 2] {
    [
        (GENERAL, "general", "General chat"),
        (RANDOM, "random", "Everything else"),
    ]
    .map(|(id, name, topic)| Channel {
        channel_id: id.to_owned(),
        server_id: TEST_SERVER.to_owned(),
        name: name.to_owned(),
        topic: topic.to_owned(),
        created_at: created(),
        updated_at: created(),
    })
}

/// A message that is sent after all others.
pub fn greeting() -> Message {
    let [_, last, ..] = messages();
    Message {
        sent_ms: SENT + 3_600_000,
        message_id: "01JGSTEST018".to_owned(),
        content: "Good morning!".to_owned(),
        edited: false,
        edited_at: None,
        reactions: vec![],
        ..last
    }
}

/// Five messages in one channel, two of them of the same millisecond.
pub fn messages() -> [Message; 5] {
    let mut messages = [
        (HELLO, SENT, TESTUSER, "testuser", "Hello, world!"),
        (
            "01JGSTEST014",
            SENT + 4_200,
            MIRA,
            "mira",
            "Hi! Is this the new server?",
        ),
        (
            "01JGSTEST015",
            SENT + 9_000,
            TESTUSER,
            "testuser",
            "It is. Come in.",
        ),
        ("01JGSTEST016", SENT + 9_000, MIRA, "mira", "Wow"),
        (
            "01JGSTEST017",
            SENT + 61_000,
            MIRA,
            "mira",
            "Where is everybody?",
        ),
    ]
    .map(|(id, sent_ms, user, name, content)| Message {
        channel_id: GENERAL.to_owned(),
        sent_ms,
        message_id: id.to_owned(),
        user_id: user.to_owned(),
        username: name.to_owned(),
        content: content.to_owned(),
        edited: false,
        edited_at: None,
        reactions: vec![],
        created_at: created(),
        updated_at: created(),
    });
    messages[1].edited = true;
    messages[1].edited_at = Some(created() + SignedDuration::from_secs(60));
    messages[2].reactions.push(Reaction {
        emoji: "👍".to_owned(),
        user_ids: vec![MIRA.to_owned()],
        count: 1,
    });
    messages
}

pub fn invites() -> [Invite; 2] {
    let until = created() + SignedDuration::from_hours(7 * 24);
    [
        ("abc123xyz", None, None, 0),
        ("q7rs8tuv", Some(until), Some(10), 3),
    ]
    .map(|(code, expires_at, max_uses, uses)| Invite {
        invite_code: code.to_owned(),
        server_id: TEST_SERVER.to_owned(),
        created_by: TESTUSER.to_owned(),
        expires_at,
        max_uses,
        uses,
        created_at: created(),
    })
}

/// A server that is not there yet, with its first channel.
pub fn reading_room() -> (Server, Channel) {
    let [_, book_club] = servers();
    let [general, _] = channels();
    let server = Server {
        server_id: READING_ROOM.to_owned(),
        name: "Reading Room".to_owned(),
        ..book_club
    };
    let channel = Channel {
        channel_id: "01JGSTEST019".to_owned(),
        server_id: READING_ROOM.to_owned(),
        ..general
    };
    (server, channel)
}

pub fn connections() -> [Connection; 3] {
    [
        ("xyz789conn", GENERAL, TESTUSER),
        ("lmn456conn", GENERAL, MIRA),
        ("pqr123conn", RANDOM, TESTUSER),
    ]
    .map(|(id, channel, user)| Connection {
        connection_id: id.to_owned(),
        channel_id: channel.to_owned(),
        server_id: TEST_SERVER.to_owned(),
        user_id: user.to_owned(),
        connected_at: created(),
        ttl: 1_766_880_000,
    })
}

pub fn last_reads() -> [LastRead; 2] {
    [
        (TESTUSER, "01JGSTEST016", SENT + 9_000),
        (MIRA, "01JGSTEST017", SENT + 61_000),
    ]
    .map(|(user, message, timestamp)| LastRead {
        user_id: user.to_owned(),
        channel_id: GENERAL.to_owned(),
        last_read_message_id: message.to_owned(),
        last_read_timestamp: timestamp,
        updated_at: created(),
    })
}
