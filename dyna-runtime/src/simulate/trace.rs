//! What happened, attempt by attempt, without values.

use super::fault::Fault;
use std::fmt;
use std::time::Duration;

/// Every attempt that the clients of a simulation made, in the order in which the server took them. Its text has one line for each, without
/// any value of a key or an attribute; the same program with the same seed has the same text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trace {
    attempts: Vec<Attempt>,
}

/// One attempt of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// Virtual time since the simulation began.
    pub at: Duration,
    /// The number of the client, from 1 on; 0 for [`direct`](super::Simulation::direct).
    pub client: u64,
    /// The operation of DynamoDB: `PutItem`.
    pub operation: String,
    /// What happened to it on the way.
    pub fault: Option<Fault>,
    /// What the server did.
    pub outcome: Outcome,
    /// If the clock of the client jumped: by how many milliseconds it is off since then.
    pub clock_off_by_ms: Option<i64>,
}

/// What the server did with an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It was carried out, whether or not the client learned of it.
    Applied,
    /// DynamoDB refused it with this code, for its own reasons.
    Refused(String),
    /// It was not carried out, because of the fault.
    NotApplied,
    /// It has not arrived yet. When it does, it has a line of its own.
    Delayed,
}

impl Trace {
    /// The attempts, in the order in which the server took them.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// How many attempts had this fault.
    pub fn count(&self, fault: Fault) -> usize {
        let attempts = self.attempts.iter();
        attempts.filter(|it| it.fault == Some(fault)).count()
    }

    pub(super) fn push(&mut self, attempt: Attempt) {
        self.attempts.push(attempt);
    }

    /// The last lines.
    pub(super) fn tail(&self, lines: usize) -> String {
        let from = self.attempts.len().saturating_sub(lines);
        let numbered = self.attempts.iter().enumerate().skip(from);
        let lines = numbered.map(|(number, attempt)| format!("{:>6} {attempt}\n", number + 1));
        lines.collect()
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tail(usize::MAX))
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.at.as_secs();
        let millis = self.at.subsec_millis();
        let Self {
            client, operation, ..
        } = self;
        write!(
            f,
            "{seconds:>5}.{millis:03}s  client {client:<3} {operation:<19}"
        )?;
        match self.fault {
            Some(fault) => write!(f, " {:<24}", fault.to_string())?,
            None => write!(f, " {:<24}", "-")?,
        }
        match &self.outcome {
            Outcome::Applied => f.write_str("applied")?,
            Outcome::Refused(code) => write!(f, "refused: {code}")?,
            Outcome::NotApplied => f.write_str("not applied")?,
            Outcome::Delayed => f.write_str("not yet there")?,
        }
        match self.clock_off_by_ms {
            Some(off_by) => write!(f, "; clock of the client jumps to {off_by:+} ms"),
            None => Ok(()),
        }
    }
}
