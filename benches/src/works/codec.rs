//! One value to attributes and back, without a request: what is used where the SDK's maps are needed.

use super::{DYNA, HAND, SERDE_DYNAMO};
use crate::hand;
use crate::shapes::{LastRead, Message, Metrics, Profile, Sample, item, map};
use crate::work::{Contestant, Work};
use dyna_runtime::codec::{Item, Nulls, Rules, from_item, write_item};
use std::hint::black_box;

pub(super) fn works() -> Vec<Work> {
    vec![
        Work::new("encode/small", encode::<LastRead>),
        Work::new("decode/small", decode::<LastRead>),
        Work::new("encode/14-fields", encode::<Message>).and(|_| [encode_by_hand()]),
        Work::new("decode/14-fields", decode::<Message>).and(|_| [decode_by_hand()]),
        Work::new("encode/nested", encode::<Profile>),
        Work::new("decode/nested", decode::<Profile>),
        Work::new("encode/100-attributes", encode::<Metrics>),
        Work::new("decode/100-attributes", decode::<Metrics>),
    ]
}

/// One whose work is to write the fields of an entity.
fn encoding<E: Sample>(peer: &'static str, encode: fn(&E) -> Item) -> Contestant {
    Contestant::shown(
        peer,
        E::sample,
        move |entity| drop(black_box(encode(&entity))),
        move |entity| map(&encode(&entity)),
    )
}

/// One whose work is to read an entity from its item.
fn decoding<E: Sample>(peer: &'static str, decode: fn(Item) -> E) -> Contestant {
    Contestant::consuming(peer, || item(&E::sample()), decode)
}

fn encode<E: Sample>() -> [Contestant; 2] {
    let ours = |entity: &E| {
        let mut item = Item::new();
        // As the others have it.
        let rules = Rules {
            nulls: Nulls::Store,
            ..Rules::default()
        };
        write_item(entity, &mut item, rules).expect("plain data");
        item
    };
    let theirs = |entity: &E| serde_dynamo::to_item(entity).expect("plain data");
    [encoding(DYNA, ours), encoding(SERDE_DYNAMO, theirs)]
}

fn encode_by_hand() -> Contestant {
    encoding(HAND, |message| hand::fields(message, 0))
}

fn decode<E: Sample>() -> [Contestant; 2] {
    let ours = |item| from_item(item).expect("it was written");
    let theirs = |item| serde_dynamo::from_item(item).expect("it was written");
    [
        decoding::<E>(DYNA, ours),
        decoding::<E>(SERDE_DYNAMO, theirs),
    ]
}

fn decode_by_hand() -> Contestant {
    decoding(HAND, |item| hand::from_item(item).expect("it was written"))
}
