//! A table that others write too, and keys as existing designs have them: `cargo run -p quickstart --bin tables`.

use aws_sdk_dynamodb::types::AttributeValue;
use dyna_runtime::codec::Item;
use dyna_runtime::{
    DynaCollection, DynaEntity, DynaTable, EntityQuery, KeyPart, Result, Table, rcu,
};
use serde::{Deserialize, Serialize};

/// The table. What no entity has written is `Other`.
#[derive(Debug, DynaTable)]
#[dyna(
    name = "desk",
    pk = "pk",
    sk = "sk",
    tag = "type",
    index(gsi1, pk = "gsi1pk", sk = "gsi1sk")
)]
enum Desk {
    User(User),
    Team(Team),
    Ticket(Ticket),
    Event(Event),
    #[dyna(unknown)]
    Other(Item),
}

/// Users and teams have one name space: a name is taken once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Desk, pk = "NAME#<name>", sk = "NAME", shares_key_with = Team)]
struct User {
    name: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Desk, pk = "NAME#<name>", sk = "NAME", shares_key_with = User)]
struct Team {
    name: String,
    members: u32,
}

/// Its number has no zeros in front. It is in the index while it is open, with or without an owner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(
    table = Desk,
    pk = "TEAM#<team>",
    sk = "DAY#<day:05>#TICKET#<number:plain>",
    gsi1(as = open_of, pk = "OPEN#<owner?>", sk = "<team>#<number:plain>", when = is_open),
)]
struct Ticket {
    team: String,
    day: u32,
    number: u32,
    owner: Option<String>,
    is_open: bool,
    urgent: bool,
}

/// An entity of several forms, beside the tickets of its day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[serde(tag = "kind")]
#[dyna(table = Desk, pk = "TEAM#<team>", sk = "DAY#<day:05>#EVENT#<id>")]
enum Event {
    Joined {
        team: String,
        day: u32,
        id: String,
        urgent: bool,
        user: String,
    },
    Alarm {
        team: String,
        day: u32,
        id: String,
        urgent: bool,
        level: Level,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
enum Level {
    Low,
    High,
}

/// What happened on a day: its members begin their sort keys with the day.
#[derive(Debug, DynaCollection)]
#[dyna(steps(day: u32))]
enum Diary {
    Ticket(Ticket),
    Event(Event),
}

/// What another program knows of the table: it updates users, and never replaces an item with attributes that it does not know.
#[derive(Debug, DynaTable)]
#[dyna(name = "desk", pk = "pk", sk = "sk", tag = "type", partial)]
enum Part {
    User(Seen),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity)]
#[dyna(table = Part, tag = "User", pk = "NAME#<name>", sk = "NAME", partial)]
struct Seen {
    name: String,
    seen: Option<u32>,
}

/// A query as a value, with a step that is optional.
fn tickets(team: &str, since: Option<u32>) -> EntityQuery<Ticket> {
    let query = Ticket::query(team).descending();
    match since {
        Some(since) => query.day_range(since..),
        None => query.finish(),
    }
}

fn ticket(day: u32, number: u32, owner: Option<&str>) -> Ticket {
    Ticket {
        team: "web".into(),
        day,
        number,
        owner: owner.map(str::to_owned),
        is_open: true,
        urgent: number > 9,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let db = Desk::embedded().await?;
    names(&db).await?;
    indexes(&db).await?;
    diary(&db).await?;
    others(&db).await
}

async fn names(db: &Table<Desk>) -> Result<()> {
    User { name: "ann".into() }.create().send(db).await?;
    let team = Team {
        name: "ann".into(),
        members: 3,
    };
    let taken = team.create().send(db).await.is_err();
    println!("shares_key_with    a team called like a user is refused: {taken}");
    Ok(())
}

async fn indexes(db: &Table<Desk>) -> Result<()> {
    let all = [
        ticket(1, 9, Some("ann")),
        ticket(2, 10, None),
        ticket(2, 11, Some("ann")),
    ];
    assert!(db.batch_write().put_all(&all).send().await?.is_empty());
    let done = Ticket::update_loaded(&all[0]).set(Ticket::IS_OPEN, false);
    done.send(db).await?;
    let of_ann = Ticket::open_of("ann").all(db).await?;
    println!(
        "when               ann has {} open ticket, and one that is not in the index",
        of_ann.len()
    );
    let nobodys = Ticket::open_of(None::<&str>).all(db).await?;
    println!(
        "<owner?>           ticket {} is nobody's, under OPEN#",
        nobodys[0].number
    );
    let since = tickets("web", Some(2)).all(db).await?;
    let ever = tickets("web", None).at_most(rcu(100)).all(db).await?;
    println!(
        "EntityQuery        {} tickets since day 2, {} in all, at most 100 units a second",
        since.len(),
        ever.len()
    );
    Ok(())
}

fn label(one: &Diary) -> String {
    match one {
        Diary::Ticket(ticket) => format!("ticket {}", ticket.number),
        Diary::Event(Event::Joined { user, .. }) => format!("{user} joined"),
        Diary::Event(Event::Alarm { level, .. }) => format!("{level:?} alarm"),
    }
}

async fn diary(db: &Table<Desk>) -> Result<()> {
    let (team, id) = ("web".to_owned(), "e1".to_owned());
    let joined = Event::Joined {
        team: team.clone(),
        day: 1,
        id: id.clone(),
        urgent: false,
        user: "ann".into(),
    };
    let alarm = Event::Alarm {
        team,
        day: 2,
        id,
        urgent: true,
        level: Level::High,
    };
    assert!(
        db.batch_write()
            .put_all(&[joined, alarm])
            .send()
            .await?
            .is_empty()
    );
    let day = Diary::query("web").day(2).all(db).await?;
    let day: Vec<_> = day.iter().map(label).collect();
    println!(
        "steps              on day 2, in one request: {}",
        day.join(", ")
    );
    let urgent = Diary::for_all(Ticket::URGENT.eq(true));
    let urgent = Diary::query("web")
        .day_range(1..=2)
        .filter(urgent)
        .all(db)
        .await?;
    println!(
        "for_all            {} of day 1 and 2 are urgent",
        urgent.len()
    );
    Ok(())
}

async fn others(db: &Table<Desk>) -> Result<()> {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let put = db.client().put_item().table_name(db.name()?);
    let put = put
        .item("pk", text("INVOICE#1"))
        .item("sk", text("@"))
        .item("type", text("Invoice"));
    put.send()
        .await
        .map_err(|error| dyna_runtime::Error::from(aws_sdk_dynamodb::Error::from(error)))?;
    let put = db.client().put_item().table_name(db.name()?);
    let put = put
        .item("pk", text("NAME#a#b"))
        .item("sk", text("NAME"))
        .item("type", text("User"))
        .item("name", text("a#b"));
    put.send()
        .await
        .map_err(|error| dyna_runtime::Error::from(aws_sdk_dynamodb::Error::from(error)))?;

    let all = Desk::scan().skip_unreadable().send(db).await?;
    let unknown = all
        .items
        .iter()
        .filter(|item| matches!(item, Desk::Other(_)))
        .count();
    println!("unknown            {unknown} item of another program");
    println!(
        "skip_unreadable    {} item whose key breaks its template",
        all.skipped.unreadable.len()
    );
    let legacy = dyna_runtime::Get::new(User::raw_key("NAME#a#b", "NAME"))
        .send(db)
        .await?;
    println!(
        "raw_key            it is read by its stored key: {}",
        legacy.is_some()
    );

    let part = Table::<Part>::open(db.client().clone());
    part.verify().await?;
    Seen::update("ann").set(Seen::SEEN, 7).send(&part).await?;
    let user = User::get("ann").send(db).await?;
    println!(
        "partial            another program updated {:?}, and replaces nothing",
        user.map(|user| user.name)
    );
    Ok(())
}
