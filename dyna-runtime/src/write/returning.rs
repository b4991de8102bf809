//! What a write gives back: nothing, the item as it was, or the item as it is now.

use crate::codec::Item;
use crate::entity::Entity;
use crate::entity::{decode, read};
use crate::error::Result;
use crate::transport::Raw;

/// The write returns `()`: what it does unless told otherwise.
#[derive(Debug)]
pub enum Nothing {}

/// The write returns the item as it was before, if there was one: `.returning_old()`.
#[derive(Debug)]
pub enum Old {}

/// The write returns the item as it is stored now: `.returning_new()`.
#[derive(Debug)]
pub enum New {}

/// [`Nothing`], [`Old`] or [`New`].
pub trait Returns<E>: 'static {
    /// What `send` returns.
    type Output;

    /// Which item to ask for.
    #[doc(hidden)]
    const WHICH: Which;

    /// What the item that was asked for is to the caller.
    #[doc(hidden)]
    fn read(item: Option<Raw>) -> Result<Self::Output>;
}

/// The item that is asked for.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Neither,
    Old,
    New,
}

impl<E: Entity> Returns<E> for Nothing {
    type Output = ();
    const WHICH: Which = Which::Neither;

    fn read(_: Option<Raw>) -> Result<()> {
        Ok(())
    }
}

impl<E: Entity> Returns<E> for Old {
    type Output = Option<E>;
    const WHICH: Which = Which::Old;

    fn read(item: Option<Raw>) -> Result<Option<E>> {
        item.map(applied).transpose()
    }
}

impl<E: Entity> Returns<E> for New {
    type Output = E;
    const WHICH: Which = Which::New;

    fn read(item: Option<Raw>) -> Result<E> {
        match item {
            Some(item) => applied(item),
            // DynamoDB always answers with the item; without one, the error says what is missing.
            None => decode(Item::new()),
        }
    }
}

/// The entity of an item that a write returned. The write was applied, whether the item can be read or not.
fn applied<E: Entity>(item: Raw) -> Result<E> {
    let kept = item.clone();
    item.read(read)
        .map_err(|error| kept.applied(E::META.name, error))
}
