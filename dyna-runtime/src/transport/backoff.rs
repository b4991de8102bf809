//! Waiting between tries: exponential, with full jitter, on the clock of the user's client.

use aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextRef;
use aws_sdk_dynamodb::config::{
    AsyncSleep, ConfigBag, Intercept, RuntimeComponents, SharedAsyncSleep,
};
use aws_sdk_dynamodb::error::BoxError;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How long and how often to try again what DynamoDB left undone. Its [clock](Self::clock) goes with each try.
#[derive(Debug)]
pub(crate) struct Backoff {
    tries_left: u32,
    longest_wait: Duration,
    clock: Clock,
}

impl Default for Backoff {
    /// Ten more tries, and up to about 20 seconds of waiting in all.
    fn default() -> Self {
        Self {
            tries_left: Self::TRIES,
            longest_wait: Duration::from_millis(50),
            clock: Clock::default(),
        }
    }
}

impl Backoff {
    /// How often to try again, unless told otherwise.
    pub(crate) const TRIES: u32 = 10;
    const LONGEST_WAIT: Duration = Duration::from_secs(5);

    /// So many more tries.
    pub(crate) fn tries(tries_left: u32) -> Self {
        Self {
            tries_left,
            ..Self::default()
        }
    }

    /// What learns of a request by which clock to wait.
    pub(crate) fn clock(&self) -> Clock {
        self.clock.clone()
    }

    /// Waits before the next try; `false` if there is none.
    pub(crate) async fn wait(&mut self) -> bool {
        if self.tries_left == 0 {
            return false;
        }
        self.tries_left -= 1;
        let wait = self.longest_wait.mul_f64(fastrand::f64());
        self.longest_wait = (self.longest_wait * 2).min(Self::LONGEST_WAIT);
        // A client without a clock cannot wait; its own retries have none either.
        self.clock.sleep(wait).await;
        true
    }
}

/// The clock by which a client waits between its own retries. Its configuration does not tell: the SDK has one of its own for clients
/// that were given none, and brings it in with each request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clock(Arc<OnceLock<SharedAsyncSleep>>);

impl Clock {
    /// Learns the clock of a request that is under way.
    pub(crate) fn learn(&self, components: &RuntimeComponents) {
        if let Some(clock) = components.sleep_impl() {
            // It is the same for all tries.
            let _ = self.0.set(clock);
        }
    }

    /// Waits; `false` if the request brought no clock.
    pub(crate) async fn sleep(&self, time: Duration) -> bool {
        match self.0.get() {
            Some(clock) => clock.sleep(time).await,
            None => return false,
        }
        true
    }
}

impl Intercept for Clock {
    fn name(&self) -> &'static str {
        "dyna: learn the clock"
    }

    fn read_before_serialization(
        &self,
        _: &BeforeSerializationInterceptorContextRef<'_>,
        components: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.learn(components);
        Ok(())
    }
}
