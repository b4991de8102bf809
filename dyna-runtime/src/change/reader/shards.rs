//! The shards of a stream as they are known: which are read, which wait for their parents, and how far each is. Sends no request.

use crate::change::checkpoint::{Position, Positions};
use std::collections::{BTreeMap, BTreeSet};

/// A shard as DynamoDB describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShardInfo {
    pub(super) id: String,
    pub(super) parent: Option<String>,
}

/// Where the next iterator of a shard begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Start {
    TrimHorizon,
    Latest,
    After(String),
}

/// Where a shard is read from next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cursor {
    /// The iterator that the last response returned.
    pub(super) iterator: Option<String>,
    /// Where to begin without one.
    pub(super) start: Start,
    /// How many responses in a row had no records.
    pub(super) empty: u32,
}

impl Cursor {
    fn at(start: Start) -> Self {
        Self {
            iterator: None,
            start,
            empty: 0,
        }
    }
}

#[derive(Debug)]
struct Shard {
    parent: Option<String>,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// To be read as soon as its parent is finished.
    Next(Cursor),
    /// A request is under way, or its records are not all yielded.
    Busy,
    Finished,
}

/// All shards that are known, and how far they were yielded.
#[derive(Debug, Default)]
pub(super) struct Shards {
    known: BTreeMap<String, Shard>,
    pub(super) positions: Positions,
    /// The order in which shards are read, so that none is read twice before the others.
    turn: Vec<String>,
    is_described: bool,
    /// The shards that begin with the next change, and for which DynamoDB was not asked yet.
    unbegun: BTreeSet<String>,
}

impl Shards {
    /// Goes on from these positions.
    pub(super) fn resume(positions: Positions) -> Self {
        Self {
            positions,
            ..Self::default()
        }
    }

    /// Takes in the list of shards. Returns the shards whose changes are gone before they were read.
    pub(super) fn absorb(&mut self, listed: &[ShardInfo], from_latest: bool) -> Vec<String> {
        // Where to begin counts once: shards that come later continue those that were read.
        let begins_at_latest = from_latest && !self.is_described && self.positions.is_empty();
        self.is_described = true;
        let is_listed = |id: &str| listed.iter().any(|shard| shard.id == id);
        let mut lost = Vec::new();
        self.positions.0.retain(|id, position| {
            let is_kept = is_listed(id) || self.known.contains_key(id);
            if !is_kept && *position != Position::End {
                lost.push(id.clone());
            }
            is_kept
        });
        for shard in listed {
            if self.known.contains_key(&shard.id) {
                continue;
            }
            let is_parent = |id: &str| listed.iter().any(|it| it.parent.as_deref() == Some(id));
            let state = match self.positions.0.get(&shard.id) {
                Some(Position::End) => State::Finished,
                Some(Position::After(sequence)) => {
                    State::Next(Cursor::at(Start::After(sequence.clone())))
                }
                None if !begins_at_latest => State::Next(Cursor::at(Start::TrimHorizon)),
                None if is_parent(&shard.id) => {
                    self.positions.0.insert(shard.id.clone(), Position::End);
                    State::Finished
                }
                None => {
                    self.unbegun.insert(shard.id.clone());
                    State::Next(Cursor::at(Start::Latest))
                }
            };
            let parent = shard.parent.clone();
            self.known.insert(shard.id.clone(), Shard { parent, state });
            self.turn.push(shard.id.clone());
        }
        self.forget_trimmed(is_listed);
        lost
    }

    /// Forgets the shards that were read to their end and that DynamoDB has removed.
    fn forget_trimmed(&mut self, is_listed: impl Fn(&str) -> bool) {
        let positions = &mut self.positions.0;
        self.known.retain(|id, shard| {
            let is_kept = is_listed(id) || shard.state != State::Finished;
            if !is_kept {
                positions.remove(id);
            }
            is_kept
        });
        self.turn.retain(|id| self.known.contains_key(id));
    }

    /// The next shard to be read, which is busy then. A shard is read when its parent is finished, or not known any more.
    pub(super) fn take_next(&mut self) -> Option<(String, Cursor)> {
        let is_ready = |id: &&String| {
            let shard = &self.known[*id];
            let parent = shard.parent.as_ref().and_then(|it| self.known.get(it));
            let waits = parent.is_some_and(|parent| parent.state != State::Finished);
            matches!(shard.state, State::Next(_)) && !waits
        };
        let id = self.turn.iter().find(is_ready)?.clone();
        self.turn.retain(|it| *it != id);
        self.turn.push(id.clone());
        let shard = self.known.get_mut(&id)?;
        match std::mem::replace(&mut shard.state, State::Busy) {
            State::Next(cursor) => Some((id, cursor)),
            State::Busy | State::Finished => None,
        }
    }

    /// DynamoDB has responded for the shard.
    pub(super) fn begun(&mut self, shard: &str) {
        self.unbegun.remove(shard);
    }

    /// Whether every change from now on will be read.
    pub(super) fn have_begun(&self) -> bool {
        self.is_described && self.unbegun.is_empty()
    }

    /// A record of the shard was yielded.
    pub(super) fn yielded(&mut self, shard: &str, sequence: &str) {
        let position = Position::After(sequence.to_owned());
        self.positions.0.insert(shard.to_owned(), position);
    }

    /// All records of a response were yielded: the shard goes on here, or is finished.
    pub(super) fn done(&mut self, shard: &str, next: Option<Cursor>) {
        let Some(known) = self.known.get_mut(shard) else {
            return;
        };
        known.state = match next {
            Some(cursor) => State::Next(cursor),
            None => {
                self.positions.0.insert(shard.to_owned(), Position::End);
                State::Finished
            }
        };
    }

    /// Whether a shard ended and nothing that follows it is known.
    pub(super) fn misses_children(&self) -> bool {
        let has_child = |id: &str| {
            let mut all = self.known.values();
            all.any(|shard| shard.parent.as_deref() == Some(id))
        };
        let mut all = self.known.iter();
        self.known.is_empty()
            || all.any(|(id, shard)| shard.state == State::Finished && !has_child(id))
    }

    /// Whether the shards were listed once.
    pub(super) fn are_known(&self) -> bool {
        self.is_described
    }

    /// Whether all that are known are read to their ends.
    pub(super) fn are_finished(&self) -> bool {
        let mut all = self.known.values();
        all.all(|shard| shard.state == State::Finished)
    }
}
