//! What the compiler says of a request that is awaited before it is sent.

use crate::entity::Entity;
use crate::error::Result;
use crate::read::Page;
use crate::request::{Delete, Get, Put, Query, Scan, Update};
use crate::write::returning::Returns;
use std::pin::Pin;
use std::task::{Context, Poll};

/// No request implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a request is sent before it is awaited",
    label = "add `.send(&db)` before `.await`",
    note = "`db` is the open table: `Chat::open(client)` or `Chat::embedded().await?`"
)]
pub trait SendBeforeAwait {}

// Of `Future`, not of `IntoFuture`: with two impls of that to choose from, rustc would not look at why ours does not hold.
macro_rules! not_sent {
    ($([$($generics:tt)*] $request:ty => $output:ty;)*) => {$(
        #[doc(hidden)]
        impl<$($generics)*> Future for $request
        where
            Self: SendBeforeAwait,
        {
            type Output = Result<$output>;

            fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
                Poll::Pending
            }
        }
    )*};
}

not_sent! {
    [E: Entity, V] Get<E, V> => Option<V>;
    [E, K, S, V] Query<E, K, S, V> => Page<V>;
    [E, K, V] Scan<E, K, V> => Page<V>;
    [E: Entity, R: Returns<E>] Put<'_, E, R> => R::Output;
    [E: Entity, R: Returns<E>] Delete<E, R> => R::Output;
    [E: Entity, R: Returns<E>, M] Update<E, R, M> => R::Output;
}
