//! Values that only one item has: for each there is an item of its own, the sentinel, that is written and deleted in the same
//! transaction as the item that has the value. The proof of the table covers its keys.
//!
//! A sentinel expires with its item: both have the same TTL, and every write of the one writes the other. DynamoDB deletes the two in
//! any order and days late, so an expired sentinel counts as none, and an expired item has no values: it gives up none, and to come
//! back it takes them like a new one.

use crate::codec::number::StoredNumber;
use crate::codec::{EncodeError, Item};
use crate::entity::EntityMeta;
use crate::entity::fill;
use crate::entity::fill::Precondition;
use crate::entity::loaded::LoadedItem;
use crate::error::{Error, Result};
use crate::expr::{Expr, Path};
use crate::key::{KeyId, KeyValue, build_texts};
use crate::managed::UniqueField;
use crate::schema::AttributeName;
use crate::transport::ItemBody;
use crate::write::{Write, WriteKind};
use aws_sdk_dynamodb::types::AttributeValue;
use std::borrow::Cow;
use std::time::SystemTime;

/// Says whose value it is. No key attribute of a table is called so, and no other name has this alias: one that is called
/// `dyna_owner` needs none.
const OWNER: AttributeName = AttributeName::new("dyna:owner", "#dyna_owner");

/// Takes the values of a new item.
pub(crate) fn claim_all(
    meta: &'static EntityMeta,
    item: &Item,
    now: SystemTime,
) -> Result<Vec<Write>> {
    if meta.managed.unique.is_empty() {
        return Ok(Vec::new());
    }
    let until = fill::expiry(meta, item, now)?;
    let holder = Holder::new(meta, item, now);
    let claims = meta.managed.unique.iter();
    let claims =
        claims.map(|unique| holder.put_sentinel(unique, value(unique, item), until.as_ref()));
    claims.filter_map(Result::transpose).collect()
}

/// Gives up the values of an item that was loaded, and says what must still be true of it.
pub(crate) fn release_all(
    meta: &'static EntityMeta,
    loaded: LoadedItem<'_>,
    now: SystemTime,
) -> Result<(Vec<Write>, Expr)> {
    if meta.managed.unique.is_empty() {
        return Ok(Default::default());
    }
    let item = loaded.item;
    let held = still_held(meta.managed.unique.iter(), loaded);
    if fill::has_expired(meta, item, now)? {
        // They are free already, and another item may have them.
        return Ok((Vec::new(), held.and(loaded.same_expiry(meta))));
    }
    let holder = Holder::new(meta, item, now);
    let releases = meta.managed.unique.iter();
    let releases = releases.map(|unique| holder.delete_sentinel(unique, value(unique, item)));
    let releases = releases.filter_map(Result::transpose);
    Ok((releases.collect::<Result<_>>()?, held))
}

/// A change of an item whose values were known.
pub(crate) struct Changed<'i> {
    pub(crate) old: &'i Item,
    pub(crate) new: &'i Item,
    /// Whether the time of expiry is written, so that all values are held until then.
    pub(crate) is_expiry_written: bool,
    pub(crate) now: SystemTime,
}

impl Changed<'_> {
    /// Whether the item gives up a value, or takes one.
    pub(crate) fn is_of_values(&self, meta: &EntityMeta) -> bool {
        let mut all = meta.managed.unique.iter();
        all.any(|unique| !is_same(value(unique, self.old), value(unique, self.new)))
    }

    /// Gives up the values that the item has had and takes those that it has now.
    pub(crate) fn writes(&self, meta: &'static EntityMeta) -> Result<Vec<Write>> {
        let is_expired = fill::has_expired(meta, self.old, self.now)?;
        let until = fill::expiry(meta, self.new, self.now)?;
        let (until, holder) = (until.as_ref(), Holder::new(meta, self.old, self.now));
        let mut writes = Vec::new();
        for unique in meta.managed.unique {
            let (before, after) = (value(unique, self.old), value(unique, self.new));
            if is_same(before, after) {
                if self.is_expiry_written {
                    writes.extend(holder.keep(unique, after, until)?);
                }
                continue;
            }
            if !is_expired {
                writes.extend(holder.delete_sentinel(unique, before)?);
            }
            writes.extend(holder.put_sentinel(unique, after, until)?);
        }
        Ok(writes)
    }
}

/// The condition that the stored item still has these unique values, so that their sentinels can be deleted.
pub(crate) fn still_held<'u>(
    fields: impl Iterator<Item = &'u UniqueField>,
    loaded: LoadedItem<'_>,
) -> Expr {
    let held = fields.map(|unique| loaded.still(&Path::attribute(unique.name)));
    held.fold(Expr::default(), Expr::and)
}

/// Lets an item that moves keep the values that it has had: instead of being given up and taken, they are handed to the new one.
pub(crate) fn transfer_sentinels(old: &mut Write, new: &mut Write) {
    for put_sentinel in &mut new.companions {
        let key = put_sentinel.key();
        if let Some(at) = old.companions.iter().position(|one| one.key() == key) {
            put_sentinel.condition = old.companions.remove(at).condition;
        }
    }
}

/// The value of the field, unless it has none.
fn value<'i>(unique: &UniqueField, item: &'i Item) -> Option<&'i AttributeValue> {
    let value = item.get(unique.name.attribute)?;
    (!value.is_null()).then_some(value)
}

/// Whether two values of the field are one: of numbers, whatever their digits.
fn is_same(one: Option<&AttributeValue>, other: Option<&AttributeValue>) -> bool {
    match (one, other) {
        (Some(AttributeValue::N(one)), Some(AttributeValue::N(other))) => {
            one == other
                || StoredNumber::parse(one)
                    .is_some_and(|one| Some(one) == StoredNumber::parse(other))
        }
        (one, other) => one == other,
    }
}

/// The item that takes and gives up values.
struct Holder<'i> {
    meta: &'static EntityMeta,
    item: &'i Item,
    now: SystemTime,
}

impl<'i> Holder<'i> {
    fn new(meta: &'static EntityMeta, item: &'i Item, now: SystemTime) -> Self {
        Self { meta, item, now }
    }

    /// Takes a value that no item has, or one that has expired.
    fn put_sentinel(
        &self,
        unique: &'static UniqueField,
        value: Option<&AttributeValue>,
        until: Option<&AttributeValue>,
    ) -> Result<Option<Write>> {
        let Some(value) = value else { return Ok(None) };
        let meta = self.meta;
        let mut sentinel = self.key(unique, value)?;
        self.fill(unique, &mut sentinel);
        if let (Some(ttl), Some(until)) = (meta.schema.ttl, until) {
            sentinel.insert(ttl.name.to_owned(), until.clone());
        }
        Ok(Some(Write {
            unique: Some(unique),
            condition: self.is_free(),
            ..Write::new(meta, WriteKind::Put(ItemBody::of_item(meta, &sentinel)?))
        }))
    }

    /// Holds a value until another time. DynamoDB may have deleted its sentinel before the item, or not yet.
    fn keep(
        &self,
        unique: &'static UniqueField,
        value: Option<&AttributeValue>,
        until: Option<&AttributeValue>,
    ) -> Result<Option<Write>> {
        let put_sentinel = self.put_sentinel(unique, value, until)?;
        Ok(put_sentinel.map(|put_sentinel| Write {
            condition: self.is_free_or_own(unique),
            ..put_sentinel
        }))
    }

    fn delete_sentinel(
        &self,
        unique: &'static UniqueField,
        value: Option<&AttributeValue>,
    ) -> Result<Option<Write>> {
        let Some(value) = value else { return Ok(None) };
        // One that is missing does not matter, such as that of an item that was written before the field was unique.
        Ok(Some(Write {
            unique: Some(unique),
            condition: self.is_free_or_own(unique),
            ..Write::new(self.meta, WriteKind::Delete(self.key(unique, value)?))
        }))
    }

    /// Nobody has the value, or the item that has had it has expired.
    fn is_free(&self) -> Expr {
        let absent = Precondition::MustNotExist.condition(self.meta.schema);
        match self.meta.managed.expiry {
            Some(_) => absent.or(fill::is_expired_at(self.meta, self.now)),
            None => absent,
        }
    }

    fn is_free_or_own(&self, unique: &UniqueField) -> Expr {
        let owner = Path::attribute(OWNER);
        let own = self.is_free().or(Expr::is(&owner, Some(self.owner())));
        if self.meta.managed.is_shared(unique) {
            // Other software does not say whose the value is: it is of the item that has it.
            return own.or(Expr::missing(&owner));
        }
        own
    }

    fn owner(&self) -> AttributeValue {
        owned_by(self.meta, self.item)
    }

    /// The primary key of the sentinel of a value.
    fn key(&self, unique: &UniqueField, value: &AttributeValue) -> Result<Item> {
        let meta = self.meta;
        let own = [unique.name.attribute];
        let parts = match meta.managed.sentinel(unique) {
            Some(sentinel) => sentinel.parts,
            None => &own,
        };
        let texts = parts.iter().map(|&attribute| {
            let value = match self.item.get(attribute) {
                _ if attribute == unique.name.attribute => value,
                Some(value) => value,
                None => {
                    let problem =
                        "is not stored, and a unique value is unique within it".to_owned();
                    return refuse(meta, attribute, problem);
                }
            };
            Ok((attribute, text(meta, attribute, value)?))
        });
        let texts = texts.collect::<Result<Vec<_>>>()?;
        let pk = build_texts(meta.name, &unique.template, &texts)?;
        let sk = meta.schema.sk();
        let sk = sk.map(|_| KeyValue::S(meta.managed.sort_key(unique).text.to_owned()));
        let id = KeyId::new(KeyValue::S(pk), sk);
        Ok(id.into_item(&meta.schema.key))
    }

    /// What a sentinel has besides its key. Those of other software have no owner: a value is given up only while its item still has it.
    /// Only where items expire that would not do, since another item may take the value of one that has expired and is still there.
    fn fill(&self, unique: &UniqueField, sentinel: &mut Item) {
        let (managed, schema) = (&self.meta.managed, self.meta.schema);
        let shared = managed.sentinel(unique);
        if shared.is_none() || managed.expiry.is_some() {
            sentinel.insert(OWNER.attribute.to_owned(), self.owner());
        }
        let tag = shared.and_then(|shared| shared.tag);
        if let (Some(tag), Some(declared)) = (tag, schema.tag) {
            let name = declared.attribute.name.to_owned();
            sentinel.insert(name, AttributeValue::S(tag.to_owned()));
        }
    }
}

/// The primary key of an item, as its sentinels know it.
fn owned_by(meta: &EntityMeta, item: &Item) -> AttributeValue {
    let values = meta.schema.key.attributes();
    let values = values.filter_map(|attribute| item.get(attribute.name).cloned());
    AttributeValue::L(values.collect())
}

/// A value as it stands in a key.
fn text<'v>(
    meta: &EntityMeta,
    attribute: &'static str,
    value: &'v AttributeValue,
) -> Result<Cow<'v, str>> {
    match value {
        AttributeValue::S(text) => Ok(Cow::Borrowed(text)),
        // `1.10` and `1.1` are one value, and DynamoDB stores one of them.
        AttributeValue::N(digits) => Ok(match StoredNumber::parse(digits) {
            Some(number) => Cow::Owned(number.to_string()),
            None => Cow::Borrowed(digits),
        }),
        other => {
            let found = crate::codec::kind(other);
            let problem = format!("is `unique`, which only text and numbers can be, found {found}");
            refuse(meta, attribute, problem)
        }
    }
}

fn refuse<T>(meta: &EntityMeta, attribute: &'static str, problem: String) -> Result<T> {
    Err(Error::Encode {
        entity: meta.name,
        source: EncodeError::new(problem).in_field(attribute),
    })
}
