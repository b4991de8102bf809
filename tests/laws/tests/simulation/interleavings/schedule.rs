//! Two clients whose requests reach the server one at a time, in an order that is chosen; and every such order.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use dyna_runtime::embedded::Embedded;
use dyna_runtime::{DynaTable, Table};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

type Response = Result<HttpResponse, ConnectorError>;

/// A request that waits until it is chosen.
struct Waiting {
    request: HttpRequest,
    /// `None` after its connection was reset.
    reply: Option<oneshot::Sender<Response>>,
}

/// The requests that wait, by the number of their client.
#[derive(Default)]
struct Queue {
    waiting: BTreeMap<usize, Waiting>,
    /// Requests whose connection was reset, and that are still on their way.
    late: Vec<Waiting>,
}

/// The way from one client to the engine.
#[derive(Clone)]
struct Wire {
    client: usize,
    queue: Arc<Mutex<Queue>>,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "client {}", self.client)
    }
}

impl HttpConnector for Wire {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (reply, response) = oneshot::channel();
        let waiting = Waiting {
            request,
            reply: Some(reply),
        };
        let before = self
            .queue
            .lock()
            .unwrap()
            .waiting
            .insert(self.client, waiting);
        assert!(before.is_none(), "a client makes one request at a time");
        HttpConnectorFuture::new(async { response.await.unwrap_or_else(|_| Err(reset())) })
    }
}

impl HttpClient for Wire {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

fn reset() -> ConnectorError {
    ConnectorError::io(Box::new(std::io::Error::from(ErrorKind::ConnectionReset)))
}

/// What may happen next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The request of this client is applied, and it gets the response.
    Deliver(usize),
    /// The request is applied, and the response is lost.
    Lose(usize),
    /// The connection is reset, and the request is on its way still.
    Delay(usize),
    /// What is on its way arrives.
    Arrive,
    /// The client stops before its request is sent.
    Crash(usize),
    /// The client stops when its request is applied.
    DeliverAndCrash(usize),
}

/// How many faults there may be in one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    pub(super) crashes: usize,
    pub(super) losses: usize,
}

/// One run: the engine, and two clients that wait for it.
pub(super) struct Run<O> {
    pub(super) engine: Embedded,
    queue: Arc<Mutex<Queue>>,
    clients: Vec<Option<JoinHandle<O>>>,
    budget: Budget,
}

impl<O: Send + 'static> Run<O> {
    pub(super) async fn new<T: DynaTable>(budget: Budget) -> (Self, Table<T>) {
        let engine = Embedded::in_memory().unwrap();
        let direct = Table::<T>::embedded_in(&engine).await.unwrap();
        let run = Self {
            engine,
            queue: Arc::default(),
            clients: Vec::new(),
            budget,
        };
        (run, direct)
    }

    /// The handle of the next client.
    pub(super) fn table<T: DynaTable>(&self) -> Table<T> {
        let wire = Wire {
            client: self.clients.len(),
            queue: self.queue.clone(),
        };
        let config = self.engine.config().http_client(wire);
        // Dyna repeats transactions itself; two that repeat would only make the same orders more than once.
        let config = config.retry_config(RetryConfig::disabled());
        Table::open(Client::from_conf(config.build()))
    }

    /// Starts the next client.
    pub(super) fn start(&mut self, client: impl Future<Output = O> + Send + 'static) {
        self.clients.push(Some(tokio::spawn(client)));
    }

    /// What may happen next, when every client waits.
    fn steps(&self) -> Vec<Step> {
        let queue = self.queue.lock().unwrap();
        let mut steps = Vec::new();
        for client in queue.waiting.keys().copied() {
            steps.push(Step::Deliver(client));
            if self.budget.losses > 0 {
                steps.extend([Step::Lose(client), Step::Delay(client)]);
            }
            if self.budget.crashes > 0 {
                steps.extend([Step::Crash(client), Step::DeliverAndCrash(client)]);
            }
        }
        if !queue.late.is_empty() {
            steps.push(Step::Arrive);
        }
        steps
    }

    async fn take(&mut self, step: Step) {
        let waiting = |client| self.queue.lock().unwrap().waiting.remove(&client).unwrap();
        match step {
            Step::Deliver(client) => {
                let Waiting { request, reply } = waiting(client);
                let response = self.engine.call(request).await;
                let _ = reply.unwrap().send(response);
            }
            Step::Lose(client) => {
                self.budget.losses -= 1;
                let Waiting { request, reply } = waiting(client);
                let _ = self.engine.call(request).await;
                let _ = reply.unwrap().send(Err(reset()));
            }
            Step::Delay(client) => {
                self.budget.losses -= 1;
                let mut late = waiting(client);
                let _ = late.reply.take().unwrap().send(Err(reset()));
                self.queue.lock().unwrap().late.push(late);
            }
            Step::Arrive => {
                let late = self.queue.lock().unwrap().late.remove(0);
                let _ = self.engine.call(late.request).await;
            }
            Step::Crash(client) => {
                drop(waiting(client));
                self.crash(client);
            }
            Step::DeliverAndCrash(client) => {
                let _ = self.engine.call(waiting(client).request).await;
                self.crash(client);
            }
        }
    }

    fn crash(&mut self, client: usize) {
        self.budget.crashes -= 1;
        if let Some(task) = self.clients[client].take() {
            task.abort();
        }
    }

    /// What each client returned; nothing of one that crashed.
    pub(super) async fn outcomes(&mut self) -> Vec<Option<O>> {
        let mut outcomes = Vec::new();
        for client in &mut self.clients {
            outcomes.push(match client.take() {
                Some(task) => Some(task.await.unwrap()),
                None => None,
            });
        }
        outcomes
    }
}

/// The choices of one run: those that it must repeat, and those that it made after them.
#[derive(Debug, Default)]
pub(super) struct Choices {
    /// What was chosen, of how many.
    made: Vec<(usize, usize)>,
    at: usize,
    steps: Vec<Step>,
}

impl Choices {
    fn choose(&mut self, from: &[Step]) -> Step {
        if self.at == self.made.len() {
            self.made.push((0, from.len()));
        }
        let (chosen, of) = self.made[self.at];
        assert_eq!(of, from.len(), "the same choices lead to the same run");
        self.at += 1;
        self.steps.push(from[chosen]);
        from[chosen]
    }

    /// Runs until nobody waits any more.
    pub(super) async fn drive<O: Send + 'static>(&mut self, run: &mut Run<O>) {
        loop {
            // Time passes when everyone waits: all backoff is over then, and each client has sent its request or is done.
            tokio::time::sleep(Duration::from_mins(10)).await;
            let steps = run.steps();
            if steps.is_empty() {
                return;
            }
            let step = self.choose(&steps);
            run.take(step).await;
        }
    }

    /// The next run in depth-first order.
    pub(super) fn next(mut self) -> Option<Self> {
        while let Some((chosen, of)) = self.made.pop() {
            if chosen + 1 < of {
                self.made.push((chosen + 1, of));
                return Some(Self {
                    made: self.made,
                    ..Self::default()
                });
            }
        }
        None
    }
}

impl std::fmt::Display for Choices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.steps)
    }
}
