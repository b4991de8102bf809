//! `ulid::Ulid` in keys.

use crate::key::{FinalRange, KeyBuf, KeyPart, SortableKeyPart};
use crate::shape::{Bytes, CROCKFORD, Shape, run};
use ulid::{ULID_LEN, Ulid};

/// In upper case, as its serde writes it.
impl KeyPart for Ulid {
    // 26 digits of 5 bits are 130 bits: the first has only 3.
    const SHAPE: Shape = Shape::Fixed(&[run(Bytes::range(b'0', b'7'), 1), run(CROCKFORD, 25)]);
    const TRUSTED: bool = true;

    #[inline]
    fn encode(&self, out: &mut KeyBuf) {
        out.fixed(self.array_to_str(&mut [0; ULID_LEN]));
    }

    fn decode(text: &str) -> Option<Self> {
        let id = Self::from_string(text).ok()?;
        // It reads lower case and drops the bits over 128 too, which are other keys.
        let own = *id.array_to_str(&mut [0; ULID_LEN]) == *text;
        own.then_some(id)
    }
}

impl SortableKeyPart for Ulid {}
impl FinalRange for Ulid {}
