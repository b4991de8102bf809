//! A lexer for DynamoDB JSON.

use std::borrow::Cow;
use std::cell::Cell;

use base64ct::{Base64, Encoding};

use super::strings::NEAR;
use super::watch::KnownKey;
use super::{Watch, strings};
use crate::codec::error::DecodeError;
use crate::codec::sets::SetKind;

/// How deep lists and maps may lie in each other: as deep as DynamoDB stores them.
const MAX_DEPTH: u8 = 32;

type ReadResult<T> = Result<T, DecodeError>;

/// How many bytes stand before the text of a string or a number: `{"S":"`.
const OPEN: usize = 6;

/// A place in DynamoDB JSON that moves on as it is read. Shared, so that readers of nested values need not hand it back.
#[derive(Clone)]
pub(crate) struct Lexer<'de> {
    text: &'de str,
    at: Cell<usize>,
    depth: Cell<u8>,
    /// What is looked for among the attributes of items.
    watch: Option<&'de Watch>,
}

/// The type that an attribute says it has.
pub(crate) enum TypeTag {
    S,
    N,
    B,
    Bool,
    Null,
    L,
    Set(SetKind),
    M,
}

#[cold]
pub(crate) fn malformed() -> DecodeError {
    DecodeError::new("expected DynamoDB JSON")
}

/// Where the text of a string or a number ends.
enum Near {
    End(usize),
    /// Not before here.
    Far(usize),
    /// It is another attribute, or has escapes or white space.
    Other,
}

/// A string or a number.
const EITHER: u8 = 0;

/// Whether these are the first bytes of a string or a number. The shortest is `{"S":""}`, so there are eight in any case.
#[inline]
fn is_open<const TYPE: u8>(bytes: [u8; 8]) -> bool {
    const { assert!(OPEN == 6) };
    let kind = if TYPE == EITHER { bytes[2] } else { TYPE };
    let open = u64::from_le_bytes([b'{', b'"', kind, b'"', b':', b'"', 0, 0]);
    u64::from_le_bytes(bytes) << 16 == open << 16 && matches!(kind, b'S' | b'N')
}

impl<'de> Lexer<'de> {
    pub(crate) fn new(text: &'de str) -> Self {
        Self::at(text, 0)
    }

    pub(crate) fn at(text: &'de str, at: usize) -> Self {
        Self {
            text,
            at: Cell::new(at),
            depth: Cell::new(0),
            watch: None,
        }
    }

    /// The same, on the lookout for attributes.
    pub(super) fn watching(self, watch: Option<&'de Watch>) -> Self {
        Self { watch, ..self }
    }

    /// What is looked for among the attributes of items.
    pub(crate) fn watch(&self) -> Option<&'de Watch> {
        self.watch
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &'de str {
        self.text
    }

    pub(crate) fn place(&self) -> usize {
        self.at.get()
    }

    /// Goes back to a place where it was.
    pub(crate) fn back_to(&self, place: usize) {
        self.at.set(place);
    }

    /// The text between two positions.
    pub(crate) fn between(&self, start: usize, end: usize) -> ReadResult<&'de str> {
        self.text.get(start..end).ok_or_else(malformed)
    }

    /// The next byte that is no white space; 0 at the end.
    #[inline]
    pub(crate) fn peek(&self) -> u8 {
        match self.text.as_bytes().get(self.at.get()) {
            Some(&byte) if byte > b' ' => byte,
            _ => self.peek_behind_space(),
        }
    }

    #[cold]
    fn peek_behind_space(&self) -> u8 {
        while let Some(&byte) = self.text.as_bytes().get(self.at.get()) {
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return byte;
            }
            self.at.set(self.at.get() + 1);
        }
        0
    }

    /// Whether the brace that ends an object is next, without white space.
    #[inline]
    pub(crate) fn is_at_end(&self) -> bool {
        self.text.as_bytes().get(self.at.get()) == Some(&b'}')
    }

    /// Passes this byte, or fails if it is not next.
    #[inline]
    pub(crate) fn token(&self, byte: u8) -> ReadResult<()> {
        if self.peek() != byte {
            return Err(malformed());
        }
        self.at.set(self.at.get() + 1);
        Ok(())
    }

    /// Passes these bytes if they are next, exactly so.
    #[inline]
    pub(crate) fn literal(&self, literal: &[u8]) -> bool {
        let at = self.at.get();
        let found = self.text.as_bytes().get(at..at + literal.len()) == Some(literal);
        if found {
            self.at.set(at + literal.len());
        }
        found
    }

    /// A string.
    #[inline]
    pub(crate) fn string(&self) -> ReadResult<Cow<'de, str>> {
        self.token(b'"')?;
        let start = self.at.get();
        let end = strings::end(self.text.as_bytes(), start);
        match self.text.as_bytes().get(end) {
            Some(b'"') => {
                self.at.set(end + 1);
                self.between(start, end).map(Cow::Borrowed)
            }
            Some(b'\\') => self.escaped(start, end).map(Cow::Owned),
            _ => Err(malformed()),
        }
    }

    #[cold]
    fn escaped(&self, start: usize, escape: usize) -> ReadResult<String> {
        let (text, end) = strings::unescape(self.text, start, escape).ok_or_else(malformed)?;
        self.at.set(end);
        Ok(text)
    }

    /// Fast path: passes a string (`S`) or a number (`N`) without escapes and white space, which most attributes are. `None`, without
    /// moving, if the next one is another.
    #[inline(never)]
    pub(crate) fn plain<const TYPE: u8>(&self) -> Option<&'de str> {
        match self.near_end::<TYPE>() {
            Near::End(end) => {
                let start = self.at.replace(end + 2) + OPEN;
                self.text.get(start..end)
            }
            Near::Far(from) => self.far_plain(from),
            Near::Other => None,
        }
    }

    /// The same of a longer text, whose end is not before this place.
    #[inline(never)]
    fn far_plain(&self, from: usize) -> Option<&'de str> {
        let end = self.far_end(from)?;
        let start = self.at.replace(end + 2) + OPEN;
        self.text.get(start..end)
    }

    /// Where the text of such an attribute ends, if that is near.
    // Measured: a call costs as much as what it does.
    #[inline(always)]
    fn near_end<const TYPE: u8>(&self) -> Near {
        // `{"S":"`, as many bytes as are looked at together, and `"}`.
        const BYTES: usize = OPEN + NEAR + 2;
        let at = self.at.get();
        let Some(rest) = self.text.as_bytes().get(at..) else {
            return Near::Other;
        };
        let Some(near) = rest.first_chunk::<BYTES>() else {
            return match rest.first_chunk() {
                Some(open) if is_open::<TYPE>(*open) => Near::Far(at + OPEN),
                _ => Near::Other,
            };
        };
        let [b0, b1, b2, b3, b4, b5, text @ ..] = near;
        if !is_open::<TYPE>([*b0, *b1, *b2, *b3, *b4, *b5, 0, 0]) {
            return Near::Other;
        }
        let [near @ .., _, _] = text;
        match strings::first_special(near) {
            NEAR => Near::Far(at + OPEN + NEAR),
            n if text[n] == b'"' && text[n + 1] == b'}' => Near::End(at + OPEN + n),
            _ => Near::Other,
        }
    }

    /// Where a text ends that goes on from here.
    #[inline]
    fn far_end(&self, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let end = strings::far_end(bytes, from);
        (bytes.get(end..)?.first_chunk() == Some(br#""}"#)).then_some(end)
    }

    /// The name of the next member, of those most are, as [`plain`](Self::plain) attributes.
    #[inline(never)]
    pub(crate) fn plain_key(&self, first: bool) -> Option<&'de str> {
        // A comma and a quote, as many bytes as are looked at together, and `":`.
        const BYTES: usize = 2 + NEAR + 2;
        let at = self.at.get();
        let near = self.text.as_bytes().get(at..)?.first_chunk::<BYTES>();
        let Some(near) = near else {
            return self.far_key(first);
        };
        let open = 1 + usize::from(!first);
        if near[open - 1] != b'"' || (!first && near[0] != b',') {
            return None;
        }
        let name = near.get(open..)?;
        let n = strings::first_special(name.first_chunk()?);
        if name.get(n..)?.first_chunk() != Some(br#"":"#) {
            return self.far_key(first);
        }
        let start = at + open;
        self.at.set(start + n + 2);
        self.text.get(start..start + n)
    }

    /// Passes the key of the next attribute, if it is this one. The first is right behind the brace of its item, others have a comma.
    #[inline]
    pub(crate) fn pass_known(&self, known: &KnownKey, first: bool) -> Option<&'de str> {
        let at = self.at.get().wrapping_sub(usize::from(first));
        let near = self.text.as_bytes().get(at..)?.first_chunk()?;
        let end = at + known.begins(near)?;
        self.at.set(end);
        self.text.get(at + 2..end - 2)
    }

    #[inline(never)]
    fn far_key(&self, first: bool) -> Option<&'de str> {
        let bytes = self.text.as_bytes();
        let mut start = self.at.get();
        if !first {
            if bytes.get(start) != Some(&b',') {
                return None;
            }
            start += 1;
        }
        if bytes.get(start) != Some(&b'"') {
            return None;
        }
        start += 1;
        let end = strings::end(bytes, start);
        if bytes.get(end..)?.first_chunk() != Some(br#"":"#) {
            return None;
        }
        self.at.set(end + 2);
        self.text.get(start..end)
    }

    /// Bytes in base64.
    pub(crate) fn binary(&self) -> ReadResult<Vec<u8>> {
        match self.string()? {
            Cow::Borrowed(text) => Base64::decode_vec(text).map_err(|_| malformed()),
            // Base64 needs no escapes, and the SDK refuses them.
            Cow::Owned(_) => Err(malformed()),
        }
    }

    pub(crate) fn boolean(&self) -> ReadResult<bool> {
        self.peek();
        if self.literal(b"true") {
            Ok(true)
        } else if self.literal(b"false") {
            Ok(false)
        } else {
            Err(malformed())
        }
    }

    /// The name of the next member of an object, whose value is next; `None` at its end. `first` is right behind the brace.
    #[inline]
    pub(crate) fn key(&self, first: bool) -> ReadResult<Option<Cow<'de, str>>> {
        if self.is_at_end() {
            self.at.set(self.at.get() + 1);
            return Ok(None);
        }
        match self.plain_key(first) {
            Some(key) => Ok(Some(Cow::Borrowed(key))),
            None => self.any_key(first),
        }
    }

    #[inline(never)]
    fn any_key(&self, first: bool) -> ReadResult<Option<Cow<'de, str>>> {
        if !self.another(first, b'}')? {
            return Ok(None);
        }
        let key = self.string()?;
        self.token(b':')?;
        Ok(Some(key))
    }

    /// Whether there is another element of an array, which is next then. `first` is right behind the bracket.
    #[inline]
    pub(crate) fn element(&self, first: bool) -> ReadResult<bool> {
        self.another(first, b']')
    }

    #[inline]
    fn another(&self, first: bool, end: u8) -> ReadResult<bool> {
        let next = self.peek();
        if next == end {
            self.at.set(self.at.get() + 1);
            return Ok(false);
        }
        if !first {
            self.token(b',')?;
        }
        Ok(true)
    }

    /// The type of the attribute that is next, whose value is next then.
    pub(crate) fn open(&self) -> ReadResult<TypeTag> {
        self.token(b'{')?;
        let name = self.string()?;
        self.token(b':')?;
        Ok(match &*name {
            "S" => TypeTag::S,
            "N" => TypeTag::N,
            "B" => TypeTag::B,
            "BOOL" => TypeTag::Bool,
            "NULL" => TypeTag::Null,
            "L" => TypeTag::L,
            "M" => TypeTag::M,
            "SS" => TypeTag::Set(SetKind::String),
            "NS" => TypeTag::Set(SetKind::Number),
            "BS" => TypeTag::Set(SetKind::Binary),
            _ => return Err(malformed()),
        })
    }

    /// Whether the attribute that is next is NULL, and thereby read.
    #[inline]
    pub(crate) fn null(&self) -> ReadResult<bool> {
        let rest = self.text.as_bytes().get(self.at.get()..);
        match rest.and_then(<[u8]>::first_chunk) {
            Some([b'{', b'"', b'S' | b'L' | b'M', _] | [b'{', b'"', b'N', b'"']) => Ok(false),
            _ => self.null_with_space(),
        }
    }

    #[inline(never)]
    fn null_with_space(&self) -> ReadResult<bool> {
        if self.literal(br#"{"NULL":true}"#) {
            return Ok(true);
        }
        let start = self.at.get();
        if let TypeTag::Null = self.open()? {
            self.boolean()?;
            self.token(b'}')?;
            return Ok(true);
        }
        self.at.set(start);
        Ok(false)
    }

    /// Into the list or map of an attribute that begins with `open`, without white space; `false`, without moving, if it does not.
    #[inline]
    pub(crate) fn enter_plain(&self, open: [u8; 6]) -> ReadResult<bool> {
        if !self.literal(&open) {
            return Ok(false);
        }
        self.deeper().map(|()| true)
    }

    #[inline]
    fn deeper(&self) -> ReadResult<()> {
        self.depth.set(self.depth.get() + 1);
        if self.depth.get() > MAX_DEPTH {
            return Err(malformed());
        }
        Ok(())
    }

    /// Into a list or a map.
    #[inline]
    pub(crate) fn enter(&self, bracket: u8) -> ReadResult<()> {
        self.deeper()?;
        self.token(bracket)
    }

    /// Out of a list or a map whose own end is read, and out of its attribute.
    #[inline]
    pub(crate) fn leave(&self) -> ReadResult<()> {
        self.depth.set(self.depth.get().saturating_sub(1));
        self.token(b'}')
    }

    /// Passes an attribute. It is read as closely as if it were wanted, for an error in it to be found.
    #[inline(never)]
    pub(crate) fn skip_attribute(&self) -> ReadResult<()> {
        match self.near_end::<EITHER>() {
            Near::End(end) => {
                self.at.set(end + 2);
                Ok(())
            }
            Near::Far(from) => self.skip_far_attribute(from),
            Near::Other => self.skip_any_attribute(),
        }
    }

    #[inline(never)]
    fn skip_far_attribute(&self, from: usize) -> ReadResult<()> {
        match self.far_end(from) {
            Some(end) => {
                self.at.set(end + 2);
                Ok(())
            }
            None => self.skip_any_attribute(),
        }
    }

    #[inline(never)]
    fn skip_any_attribute(&self) -> ReadResult<()> {
        match self.open()? {
            TypeTag::S | TypeTag::N => drop(self.string()?),
            TypeTag::B => drop(self.binary()?),
            TypeTag::Bool | TypeTag::Null => drop(self.boolean()?),
            TypeTag::L => return self.skip_list(Self::skip_attribute),
            TypeTag::Set(SetKind::Binary) => return self.skip_list(|at| at.binary().map(drop)),
            TypeTag::Set(_) => return self.skip_list(|at| at.string().map(drop)),
            TypeTag::M => {
                self.enter(b'{')?;
                self.skip_attributes()?;
                return self.leave();
            }
        }
        self.token(b'}')
    }

    fn skip_list(&self, element: impl Fn(&Self) -> ReadResult<()>) -> ReadResult<()> {
        self.enter(b'[')?;
        let mut first = true;
        while self.element(first)? {
            element(self)?;
            first = false;
        }
        self.leave()
    }

    /// Passes the attributes of an item, from behind its brace, and notes those that are looked for.
    pub(crate) fn skip_item(&self) -> ReadResult<()> {
        let Some(watch) = self.watch else {
            return self.skip_attributes();
        };
        let mut first = true;
        while let Some(key) = self.key(first)? {
            watch.see_any(&key, self.at.get());
            self.skip_attribute()?;
            first = false;
        }
        Ok(())
    }

    /// Passes the attributes of a map or an item, from behind its brace.
    pub(crate) fn skip_attributes(&self) -> ReadResult<()> {
        let mut first = true;
        while self.key(first)?.is_some() {
            self.skip_attribute()?;
            first = false;
        }
        Ok(())
    }

    /// Whether the map ends behind the attribute that is next.
    pub(crate) fn ends_after_attribute(&self) -> ReadResult<bool> {
        self.skip_attribute()?;
        Ok(self.peek() == b'}')
    }

    /// Passes any JSON. What is no JSON may pass too: this is for what the SDK reads afterwards.
    pub(crate) fn skip_json(&self) -> ReadResult<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                0 => return Err(malformed()),
                b'"' => drop(self.string()?),
                byte => {
                    self.at.set(self.at.get() + 1);
                    match byte {
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' => depth = depth.checked_sub(1).ok_or_else(malformed)?,
                        b',' | b':' if depth > 0 => {}
                        _ => self.skip_word(),
                    }
                }
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Passes the rest of a number, `true`, `false` or `null`.
    fn skip_word(&self) {
        let rest = self.text.as_bytes().get(self.at.get()..).unwrap_or(&[]);
        let word =
            |byte: &&u8| matches!(byte, b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E');
        let length = rest.iter().take_while(word).count();
        self.at.set(self.at.get() + length);
    }
}
