//! How long a batch waits for what was left undone.

use super::{Server, leave, orders};
use std::time::Duration;
use tokio::time::Instant;

/// How long a batch took whose one write was always left undone.
async fn waited(retries: u32) -> Duration {
    let (server, db) = Server::table("BatchWriteItem", |_, body| leave(body, |_| true)).await;
    let start = Instant::now();
    let batch = db.batch_write().put_all(&orders(0..1)).retries(retries);
    let left: super::BatchWrite<'_, super::Shop> = batch.send().await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(server.asked().len(), usize::try_from(retries).unwrap() + 1);
    start.elapsed()
}

#[tokio::test(start_paused = true)]
async fn waits_double_at_most_and_are_never_the_same() {
    let mut waits = Vec::new();
    for _ in 0..16 {
        let wait = waited(6).await;
        // 50 ms, and twice as long each time: the clock of the test rounds each up to a millisecond.
        assert!(wait <= Duration::from_millis(50 * 63 + 6), "{wait:?}");
        waits.push(wait);
    }
    waits.sort_unstable();
    waits.dedup();
    assert!(waits.len() > 8, "{waits:?}");
}

#[tokio::test(start_paused = true)]
async fn the_budget_is_spent_in_half_a_minute() {
    assert_eq!(waited(0).await, Duration::ZERO);
    // 50 ms doubled up to 5 s: 50 + 100 + .. + 3200 + 3 * 5000.
    assert!(waited(10).await <= Duration::from_millis(6_350 + 15_000 + 10));
}
