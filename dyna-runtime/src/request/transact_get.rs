//! Reading several items as they are at one moment.

use super::decode;
use super::transact::MAX_OPERATIONS;
use crate::codec::Item;
use crate::entity::DynaEntity;
use crate::error::{Error, Result, of_service};
use crate::key::{Key, KeyError};
use crate::table::{DynaTable, Lists, Table};
use aws_sdk_dynamodb::types as sdk;

/// What [`Table::transact_get`] takes: a tuple of keys, or a `Vec` of keys of one entity.
pub trait TransactGet<T> {
    /// An `Option` for each key.
    type Output;

    /// The keys.
    #[doc(hidden)]
    fn keys(self) -> Result<Vec<Item>, Box<KeyError>>;

    /// The entities of the items, in the order of the keys.
    #[doc(hidden)]
    fn decode(items: impl Iterator<Item = Option<Item>>) -> Result<Self::Output>;
}

impl<T: DynaTable> Table<T> {
    /// Reads up to 100 items as they are at one moment: all of them, or an error if one is being written.
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
    pub async fn transact_get<G: TransactGet<T>>(&self, keys: G) -> Result<G::Output> {
        let table = self.name()?;
        let keys = keys.keys()?;
        if keys.is_empty() {
            return G::decode(std::iter::empty());
        }
        if keys.len() > MAX_OPERATIONS {
            return Err(Error::TooMany {
                found: keys.len(),
                max: MAX_OPERATIONS,
            });
        }
        let mut request = self.client().transact_get_items();
        for key in keys {
            let get = sdk::Get::builder().table_name(table).set_key(Some(key));
            let get = get.build().map_err(of_service)?;
            request = request.transact_items(sdk::TransactGetItem::builder().get(get).build());
        }
        let output = request.send().await.map_err(of_service)?;
        G::decode(
            output
                .responses
                .unwrap_or_default()
                .into_iter()
                .map(|response| response.item),
        )
    }
}

impl<T: Lists<E>, E: DynaEntity> TransactGet<T> for Vec<Key<E>> {
    type Output = Vec<Option<E>>;

    fn keys(self) -> Result<Vec<Item>, Box<KeyError>> {
        self.into_iter().map(Key::into_item).collect()
    }

    fn decode(items: impl Iterator<Item = Option<Item>>) -> Result<Self::Output> {
        items.map(|item| item.map(decode).transpose()).collect()
    }
}

macro_rules! tuples {
    ($($entity:ident $n:tt),*) => {
        impl<T: $(Lists<$entity> +)*, $($entity: DynaEntity),*> TransactGet<T> for ($(Key<$entity>,)*) {
            type Output = ($(Option<$entity>,)*);

            fn keys(self) -> Result<Vec<Item>, Box<KeyError>> {
                Ok(vec![$(self.$n.into_item()?),*])
            }

            fn decode(mut items: impl Iterator<Item = Option<Item>>) -> Result<Self::Output> {
                Ok(($(items.next().flatten().map(decode::<$entity>).transpose()?,)*))
            }
        }
    };
}

tuples!(E0 0);
tuples!(E0 0, E1 1);
tuples!(E0 0, E1 1, E2 2);
tuples!(E0 0, E1 1, E2 2, E3 3);
tuples!(E0 0, E1 1, E2 2, E3 3, E4 4);
tuples!(E0 0, E1 1, E2 2, E3 3, E4 4, E5 5);
tuples!(E0 0, E1 1, E2 2, E3 3, E4 4, E5 5, E6 6);
tuples!(E0 0, E1 1, E2 2, E3 3, E4 4, E5 5, E6 6, E7 7);
