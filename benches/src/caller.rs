//! One who makes requests, one after the other, on this thread.

use crate::canned::Canned;
use crate::work::Contestant;
use aws_sdk_dynamodb::Client;
use serde::Serialize;
use serde_json::Value;
use std::rc::Rc;
use tokio::runtime::{Builder, Runtime};

/// One who makes requests of a server with one answer.
#[derive(Clone)]
pub struct Caller {
    server: Canned,
    /// Its client.
    pub client: Client,
    runtime: Rc<Runtime>,
}

impl Caller {
    /// A caller of a server that always answers this.
    pub fn new(answer: impl Into<Vec<u8>>) -> Self {
        let server = Canned::new(answer);
        let runtime = Builder::new_current_thread().enable_time().build();
        Self {
            client: server.client(),
            server,
            runtime: Rc::new(runtime.expect("a runtime without threads")),
        }
    }

    /// What a future yields.
    pub fn wait<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    /// A contestant who reads.
    pub fn reading<T: Serialize>(
        self,
        peer: &'static str,
        read: impl AsyncFn() -> T + 'static,
    ) -> Contestant {
        Contestant::new(peer, move || self.wait(read()))
    }

    /// A contestant who writes: what counts is the items of the requests.
    pub fn writing<I: 'static>(
        self,
        peer: &'static str,
        make: impl Fn() -> I + 'static,
        write: impl AsyncFn(I) + 'static,
    ) -> Contestant {
        let write = Rc::new(write);
        let (again, caller) = (write.clone(), self.clone());
        Contestant::shown(
            peer,
            make,
            move |input| self.wait(write(input)),
            move |input| caller.written(|| caller.wait(again(input))),
        )
    }

    fn written(&self, meanwhile: impl FnOnce()) -> Value {
        let mut items = Vec::new();
        for body in self.server.listen(meanwhile) {
            collect(&body, &mut items);
        }
        items.sort_by_key(Value::to_string);
        Value::Array(items)
    }
}

/// The item without attributes that are NULL: not every peer writes those.
fn without_null(item: &Value) -> Value {
    let mut item = item.clone();
    if let Value::Object(attributes) = &mut item {
        attributes.retain(|_, value| value.get("NULL").is_none());
    }
    item
}

/// The items of a request, wherever they are in it.
fn collect(value: &Value, items: &mut Vec<Value>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "Item" {
                    items.push(without_null(member));
                } else {
                    collect(member, items);
                }
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| collect(element, items)),
        _ => {}
    }
}
