use dyna_runtime::{DynaEntity, DynaProjection, DynaTable, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(
    table(
        name = "mail",
        pk = "pk",
        sk = "sk",
        index(gsi1, pk = "gsi1pk", projection = include("subject")),
    ),
    pk = "USER#<user>",
    sk = "MAIL#<id>",
    gsi1(as = by_sender, pk = "FROM#<sender>"),
)]
pub struct Mail {
    user: String,
    id: String,
    sender: String,
    subject: String,
    body: String,
}

#[derive(Deserialize, DynaProjection)]
#[dyna(of = Mail, index = gsi1)]
pub struct Head {
    pub subject: String,
}

pub async fn heads(db: &Table<Mail>) -> dyna_runtime::Result<Vec<Head>> {
    let mut heads = Mail::query("ann").project::<Head>().all(db).await?;
    heads.extend(Mail::by_sender("bob").project::<Head>().all(db).await?);
    Ok(heads)
}
