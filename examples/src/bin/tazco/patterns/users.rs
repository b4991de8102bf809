//! `tazco-users`.

use crate::model::User;
use dyna_runtime::{Result, Table};

type Db = Table<User>;

/// `findById`
pub async fn find_by_id(db: &Db, ecosystem_id: &str) -> Result<Option<User>> {
    User::get(ecosystem_id).send(db).await
}

/// `findByFirebaseUid`
pub async fn find_by_firebase_uid(db: &Db, firebase_uid: &str) -> Result<Option<User>> {
    User::by_firebase_uid(firebase_uid).one(db).await
}
