//! A Discord clone in one table: every access pattern of its design, run against the embedded engine.
//!
//! `model` is all there is to write; `patterns`, `changes` and `shapes` are how it is used. The program writes about 1400 items, runs the
//! sixteen patterns and those that the design names beside them, then the five that do not work as designed, sends messages that reach two
//! sessions through the table's stream, and at last makes some writes of several items, and prints what it asked and what it got.
//!
//! `discord schema` prints the schema of the table instead: `cargo run --bin discord schema --help`.

#![expect(
    unreachable_pub,
    reason = "the model and its patterns read as they would in a library"
)]

mod account;
mod answers;
mod changes;
mod model;
mod patterns;
mod realtime;
mod sample;
mod shapes;
#[cfg(test)]
mod tests;
mod traps;

use dyna_examples::{Account, Answers, Declared, Designed, Engine, Model, Result, contents, show};
use dyna_runtime::{Explain, Table};
use model::{Channel, Connection, Discord, Invite, LastRead, Membership, Message, Server, User};
use patterns::{
    can_access_channel, channel_by_id, channels_of_server, connection_by_id,
    connections_in_channel, invite_by_code, invites_of_server, last_read, members_of_server,
    membership, message_by_id, messages_in_channel, messages_since, read_status_of_channel,
    scroll_channel, server_by_id, servers_of_user, servers_with_channel_counts, user_by_email,
    user_by_id,
};
use sample::{GENERAL, HELLO, MIRA, RANDOM, READING_ROOM, SENT, TEST_SERVER, TESTUSER, crowd};
use shapes::{PublicUser, ServerPage, public_user, server_page};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};
use traps::{AnyServer, OpenConnection, Wider, live_connections_in_channel};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("schema") {
        let program = dyna_cli::main::<Discord>().samples(sample::shown());
        return dyna_examples::schema(program, arguments).await;
    }
    dyna_examples::main::<Discord>().await
}

impl Model for Discord {
    const NAME: &'static str = "discord";
    const DOCUMENT: &'static str = include_str!("document.txt");

    fn tables() -> Vec<Declared> {
        vec![Declared::of::<Discord>()]
    }

    async fn tell(engine: &Engine, to: &mut Account) -> Result<()> {
        let (db, wider) = opened(engine).await?;
        to.heading("Discord clone: one table, 8 entities, one index");
        to.contents(&contents(&db).await?);
        run_patterns(to, &db).await?;
        run_more_reads(to, &db).await?;
        run_traps(to, &db, &wider).await?;
        run_more_writes(to, &db).await?;
        if engine.has_streams() {
            run_realtime(to, &db).await?;
        }
        run_changes(to, &db).await
    }

    async fn answer(engine: &Engine, to: &mut Answers) -> Result<()> {
        let (db, wider) = opened(engine).await?;
        answers::of_patterns(to, &db).await;
        answers::of_more_reads(to, &db).await;
        answers::of_traps(to, &db, &wider).await;
        answers::of_changes(to, &db).await;
        Ok(())
    }

    async fn answer_here(engine: &Engine, to: &mut Answers) -> Result<()> {
        let db = at_hour(&engine.open("live").await?, 1);
        sample::write_few(&db).await?;
        answers::of_realtime(to, &db).await;
        Ok(())
    }
}

/// The table with its sample items, when its connections are open, and the same with one index more.
async fn opened(engine: &Engine) -> Result<(Table<Discord>, Table<Wider>)> {
    let db = at_hour(&engine.open("example").await?, 1);
    let wider = engine.open::<Wider>("wider").await?;
    sample::write(&db).await?;
    traps::copy(&db, &wider).await?;
    Ok((db, wider))
}

/// The same table, so many hours after everything was created.
fn at_hour(db: &Table<Discord>, hour: u64) -> Table<Discord> {
    let created: SystemTime = sample::created().into();
    let now = created + Duration::from_secs(hour * 3_600);
    db.clone().with_clock(move || now)
}

async fn run_patterns(to: &mut Account, db: &Table<Discord>) -> Result<()> {
    to.heading("The 16 access patterns");
    to.say("Each pattern: the request in Rust, what it asks DynamoDB, and what it gets.");
    let email = "test@example.com";
    show!(to, " 1  Get user by ID":
        User::get(TESTUSER) => user_by_id(db, TESTUSER));
    show!(to, " 2  Get user by email (login)":
        User::by_email(email) => user_by_email(db, email));
    show!(to, " 3  Get server by ID":
        Server::get(TEST_SERVER) => server_by_id(db, TEST_SERVER));
    show!(to, " 4  Get user's servers":
        Membership::query(TESTUSER) => servers_of_user(db, TESTUSER));
    show!(to, " 5  Get server's members":
        Membership::of_server(TEST_SERVER) => members_of_server(db, TEST_SERVER));
    show!(to, " 6  Get server's channels":
        Channel::query(TEST_SERVER) => channels_of_server(db, TEST_SERVER));
    show!(to, " 7  Get channel by ID":
        Channel::by_id(GENERAL) => channel_by_id(db, GENERAL));
    let page = show!(to, " 8  Get messages in channel (paginated), newest first":
        Message::query(GENERAL).descending().limit(3)
            => messages_in_channel(db, GENERAL, 3, None));
    let cursor = page.next.as_ref();
    show!(to, "    and the page after it":
        Message::query(GENERAL).descending().limit(3).after(cursor.cloned())
            => messages_in_channel(db, GENERAL, 3, cursor.cloned()));
    let time = SENT + 9_000;
    show!(to, " 9  Get messages after timestamp":
        Message::query(GENERAL).sent_ms_range(time..) => messages_since(db, GENERAL, time));
    show!(to, "10  Get message by ID (edit/delete)":
        Message::by_id(HELLO) => message_by_id(db, HELLO));
    show!(to, "11  Get invite by code":
        Invite::by_code("abc123xyz") => invite_by_code(db, "abc123xyz"));
    show!(to, "12  Get server's invites":
        Invite::query(TEST_SERVER) => invites_of_server(db, TEST_SERVER));
    show!(to, "13  Get connections in channel":
        Connection::query(GENERAL) => connections_in_channel(db, GENERAL));
    show!(to, "14  Get connection by ID (disconnect)":
        Connection::by_id("xyz789conn") => connection_by_id(db, "xyz789conn"));
    show!(to, "15  Get user's last read for channel":
        LastRead::get(TESTUSER, GENERAL) => last_read(db, TESTUSER, GENERAL));
    show!(to, "16  Check server membership":
        Membership::get(MIRA, TEST_SERVER) => membership(db, MIRA, TEST_SERVER));
    Ok(())
}

async fn run_more_reads(to: &mut Account, db: &Table<Discord>) -> Result<()> {
    to.heading("More reads");
    to.say(
        "A long read of pattern 8, three that the design names beside the sixteen, then a projection, which reads what it has fields for, \
         and a collection, which reads a partition at once.",
    );
    to.title("    A busy channel, page by page, as an infinite scroll asks for it");
    to.code("Message::query(lobby).descending().limit(50).after(page.next)");
    let pages = scroll_channel(db, &crowd::lobby(), 50).await?;
    let messages: usize = pages.iter().map(Vec::len).sum();
    to.gets(&Some(format!(
        "{messages} messages on {} pages",
        pages.len()
    )));
    show!(to, "    Get all users' read status for a channel":
        LastRead::of_channel(GENERAL) => read_status_of_channel(db, GENERAL));
    to.title("    Get user's servers with channel counts");
    to.code(
        "db.batch_get(memberships.iter().map(|of| Server::key(&*of.server_id)))\n\
         Channel::query(&*server.server_id).count(db)",
    );
    to.gets(&servers_with_channel_counts(db, MIRA).await?);
    to.title("    Check if user can access channel: one who is in its server, and one who is not");
    to.code("Channel::by_id(channel).one(db)\nMembership::get(user, &*channel.server_id)");
    let mut access = Vec::new();
    for user in [MIRA, &crowd::user_id(0)] {
        let can = can_access_channel(db, user, GENERAL).await?;
        access.push(format!("{user}: {}", if can { "yes" } else { "no" }));
    }
    to.gets(&access);
    show!(to, "    What others may see of a user":
        User::get(TESTUSER).project::<PublicUser>() => public_user(db, TESTUSER));
    show!(to, "    A server with its channels and invites":
        ServerPage::query(TEST_SERVER) => server_page(db, TEST_SERVER));
    Ok(())
}

async fn run_traps(to: &mut Account, db: &Table<Discord>, wider: &Table<Wider>) -> Result<()> {
    to.heading("Five conditions of the design that do something else, and the way out");
    to.say("Each condition as designed, sent to DynamoDB as it stands; then what works.");

    designed(to, db, " A  Get all servers (admin)", &traps::ALL_SERVERS).await?;
    to.remark(
        "DynamoDB compares a partition key by equality only, so there is no method for this. But all \
         servers have gsi1sk \"META\": an index with the two keys of gsi1 turned around lists them.",
    );
    show!(to, AnyServer::everywhere() => AnyServer::everywhere().all(wider));

    designed(to, db, " B  Get user's connections", &traps::OF_USER).await?;
    to.remark(
        "A connection writes the user to gsi1sk; what it writes to gsi1pk is CONN#. The index that \
         is turned around answers this too.",
    );
    show!(to, OpenConnection::of_user(TESTUSER) => OpenConnection::of_user(TESTUSER).all(wider));

    designed(to, db, " C  Get channel by ID", &traps::CHANNEL).await?;
    to.remark(
        "The partition also holds who has read how far in the channel. Channel and LastRead have \
         sort keys of their own, and each asks for those.",
    );
    show!(to, Channel::by_id(GENERAL) => Channel::by_id(GENERAL).one(db));
    show!(to, LastRead::of_channel(GENERAL) => LastRead::of_channel(GENERAL).all(db));

    designed(to, db, " D  Get messages after timestamp", &traps::AFTER).await?;
    to.remark(
        "MSG#<timestamp># sorts before the messages of that very millisecond, so they come along, \
         and so would any entity whose sort key sorts after MSG#. A range is exact at both ends.",
    );
    let time = SENT + 9_000;
    show!(to, Message::query(GENERAL).sent_ms_range(time + 1..)
        => Message::query(GENERAL).sent_ms_range(time + 1..).all(db));

    let tomorrow = &at_hour(db, 25);
    designed(
        to,
        tomorrow,
        " E  Get connections in channel, a day later",
        &traps::CONNECTIONS,
    )
    .await?;
    to.remark(
        "They have expired, but DynamoDB may take days to delete them. A live read leaves them out at once.",
    );
    show!(to, Connection::query(GENERAL).skip_expired() => live_connections_in_channel(tomorrow, GENERAL));
    Ok(())
}

/// The writes that the design names.
async fn run_more_writes(to: &mut Account, db: &Table<Discord>) -> Result<()> {
    to.heading("Writes of one item");
    to.title("    Update/delete message: found by its id, changed by its key");
    to.code(
        "Message::by_id(id).one(db)\n\
         Message::update(channel, sent_ms, id).set(Message::CONTENT, ..).set(Message::EDITED, true)",
    );
    let edited = changes::edit_message(db, HELLO, "Hello, everyone!", sample::created());
    to.gets(&edited.await?);
    to.code("Message::delete(channel, sent_ms, id).returning_old()");
    to.gets(&changes::delete_message(db, HELLO).await?);
    to.title("    Increment invite uses");
    to.code("Invite::update(server, code).add(Invite::USES, 1).returning_new()");
    let used = changes::increment_invite_uses(db, TEST_SERVER, "q7rs8tuv");
    to.gets(&Some(used.await?));
    to.title("    Cleanup on disconnect; then the connections of that channel");
    to.code("Connection::by_id(id).one(db)\nConnection::delete(channel, id)");
    changes::cleanup_on_disconnect(db, "pqr123conn").await?;
    to.gets(&connections_in_channel(db, RANDOM).await?);
    to.title("    Update last read");
    to.code("read.put()");
    let [mut read, _] = sample::last_reads();
    "01JGSTEST017".clone_into(&mut read.last_read_message_id);
    changes::update_last_read(db, &read).await?;
    to.gets(&last_read(db, TESTUSER, GENERAL).await?);
    Ok(())
}

/// The table's stream, as the source of real-time updates.
async fn run_realtime(to: &mut Account, db: &Table<Discord>) -> Result<()> {
    to.heading("Real-time updates");
    to.say(
        "What happens to a message comes out of the table's stream as a typed change, and goes to the WebSocket sessions that listen to \
         its channel: two of them here, as channels of this program.",
    );
    to.title("    A message is sent, edited and deleted; what each session gets");
    to.code(
        "let mut changes = db.changes().from_latest().stream();\n\
         ChangeKind::Insert { new: Discord::Message(new) } => Update::Sent(new)\n\
         Connection::query(channel).skip_expired()",
    );
    let mut lines = Vec::new();
    for (session, updates) in SESSIONS
        .iter()
        .zip(realtime::of_a_message(db, SESSIONS).await?)
    {
        let lines_of = updates.iter().map(|update| format!("{session}: {update}"));
        lines.extend(lines_of);
    }
    to.gets(&lines);
    Ok(())
}

/// The connections whose sessions are open in the general channel.
const SESSIONS: [&str; 2] = ["xyz789conn", "lmn456conn"];

async fn run_changes(to: &mut Account, db: &Table<Discord>) -> Result<()> {
    to.heading("Writes that go together");
    to.say("Each transaction is made as a whole or not at all. A line is an operation, with what it asks of its item.");

    let (server, channel) = sample::reading_room();
    to.title(" F  Open a server, with its first channel and its owner");
    to.asks(&conditions(
        &changes::open_server(db, &server, &channel).explain(),
    ));
    changes::open_server(db, &server, &channel).send().await?;
    to.gets(&servers_of_user(db, MIRA).await?);

    let [invite, _] = sample::invites();
    to.title(" G  Join by an invite, but be a member already");
    to.asks(&conditions(&changes::join(db, &invite, MIRA).explain()));
    let refused = changes::join(db, &invite, MIRA).send().await.err();
    to.gets(&refused);
    to.title("    and join, twice under one token: an answer that was lost is no harm");
    to.code("db.transact().create(&member).update(used).token(\"guest joins\")");
    for _ in 0..2 {
        let join = changes::join(db, &invite, "guest").token("guest joins");
        join.send().await?;
    }
    to.gets(&invite_by_code(db, &invite.invite_code).await?);

    let [_, mut random] = sample::channels();
    READING_ROOM.clone_into(&mut random.server_id);
    to.title(" H  Take a channel to another server");
    let request = changes::move_channel(TEST_SERVER, &random);
    to.asks(&conditions(&request.explain()));
    request.send(db).await?;
    to.gets(&channels_of_server(db, READING_ROOM).await?);

    to.title(" I  Close the connections of a channel, in a batch");
    let left = changes::close_connections(db, GENERAL).await?;
    to.code("db.batch_write().delete_all(keys).send()");
    to.gets(&Some(format!("{left} that DynamoDB left undone")));
    Ok(())
}

/// The operations of a transaction with their keys and conditions, one on each line.
fn conditions(request: &Explain) -> String {
    let member = |number: usize, name: &str| request.get(&format!("{number}.{name}"));
    let key = |number, name: &str| {
        let key = member(number, &format!("Key.{name}"));
        key.or_else(|| member(number, &format!("Item.{name}")))
            .unwrap_or_default()
    };
    let operation = |number: usize| {
        let (operation, _table) = request.get(&number.to_string())?.split_once(' ')?;
        let (pk, sk) = (key(number, "pk"), key(number, "sk"));
        let condition = member(number, "ConditionExpression").unwrap_or("always");
        Some(format!("{operation}: pk = {pk}, sk = {sk}: {condition}"))
    };
    let operations: Vec<_> = (0..).map_while(operation).collect();
    operations.join("\n")
}

async fn designed(
    to: &mut Account,
    db: &Table<Discord>,
    title: &str,
    query: &Designed,
) -> Result<()> {
    to.title(title);
    to.asks(&query.to_string());
    to.gets(&query.ask(db).await?);
    Ok(())
}
