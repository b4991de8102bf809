//! One item, by its key.

use crate::entity::EntityMeta;
use crate::entity::owner::claim::Claim;
use crate::error::Result;
use crate::expr::Rendered;
use crate::key::{KeyError, KeyId};
use crate::read::attributes::Attributes;
use crate::read::expiry::is_expired;
use crate::read::expressions::ReadExpressions;
use crate::read::{Consistency, Expired};
use crate::table::Handle;
use crate::transport::{CapturedResponse, ItemFormat, RawItem, ResponseFuture};

/// A read of one item.
pub(crate) struct GetRequest {
    pub(crate) meta: &'static EntityMeta,
    pub(crate) key: Result<KeyId, Box<KeyError>>,
    /// Whose the item under the key may be.
    pub(crate) claim: Claim,
    pub(crate) what: Attributes,
    pub(crate) consistency: Consistency,
    pub(crate) expired: Expired,
}

/// The item, unless it is another entity's.
pub(crate) fn item(db: &Handle, get: GetRequest) -> ResponseFuture<'_, Option<RawItem>> {
    Box::pin(run(db, get))
}

async fn run(db: &Handle, get: GetRequest) -> Result<Option<RawItem>> {
    let meta = get.meta;
    get.what.check(db)?;
    let ReadExpressions {
        projection, names, ..
    } = ReadExpressions::new(None, get.projection(db.format()));
    let key = get.key?;
    let claim = get.claim.judged_by(meta, db.entities(), &key);
    let key = key.into_item(&meta.schema.key);
    let request = db
        .client()
        .get_item()
        .table_name(db.name()?)
        .set_key(Some(key))
        .set_projection_expression(projection)
        .set_expression_attribute_names(names)
        .set_consistent_read(get.consistency.as_member());
    let kept = CapturedResponse::new(db.format());
    let asked = meta.asked(db.name()?);
    let sent = request.customize().interceptor(kept.hook()).send().await;
    let output = kept.sent(sent, asked)?;
    let item = kept.item_of(meta, output, asked)?;
    let is_wanted =
        |item: &RawItem| get.expired == Expired::Returned || !is_expired(meta, item, db.now());
    let item = item.filter(is_wanted);
    let item = item.filter(|item| item.is_claimed(meta, claim));
    Ok(item.map(|item| item.check_keys(db.checks_keys())))
}

impl GetRequest {
    /// The projection expression of the read, with the TTL if it matters.
    pub(crate) fn projection(&self, format: ItemFormat) -> Option<Rendered> {
        let mut projection = projection(self.meta, self.what, format)?;
        if let (Expired::LeftOut, Some(ttl)) = (self.expired, &self.meta.schema.ttl) {
            projection.also(ttl.into());
        }
        Some(projection)
    }
}

/// The projection expression for an item whose key is known: its tag, and the key only if a field is stored in it alone, or for interceptors,
/// which may need it to tell whose item it is.
pub(crate) fn projection(
    meta: &'static EntityMeta,
    what: Attributes,
    format: ItemFormat,
) -> Option<Rendered> {
    what.render(meta, &meta.schema.key, format == ItemFormat::Maps)
}
