//! The way between a client and the server, where faults happen.

use super::clock::ClientClock;
use super::fault::Fault;
use super::faults::Faults;
use super::late::Late;
use super::responses;
use super::server::{Reply, may_be_stale, operations, outcome};
use super::simulation::Core;
use super::trace::{Attempt, Outcome};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use fastrand::Rng;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::sleep;

/// The connection of one client.
#[derive(Clone)]
pub(super) struct Connector {
    pub(super) core: Arc<Core>,
    pub(super) client: u64,
    pub(super) clock: ClientClock,
    /// `None`: no faults, and no time passes.
    pub(super) faults: Option<Faults>,
    pub(super) attempts: Arc<AtomicU64>,
    pub(super) is_traced: bool,
}

/// What is on its way to the server.
struct Request<'r> {
    operation: &'r str,
    body: &'r [u8],
    /// For all that is random about it.
    rng: Rng,
}

/// Seeds the generator of this thread when an attempt ends: with a response, or dropped because it took too long.
struct SeededAfter(u64);

impl Drop for SeededAfter {
    fn drop(&mut self) {
        fastrand::seed(self.0);
    }
}

/// What the client gets.
enum Answer {
    Whole(Reply),
    Truncated(Reply),
    Reset,
}

impl Connector {
    async fn send(&self, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let streamed = "the simulation does not take streamed requests";
        let mut request = Request {
            operation: target.rsplit('.').next().unwrap_or_default(),
            body: request
                .body()
                .bytes()
                .ok_or_else(|| ConnectorError::user(streamed.into()))?,
            rng: self.rng(),
        };
        let Some(faults) = &self.faults else {
            self.core.settle();
            let reply = self.apply(&request);
            self.note(&request, None, outcome(&reply), None);
            return responses::whole(&reply);
        };
        // The SDK, and Dyna, wait between attempts for times that they take from the generator of this thread, right after this.
        let _seeded = SeededAfter(request.rng.u64(..));
        sleep(latency(&mut request.rng)).await;
        let jump = faults.choose_jump(&mut request.rng);
        if let Some(off_by_ms) = jump {
            self.clock.jump(off_by_ms);
        }
        let (answer, fault, done) = self.arrive(faults, &mut request);
        self.note(&request, fault, done, jump);
        sleep(match fault {
            Some(Fault::SlowResponse) => Duration::from_millis(request.rng.u64(200..3000)),
            _ => latency(&mut request.rng),
        })
        .await;
        match answer {
            Answer::Whole(reply) => responses::whole(&reply),
            Answer::Truncated(reply) => responses::truncated(&reply),
            Answer::Reset => Err(responses::reset()),
        }
    }

    /// What is random about an attempt depends on the seed, the client and how many attempts it made, and on nothing that others do.
    fn rng(&self) -> Rng {
        let attempt = self.attempts.fetch_add(1, Ordering::Relaxed);
        let parts = [self.core.seed, self.client, attempt];
        Rng::with_seed(seed_of(&parts))
    }

    /// The request is at the server, or about to be.
    fn arrive(
        &self,
        faults: &Faults,
        request: &mut Request<'_>,
    ) -> (Answer, Option<Fault>, Outcome) {
        self.core.settle();
        let fault = faults.choose(&mut request.rng, request.operation);
        let is_applied = request.rng.bool();
        let refusal = match fault {
            Some(Fault::InternalError) => Some(responses::internal_error()),
            Some(Fault::Unavailable) => Some(responses::unavailable()),
            Some(Fault::Throttled) => {
                let operations = operations(request.operation, request.body);
                let (rng, operation) = (&mut request.rng, request.operation);
                Some(responses::throttled(rng, operation, operations))
            }
            Some(Fault::ExpiredCredentials) => Some(responses::expired_credentials()),
            Some(Fault::TransactionInProgress) => Some(responses::transaction_in_progress()),
            Some(Fault::TransactionConflict) => {
                let operations = operations(request.operation, request.body);
                Some(responses::transaction_conflict(
                    &mut request.rng,
                    operations,
                ))
            }
            _ => None,
        };
        if let Some(refusal) = refusal {
            let is_server_error = refusal.status >= 500;
            let done = if is_server_error && is_applied {
                outcome(&self.apply(request))
            } else {
                Outcome::NotApplied
            };
            return (Answer::Whole(refusal), fault, done);
        }
        if fault == Some(Fault::Reset) {
            return (Answer::Reset, fault, Outcome::NotApplied);
        }
        if fault == Some(Fault::LateArrival) {
            let delay = request.rng.u64(50..5000);
            let due = self.core.time.elapsed() + Duration::from_millis(delay);
            self.core.server().hold(Late {
                due,
                client: self.client,
                operation: request.operation.to_owned(),
                body: request.body.to_owned(),
            });
            return (Answer::Reset, fault, Outcome::Delayed);
        }
        if fault == Some(Fault::PartialBatch)
            && let Some(reply) = self.apply_partly(request)
        {
            let done = outcome(&reply);
            return (Answer::Whole(reply), fault, done);
        }
        let (reply, stale) = self.read_or_apply(faults, request);
        let done = outcome(&reply);
        match fault {
            Some(Fault::LostResponse) => (Answer::Reset, fault, done),
            Some(Fault::TruncatedResponse) => (Answer::Truncated(reply), fault, done),
            Some(Fault::SlowResponse) => (Answer::Whole(reply), fault, done),
            _ => (Answer::Whole(reply), stale, done),
        }
    }

    fn read_or_apply(&self, faults: &Faults, request: &mut Request<'_>) -> (Reply, Option<Fault>) {
        if faults.longest_lag().is_some()
            && let Some(is_of_index) = may_be_stale(request.operation, request.body)
            && let Some(lag) = faults.choose_lag(&mut request.rng, is_of_index)
        {
            let (now, mut server) = (self.core.time.elapsed(), self.core.server());
            let reply = server.read_stale(now, lag, request.operation, request.body);
            return (reply, Some(Fault::StaleRead));
        }
        (self.apply(request), None)
    }

    fn apply(&self, request: &Request<'_>) -> Reply {
        let now = self.core.time.elapsed();
        let mut server = self.core.server();
        server.apply(now, self.client, request.operation, request.body)
    }

    fn apply_partly(&self, request: &mut Request<'_>) -> Option<Reply> {
        let now = self.core.time.elapsed();
        let mut server = self.core.server();
        let (operation, body) = (request.operation, request.body);
        server.apply_partly(now, self.client, operation, body, &mut request.rng)
    }

    fn note(
        &self,
        request: &Request<'_>,
        fault: Option<Fault>,
        outcome: Outcome,
        jump: Option<i64>,
    ) {
        if !self.is_traced {
            return;
        }
        self.core.trace().push(Attempt {
            at: self.core.time.elapsed(),
            client: self.client,
            operation: request.operation.to_owned(),
            fault,
            outcome,
            clock_off_by_ms: jump,
        });
    }
}

/// From 1 to 20 milliseconds, each way.
fn latency(rng: &mut Rng) -> Duration {
    Duration::from_millis(rng.u64(1..=20))
}

/// One seed of several numbers.
pub(super) fn seed_of(parts: &[u64]) -> u64 {
    parts.iter().fold(0, |hash, part| mixed(hash ^ part))
}

/// The finalizer of `SplitMix64`.
fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "client {} of {:?}", self.client, self.core)
    }
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let this = self.clone();
        HttpConnectorFuture::new(async move { this.send(&request).await })
    }
}

impl HttpClient for Connector {
    fn http_connector(
        &self,
        _settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
