//! The span of a request whose response could not be read is marked as an error.

use super::server::{Does, SPOILED, Server};
use super::{Note, Notes, note};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, Once};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

type Fields = BTreeMap<&'static str, String>;

/// Keeps the fields of all spans of ours, and counts those that were closed.
#[derive(Clone, Default)]
struct Spans {
    spans: Arc<Mutex<Vec<Fields>>>,
    closed: Arc<Mutex<usize>>,
}

struct Fill<'f>(&'f mut Fields);

impl Visit for Fill<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("dyna_runtime")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::new();
        span.record(&mut Fill(&mut fields));
        let mut spans = self.spans.lock().unwrap();
        spans.push(fields);
        Id::from_u64(spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let at = usize::try_from(span.into_u64()).unwrap() - 1;
        values.record(&mut Fill(&mut self.spans.lock().unwrap()[at]));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}

    fn try_close(&self, _: Id) -> bool {
        *self.closed.lock().unwrap() += 1;
        true
    }
}

/// Listens on this thread. Another one listens everywhere: without it, a request of another test that no one listens to could turn
/// the spans off for all.
fn listen() -> (Spans, tracing::subscriber::DefaultGuard) {
    static EVERYWHERE: Once = Once::new();
    EVERYWHERE.call_once(|| tracing::subscriber::set_global_default(Spans::default()).unwrap());
    let kept = Spans::default();
    let guard = tracing::subscriber::set_default(kept.clone());
    (kept, guard)
}

#[tokio::test(start_paused = true)]
async fn the_span_of_a_response_that_cannot_be_read_is_an_error() {
    for how in SPOILED {
        let (server, db) = Server::table::<Notes>(move |_, _, _| Does::Spoil(how)).await;
        note(1).put().send(&server.direct::<Notes>()).await.unwrap();
        let (kept, _guard) = listen();
        Note::get("ann", 1).send(&db).await.unwrap_err();
        Note::query("ann").all(&db).await.unwrap_err();
        Note::by_topic("rust").limit(1).send(&db).await.unwrap_err();
        note(1).put().send(&db).await.unwrap_err();
        let update = Note::update("ann", 1).add(Note::COUNT, 1);
        update.send(&db).await.unwrap_err();
        db.batch_write().put(&note(1)).send().await.unwrap_err();
        db.transact().put(&note(1)).send().await.unwrap_err();
        let spans = kept.spans.lock().unwrap().clone();
        // The transaction is repeated three times, with its token.
        assert_eq!(spans.len(), 10);
        assert_eq!(*kept.closed.lock().unwrap(), 10);
        for span in spans {
            let field = |name| span.get(name).map(String::as_str);
            assert_eq!(field("otel.status_code"), Some("ERROR"), "{how:?} {span:?}");
            let error = field("error.type");
            assert_eq!(error, Some("unreadable_response"), "{how:?} {span:?}");
        }
    }
}
