//! `uuid::Uuid` in keys.

use crate::key::{FinalRange, KeyBuf, KeyPart, SortableKeyPart};
use crate::shape::{HEX, Shape, byte, run};
use uuid::Uuid;
use uuid::fmt::Hyphenated;

/// Hyphenated and in lower case, as its serde writes it.
impl KeyPart for Uuid {
    const SHAPE: Shape = Shape::Fixed(&[
        run(HEX, 8),
        byte(b'-'),
        run(HEX, 4),
        byte(b'-'),
        run(HEX, 4),
        byte(b'-'),
        run(HEX, 4),
        byte(b'-'),
        run(HEX, 12),
    ]);
    const TRUSTED: bool = true;

    #[inline]
    fn encode(&self, out: &mut KeyBuf) {
        out.fixed(self.hyphenated().encode_lower(&mut [0; Hyphenated::LENGTH]));
    }

    fn decode(text: &str) -> Option<Self> {
        let id = Self::try_parse(text).ok()?;
        // It reads other forms of a UUID too, which are other keys.
        let own = id.hyphenated().encode_lower(&mut [0; Hyphenated::LENGTH]) == text;
        own.then_some(id)
    }
}

impl SortableKeyPart for Uuid {}
impl FinalRange for Uuid {}
