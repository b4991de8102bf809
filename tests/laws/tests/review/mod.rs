//! What a review of the codec, the judge of keys and the writes has found.

mod absent;
mod borders;
mod indexes;
mod instants;
mod left_out;
mod or_expired;
mod times;
