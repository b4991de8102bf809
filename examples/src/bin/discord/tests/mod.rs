//! The patterns find exactly what they name, items are stored as in the design, and the account is true.

mod changes;
mod items;
mod realtime;

use crate::model::{Discord, Message};
use crate::sample::crowd;
use crate::sample::{self, BOOK_CLUB, GENERAL, HELLO, MIRA, RANDOM, SENT, TEST_SERVER, TESTUSER};
use crate::shapes::{self, ServerPage};
use crate::traps::Wider;
use crate::{Account, at_hour, opened, patterns, run_patterns, traps};
use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::types::{KeySchemaElement, ProjectionType, StreamViewType};
use dyna_examples::{Answers, COLUMNS, Engine, Model, contents, filled};
use dyna_runtime::Table;
use dyna_runtime::embedded::Embedded;
use serde_json::Value;
use std::sync::{Arc, Mutex};
use tokio::sync::OnceCell;

/// The table with all samples, and the same with one index more. They are written once and only read.
async fn with_wider() -> &'static (Table<Discord>, Table<Wider>) {
    static TABLES: OnceCell<(Table<Discord>, Table<Wider>)> = OnceCell::const_new();
    let open = async || opened(&Engine::embedded().unwrap()).await.unwrap();
    TABLES.get_or_init(open).await
}

async fn with_samples() -> &'static Table<Discord> {
    &with_wider().await.0
}

/// A table of one's own with all samples but the crowd.
async fn with_few() -> Table<Discord> {
    let db = Discord::embedded().await.unwrap();
    sample::write_few(&db).await.unwrap();
    db
}

#[tokio::test]
async fn users_are_found_by_id_and_by_email() {
    let db = with_samples().await;
    let [testuser, mira] = sample::users();
    let found = patterns::user_by_id(db, TESTUSER).await.unwrap();
    assert_eq!(found, Some(testuser.clone()));
    let found = patterns::user_by_email(db, "mira@example.com").await;
    assert_eq!(found.unwrap(), Some(mira));
    let found = patterns::user_by_email(db, "mira@example").await;
    assert_eq!(found.unwrap(), None);
    assert_eq!(patterns::user_by_id(db, HELLO).await.unwrap(), None);
}

#[tokio::test]
async fn an_email_may_contain_the_delimiter() {
    let db = &with_few().await;
    let [_, mut mira] = sample::users();
    mira.email = "mira#chat@example.com".to_owned();
    mira.put().send(db).await.unwrap();
    let found = patterns::user_by_email(db, "mira#chat@example.com").await;
    assert_eq!(found.unwrap(), Some(mira));
}

#[tokio::test]
async fn servers_are_found_with_members_channels_and_invites() {
    let db = with_samples().await;
    let [test_server, _] = sample::servers();
    let [owner, guest, admin, host] = sample::memberships();
    let found = patterns::server_by_id(db, TEST_SERVER).await.unwrap();
    assert_eq!(found, Some(test_server));
    let found = patterns::servers_of_user(db, TESTUSER).await.unwrap();
    assert_eq!(found, [owner.clone(), guest]);
    let found = patterns::members_of_server(db, TEST_SERVER).await.unwrap();
    assert_eq!(found, [owner, admin]);
    let found = patterns::channels_of_server(db, TEST_SERVER).await.unwrap();
    assert_eq!(found, sample::channels());
    let found = patterns::channels_of_server(db, BOOK_CLUB).await.unwrap();
    assert_eq!(found, []);
    let found = patterns::invites_of_server(db, TEST_SERVER).await.unwrap();
    assert_eq!(found, sample::invites());
    let found = patterns::membership(db, MIRA, BOOK_CLUB).await.unwrap();
    assert_eq!(found, Some(host));
    assert_eq!(
        patterns::membership(db, MIRA, "another").await.unwrap(),
        None
    );
}

#[tokio::test]
async fn single_items_are_found_through_the_index() {
    let db = with_samples().await;
    let found = patterns::channel_by_id(db, RANDOM).await.unwrap();
    assert_eq!(found, Some(sample::channels()[1].clone()));
    let found = patterns::message_by_id(db, HELLO).await.unwrap();
    assert_eq!(found, Some(sample::messages()[0].clone()));
    let found = patterns::invite_by_code(db, "q7rs8tuv").await.unwrap();
    assert_eq!(found, Some(sample::invites()[1].clone()));
    let found = patterns::connection_by_id(db, "xyz789conn").await.unwrap();
    assert_eq!(found, Some(sample::connections()[0].clone()));
}

#[tokio::test]
async fn messages_come_in_pages_newest_first() {
    let db = with_samples().await;
    let [first, second, third, fourth, fifth] = sample::messages();
    let page = patterns::messages_in_channel(db, GENERAL, 3, None).await;
    let page = page.unwrap();
    assert_eq!(page.items, [fifth, fourth, third]);
    assert!(page.next.is_some());
    let page = patterns::messages_in_channel(db, GENERAL, 3, page.next).await;
    let page = page.unwrap();
    assert_eq!(page.items, [second, first]);
    assert_eq!(page.next, None);
}

#[tokio::test]
async fn a_busy_channel_is_scrolled_to_its_first_message() {
    let db = with_samples().await;
    let lobby = crowd::lobby();
    let pages = patterns::scroll_channel(db, &lobby, 70).await.unwrap();
    let sizes: Vec<_> = pages.iter().map(Vec::len).collect();
    assert_eq!(sizes, [70, 70, 70, 70, 70, 70, 60]);
    let mut descending = crowd::messages();
    descending.retain(|message| message.channel_id == lobby);
    descending.reverse();
    assert_eq!(pages.concat(), descending);
}

#[tokio::test]
async fn messages_since_a_time_include_those_of_its_millisecond() {
    let db = with_samples().await;
    let [_, _, third, fourth, fifth] = sample::messages();
    let found = patterns::messages_since(db, GENERAL, SENT + 9_000).await;
    assert_eq!(found.unwrap(), [third, fourth, fifth.clone()]);
    let found = patterns::messages_since(db, GENERAL, SENT + 9_001).await;
    assert_eq!(found.unwrap(), [fifth]);
}

#[tokio::test]
async fn connections_and_read_positions_are_found_by_channel() {
    let db = with_samples().await;
    let [testuser, mira, _] = sample::connections();
    let found = patterns::connections_in_channel(db, GENERAL).await;
    assert_eq!(found.unwrap(), [mira, testuser]);
    let found = patterns::last_read(db, MIRA, GENERAL).await.unwrap();
    assert_eq!(found, Some(sample::last_reads()[1].clone()));
    assert_eq!(patterns::last_read(db, MIRA, RANDOM).await.unwrap(), None);
}

#[tokio::test]
async fn all_who_have_read_a_channel_are_found() {
    let db = with_samples().await;
    let found = patterns::read_status_of_channel(db, GENERAL).await;
    assert_eq!(found.unwrap(), sample::last_reads());
    let found = patterns::read_status_of_channel(db, RANDOM).await;
    assert_eq!(found.unwrap(), []);
    let found = patterns::read_status_of_channel(db, &crowd::lobby()).await;
    assert_eq!(found.unwrap(), crowd::last_reads()[..18]);
}

#[tokio::test]
async fn the_servers_of_a_user_are_listed_with_the_number_of_their_channels() {
    let db = with_samples().await;
    let found = patterns::servers_with_channel_counts(db, MIRA).await;
    let found = found.unwrap().into_iter();
    let found: Vec<_> = found.map(|it| (it.server, it.channels)).collect();
    let [test_server, book_club] = sample::servers();
    assert_eq!(found, [(test_server, 2), (book_club, 0)]);
    let found = patterns::servers_with_channel_counts(db, "nobody").await;
    assert_eq!(found.unwrap(), []);
}

#[tokio::test]
async fn a_channel_is_open_to_the_members_of_its_server() {
    let db = with_samples().await;
    let can = async |user, channel| {
        let can = patterns::can_access_channel(db, user, channel).await;
        can.unwrap()
    };
    assert!(can(MIRA, GENERAL).await);
    let (stranger, lobby) = (&*crowd::user_id(0), &*crowd::lobby());
    assert!(can(stranger, lobby).await);
    assert!(!can(stranger, GENERAL).await);
    assert!(!can(MIRA, lobby).await);
    assert!(!can(MIRA, "none").await);
}

#[tokio::test]
async fn others_see_no_more_of_a_user_than_they_may() {
    let db = with_samples().await;
    let [testuser, _] = sample::users();
    let found = shapes::public_user(db, TESTUSER).await.unwrap().unwrap();
    assert_eq!(found.username, testuser.username);
    assert_eq!(found.avatar_url, testuser.avatar_url);
    assert_eq!(shapes::public_user(db, HELLO).await.unwrap(), None);
}

#[tokio::test]
async fn the_page_of_a_server_is_its_partition() {
    let db = with_samples().await;
    let [test_server, _] = sample::servers();
    let channels = sample::channels().into_iter().map(ServerPage::Channel);
    let invites = sample::invites().into_iter().map(ServerPage::Invite);
    let server = [ServerPage::Server(test_server)];
    let expected: Vec<_> = channels.chain(invites).chain(server).collect();
    let found = shapes::server_page(db, TEST_SERVER).await.unwrap();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn all_servers_are_no_query_but_the_turned_index_has_them() {
    let (db, wider) = with_wider().await;
    let answer = traps::ALL_SERVERS.ask(db).await.unwrap();
    assert_eq!(answer, ["refused: Query key condition not supported"]);
    let servers = traps::AnyServer::everywhere().all(wider).await.unwrap();
    let found: Vec<_> = servers
        .iter()
        .map(|it| (&*it.server_id, &*it.name))
        .collect();
    let all = [&sample::servers()[..], &crowd::servers()].concat();
    let mut all: Vec<_> = all.iter().map(|it| (&*it.server_id, &*it.name)).collect();
    all.sort_unstable();
    assert_eq!(all.len(), 12);
    assert_eq!(found, all);
}

#[tokio::test]
async fn connections_of_a_user_are_not_where_the_design_looks_for_them() {
    let (db, wider) = with_wider().await;
    assert!(traps::OF_USER.ask(db).await.unwrap().is_empty());
    let found = traps::OpenConnection::of_user(TESTUSER).all(wider).await;
    let ids: Vec<_> = found
        .unwrap()
        .into_iter()
        .map(|c| c.connection_id)
        .collect();
    assert_eq!(ids, ["pqr123conn", "xyz789conn"]);
}

#[tokio::test]
async fn the_partition_of_a_channel_is_shared_and_each_entity_reads_its_own() {
    let db = with_samples().await;
    assert_eq!(traps::CHANNEL.ask(db).await.unwrap().len(), 3);
    let channel = patterns::channel_by_id(db, GENERAL).await.unwrap();
    assert_eq!(channel, Some(sample::channels()[0].clone()));
}

#[tokio::test]
async fn after_a_timestamp_is_exact_with_a_range() {
    let db = with_samples().await;
    assert_eq!(traps::AFTER.ask(db).await.unwrap().len(), 3);
    let later = Message::query(GENERAL).sent_ms_range(SENT + 9_001..);
    assert_eq!(later.all(db).await.unwrap(), sample::messages()[4..]);
}

#[tokio::test]
async fn connections_that_have_expired_are_there_but_not_live() {
    let db = with_samples().await;
    let [testuser, mira, _] = sample::connections();
    let live = async |hour| {
        let db = &at_hour(db, hour);
        let live = traps::live_connections_in_channel(db, GENERAL).await;
        live.unwrap()
    };
    // They expire 24 hours after they were opened.
    assert_eq!(live(23).await, [mira, testuser]);
    assert_eq!(live(24).await, []);
    assert_eq!(traps::CONNECTIONS.ask(db).await.unwrap().len(), 2);
}

#[tokio::test]
async fn the_table_has_what_was_written_and_nothing_else() {
    let db = with_samples().await;
    let found = contents(db).await.unwrap();
    let found: Vec<_> = found.iter().map(|it| (it.entity, it.items)).collect();
    let expected = [
        ("User", 2 + 60),
        ("Server", 2 + 10),
        ("Membership", 4 + 10 * 18),
        ("Channel", 2 + 30),
        ("Message", 5 + 480 + 29 * 12),
        ("Invite", 2 + 10),
        ("Connection", 3 + 40),
        ("LastRead", 2 + 180),
    ];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn the_table_is_the_one_of_the_design() {
    let db = Discord::open(Embedded::in_memory().unwrap().client()).with_variable("stage", "dev");
    db.create_table().await.unwrap();
    let name = "discord-clone-dev-DiscordTable";
    let table = db.client().describe_table().table_name(name).send().await;
    let table = table.unwrap().table.unwrap();
    let key = |schema: &[KeySchemaElement]| {
        schema
            .iter()
            .map(|e| e.attribute_name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(key(table.key_schema()), ["pk", "sk"]);
    let [gsi1] = table.global_secondary_indexes() else {
        panic!("there is one index");
    };
    assert_eq!(gsi1.index_name(), Some("gsi1"));
    assert_eq!(key(gsi1.key_schema()), ["gsi1pk", "gsi1sk"]);
    let projection = gsi1.projection().unwrap().projection_type();
    assert_eq!(projection, Some(&ProjectionType::All));
    let stream = table.stream_specification().unwrap().stream_view_type();
    assert_eq!(stream, Some(&StreamViewType::NewAndOldImages));
    let ttl = db.client().describe_time_to_live().table_name(name).send();
    let ttl = ttl.await.unwrap().time_to_live_description.unwrap();
    assert_eq!(ttl.attribute_name(), Some("ttl"));
}

#[tokio::test]
async fn the_account_fits_the_terminal() {
    let mut account = Account::default();
    Discord::tell(&Engine::embedded().unwrap(), &mut account)
        .await
        .unwrap();
    let text = account.to_string();
    let wide: Vec<_> = text
        .lines()
        .filter(|line| line.chars().count() > COLUMNS)
        .collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[tokio::test]
async fn every_pattern_answers_but_what_is_meant_to_be_refused() {
    let mut answers = Answers::default();
    let engine = Engine::embedded().unwrap();
    Discord::answer(&engine, &mut answers).await.unwrap();
    let answers = answers.into_vec();
    assert_eq!(answers.len(), 56);
    let refused: Vec<_> = answers
        .iter()
        .filter_map(|a| Some((a.pattern.as_str(), a.answer.get("refused")?.as_str()?)))
        .collect();
    let cancelled = |failed: &str| format!("TransactionCanceledException: {failed}");
    let (opened, joined) = (
        cancelled("0 ConditionFailed, 1 ConditionFailed, 2 ConditionFailed"),
        cancelled("0 ConditionFailed"),
    );
    assert_eq!(
        refused,
        [
            (
                "Get all servers (admin): as designed",
                "ValidationException"
            ),
            ("Open a server: again", &opened),
            ("Join by an invite: again", &joined),
        ]
    );
}

/// `run_patterns` explains one request and runs a pattern: they must be the same.
#[tokio::test]
async fn the_account_shows_the_requests_that_are_sent() {
    let engine = Embedded::in_memory().unwrap();
    let sent = Sent::default();
    let client = engine.config().interceptor(sent.clone()).build();
    let db =
        Discord::open(aws_sdk_dynamodb::Client::from_conf(client)).with_variable("stage", "test");
    db.create_table().await.unwrap();
    sample::write_few(&db).await.unwrap();
    sent.0.lock().unwrap().clear();

    let mut account = Account::default();
    run_patterns(&mut account, &db).await.unwrap();

    let text = account.to_string();
    let shown: Vec<_> = text.split("asks  ").skip(1).map(key_shown).collect();
    let sent: Vec<_> = sent.0.lock().unwrap().iter().map(key_sent).collect();
    assert_eq!(shown, sent);
    assert_eq!(sent.len(), 17);
}

/// The request without its line breaks, up to what it says beside the key.
fn key_shown(text: &str) -> String {
    let (request, _) = text.split_once("gets  ").unwrap();
    let words: Vec<_> = request.split_whitespace().collect();
    let words = words.split(|word| *word == "ScanIndexForward").next();
    words.unwrap().join(" ")
}

/// The same of the body of a request.
fn key_sent(body: &Value) -> String {
    assert_eq!(body.get("FilterExpression"), None);
    let quoted = |value: &Value| format!("{:?}", value["S"].as_str().unwrap());
    let Some(condition) = body["KeyConditionExpression"].as_str() else {
        let [pk, sk] = ["pk", "sk"].map(|name| quoted(&body["Key"][name]));
        return format!("GetItem: pk = {pk}, sk = {sk}");
    };
    let value_of = |word: &str| body["ExpressionAttributeValues"].get(word).map(quoted);
    let index = body["IndexName"].as_str().map(|name| format!(" {name}"));
    let index = index.unwrap_or_default();
    format!("Query{index}: {}", filled(condition, value_of))
}

/// The bodies of all requests.
#[derive(Debug, Clone, Default)]
struct Sent(Arc<Mutex<Vec<Value>>>);

impl Intercept for Sent {
    fn name(&self) -> &'static str {
        "Sent"
    }

    fn read_before_transmit(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let body = context.request().body().bytes().unwrap_or_default();
        self.0.lock().unwrap().push(serde_json::from_slice(body)?);
        Ok(())
    }
}
