//! One call whose items are taken one by one.

use crate::error::{Error, Result};
use crate::read::Reader;
use crate::transport::Raw;
use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

type Answering = Pin<Box<dyn Future<Output = (Reader, Result<Option<Vec<Raw>>>)> + Send>>;

/// How many requests may be under way at once, of all lanes together.
pub(crate) struct Permits(pub(super) usize);

/// What a lane has to offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offer {
    /// An item.
    Item,
    /// There is none left.
    Nothing,
    /// There may be more, but it takes an answer that the lane may not ask for.
    Stop,
}

/// A call whose items are taken one by one. Holds one answer, and as many more as it may ask for ahead.
pub(crate) struct Lane {
    /// Absent while it answers, and after an error.
    reader: Option<Reader>,
    answering: Option<Answering>,
    items: std::vec::IntoIter<Raw>,
    /// Answers that came before they were wanted.
    ahead: VecDeque<Vec<Raw>>,
    prefetch: usize,
    /// How many more answers may be asked for.
    answers: usize,
    /// What ended it, to be told after the items before it.
    error: Option<Error>,
}

impl Lane {
    pub(crate) fn new(reader: Reader, prefetch: usize, answers: usize) -> Self {
        Self {
            reader: Some(reader),
            answering: None,
            items: Vec::new().into_iter(),
            ahead: VecDeque::new(),
            prefetch,
            answers,
            error: None,
        }
    }

    /// Goes on until there is an item, or there is none left.
    pub(crate) fn poll(
        &mut self,
        context: &mut Context<'_>,
        permits: &mut Permits,
    ) -> Poll<Result<Offer>> {
        loop {
            // An answer may hold no item that is wanted.
            while self.head().is_none()
                && let Some(items) = self.ahead.pop_front()
            {
                self.items = items.into_iter();
            }
            let waits = self.head().is_none();
            if waits && let Some(error) = self.error.take() {
                return Poll::Ready(Err(error));
            }
            if waits && self.is_ended() {
                return Poll::Ready(Ok(Offer::Nothing));
            }
            if waits && self.answers == 0 && self.answering.is_none() {
                return Poll::Ready(Ok(Offer::Stop));
            }
            if self.poll_answer(context, permits) {
                continue;
            }
            return if waits {
                Poll::Pending
            } else {
                Poll::Ready(Ok(Offer::Item))
            };
        }
    }

    /// Takes the next answer, if it is there and there is room for it.
    fn poll_answer(&mut self, context: &mut Context<'_>, permits: &mut Permits) -> bool {
        let room = self.head().is_none() || self.ahead.len() < self.prefetch;
        if self.answering.is_none() && room && !self.is_ended() && self.answers > 0 {
            if permits.0 == 0 {
                return false;
            }
            self.ask();
            permits.0 -= 1;
        }
        let Some(answering) = &mut self.answering else {
            return false;
        };
        let Poll::Ready((reader, answer)) = answering.as_mut().poll(context) else {
            return false;
        };
        self.answering = None;
        permits.0 += 1;
        match answer {
            Ok(items) => {
                self.ahead.extend(items);
                self.reader = Some(reader);
            }
            Err(error) => self.error = Some(error),
        }
        true
    }

    fn ask(&mut self) {
        if let Some(mut reader) = self.reader.take() {
            self.answers = self.answers.saturating_sub(1);
            self.answering = Some(Box::pin(async move {
                let answer = reader.answer().await;
                (reader, answer)
            }));
        }
    }

    /// The item that comes next, if it is here.
    pub(crate) fn head(&self) -> Option<&Raw> {
        self.items.as_slice().first()
    }

    pub(crate) fn pop(&mut self) -> Option<Raw> {
        self.items.next()
    }

    /// Whether a request is under way.
    pub(crate) fn is_asking(&self) -> bool {
        self.answering.is_some()
    }

    /// Whether nothing is left to ask for.
    fn is_ended(&self) -> bool {
        self.answering.is_none() && self.reader.as_ref().is_none_or(Reader::is_ended)
    }

    /// What it reads with, unless a request is under way or has failed.
    pub(crate) fn reader(&self) -> Option<&Reader> {
        self.reader.as_ref()
    }
}
