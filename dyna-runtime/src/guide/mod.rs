//! Pages about more than one request. There is no code in here.

#[doc = include_str!("lambda.md")]
pub mod lambda {}

#[doc = include_str!("lost_responses.md")]
pub mod lost_responses {}

#[doc = include_str!("outbox.md")]
pub mod outbox {}
