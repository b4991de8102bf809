//! The table's stream as the source of real-time updates: what happens to the messages of a channel reaches the `WebSocket` sessions that
//! listen to it.

use crate::changes::{delete_message, edit_message};
use crate::model::{Connection, Discord, Message};
use crate::sample;
use crate::traps::live_connections_in_channel;
use dyna_runtime::change::{Change, ChangeKind, ChangeStream};
use dyna_runtime::{Result, Table};
use serde::Serialize;
use std::collections::HashMap;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

type Db = Table<Discord>;

/// What a session is sent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Update {
    Sent(Message),
    Edited(Message),
    Deleted(Message),
}

impl Update {
    fn message(&self) -> &Message {
        let (Self::Sent(message) | Self::Edited(message) | Self::Deleted(message)) = self;
        message
    }
}

/// The update that a change is, if it is one of a message.
pub fn update_of(change: Change<Discord>) -> Option<Update> {
    match change.kind {
        ChangeKind::Insert {
            new: Discord::Message(new),
        } => Some(Update::Sent(new)),
        ChangeKind::Modify {
            new: Discord::Message(new),
            old: Discord::Message(old),
        } if new != old => Some(Update::Edited(new)),
        ChangeKind::Remove {
            old: Discord::Message(old),
            ..
        } => Some(Update::Deleted(old)),
        _ => None,
    }
}

/// The open sessions, by the ids of their connections: in place of API Gateway.
#[derive(Debug, Default)]
pub struct Gateway {
    sessions: HashMap<String, UnboundedSender<Update>>,
}

impl Gateway {
    /// Opens the session of a connection.
    pub fn connect(&mut self, connection_id: &str) -> UnboundedReceiver<Update> {
        let (to, from) = unbounded_channel();
        self.sessions.insert(connection_id.to_owned(), to);
        from
    }

    /// Whether the session is there to get it.
    fn post(&self, connection_id: &str, update: &Update) -> bool {
        let session = self.sessions.get(connection_id);
        session.is_some_and(|session| session.send(update.clone()).is_ok())
    }
}

/// Sends an update to all who listen to its channel. A connection whose session is gone is deleted.
pub async fn broadcast(db: &Db, gateway: &Gateway, update: &Update) -> Result<()> {
    let channel_id = &*update.message().channel_id;
    for connection in live_connections_in_channel(db, channel_id).await? {
        if !gateway.post(&connection.connection_id, update) {
            let gone = Connection::delete(channel_id, connection.connection_id);
            gone.send(db).await?;
        }
    }
    Ok(())
}

/// Sends all updates on, as long as the stream has changes.
pub async fn follow(db: &Db, gateway: &Gateway, changes: &mut ChangeStream<Discord>) -> Result<()> {
    while let Some(change) = changes.next().await {
        if let Some(update) = update_of(change?) {
            broadcast(db, gateway, &update).await?;
        }
    }
    Ok(())
}

/// What the sessions of these connections get of a message that is sent, edited and deleted.
pub async fn of_a_message<const N: usize>(
    db: &Db,
    connections: [&str; N],
) -> Result<[Vec<Update>; N]> {
    let mut gateway = Gateway::default();
    let mut sessions = connections.map(|id| gateway.connect(id));
    let mut changes = db.changes().from_latest().stream();
    changes.start().await?;
    let sent = sample::greeting();
    sent.create().send(db).await?;
    edit_message(
        db,
        &sent.message_id,
        "Good morning, all!",
        sample::created(),
    )
    .await?;
    delete_message(db, &sent.message_id).await?;
    received(db, &gateway, &mut changes, &mut sessions, 3).await
}

/// The next updates of each session, while the stream is followed.
pub async fn received<const N: usize>(
    db: &Db,
    gateway: &Gateway,
    changes: &mut ChangeStream<Discord>,
    sessions: &mut [UnboundedReceiver<Update>; N],
    updates: usize,
) -> Result<[Vec<Update>; N]> {
    let mut received = [const { Vec::new() }; N];
    let receive = async {
        for (session, received) in sessions.iter_mut().zip(&mut received) {
            for _ in 0..updates {
                received.extend(session.recv().await);
            }
        }
    };
    tokio::select! {
        followed = follow(db, gateway, changes) => followed?,
        () = receive => {}
    }
    Ok(received)
}
