//! What a review of the codec, the judge of keys and the writes has found.

mod absent;
mod or_expired;
mod times;
