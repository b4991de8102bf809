//! The sixteen access patterns of the design, in its order and under its names, and then those that only its entities and its example
//! queries name. Patterns that write are in [`crate::changes`]; two that do not work as designed are in [`crate::traps`].

use crate::model::{Channel, Connection, Discord, Invite, LastRead, Membership, Message};
use crate::model::{Server, User};
use dyna_runtime::{Cursor, Page, Result, Table};
use serde::Serialize;

type Db = Table<Discord>;

/// 1. Get user by ID.
pub async fn user_by_id(db: &Db, user_id: &str) -> Result<Option<User>> {
    User::get(user_id).send(db).await
}

/// 2. Get user by email (login).
pub async fn user_by_email(db: &Db, email: &str) -> Result<Option<User>> {
    User::by_email(email).one(db).await
}

/// 3. Get server by ID.
pub async fn server_by_id(db: &Db, server_id: &str) -> Result<Option<Server>> {
    Server::get(server_id).send(db).await
}

/// 4. Get user's servers.
pub async fn servers_of_user(db: &Db, user_id: &str) -> Result<Vec<Membership>> {
    Membership::query(user_id).all(db).await
}

/// 5. Get server's members.
pub async fn members_of_server(db: &Db, server_id: &str) -> Result<Vec<Membership>> {
    Membership::of_server(server_id).all(db).await
}

/// 6. Get server's channels.
pub async fn channels_of_server(db: &Db, server_id: &str) -> Result<Vec<Channel>> {
    Channel::query(server_id).all(db).await
}

/// 7. Get channel by ID.
pub async fn channel_by_id(db: &Db, channel_id: &str) -> Result<Option<Channel>> {
    Channel::by_id(channel_id).one(db).await
}

/// 8. Get messages in channel (paginated), newest first.
pub async fn messages_in_channel(
    db: &Db,
    channel_id: &str,
    limit: usize,
    after: Option<Cursor>,
) -> Result<Page<Message>> {
    let newest = Message::query(channel_id).descending();
    newest.limit(limit).after(after).send(db).await
}

/// 8. The same, as an infinite scroll asks for it: page after page, until there is no more.
pub async fn scroll_channel(db: &Db, channel_id: &str, limit: usize) -> Result<Vec<Vec<Message>>> {
    let (mut pages, mut next) = (Vec::new(), None);
    loop {
        let page = messages_in_channel(db, channel_id, limit, next).await?;
        pages.push(page.items);
        next = page.next;
        if next.is_none() {
            return Ok(pages);
        }
    }
}

/// 9. Get messages after timestamp. Those of that very millisecond are among them, as in the design's condition.
pub async fn messages_since(db: &Db, channel_id: &str, ms: u64) -> Result<Vec<Message>> {
    Message::query(channel_id).sent_ms_range(ms..).all(db).await
}

/// 10. Get message by ID (edit/delete).
pub async fn message_by_id(db: &Db, message_id: &str) -> Result<Option<Message>> {
    Message::by_id(message_id).one(db).await
}

/// 11. Get invite by code.
pub async fn invite_by_code(db: &Db, code: &str) -> Result<Option<Invite>> {
    Invite::by_code(code).one(db).await
}

/// 12. Get server's invites.
pub async fn invites_of_server(db: &Db, server_id: &str) -> Result<Vec<Invite>> {
    Invite::query(server_id).all(db).await
}

/// 13. Get connections in channel.
pub async fn connections_in_channel(db: &Db, channel_id: &str) -> Result<Vec<Connection>> {
    Connection::query(channel_id).all(db).await
}

/// 14. Get connection by ID (disconnect).
pub async fn connection_by_id(db: &Db, connection_id: &str) -> Result<Option<Connection>> {
    Connection::by_id(connection_id).one(db).await
}

/// 15. Get user's last read for channel.
pub async fn last_read(db: &Db, user_id: &str, channel_id: &str) -> Result<Option<LastRead>> {
    LastRead::get(user_id, channel_id).send(db).await
}

/// 16. Check server membership.
pub async fn membership(db: &Db, user_id: &str, server_id: &str) -> Result<Option<Membership>> {
    Membership::get(user_id, server_id).send(db).await
}

/// Get all users' read status for a channel.
pub async fn read_status_of_channel(db: &Db, channel_id: &str) -> Result<Vec<LastRead>> {
    LastRead::of_channel(channel_id).all(db).await
}

/// A server in the list of a user.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListedServer {
    pub server: Server,
    pub channels: usize,
}

/// Get user's servers with channel counts. The servers come in one batch; DynamoDB counts, so that no channel is sent.
pub async fn servers_with_channel_counts(db: &Db, user_id: &str) -> Result<Vec<ListedServer>> {
    let memberships = servers_of_user(db, user_id).await?;
    let keys = memberships.iter().map(|of| Server::key(&*of.server_id));
    let servers = db.batch_get(keys).await?.items;
    let mut listed = Vec::new();
    for server in servers.into_iter().flatten() {
        let channels = Channel::query(&*server.server_id).count(db).await?;
        listed.push(ListedServer { server, channels });
    }
    Ok(listed)
}

/// Check if user can access channel: whoever is in its server can.
pub async fn can_access_channel(db: &Db, user_id: &str, channel_id: &str) -> Result<bool> {
    let Some(channel) = channel_by_id(db, channel_id).await? else {
        return Ok(false);
    };
    let member = membership(db, user_id, &channel.server_id).await?;
    Ok(member.is_some())
}
