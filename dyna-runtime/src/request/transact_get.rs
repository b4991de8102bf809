//! Reading several items in one transaction.

use crate::entity::Key;
use crate::entity::fill::Precondition;
use crate::entity::owner::claim::Claim;
use crate::entity::projection::View;
use crate::entity::{Entity, EntityMeta};
use crate::error::{Error, MAX_TRANSACTION, RequestContext, Result, SizeLimit, service_error};
use crate::expr::Rendered;
use crate::key::{KeyError, KeyId};
use crate::read::attributes::Attributes;
use crate::read::expressions::ReadExpressions;
use crate::read::get::projection;
use crate::table::{DynaTable, Handle, HasEntity, Table};
use crate::transport::backoff::Backoff;
use crate::transport::limits;
use crate::transport::{CapturedResponse, ItemBodies, ItemFormat, RawItem, ResponseFuture, finish};
use crate::write::CONFLICT_RETRIES;
use crate::write::cancellation::failed;
use crate::write::transaction::{MAX_OPERATIONS, OperationInfo, is_passing};
use aws_sdk_dynamodb::types as sdk;
use std::collections::HashMap;
use std::marker::PhantomData;

/// The keys of [`Table::transact_get`]: a tuple or a `Vec` of them.
pub trait TransactKeys<T> {
    /// An `Option` for each key.
    type Output: 'static;

    /// What is read.
    #[doc(hidden)]
    fn wanted(self) -> Result<Vec<KeyToRead>, Box<KeyError>>;

    /// Decodes the items, in the order of the keys.
    #[doc(hidden)]
    fn decode(items: Vec<Option<RawItem>>) -> Result<Self::Output>;
}

/// A key, or a key with a projection: `User::key("ann").project::<Name>()`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the key of an item",
    label = "expected a key, such as `User::key(..)`"
)]
pub trait TransactKey<T> {
    /// The result type of the item.
    type Output: 'static;

    /// What is read.
    #[doc(hidden)]
    fn wanted(self) -> Result<KeyToRead, Box<KeyError>>;

    /// Decodes the item.
    #[doc(hidden)]
    fn decode(item: RawItem) -> Result<Self::Output>;
}

/// The key of an item, and what is read of it.
#[doc(hidden)]
pub struct KeyToRead {
    meta: &'static EntityMeta,
    key: KeyId,
    claim: Claim,
    what: Attributes,
}

/// Without the key, which may be personal data.
impl std::fmt::Debug for KeyToRead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wanted(..)")
    }
}

impl<T: HasEntity<E>, E: Entity> TransactKey<T> for Key<E> {
    type Output = E;

    fn wanted(self) -> Result<KeyToRead, Box<KeyError>> {
        Ok(KeyToRead {
            meta: E::META,
            claim: self.claim(),
            key: self.into_id()?,
            what: Attributes::Whole,
        })
    }

    fn decode(item: RawItem) -> Result<E> {
        item.decode(<E as View<E>>::read)
    }
}

/// The key of an item of which a projection is read: [`Key::project`].
pub struct ProjectedKey<E, P> {
    key: Key<E>,
    yields: PhantomData<fn() -> P>,
}

impl<E: Entity> Key<E> {
    /// Reads only the fields of the projection `P`, in [`Table::transact_get`].
    pub fn project<P: View<E>>(self) -> ProjectedKey<E, P> {
        ProjectedKey {
            key: self,
            yields: PhantomData,
        }
    }
}

impl<E: Entity, P> std::fmt::Debug for ProjectedKey<E, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.key.fmt(f)
    }
}

impl<T: HasEntity<E>, E: Entity, P: View<E>> TransactKey<T> for ProjectedKey<E, P> {
    type Output = P;

    fn wanted(self) -> Result<KeyToRead, Box<KeyError>> {
        Ok(KeyToRead {
            meta: E::META,
            claim: self.key.claim(),
            key: self.key.into_id()?,
            what: Attributes::of::<E, P>(),
        })
    }

    fn decode(item: RawItem) -> Result<P> {
        item.decode(P::read)
    }
}

impl<T: DynaTable> Table<T> {
    /// Reads up to 100 items as they are at one moment. If one of them is being written it tries again after a while, three times, and
    /// is an error with [`is_transaction_conflict`](Error::is_transaction_conflict) then. A key that is given twice is read once.
    /// The items may have 4 MB together. How large they are shows in the response, so that more are an error after it: DynamoDB refuses
    /// them, and what an engine returns nevertheless is [`Error::TooLarge`].
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # async fn run(db: &dyna_runtime::Table<User>) -> dyna_runtime::Result<()> {
    /// let (ann, bob) = db.transact_get((User::key("ann"), User::key("bob"))).await?;
    /// # Ok(()) }
    /// ```
    ///
    #[doc = include_str!("../guide/lost/read.md")]
    pub fn transact_get<G: TransactKeys<T>>(&self, keys: G) -> ResponseFuture<'_, G::Output> {
        finish(items(self.handle(), keys.wanted()), G::decode)
    }
}

fn items(
    db: &Handle,
    keys: Result<Vec<KeyToRead>, Box<KeyError>>,
) -> ResponseFuture<'_, Vec<Option<RawItem>>> {
    Box::pin(async move { read_together(db, keys?).await })
}

/// Reads what is wanted as it is at one moment.
async fn read_together(db: &Handle, keys: Vec<KeyToRead>) -> Result<Vec<Option<RawItem>>> {
    let table = db.name()?;
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    for key in &keys {
        key.what.check(db)?;
    }
    let owners: Vec<_> = keys.iter().map(|key| (key.meta, key.claim)).collect();
    let (keys, at) = each_once(keys);
    if keys.len() > MAX_OPERATIONS {
        return Err(Error::TooMany {
            what: "operations in one transaction",
            found: keys.len(),
            max: MAX_OPERATIONS,
        });
    }
    let places: Vec<OperationInfo> = (keys.iter().enumerate())
        .map(|(n, wanted)| wanted.place(at.iter().position(|at| *at == n).unwrap_or(n)))
        .collect();
    let mut backoff = Backoff::tries(CONFLICT_RETRIES);
    let asked = RequestContext {
        table,
        index: "",
        partition: &[],
    };
    loop {
        let kept =
            CapturedResponse::writing(ItemBodies::new(db.format()), Some(backoff.observer()));
        let gets = keys.iter().map(|wanted| wanted.get(table, db.format()));
        let gets = gets.collect::<Result<Vec<_>>>()?;
        let request = db.client().transact_get_items();
        let request = request.set_transact_items(Some(gets));
        let sent = request.customize().interceptor(kept.hook()).send().await;
        let error = match kept.sent(sent, asked) {
            Ok(output) => {
                let (_, items) = kept.items(output, asked)?;
                check_size(&keys, &items)?;
                // Several entities may have asked for the same key.
                let item = |(at, (meta, claim)): (usize, (&'static EntityMeta, Claim))| {
                    let (item, wanted) = (items.get(at).cloned().flatten()?, keys.get(at)?);
                    let claim = claim.judged_by(meta, db.entities(), &wanted.key);
                    let item = item.at_key_of(meta)?;
                    let is_claimed = item.is_claimed(meta, claim);
                    is_claimed.then(|| item.check_keys(db.checks_keys()))
                };
                return Ok(at.into_iter().zip(owners).map(item).collect());
            }
            Err(error) => failed(&places, error),
        };
        if !is_passing(&error) || !backoff.wait().await {
            return Err(error);
        }
    }
}

/// Fails if the items have more bytes than a transaction may have: DynamoDB responds with an error then.
fn check_size(keys: &[KeyToRead], items: &[Option<RawItem>]) -> Result<()> {
    let most = items.iter().flatten().map(RawItem::most_bytes);
    if most.sum::<usize>() <= MAX_TRANSACTION {
        return Ok(());
    }
    let mut size = 0;
    for (wanted, item) in keys.iter().zip(items) {
        size += item.as_ref().map_or(0, RawItem::size);
        limits::check(SizeLimit::Transaction, wanted.meta, size)?;
    }
    Ok(())
}

impl KeyToRead {
    fn get(&self, table: &str, format: ItemFormat) -> Result<sdk::TransactGetItem> {
        let ReadExpressions {
            projection, names, ..
        } = ReadExpressions::new(None, self.projection(format));
        let get = sdk::Get::builder()
            .table_name(table)
            .set_key(Some(self.key.clone().into_item(&self.meta.schema.key)))
            .set_projection_expression(projection)
            .set_expression_attribute_names(names)
            .build()
            .map_err(service_error)?;
        Ok(sdk::TransactGetItem::builder().get(get).build())
    }

    fn projection(&self, format: ItemFormat) -> Option<Rendered> {
        projection(self.meta, self.what, format)
    }

    /// Whether the same is read of both items.
    fn is_read_like(&self, other: &Self) -> bool {
        let read = |wanted: &Self| {
            let projection = wanted.projection(ItemFormat::Bytes);
            projection.map(|it| (it.expression, it.names))
        };
        read(self) == read(other)
    }

    /// Where it stands in the call, for errors.
    fn place(&self, index: usize) -> OperationInfo {
        OperationInfo {
            index,
            entity: self.meta.name,
            id: self.meta.id(),
            operation: "get",
            precondition: Precondition::None,
            guard: None,
            version_check: None,
            finds: Vec::new(),
            unique: None,
        }
    }
}

/// Each key once, since DynamoDB takes none twice, and which of them each of the given ones is. Of an item that is wanted in several
/// ways, all is read.
fn each_once(all: Vec<KeyToRead>) -> (Vec<KeyToRead>, Vec<usize>) {
    let mut once: Vec<KeyToRead> = Vec::with_capacity(all.len());
    let mut seen = HashMap::with_capacity(all.len());
    let mut at = Vec::with_capacity(all.len());
    for wanted in all {
        let place = *seen.entry(wanted.key.clone()).or_insert(once.len());
        at.push(place);
        match once.get_mut(place) {
            Some(first) if !first.is_read_like(&wanted) => first.what = Attributes::Whole,
            Some(_) => {}
            None => once.push(wanted),
        }
    }
    (once, at)
}

impl<T, K: TransactKey<T>> TransactKeys<T> for Vec<K> {
    type Output = Vec<Option<K::Output>>;

    fn wanted(self) -> Result<Vec<KeyToRead>, Box<KeyError>> {
        self.into_iter().map(K::wanted).collect()
    }

    fn decode(items: Vec<Option<RawItem>>) -> Result<Self::Output> {
        let mut all = Vec::with_capacity(items.len());
        for item in items {
            all.push(decode::<T, K>(item)?);
        }
        Ok(all)
    }
}

fn decode<T, K: TransactKey<T>>(item: Option<RawItem>) -> Result<Option<K::Output>> {
    match item {
        Some(item) => Ok(Some(K::decode(item)?)),
        None => Ok(None),
    }
}

macro_rules! tuples {
    ($($key:ident $n:tt),*) => {
        impl<T, $($key: TransactKey<T>),*> TransactKeys<T> for ($($key,)*) {
            type Output = ($(Option<$key::Output>,)*);

            fn wanted(self) -> Result<Vec<KeyToRead>, Box<KeyError>> {
                Ok(vec![$(self.$n.wanted()?),*])
            }

            fn decode(items: Vec<Option<RawItem>>) -> Result<Self::Output> {
                let mut items = items.into_iter();
                Ok(($(decode::<T, $key>(items.next().flatten())?,)*))
            }
        }
    };
}

tuples!(K0 0);
tuples!(K0 0, K1 1);
tuples!(K0 0, K1 1, K2 2);
tuples!(K0 0, K1 1, K2 2, K3 3);
tuples!(K0 0, K1 1, K2 2, K3 3, K4 4);
tuples!(K0 0, K1 1, K2 2, K3 3, K4 4, K5 5);
tuples!(K0 0, K1 1, K2 2, K3 3, K4 4, K5 5, K6 6);
tuples!(K0 0, K1 1, K2 2, K3 3, K4 4, K5 5, K6 6, K7 7);
