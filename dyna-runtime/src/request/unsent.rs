//! The compiler's message for a request that is awaited before it is sent.

use crate::entity::Entity;
use crate::error::Result;
use crate::read::Page;
use crate::request::{
    BatchWrite, Delete, Get, Put, Query, Rekey, Scan, SkipUnreadable, TransactWrite, Update,
};
use crate::write::returning::Returns;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

/// No request implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a request must be sent before it is awaited",
    label = "add `.send(&db)` before `.await`",
    note = "write `.send(&db).await`, where `db` is the open table: `Chat::open(client)` or `Chat::embedded().await?`"
)]
pub trait SendBeforeAwait {}

/// The same of requests that have their table. None implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a transaction or batch must be sent before it is awaited",
    label = "add `.send()` before `.await`",
    note = "write `.send().await`: it has its table from `db.transact()` or `db.batch_write()`"
)]
pub trait SendTogetherBeforeAwait {}

/// A request that is not sent. It stands in the bound for the request itself: of that rustc would only say that it is not a future.
#[doc(hidden)]
#[derive(Debug)]
pub struct Unsent<R>(PhantomData<R>);

// Of `Future`, not of `IntoFuture`: with two impls of that to choose from, rustc would not look at why ours does not hold.
macro_rules! not_sent {
    ($unsent:ident: $([$($generics:tt)*] $request:ty => $output:ty;)*) => {$(
        #[doc(hidden)]
        impl<$($generics)*> Future for $request
        where
            Unsent<Self>: $unsent,
        {
            type Output = Result<$output>;

            fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
                Poll::Pending
            }
        }
    )*};
}

not_sent! {
    SendBeforeAwait:
    [E: Entity, V] Get<E, V> => Option<V>;
    [E, K, S, V] Query<E, K, S, V> => Page<V>;
    [E, K, V] Scan<E, K, V> => Page<V>;
    [E: Entity, R: Returns<E>] Put<'_, E, R> => R::Output;
    [E: Entity, R: Returns<E>] Delete<E, R> => R::Output;
    [E: Entity, R: Returns<E>, M] Update<E, R, M> => R::Output;
    [E: Entity] Rekey<'_, E> => ();
    [R] SkipUnreadable<R> => ();
}

not_sent! {
    SendTogetherBeforeAwait:
    [T] TransactWrite<'_, T> => ();
    ['t, T] BatchWrite<'t, T> => BatchWrite<'t, T>;
}
