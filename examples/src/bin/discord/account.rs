//! One line per item, for people.

use crate::model::{Channel, Connection, Invite, LastRead, Membership, Message, Reaction, Role};
use crate::model::{Server, User};
use crate::patterns::ListedServer;
use crate::realtime::Update;
use crate::shapes::{PublicUser, ServerPage};
use crate::traps::{AnyServer, OpenConnection};
use std::fmt::{Display, Formatter, Result};

impl Display for User {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} <{}>, {}", self.username, self.email, self.user_id)
    }
}

impl Display for Server {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            server_id, name, ..
        } = self;
        write!(f, "\"{name}\" of {}, {server_id}", self.owner_id)
    }
}

impl Display for Membership {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let role = match self.role {
            Role::Owner => "the owner",
            Role::Admin => "an admin",
            Role::Member => "a member",
        };
        write!(f, "{} is {role} of {}", self.user_id, self.server_id)
    }
}

impl Display for Channel {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { name, topic, .. } = self;
        write!(f, "#{name} \"{topic}\", {}", self.channel_id)
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let edited = if self.edited { " (edited)" } else { "" };
        let Self {
            sent_ms,
            username,
            content,
            ..
        } = self;
        write!(f, "{sent_ms} {username}: {content}{edited}")?;
        self.reactions
            .iter()
            .try_for_each(|Reaction { emoji, count, .. }| write!(f, " [{emoji} {count}]"))
    }
}

impl Display for Update {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Sent(message) => write!(f, "sent {message}"),
            Self::Edited(message) => write!(f, "edited {message}"),
            Self::Deleted(message) => write!(f, "deleted {message}"),
        }
    }
}

impl Display for Invite {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(
            f,
            "{} to {}, used {}",
            self.invite_code, self.server_id, self.uses
        )?;
        match self.max_uses {
            Some(most) => write!(f, " of {most} times")?,
            None => write!(f, " times")?,
        }
        match self.expires_at {
            Some(end) => write!(f, ", until {end}"),
            None => write!(f, ", without end"),
        }
    }
}

impl Display for Connection {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            connection_id,
            user_id,
            ttl,
            ..
        } = self;
        write!(f, "{connection_id} of {user_id}, expires at {ttl}")
    }
}

impl Display for LastRead {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self {
            user_id,
            last_read_message_id,
            ..
        } = self;
        write!(f, "{user_id} has read up to {last_read_message_id}")
    }
}

impl Display for PublicUser {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}, {}", self.username, self.user_id)
    }
}

impl Display for ServerPage {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Server(server) => server.fmt(f),
            Self::Channel(channel) => channel.fmt(f),
            Self::Invite(invite) => invite.fmt(f),
        }
    }
}

impl Display for ListedServer {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { server, channels } = self;
        write!(f, "{server}: {channels} channels")
    }
}

impl Display for AnyServer {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "\"{}\", {}", self.name, self.server_id)
    }
}

impl Display for OpenConnection {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} in {}", self.connection_id, self.channel_id)
    }
}
