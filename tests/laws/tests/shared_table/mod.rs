//! Tables that several programs share: equal tags, shared keys, keys as they are stored, tables declared in part.

mod collection_steps;
mod collections;
mod partial;
mod raw_key;
mod rolling;
mod same_tag;
mod shares_key;
