//! The patterns, the traps and the changes with their sample data, as answers that are compared between engines.

use crate::model::{Channel, Discord, Message};
use crate::sample::{self, GENERAL, HELLO, MIRA, READING_ROOM, SENT, TEST_SERVER, TESTUSER, crowd};
use crate::traps::{self, AnyServer, OpenConnection, Wider};
use crate::{SESSIONS, at_hour, changes, patterns as p, realtime, shapes};
use dyna_examples::Answers;
use dyna_runtime::Table;

pub async fn of_patterns(to: &mut Answers, db: &Table<Discord>) {
    to.ask("Get user by ID", p::user_by_id(db, TESTUSER)).await;
    let email = "test@example.com";
    to.ask("Get user by email (login)", p::user_by_email(db, email))
        .await;
    to.ask("Get server by ID", p::server_by_id(db, TEST_SERVER))
        .await;
    to.ask("Get user's servers", p::servers_of_user(db, TESTUSER))
        .await;
    let server = TEST_SERVER;
    to.ask("Get server's members", p::members_of_server(db, server))
        .await;
    to.ask("Get server's channels", p::channels_of_server(db, server))
        .await;
    to.ask("Get channel by ID", p::channel_by_id(db, GENERAL))
        .await;
    let first = p::messages_in_channel(db, GENERAL, 3, None);
    let next = to.page("Get messages in channel (paginated)", first).await;
    let second = p::messages_in_channel(db, GENERAL, 3, next);
    to.page("Get messages in channel (paginated): next page", second)
        .await;
    let lobby = crowd::lobby();
    let scrolled = p::scroll_channel(db, &lobby, 50);
    to.ask("Get messages in channel (paginated): all pages", scrolled)
        .await;
    let since = p::messages_since(db, GENERAL, SENT + 9_000);
    to.ask("Get messages after timestamp", since).await;
    to.ask(
        "Get message by ID (edit/delete)",
        p::message_by_id(db, HELLO),
    )
    .await;
    to.ask("Get invite by code", p::invite_by_code(db, "abc123xyz"))
        .await;
    to.ask("Get server's invites", p::invites_of_server(db, server))
        .await;
    let connections = p::connections_in_channel(db, GENERAL);
    to.ask("Get connections in channel", connections).await;
    let connection = p::connection_by_id(db, "xyz789conn");
    to.ask("Get connection by ID (disconnect)", connection)
        .await;
    let read = p::last_read(db, TESTUSER, GENERAL);
    to.ask("Get user's last read for channel", read).await;
    let membership = p::membership(db, MIRA, TEST_SERVER);
    to.ask("Check server membership", membership).await;
}

pub async fn of_more_reads(to: &mut Answers, db: &Table<Discord>) {
    let reads = p::read_status_of_channel(db, GENERAL);
    to.ask("Get all users' read status for a channel", reads)
        .await;
    let servers = p::servers_with_channel_counts(db, MIRA);
    to.ask("Get user's servers with channel counts", servers)
        .await;
    let access = "Check if user can access channel";
    to.ask(access, p::can_access_channel(db, MIRA, GENERAL))
        .await;
    let stranger = crowd::user_id(0);
    let refused = p::can_access_channel(db, &stranger, GENERAL);
    to.ask(&format!("{access}: a stranger"), refused).await;
    let nowhere = p::can_access_channel(db, MIRA, "none");
    to.ask(&format!("{access}: no channel"), nowhere).await;
    let public = shapes::public_user(db, TESTUSER);
    to.ask("What others may see of a user", public).await;
    let page = shapes::server_page(db, TEST_SERVER);
    to.ask("A server with its channels and invites", page).await;
}

pub async fn of_traps(to: &mut Answers, db: &Table<Discord>, wider: &Table<Wider>) {
    to.ask(
        "Get all servers (admin): as designed",
        traps::ALL_SERVERS.send(db),
    )
    .await;
    let servers = AnyServer::everywhere();
    to.ask("Get all servers (admin)", servers.all(wider)).await;
    let designed = traps::OF_USER.send(db);
    to.ask("Get user's connections: as designed", designed)
        .await;
    let connections = OpenConnection::of_user(TESTUSER);
    to.ask("Get user's connections", connections.all(wider))
        .await;
    to.ask("Get channel by ID: as designed", traps::CHANNEL.send(db))
        .await;
    to.ask(
        "Get channel by ID: its own",
        Channel::by_id(GENERAL).one(db),
    )
    .await;
    let later = Message::query(GENERAL).sent_ms_range(SENT + 9_001..);
    to.ask("Get messages after timestamp: exactly", later.all(db))
        .await;
    let tomorrow = &at_hour(db, 25);
    let designed = traps::CONNECTIONS.send(tomorrow);
    to.ask("Get connections in channel: expired", designed)
        .await;
    let live = traps::live_connections_in_channel(tomorrow, GENERAL);
    to.ask("Get connections in channel: live", live).await;
}

/// What comes out of the table's stream.
pub async fn of_realtime(to: &mut Answers, db: &Table<Discord>) {
    let updates = async {
        let [one, other] = realtime::of_a_message(db, SESSIONS).await?;
        Ok([one, other].concat())
    };
    to.ask("WebSocket real-time updates", updates).await;
}

pub async fn of_changes(to: &mut Answers, db: &Table<Discord>) {
    let (server, channel) = sample::reading_room();
    let open = || changes::open_server(db, &server, &channel).send();
    to.ask("Open a server", open()).await;
    let servers = p::servers_of_user(db, MIRA);
    to.ask("Open a server: its owner's servers", servers).await;
    to.ask("Open a server: again", open()).await;

    let [invite, _] = sample::invites();
    let join = |user| changes::join(db, &invite, user).send();
    to.ask("Join by an invite", join("guest")).await;
    to.ask("Join by an invite: again", join("guest")).await;
    let used = p::invite_by_code(db, &invite.invite_code);
    to.ask("Join by an invite: its uses", used).await;

    let [_, mut random] = sample::channels();
    READING_ROOM.clone_into(&mut random.server_id);
    let moved = changes::move_channel(TEST_SERVER, &random);
    to.ask("Move a channel", moved.send(db)).await;
    let channels = p::channels_of_server(db, READING_ROOM);
    to.ask("Move a channel: where it is", channels).await;

    let closed = changes::close_connections(db, GENERAL);
    to.ask("Close connections", closed).await;
    let left = p::connections_in_channel(db, GENERAL);
    to.ask("Close connections: what is left", left).await;

    let edited = || changes::edit_message(db, HELLO, "Hello, everyone!", sample::created());
    to.ask("Update/delete message: edited", edited()).await;
    let gone = || changes::delete_message(db, HELLO);
    to.ask("Update/delete message: deleted", gone()).await;
    to.ask("Update/delete message: again", gone()).await;
    to.ask("Update/delete message: edited too late", edited())
        .await;
    let counted = changes::increment_invite_uses(db, TEST_SERVER, "q7rs8tuv");
    to.ask("Increment invite uses", counted).await;
    let gone = changes::cleanup_on_disconnect(db, "pqr123conn");
    to.ask("Cleanup on disconnect", gone).await;
    let gone = p::connection_by_id(db, "pqr123conn");
    to.ask("Cleanup on disconnect: what is left", gone).await;
    let [_, mut read] = sample::last_reads();
    HELLO.clone_into(&mut read.last_read_message_id);
    to.ask("Update last read", changes::update_last_read(db, &read))
        .await;
    let stored = p::last_read(db, &read.user_id, &read.channel_id);
    to.ask("Update last read: stored", stored).await;

    let [_, invite] = sample::invites();
    let late = || changes::join(db, &invite, "late guest").token("late guest joins");
    to.ask("Join by an invite: under a token", late().send())
        .await;
    to.ask("Join by an invite: under the same token", late().send())
        .await;
    let used = p::invite_by_code(db, &invite.invite_code);
    to.ask("Join by an invite: used once for both", used).await;
}
