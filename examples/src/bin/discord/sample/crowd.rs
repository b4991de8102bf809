//! Everyone else: ten communities with their members, channels and talk, about 1400 items, the same each time. Their ids are ULIDs.

use super::{SENT, created};
use crate::model::{
    Channel, Connection, Invite, LastRead, Membership, Message, Role, Server, User,
};
use ulid::Ulid;

const USERS: usize = 60;
/// How many members a community has, who are neighbours in the list of users.
const MEMBERS: usize = 18;
/// How many messages are in the lobby, one a minute, and in every other channel.
const LOBBY_MESSAGES: usize = 480;
const MESSAGES: usize = 12;

const COMMUNITIES: [&str; 10] = [
    "Trampers",
    "Sourdough",
    "Chess After Dark",
    "Night Sky",
    "Synthesizers",
    "Allotments",
    "Rust Learners",
    "Film Photography",
    "Crosswords",
    "Old Maps",
];

const CHANNELS: [(&str, &str); 3] = [
    ("lobby", "Say hello"),
    ("help", "No question is too small"),
    ("off-topic", "Everything else"),
];

const NAMES: [&str; 6] = ["aroha", "bela", "chidi", "dana", "emre", "fern"];

const PHRASES: [&str; 7] = [
    "Good morning!",
    "Has anyone tried this?",
    "It worked on the second try.",
    "I have a question about yesterday.",
    "Same here.",
    "Thank you, that helped.",
    "See you tonight.",
];

/// An id of its kind: the ULID of that number, made a second after the one before it.
fn id(kind: u128, number: usize) -> String {
    let made = SENT + 1_000 * number as u64;
    Ulid::from_parts(made, kind << 64 | number as u128).to_string()
}

pub fn user_id(number: usize) -> String {
    id(1, number % USERS)
}

fn server_id(number: usize) -> String {
    id(2, number)
}

fn channel_id(server: usize, channel: usize) -> String {
    id(3, server * CHANNELS.len() + channel)
}

/// The liveliest channel.
pub fn lobby() -> String {
    channel_id(0, 0)
}

fn name(number: usize) -> String {
    let number = number % USERS;
    format!("{}{}", NAMES[number % NAMES.len()], number / NAMES.len())
}

/// The members of a community, by their numbers: its owner, an admin, and others.
fn members(server: usize) -> impl Iterator<Item = usize> {
    (0..MEMBERS).map(move |member| server * NAMES.len() + member)
}

pub fn users() -> Vec<User> {
    let user = |number| User {
        user_id: user_id(number),
        email: format!("{}@example.org", name(number)),
        username: name(number),
        password_hash: "$2a$10$HASHEDPASSWORD".to_owned(),
        avatar_url: None,
        created_at: created(),
        updated_at: created(),
    };
    (0..USERS).map(user).collect()
}

pub fn servers() -> Vec<Server> {
    let server = |(number, name): (usize, &&str)| Server {
        server_id: server_id(number),
        name: (*name).to_owned(),
        owner_id: user_id(number * NAMES.len()),
        icon_url: None,
        created_at: created(),
        updated_at: created(),
    };
    COMMUNITIES.iter().enumerate().map(server).collect()
}

pub fn memberships() -> Vec<Membership> {
    let of_server = |server| {
        members(server)
            .enumerate()
            .map(move |(nth, user)| Membership {
                user_id: user_id(user),
                server_id: server_id(server),
                role: match nth {
                    0 => Role::Owner,
                    1 => Role::Admin,
                    _ => Role::Member,
                },
                joined_at: created(),
            })
    };
    (0..COMMUNITIES.len()).flat_map(of_server).collect()
}

pub fn channels() -> Vec<Channel> {
    let of_server = |server| {
        let channels = CHANNELS.iter().enumerate();
        channels.map(move |(nth, (name, topic))| Channel {
            channel_id: channel_id(server, nth),
            server_id: server_id(server),
            name: (*name).to_owned(),
            topic: (*topic).to_owned(),
            created_at: created(),
            updated_at: created(),
        })
    };
    (0..COMMUNITIES.len()).flat_map(of_server).collect()
}

/// Channel by channel, each one's in the order of time.
pub fn messages() -> Vec<Message> {
    let places =
        (0..COMMUNITIES.len()).flat_map(|server| (0..CHANNELS.len()).map(move |n| (server, n)));
    let of_channel = |(server, nth)| {
        let channel = channel_id(server, nth);
        let count = if channel == lobby() {
            LOBBY_MESSAGES
        } else {
            MESSAGES
        };
        (0..count).map(move |number| message(server, nth, number))
    };
    places.flat_map(of_channel).collect()
}

/// The members write in turn, one message a minute.
fn message(server: usize, channel: usize, number: usize) -> Message {
    let place = server * CHANNELS.len() + channel;
    let user = server * NAMES.len() + number % MEMBERS;
    Message {
        channel_id: channel_id(server, channel),
        sent_ms: SENT + 60_000 * number as u64,
        message_id: id(4 + place as u128, number),
        user_id: user_id(user),
        username: name(user),
        content: PHRASES[(number + number / PHRASES.len()) % PHRASES.len()].to_owned(),
        edited: false,
        edited_at: None,
        reactions: vec![],
        created_at: created(),
        updated_at: created(),
    }
}

/// One of each community.
pub fn invites() -> Vec<Invite> {
    let invite = |server| Invite {
        invite_code: format!("welcome{server:03}"),
        server_id: server_id(server),
        created_by: user_id(server * NAMES.len()),
        expires_at: None,
        max_uses: Some(100),
        uses: 16,
        created_at: created(),
    };
    (0..COMMUNITIES.len()).map(invite).collect()
}

/// The first four members of each community listen to its first channel.
pub fn connections() -> Vec<Connection> {
    let of_server = |server| {
        members(server).take(4).map(move |user| Connection {
            connection_id: format!("conn-{server:02}-{user:02}"),
            channel_id: channel_id(server, 0),
            server_id: server_id(server),
            user_id: user_id(user),
            connected_at: created(),
            ttl: 1_766_880_000,
        })
    };
    (0..COMMUNITIES.len()).flat_map(of_server).collect()
}

/// Each member has read the first channel of the community up to the tenth message.
pub fn last_reads() -> Vec<LastRead> {
    let of_server = |server| {
        let tenth = message(server, 0, 9);
        members(server).map(move |user| LastRead {
            user_id: user_id(user),
            channel_id: tenth.channel_id.clone(),
            last_read_message_id: tenth.message_id.clone(),
            last_read_timestamp: tenth.sent_ms,
            updated_at: created(),
        })
    };
    (0..COMMUNITIES.len()).flat_map(of_server).collect()
}
