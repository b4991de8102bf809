//! The embedded engine outside a tokio runtime: an error of ours, not a panic inside the SDK.

use dyna_runtime::embedded::{Embedded, EmbeddedError};
use dyna_runtime::{DynaEntity, DynaTable, Error, Table};
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

#[derive(Debug, Serialize, Deserialize, DynaEntity, DynaTable)]
#[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
struct User {
    id: String,
}

/// An executor that knows nothing of tokio.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        std::thread::yield_now();
    }
}

const ADVICE: &str = "#[tokio::main]";

#[test]
fn embedded_outside_tokio_is_an_error_that_says_what_to_do() {
    let engine = Embedded::in_memory().unwrap();
    for opened in [
        block_on(User::embedded()),
        block_on(Table::<User>::embedded_in(&engine)),
    ] {
        let error = opened.unwrap_err();
        let expected = matches!(error, Error::Embedded(EmbeddedError::NoRuntime));
        assert!(expected && error.to_string().contains(ADVICE), "{error}");
    }
    assert_eq!(engine.requests(), 0);
}

#[test]
fn requests_outside_tokio_are_errors_that_say_what_to_do() {
    let engine = Embedded::in_memory().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    let db = runtime
        .block_on(Table::<User>::embedded_in(&engine))
        .unwrap();
    let before = engine.requests();
    let user = User {
        id: "ann".to_owned(),
    };
    for error in [
        block_on(user.put().send(&db)).unwrap_err(),
        block_on(User::get("ann").send(&db)).unwrap_err(),
        block_on(User::query_all_of(&db)).unwrap_err(),
        block_on(db.create_table()).unwrap_err(),
    ] {
        assert!(error.to_string().contains(ADVICE), "{error}");
    }
    let raw = block_on(engine.client().list_tables().send()).unwrap_err();
    let raw = aws_sdk_dynamodb::error::DisplayErrorContext(&raw).to_string();
    assert!(raw.contains(ADVICE), "{raw}");
    assert_eq!(engine.requests(), before);
}

impl User {
    async fn query_all_of(db: &Table<Self>) -> dyna_runtime::Result<Vec<Self>> {
        Self::scan().all(db).await
    }
}

/// `Builder::new_current_thread().build()` has no timers.
#[test]
fn embedded_works_in_a_runtime_without_timers() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let db = User::embedded().await.unwrap();
        assert_eq!(
            User::get("ann").send(&db).await.unwrap().map(|u| u.id),
            None
        );
    });
}
