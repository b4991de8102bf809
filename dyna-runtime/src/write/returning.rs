//! The result of a write: nothing, the old item, or the new item; a write that is applied once returns nothing, or what it wrote.

use crate::codec::Item;
use crate::entity::Entity;
use crate::entity::{decode, read};
use crate::error::Result;
use crate::transport::RawItem;

/// The write returns `()`: what it does unless told otherwise.
#[derive(Debug)]
pub enum Nothing {}

/// The write returns the item as it was before, if there was one: `.returning_old()`.
#[derive(Debug)]
pub enum Old {}

/// The write returns the item as it is stored now: `.returning_new()`.
#[derive(Debug)]
pub enum New {}

/// The write returns `()`, and is applied once whatever is lost on the way: `.once()`. It is a transaction, which returns no items.
#[derive(Debug)]
pub enum Once {}

/// The write is applied once, and returns the item that it wrote: `.once().returning_new()`. Only of a whole item is that known.
#[derive(Debug)]
pub enum OnceNew {}

/// [`Nothing`], [`Old`], [`New`], [`Once`] or [`OnceNew`].
pub trait Returns<E>: 'static {
    /// The result of `send`.
    type Output;

    /// The item to request.
    #[doc(hidden)]
    const WHICH: Which;

    /// Decodes the returned item.
    #[doc(hidden)]
    fn read(item: Option<RawItem>) -> Result<Self::Output>;
}

/// The item that is asked for.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Neither,
    Old,
    New,
    /// None, of a write that is sent as a transaction.
    Once,
    /// The new one, of a write that is sent as a transaction.
    OnceNew,
}

impl Which {
    /// Whether the write is sent as a transaction with a token.
    pub(crate) fn is_once(self) -> bool {
        matches!(self, Self::Once | Self::OnceNew)
    }
}

impl<E: Entity> Returns<E> for Nothing {
    type Output = ();
    const WHICH: Which = Which::Neither;

    fn read(_: Option<RawItem>) -> Result<()> {
        Ok(())
    }
}

impl<E: Entity> Returns<E> for Once {
    type Output = ();
    const WHICH: Which = Which::Once;

    fn read(_: Option<RawItem>) -> Result<()> {
        Ok(())
    }
}

impl<E: Entity> Returns<E> for OnceNew {
    type Output = E;
    const WHICH: Which = Which::OnceNew;

    fn read(item: Option<RawItem>) -> Result<E> {
        New::read(item)
    }
}

impl<E: Entity> Returns<E> for Old {
    type Output = Option<E>;
    const WHICH: Which = Which::Old;

    fn read(item: Option<RawItem>) -> Result<Option<E>> {
        item.map(applied).transpose()
    }
}

impl<E: Entity> Returns<E> for New {
    type Output = E;
    const WHICH: Which = Which::New;

    fn read(item: Option<RawItem>) -> Result<E> {
        match item {
            Some(item) => applied(item),
            // DynamoDB always returns the item; without one, the error says what is missing.
            None => decode(Item::new()),
        }
    }
}

/// The entity of an item that a write returned. The write was applied, whether the item can be read or not.
fn applied<E: Entity>(item: RawItem) -> Result<E> {
    let kept = item.clone();
    item.decode(read)
        .map_err(|error| kept.applied(E::META.name, error))
}
