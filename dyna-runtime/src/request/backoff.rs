//! Waiting between tries: exponential, with full jitter, on the clock of the user's client.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::AsyncSleep;
use std::time::Duration;

/// How long and how often to try again what DynamoDB left undone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Backoff {
    tries_left: u32,
    longest_wait: Duration,
}

impl Default for Backoff {
    /// Ten more tries, and up to about 20 seconds of waiting in all.
    fn default() -> Self {
        Self {
            tries_left: Self::TRIES,
            longest_wait: Duration::from_millis(50),
        }
    }
}

impl Backoff {
    /// How often to try again, unless told otherwise.
    pub(crate) const TRIES: u32 = 10;
    /// So many more tries.
    pub(crate) fn tries(tries_left: u32) -> Self {
        Self {
            tries_left,
            ..Self::default()
        }
    }

    const LONGEST_WAIT: Duration = Duration::from_secs(5);

    /// Waits before the next try; `false` if there is none.
    pub(crate) async fn wait(&mut self, client: &Client) -> bool {
        if self.tries_left == 0 {
            return false;
        }
        self.tries_left -= 1;
        let wait = self.longest_wait.mul_f64(fastrand::f64());
        self.longest_wait = (self.longest_wait * 2).min(Self::LONGEST_WAIT);
        // A client without a clock cannot wait; its own retries have none either.
        if let Some(clock) = client.config().sleep_impl() {
            clock.sleep(wait).await;
        }
        true
    }
}
