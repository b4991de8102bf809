//! One item, by its key.

use crate::entity::EntityMeta;
use crate::error::Result;
use crate::expr::Rendered;
use crate::key::{KeyError, KeyId};
use crate::read::expiry::is_expired;
use crate::read::expressions::Expressions;
use crate::read::what::What;
use crate::read::{Consistency, Expired};
use crate::table::Handle;
use crate::transport::{CapturedResponse, Form, Raw, ResponseFuture};

/// What is read of which item.
pub(crate) struct Get {
    pub(crate) meta: &'static EntityMeta,
    pub(crate) key: Result<KeyId, Box<KeyError>>,
    pub(crate) what: What,
    pub(crate) consistency: Consistency,
    pub(crate) expired: Expired,
}

/// The item, unless it is another entity's.
pub(crate) fn item(db: &Handle, get: Get) -> ResponseFuture<'_, Option<Raw>> {
    Box::pin(run(db, get))
}

async fn run(db: &Handle, get: Get) -> Result<Option<Raw>> {
    let meta = get.meta;
    let Expressions {
        projection, names, ..
    } = Expressions::new(None, get.projection(db.form()));
    let key = get.key?.into_item(&meta.schema.key);
    let request = db
        .client()
        .get_item()
        .table_name(db.name()?)
        .set_key(Some(key))
        .set_projection_expression(projection)
        .set_expression_attribute_names(names)
        .set_consistent_read(get.consistency.as_member());
    let kept = CapturedResponse::new(db.form());
    let asked = meta.asked(db.name()?);
    let sent = request.customize().interceptor(kept.hook()).send().await;
    let output = kept.sent(sent, asked)?;
    let item = kept.item(output, asked)?;
    let is_wanted = |item: &Raw| {
        item.is_tagged_as(meta)
            && (get.expired == Expired::Returned || !is_expired(meta, item, db.now()))
    };
    let item = item.filter(is_wanted);
    Ok(item.map(|item| item.check_keys(db.checks_keys())))
}

impl Get {
    /// What is read of the item, and if it matters, when it expires.
    pub(crate) fn projection(&self, form: Form) -> Option<Rendered> {
        let mut projection = projection(self.meta, self.what, form)?;
        if let (Expired::LeftOut, Some(ttl)) = (self.expired, &self.meta.schema.ttl) {
            projection.also(ttl.into());
        }
        Some(projection)
    }
}

/// What is read of an item that is known by its key: its tag, and the key only if a field is stored in it alone, or for interceptors,
/// which may need it to tell whose item it is.
pub(crate) fn projection(meta: &'static EntityMeta, what: What, form: Form) -> Option<Rendered> {
    what.render(meta, &meta.schema.key, form == Form::Maps)
}
