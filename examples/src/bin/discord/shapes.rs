//! Two reads beside the design's own: of a user only what others may see, and all that a server's page shows at once.

use crate::model::{Channel, Discord, Invite, Server, User};
use dyna_runtime::{DynaCollection, DynaProjection, Result, Table};
use serde::{Deserialize, Serialize};

/// What others may see of a user: neither the address nor the hash of the password leaves the database.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DynaProjection)]
#[serde(rename_all = "camelCase")]
#[dyna(of = User)]
pub struct PublicUser {
    pub user_id: String,
    pub username: String,
    pub avatar_url: Option<String>,
}

/// The page of a server: what is in its partition.
#[derive(Debug, Clone, PartialEq, Serialize, DynaCollection)]
pub enum ServerPage {
    Server(Server),
    Channel(Channel),
    Invite(Invite),
}

/// What others may see of a user.
pub async fn public_user(db: &Table<Discord>, user_id: &str) -> Result<Option<PublicUser>> {
    User::get(user_id).project::<PublicUser>().send(db).await
}

/// A server with its channels and invites, in one request.
pub async fn server_page(db: &Table<Discord>, server_id: &str) -> Result<Vec<ServerPage>> {
    ServerPage::query(server_id).all(db).await
}
