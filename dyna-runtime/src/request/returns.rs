//! What a write gives back: nothing, the item as it was, or the item as it is now.

use super::decode;
use crate::codec::Item;
use crate::entity::DynaEntity;
use crate::error::Result;

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
pub trait Returns<E> {
    /// What `send` returns.
    type Output;

    /// Which item to ask for.
    #[doc(hidden)]
    const WHICH: Which;

    /// What the item is to the caller.
    #[doc(hidden)]
    fn read(item: Option<Item>) -> Result<Self::Output>;
}

/// The item that is asked for.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Neither,
    Old,
    New,
}

impl<E: DynaEntity> Returns<E> for Nothing {
    type Output = ();
    const WHICH: Which = Which::Neither;

    fn read(_: Option<Item>) -> Result<()> {
        Ok(())
    }
}

impl<E: DynaEntity> Returns<E> for Old {
    type Output = Option<E>;
    const WHICH: Which = Which::Old;

    fn read(item: Option<Item>) -> Result<Option<E>> {
        item.map(decode).transpose()
    }
}

impl<E: DynaEntity> Returns<E> for New {
    type Output = E;
    const WHICH: Which = Which::New;

    fn read(item: Option<Item>) -> Result<E> {
        decode(item.unwrap_or_default())
    }
}
