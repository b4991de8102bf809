//! Writes of several items, so that what they say of each other is never half true; and writes of many that need no such care.

use crate::model::Server;
use crate::model::User;
use crate::model::{Channel, Connection, Discord, Invite, LastRead, Membership, Message, Role};
use dyna_examples::Time;
use dyna_runtime::{Rekey, Result, Table, TransactWrite};

type Db = Table<Discord>;

/// Opens a server: itself, its first channel and its owner's membership, if the owner is a user.
pub fn open_server<'d>(
    db: &'d Db,
    server: &Server,
    channel: &Channel,
) -> TransactWrite<'d, Discord> {
    let owner = Membership {
        user_id: server.owner_id.clone(),
        server_id: server.server_id.clone(),
        role: Role::Owner,
        joined_at: server.created_at,
    };
    db.transact()
        .create(server)
        .create(channel)
        .create(&owner)
        .check(User::check(&*server.owner_id).exists())
}

/// Lets a user into a server and counts the use of the invite, if it is still there and not used up.
pub fn join<'d>(db: &'d Db, invite: &Invite, user_id: &str) -> TransactWrite<'d, Discord> {
    let member = Membership {
        user_id: user_id.to_owned(),
        server_id: invite.server_id.clone(),
        role: Role::Member,
        joined_at: invite.created_at,
    };
    let used = Invite::update(&*invite.server_id, &*invite.invite_code).add(Invite::USES, 1);
    let used = match invite.max_uses {
        Some(most) => used.when(Invite::USES.lt(most)),
        None => used,
    };
    db.transact().create(&member).update(used)
}

/// Takes a channel from one server to another, which changes its primary key.
pub fn move_channel<'c>(from_server: &str, channel: &'c Channel) -> Rekey<'c, Channel> {
    Channel::rekey(Channel::key(from_server, &*channel.channel_id), channel)
}

/// Closes the connections of a channel; how many DynamoDB had not deleted when the tries were used up.
pub async fn close_connections(db: &Db, channel_id: &str) -> Result<usize> {
    let open = Connection::query(channel_id).all(db).await?;
    let keys = open.into_iter().map(|connection| {
        let Connection { connection_id, .. } = connection;
        Connection::key(channel_id, connection_id)
    });
    let left = db.batch_write().delete_all(keys).send().await?;
    Ok(left.len())
}

/// Update/delete message: it is found by its id, and changed by its key. The message as it is then, if there is one.
pub async fn edit_message(
    db: &Db,
    message_id: &str,
    content: &str,
    at: Time,
) -> Result<Option<Message>> {
    let Some(found) = Message::by_id(message_id).one(db).await? else {
        return Ok(None);
    };
    let edited = Message::update(found.channel_id, found.sent_ms, message_id)
        .set(Message::CONTENT, content)
        .set(Message::EDITED, true)
        .set(Message::EDITED_AT, at)
        .set(Message::UPDATED_AT, at);
    edited.returning_new().send(db).await.map(Some)
}

/// Update/delete message: it goes for good, as the design has it. The message as it was, if there was one.
pub async fn delete_message(db: &Db, message_id: &str) -> Result<Option<Message>> {
    let Some(found) = Message::by_id(message_id).one(db).await? else {
        return Ok(None);
    };
    let gone = Message::delete(found.channel_id, found.sent_ms, message_id);
    gone.returning_old().send(db).await
}

/// Increment invite uses: the invite as it is then.
pub async fn increment_invite_uses(db: &Db, server_id: &str, code: &str) -> Result<Invite> {
    let used = Invite::update(server_id, code).add(Invite::USES, 1);
    used.returning_new().send(db).await
}

/// Cleanup on disconnect: the connection is found by its id and deleted by its key.
pub async fn cleanup_on_disconnect(db: &Db, connection_id: &str) -> Result<()> {
    if let Some(open) = Connection::by_id(connection_id).one(db).await? {
        let gone = Connection::delete(&*open.channel_id, connection_id);
        gone.send(db).await?;
    }
    Ok(())
}

/// Update last read.
pub async fn update_last_read(db: &Db, read: &LastRead) -> Result<()> {
    read.put().send(db).await
}
