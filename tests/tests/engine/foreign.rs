//! Entities that share a partition find their own items and no others.

use super::{engine, s};
use dyna_runtime::{DynaCollection, DynaEntity, DynaTable, Ordered};
use serde::{Deserialize, Serialize};

/// The same entities in a table with a tag and in one without: the prefix of the first contains the keys of the others.
macro_rules! tables {
    ($($module:ident($($tag:tt)*);)*) => {$(
        mod $module {
            use super::*;

            #[derive(DynaTable)]
            #[dyna(name = "chat", pk = "pk", sk = "sk", $($tag)* index(gsi1, pk = "gsi1pk", sk = "gsi1sk"))]
            enum Chat {
                Server(Server),
                Member(Member),
                Role(Role),
                Number(Number),
            }

            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
            #[dyna(
                table = Chat,
                pk = "SERVER#<server>",
                sk = "M#<name>",
                gsi1(as = by_name, pk = "NAME#<name>", sk = "<server>"),
            )]
            struct Server {
                server: String,
                name: String,
            }

            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
            #[dyna(
                table = Chat,
                pk = "SERVER#<server>",
                sk = "M#<name>#<user>",
                gsi1(as = by_name, pk = "NAME#<name>", sk = "<server>#<user>"),
            )]
            struct Member {
                server: String,
                name: String,
                user: String,
            }

            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
            #[dyna(
                table = Chat,
                pk = "SERVER#<server>",
                sk = "M#<name>#<user>#<rank>",
                gsi1(as = by_name, pk = "NAME#<name>", sk = "<server>#<user>#<rank>"),
            )]
            struct Role {
                server: String,
                name: String,
                user: String,
                rank: Ordered<i8>,
            }

            /// In no index.
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
            #[dyna(table = Chat, pk = "SERVER#<server>", sk = "<n:04>")]
            struct Number {
                server: String,
                n: u16,
            }

            fn text(text: &str) -> String {
                text.to_owned()
            }

            #[tokio::test]
            async fn each_entity_finds_its_own() {
                let (_, db) = engine::<Chat>().await;
                let server = |server, name| Server { server: text(server), name: text(name) };
                let member = |name, user| Member { server: text("s"), name: text(name), user: text(user) };
                let role = |name, user, rank| Role {
                    server: text("s"), name: text(name), user: text(user), rank: Ordered(rank),
                };
                let servers = [server("s", "a"), server("s", "b")];
                let members = [member("a", "u"), member("a", "v"), member("ab", "u")];
                let roles = [role("a", "u", -1), role("a", "u", 1), role("a", "v", 0)];
                let number = Number { server: text("s"), n: 7 };
                for it in servers.iter().chain([&server("other", "a")]) {
                    it.create().send(&db).await.unwrap();
                }
                for it in &members {
                    it.create().send(&db).await.unwrap();
                }
                for it in &roles {
                    it.create().send(&db).await.unwrap();
                }
                number.create().send(&db).await.unwrap();

                assert_eq!(Server::query("s").all(&db).await.unwrap(), servers);
                assert_eq!(Server::query("s").descending().first(&db).await.unwrap(), Some(servers[1].clone()));
                assert_eq!(Server::query("s").name_range("a"..="a").all(&db).await.unwrap(), servers[..1]);
                assert_eq!(Server::query("s").name_starts_with("a").one(&db).await.unwrap(), Some(servers[0].clone()));
                assert_eq!(Server::query("s").name("a").one(&db).await.unwrap(), Some(servers[0].clone()));
                assert_eq!(Member::query("s").all(&db).await.unwrap(), members);
                assert_eq!(Member::query("s").name("a").all(&db).await.unwrap(), members[..2]);
                assert_eq!(Member::query("s").name("a").user_range("v"..).all(&db).await.unwrap(), members[1..2]);
                assert_eq!(Role::query("s").all(&db).await.unwrap(), roles);
                assert_eq!(Role::query("s").name("a").user("u").all(&db).await.unwrap(), roles[..2]);
                assert_eq!(Number::query("s").all(&db).await.unwrap(), [number]);

                let all_named_a = Server::by_name("a").all(&db).await.unwrap();
                assert_eq!(all_named_a, [server("other", "a"), servers[0].clone()]);
                assert_eq!(Server::by_name("a").server("s").one(&db).await.unwrap(), Some(servers[0].clone()));
                assert_eq!(Member::by_name("a").all(&db).await.unwrap(), members[..2]);
                assert_eq!(Member::by_name("a").server("s").all(&db).await.unwrap(), members[..2]);
                assert_eq!(Role::by_name("a").server("s").user("u").all(&db).await.unwrap(), roles[..2]);
            }

            /// A limit is what the caller gets, however many items of others lie between.
            #[tokio::test]
            async fn limits_count_the_entity_alone() {
                let (_, db) = engine::<Chat>().await;
                for n in 0..30 {
                    let (name, user) = (format!("{n:02}"), text("u"));
                    Server { server: text("s"), name: name.clone() }.put().send(&db).await.unwrap();
                    Member { server: text("s"), name: name.clone(), user }.put().send(&db).await.unwrap();
                }
                let mut names = Vec::new();
                let mut cursor = None;
                loop {
                    let page = Server::query("s").limit(7).page_size(4).after(cursor).send(&db).await.unwrap();
                    let full = page.items.len() == 7;
                    names.extend(page.items.into_iter().map(|it| it.name));
                    cursor = page.next;
                    if cursor.is_none() {
                        break;
                    }
                    assert!(full);
                }
                let expected: Vec<_> = (0..30).map(|n| format!("{n:02}")).collect();
                assert_eq!(names, expected);
                assert_eq!(Server::query("s").limit(30).all(&db).await.unwrap().len(), 30);
            }

            /// Other software writes no tag: the keys tell whose items they are, by query, by index and by scan.
            #[tokio::test]
            async fn items_without_a_tag_are_found_by_their_keys() {
                let (_, db) = engine::<Chat>().await;
                let server = Server { server: text("s"), name: text("a") };
                let member = Member { server: text("s"), name: text("a"), user: text("u") };
                server.put().send(&db).await.unwrap();
                member.put().send(&db).await.unwrap();
                for mut item in super::super::scan(&db, None).await {
                    item.remove("entityType");
                    let put = db.client().put_item().table_name(db.name().unwrap());
                    put.set_item(Some(item)).send().await.unwrap();
                }
                assert_eq!(Server::query("s").one(&db).await.unwrap(), Some(server.clone()));
                assert_eq!(Server::query("s").count(&db).await.unwrap(), 1);
                assert_eq!(Server::by_name("a").one(&db).await.unwrap(), Some(server.clone()));
                assert_eq!(Server::scan().all(&db).await.unwrap(), [server]);
                assert_eq!(Member::query("s").one(&db).await.unwrap(), Some(member.clone()));
                assert_eq!(Member::by_name("a").hydrate().one(&db).await.unwrap(), Some(member.clone()));
                assert_eq!(Member::scan().index(Chat::GSI1).all(&db).await.unwrap(), [member]);
                assert_eq!(Chat::scan().all(&db).await.unwrap().len(), 2);
            }

            /// Of an entity that is not listed, in the partition but outside of every prefix.
            #[tokio::test]
            async fn other_items_of_the_partition_are_left_alone() {
                let (_, db) = engine::<Chat>().await;
                let it = Server { server: text("s"), name: text("a") };
                it.put().send(&db).await.unwrap();
                for sk in ["M", "M$", "M\"", "L", "N", "\u{10FFFF}"] {
                    super::super::raw(&db, &[("pk", s("SERVER#s")), ("sk", s(sk))]).await;
                }
                assert_eq!(Server::query("s").all(&db).await.unwrap(), [it]);
                assert_eq!(Member::query("s").all(&db).await.unwrap(), []);
                assert_eq!(Number::query("s").all(&db).await.unwrap(), []);
            }
        }
    )*};
}

tables! {
    tagged(tag = "entityType",);
    untagged();
}

#[derive(DynaTable)]
#[dyna(
    name = "claims",
    pk = "pk",
    sk = "sk",
    index(inverted, pk = "sk", sk = "pk")
)]
enum Claims {
    Owner(Owner),
    Note(Note),
    Word(Word),
}

/// Its e-mail has an item of its own: `UNIQUE#Owner#email#ann@x` and `UNIQUE`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Claims, pk = "OWNER#<id>", sk = "OWNER")]
struct Owner {
    id: String,
    #[dyna(unique)]
    email: String,
}

/// May be in the partition of such an item, and on either side of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Claims,
    pk = "<a>#<b>#<c>#<d>",
    sk = "<word>#<n:02>",
)]
struct Note {
    a: String,
    b: String,
    c: String,
    d: String,
    word: String,
    n: u8,
}

/// Meets it in the index alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Claims,
    pk = "<page>",
    sk = "<word>",
    inverted(as = by_word, pk = "<word>", sk = "<page>"),
)]
struct Word {
    page: String,
    word: String,
}

#[derive(Debug, Clone, PartialEq, DynaCollection)]
enum Notes {
    Note(Note),
}

/// The items that stand for unique values are of no entity, also where an entity shares their partition.
#[tokio::test]
async fn items_of_unique_values_are_foreign() {
    let (_, db) = engine::<Claims>().await;
    let (id, email) = ("ann".to_owned(), "ann@x".to_owned());
    Owner { id, email }.create().send(&db).await.unwrap();
    let note = |word: &str| Note {
        a: "UNIQUE".to_owned(),
        b: "Owner".to_owned(),
        c: "email".to_owned(),
        d: "ann@x".to_owned(),
        word: word.to_owned(),
        n: 7,
    };
    let notes = [note("A"), note("Z")];
    for note in &notes {
        note.create().send(&db).await.unwrap();
    }
    let query = || Note::query("UNIQUE", "Owner", "email", "ann@x");
    assert_eq!(query().all(&db).await.unwrap(), notes);
    assert_eq!(query().limit(2).all(&db).await.unwrap(), notes);
    assert_eq!(query().count(&db).await.unwrap(), 2);
    let all = Notes::query(("UNIQUE", "Owner", "email", "ann@x"));
    assert_eq!(all.all(&db).await.unwrap(), notes.clone().map(Notes::Note));
    assert_eq!(Note::scan().all(&db).await.unwrap(), notes);

    let (page, word) = ("p".to_owned(), "UNIQUE".to_owned());
    let word = Word { page, word };
    word.create().send(&db).await.unwrap();
    assert_eq!(Word::by_word("UNIQUE").all(&db).await.unwrap(), [word]);
}
