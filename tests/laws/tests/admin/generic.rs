//! What compiles: generic code over entities, and a cursor that is parsed with `?`.

use dyna_runtime::entity::Replaceable;
use dyna_runtime::request::HasEntity;
use dyna_runtime::{Cursor, DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
    name: String,
}

async fn save<T, E>(db: &Table<T>, entity: &E) -> dyna_runtime::Result<()>
where
    T: HasEntity<E>,
    E: DynaEntity + Replaceable + Sync,
{
    entity.put().send(db).await
}

async fn add<T: HasEntity<E>, E: DynaEntity + Sync>(
    db: &Table<T>,
    entity: &E,
) -> dyna_runtime::Result<()> {
    entity.create().send(db).await
}

#[tokio::test]
async fn entities_are_written_in_generic_code() {
    let db = User::embedded().await.unwrap();
    let mut user = User {
        id: "ann".to_owned(),
        name: "Ann".to_owned(),
    };
    add(&db, &user).await.unwrap();
    assert!(add(&db, &user).await.unwrap_err().is_condition_failed());
    user.name = "Anna".to_owned();
    save(&db, &user).await.unwrap();
    assert_eq!(User::get("ann").send(&db).await.unwrap(), Some(user));
}

fn parsed(text: &str) -> dyna_runtime::Result<Cursor> {
    Ok(text.parse::<Cursor>()?)
}

#[test]
fn a_cursor_is_parsed_with_a_question_mark() {
    let error = parsed("no cursor").unwrap_err();
    assert!(matches!(error, Error::Cursor { .. }), "{error}");
    assert_eq!(error.to_string(), "Cursor: the text is not a cursor");
}
