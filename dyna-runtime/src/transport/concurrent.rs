//! Several requests at a time, on the task of the caller.

use std::future::{Future, poll_fn};
use std::ops::ControlFlow;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Runs futures, at most `limit` at a time, and gives each output to `done`. After a `Break` no more are begun, and those that
/// were are waited for.
///
/// Each wake polls all that are running: right for the handful of requests that a caller has under way.
pub(crate) async fn each<F: Future>(
    limit: usize,
    futures: impl Iterator<Item = F>,
    mut done: impl FnMut(F::Output) -> ControlFlow<()>,
) {
    let mut waiting = Some(futures);
    let mut running: Vec<Pin<Box<F>>> = Vec::new();
    loop {
        while running.len() < limit.max(1)
            && let Some(future) = waiting.as_mut().and_then(Iterator::next)
        {
            running.push(Box::pin(future));
        }
        if running.is_empty() {
            return;
        }
        let output = poll_fn(|context| poll(&mut running, context)).await;
        if done(output).is_break() {
            waiting = None;
        }
    }
}

/// The output of the first that has ended, which is taken out.
fn poll<F: Future>(running: &mut Vec<Pin<Box<F>>>, context: &mut Context<'_>) -> Poll<F::Output> {
    for at in 0..running.len() {
        if let Poll::Ready(output) = running[at].as_mut().poll(context) {
            drop(running.swap_remove(at));
            return Poll::Ready(output);
        }
    }
    Poll::Pending
}

#[cfg(test)]
mod tests {
    use super::each;
    use std::cell::Cell;
    use std::ops::ControlFlow;

    /// Runs `count` futures of which each waits for so many turns; the order in which they end, and how many ran at once.
    async fn run(limit: usize, turns: &[usize], breaks_at: Option<usize>) -> (Vec<usize>, usize) {
        let (running, most) = (Cell::new(0), Cell::new(0));
        let futures = turns.iter().enumerate().map(|(n, turns)| {
            let (running, most) = (&running, &most);
            async move {
                running.set(running.get() + 1);
                most.set(most.get().max(running.get()));
                for _ in 0..*turns {
                    tokio::task::yield_now().await;
                }
                running.set(running.get() - 1);
                n
            }
        });
        let mut ended = Vec::new();
        each(limit, futures, |n| {
            ended.push(n);
            match breaks_at {
                Some(at) if at == n => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })
        .await;
        (ended, most.get())
    }

    #[tokio::test]
    async fn all_are_run_and_never_more_than_the_limit_at_once() {
        for limit in 1..6 {
            let (mut ended, most) = run(limit, &[3, 0, 2, 5, 1, 0, 4], None).await;
            ended.sort_unstable();
            assert_eq!(ended, [0, 1, 2, 3, 4, 5, 6]);
            assert_eq!(most, limit);
        }
        assert_eq!(run(0, &[1, 1], None).await, (vec![0, 1], 1));
        assert_eq!(run(3, &[], None).await, (vec![], 0));
    }

    #[tokio::test]
    async fn started_futures_finish_after_an_error() {
        let (mut ended, _) = run(2, &[5, 0, 1, 1], Some(1)).await;
        ended.sort_unstable();
        assert_eq!(ended, [0, 1]);
    }
}
