//! What a model's access patterns answered, as data that can be compared between engines.

use dyna_runtime::{Cursor, Error, Page};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;

/// The answers of a model, in the order in which they were asked for.
///
/// They are compared as JSON, so whatever answers must come out the same each time: fix the clock (`Table::with_clock`), and keep sets
/// in a `BTreeSet`. The answer of a pattern that writes is what it returns; ask for the item after it to compare that too.
#[derive(Debug, Default)]
pub struct Answers {
    noted: Vec<Answer>,
    /// How long each pattern waits for what the one before has written.
    lag: Duration,
}

/// The answer of one access pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The pattern, as the document calls it; text after a colon says which case of it: `Get user by ID: nobody`.
    pub pattern: String,
    /// What came back, or `{"refused": ..}`.
    pub answer: Value,
}

impl Answers {
    /// Of an engine whose indexes lag behind.
    pub(crate) fn after(lag: Duration) -> Self {
        Self {
            lag,
            ..Self::default()
        }
    }

    /// Runs a pattern and notes what it answers, or why it was refused. Returns it too, for patterns that go on from it.
    pub fn ask<T: Serialize>(
        &mut self,
        pattern: &str,
        request: impl Future<Output = dyna_runtime::Result<T>>,
    ) -> impl Future<Output = Option<T>> {
        // The futures of requests are large, and there are many of them in one function.
        let request = Box::pin(request);
        async move {
            sleep(self.lag).await;
            self.note(pattern, request.await, |answer| json!(answer))
        }
    }

    /// The same of a pattern that answers in pages: what is on the page, and whether there is more. Returns the cursor.
    pub fn page<T: Serialize>(
        &mut self,
        pattern: &str,
        request: impl Future<Output = dyna_runtime::Result<Page<T>>>,
    ) -> impl Future<Output = Option<Cursor>> {
        let request = Box::pin(request);
        async move {
            sleep(self.lag).await;
            let page = self.note(
                pattern,
                request.await,
                |page| json!({"items": page.items, "more": page.next.is_some()}),
            );
            page?.next
        }
    }

    pub(crate) fn note<T>(
        &mut self,
        pattern: &str,
        answer: dyna_runtime::Result<T>,
        told: impl FnOnce(&T) -> Value,
    ) -> Option<T> {
        let told = match &answer {
            Ok(answer) => told(answer),
            Err(error) => json!({"refused": reason(error)}),
        };
        self.noted.push(Answer {
            pattern: pattern.to_owned(),
            answer: told,
        });
        answer.ok()
    }

    /// All of them.
    pub fn into_vec(self) -> Vec<Answer> {
        self.noted
    }
}

/// Engines agree on codes, not on words; what Dyna itself refuses has none. Of a transaction, which operations were in the way.
fn reason(error: &Error) -> String {
    let code = error.code().map(ToOwned::to_owned);
    let code = code.unwrap_or_else(|| error.to_string());
    let failures = error.failures().iter();
    let failures: Vec<_> = failures
        .map(|failure| format!("{} {:?}", failure.index, failure.reason))
        .collect();
    if failures.is_empty() {
        return code;
    }
    format!("{code}: {}", failures.join(", "))
}
