//! A table that modyne writes, with modyne itself.

#![allow(
    clippy::struct_field_names,
    reason = "fields are called as the attributes of modyne's model"
)]

use super::beside;
use dyna_interop::Model;
use dyna_runtime::{DynaEntity, DynaTable, Result, Table};
use serde::{Deserialize, Serialize};

mod theirs {
    use super::{Device, Plan};
    use aws_sdk_dynamodb::Client;
    use modyne::keys::{FullKey, Gsi1, Primary};
    use modyne::{Entity, EntityDef, Table};
    use serde::{Deserialize, Serialize};

    pub(super) struct App {
        pub(super) client: Client,
        pub(super) name: String,
    }

    impl Table for App {
        type PrimaryKey = Primary;
        type IndexKeys = Gsi1;

        fn table_name(&self) -> &str {
            &self.name
        }

        fn client(&self) -> &Client {
            &self.client
        }
    }

    #[derive(Debug, Clone, PartialEq, EntityDef, Serialize, Deserialize)]
    #[serde(rename = "user")]
    pub(super) struct User {
        pub(super) user_id: String,
        pub(super) email: String,
        pub(super) plan: Plan,
        pub(super) note: Option<String>,
        pub(super) device: Option<Device>,
    }

    impl Entity for User {
        type KeyInput<'a> = &'a str;
        type Table = App;
        type IndexKeys = Gsi1;

        fn primary_key(user_id: &str) -> Primary {
            Primary {
                hash: format!("USER#{user_id}"),
                range: "USER".to_owned(),
            }
        }

        fn full_key(&self) -> FullKey<Primary, Gsi1> {
            FullKey {
                primary: Self::primary_key(&self.user_id),
                indexes: Gsi1 {
                    hash: format!("EMAIL#{}", self.email.to_lowercase()),
                    range: "USER".to_owned(),
                },
            }
        }
    }

    #[derive(Debug, Clone, PartialEq, EntityDef, Serialize, Deserialize)]
    #[serde(rename = "session")]
    pub(super) struct Session {
        pub(super) user_id: String,
        pub(super) started: u64,
        pub(super) token: String,
        pub(super) pages: Vec<Option<String>>,
    }

    impl Entity for Session {
        type KeyInput<'a> = (&'a str, u64);
        type Table = App;
        type IndexKeys = Gsi1;

        fn primary_key((user_id, started): (&str, u64)) -> Primary {
            Primary {
                hash: format!("USER#{user_id}"),
                range: format!("SESSION#{started:010}"),
            }
        }

        fn full_key(&self) -> FullKey<Primary, Gsi1> {
            FullKey {
                primary: Self::primary_key((&self.user_id, self.started)),
                indexes: Gsi1 {
                    hash: format!("TOKEN#{}", self.token),
                    range: "SESSION".to_owned(),
                },
            }
        }
    }
}

/// What a user pays for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Plan {
    Free,
    Team { seats: u32, until: Option<String> },
}

/// Where a user reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Device {
    name: String,
    os: Option<String>,
}

/// modyne stores `None` as NULL, at every depth.
#[derive(Debug, DynaTable)]
#[dyna(
    name = "modyne-{copy}",
    pk = "PK",
    sk = "SK",
    tag = "entity_type",
    nulls = "store",
    index(gsi1, name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")
)]
enum App {
    User(User),
    Session(Session),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = App,
    tag = "user",
    pk = "USER#<user_id>",
    sk = "USER",
    gsi1(as = by_email, pk = "EMAIL#<email|lower>", sk = "USER"),
)]
struct User {
    user_id: String,
    email: String,
    plan: Plan,
    note: Option<String>,
    device: Option<Device>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = App,
    tag = "session",
    pk = "USER#<user_id>",
    sk = "SESSION#<started:010>",
    gsi1(as = by_token, pk = "TOKEN#<token>", sk = "SESSION"),
)]
struct Session {
    user_id: String,
    started: u64,
    token: String,
    pages: Vec<Option<String>>,
}

impl Model for App {
    const LIBRARY: &'static str = "modyne";

    async fn read_all(db: &Table<Self>) -> Result<Vec<Self>> {
        Self::scan().consistent().all(db).await
    }

    async fn write_back(self, db: &Table<Self>) -> Result<()> {
        match self {
            Self::User(user) => user.put().send(db).await,
            Self::Session(session) => session.put().send(db).await,
        }
    }

    async fn change(db: &Table<Self>) -> Result<()> {
        User::update("bob").set_by_email("Bob@x").send(db).await?;
        Session::delete("ann", 12).send(db).await?;
        let session = Session {
            user_id: "bob".into(),
            started: 99,
            token: "t2".into(),
            pages: vec![None],
        };
        session.create().send(db).await
    }
}

fn app(db: &Table<App>) -> theirs::App {
    theirs::App {
        client: db.client().clone(),
        name: db.name().unwrap().to_owned(),
    }
}

fn bob(email: &str) -> theirs::User {
    theirs::User {
        user_id: "bob".into(),
        email: email.into(),
        plan: Plan::Free,
        note: None,
        device: Some(Device {
            name: "phone".into(),
            os: None,
        }),
    }
}

fn session(user: &str, started: u64, token: &str, pages: Vec<Option<String>>) -> theirs::Session {
    theirs::Session {
        user_id: user.into(),
        started,
        token: token.into(),
        pages,
    }
}

#[tokio::test]
async fn items_of_modyne_are_written_back_as_they_were() {
    use modyne::{EntityExt, ProjectionExt};

    beside::<App>(
        3,
        async |db| {
            let ann = theirs::User {
                user_id: "ann".into(),
                email: "Ann@x".into(),
                plan: Plan::Team {
                    seats: 3,
                    until: None,
                },
                note: Some(String::new()),
                device: None,
            };
            ann.put().execute(&app(db)).await.unwrap();
            bob("bob@x").put().execute(&app(db)).await.unwrap();
            let pages = vec![Some("a".into()), None];
            let session = session("ann", 12, "t1", pages);
            session.put().execute(&app(db)).await.unwrap();
        },
        async |db| {
            bob("Bob@x").put().execute(&app(db)).await.unwrap();
            let key = ("ann", 12);
            let delete = <theirs::Session as EntityExt>::delete(key);
            delete.execute(&app(db)).await.unwrap();
            let session = session("bob", 99, "t2", vec![None]);
            session.create().execute(&app(db)).await.unwrap();
        },
    )
    .await;

    // What Dyna writes, modyne reads.
    let db = App::embedded().await.unwrap();
    App::change_alone(&db).await;
    let get = <theirs::Session as EntityExt>::get(("bob", 99));
    let found = get.execute(&app(&db)).await.unwrap().item.unwrap();
    let found = theirs::Session::from_item(found).unwrap();
    assert_eq!(found, session("bob", 99, "t2", vec![None]));
}

impl App {
    /// Creates a session, without a user.
    async fn change_alone(db: &Table<Self>) {
        let session = Session {
            user_id: "bob".into(),
            started: 99,
            token: "t2".into(),
            pages: vec![None],
        };
        session.create().send(db).await.unwrap();
    }
}
