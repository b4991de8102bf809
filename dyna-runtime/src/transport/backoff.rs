//! Waiting between tries: exponential, with full jitter, on the clock of the user's client.

use crate::transport::attempts::Observer;
use crate::transport::limiter::Limiter;
use aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextRef;
use aws_sdk_dynamodb::config::{
    AsyncSleep, ConfigBag, Intercept, RuntimeComponents, SharedAsyncSleep,
};
use aws_sdk_dynamodb::error::BoxError;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

/// How long and how often to try again what DynamoDB left undone. Its [observer](Self::observer) goes with each try.
#[derive(Debug)]
pub(crate) struct Backoff {
    tries_left: u32,
    longest_wait: Duration,
    observer: Observer,
}

impl Default for Backoff {
    /// Ten more tries, and up to about 20 seconds of waiting in all.
    fn default() -> Self {
        Self {
            tries_left: Self::TRIES,
            longest_wait: Duration::from_millis(50),
            observer: Observer::default(),
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

    /// With the clock that other requests of the client have learned.
    #[cfg(feature = "streams")]
    pub(crate) fn with_clock(clock: SleepProbe) -> Self {
        let mut backoff = Self::default();
        backoff.observer.clock = clock;
        backoff
    }

    /// With calls that are limited.
    pub(crate) fn limited(mut self, limiter: Option<&Limiter>) -> Self {
        self.observer = Observer::limited(limiter);
        self
    }

    /// The observer of a request's attempts and its client's `AsyncSleep`.
    pub(crate) fn observer(&self) -> Observer {
        self.observer.clone()
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
        self.observer.clock.sleep(wait).await;
        true
    }
}

/// The clock by which a client waits between its own retries. Its configuration does not tell: the SDK has one of its own for clients
/// that were given none, and brings it in with each request.
#[derive(Debug, Clone, Default)]
pub(crate) struct SleepProbe(Arc<OnceLock<Clock>>);

/// How a client sleeps, and what its time is.
struct Clock {
    sleep: SharedAsyncSleep,
    now: Option<Box<dyn Fn() -> SystemTime + Send + Sync>>,
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

impl SleepProbe {
    /// Learns the clock of a request that is under way.
    pub(crate) fn learn(&self, components: &RuntimeComponents) {
        // It is the same for all tries.
        if self.0.get().is_none()
            && let Some(sleep) = components.sleep_impl()
        {
            let time = components.time_source();
            let now = time.map(|time| -> Box<dyn Fn() -> SystemTime + Send + Sync> {
                Box::new(move || time.now())
            });
            let _ = self.0.set(Clock { sleep, now });
        }
    }

    /// The time of the client, if a request brought it.
    pub(crate) fn time(&self) -> Option<SystemTime> {
        self.0.get()?.now.as_ref().map(|now| now())
    }

    /// Waits; `false` if the request brought no clock.
    pub(crate) async fn sleep(&self, time: Duration) -> bool {
        match self.0.get() {
            Some(clock) => clock.sleep.sleep(time).await,
            None => return false,
        }
        true
    }
}

impl Intercept for SleepProbe {
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
