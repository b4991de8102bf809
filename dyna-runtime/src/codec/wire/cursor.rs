//! A place in DynamoDB JSON.

use std::borrow::Cow;
use std::cell::Cell;

use base64ct::{Base64, Encoding};

use super::{Watch, strings};
use crate::codec::error::DecodeError;
use crate::codec::sets::SetKind;

/// How deep lists and maps may lie in each other: as deep as DynamoDB stores them.
const MAX_DEPTH: u8 = 32;

type Read<T> = Result<T, DecodeError>;

/// How many bytes stand before the text of a string or a number: `{"S":"`.
const OPEN: usize = 6;

/// A place in DynamoDB JSON that moves on as it is read. Shared, so that readers of nested values need not hand it back.
#[derive(Clone)]
pub(crate) struct Cursor<'de> {
    text: &'de str,
    at: Cell<usize>,
    depth: Cell<u8>,
    /// What is looked for among the attributes of items.
    watch: Option<&'de Watch>,
}

/// The type that an attribute says it has.
pub(crate) enum Type {
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

impl<'de> Cursor<'de> {
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

    /// Whether it is on the lookout for attributes.
    pub(super) fn is_watching(&self) -> bool {
        self.watch.is_some()
    }

    /// What looks at every attribute of an item.
    pub(crate) fn watch_every(&self) -> Option<&'de Watch> {
        self.watch.filter(|watch| watch.is_for_every_one())
    }

    /// Passes an attribute that no field reads. It may be one that is looked for.
    #[inline]
    pub(crate) fn skip_watched(&self) -> Read<()> {
        if let Some(watch) = self.watch
            && self.depth.get() == 0
        {
            watch.see_behind(self.text.as_bytes(), self.at.get());
        }
        self.skip_attribute()
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &'de str {
        self.text
    }

    pub(crate) fn place(&self) -> usize {
        self.at.get()
    }

    /// What lies between two places.
    pub(crate) fn between(&self, start: usize, end: usize) -> Read<&'de str> {
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

    /// Passes this byte, or fails if it is not next.
    #[inline]
    pub(crate) fn token(&self, byte: u8) -> Read<()> {
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
    pub(crate) fn string(&self) -> Read<Cow<'de, str>> {
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
    fn escaped(&self, start: usize, escape: usize) -> Read<String> {
        let (text, end) = strings::unescape(self.text, start, escape).ok_or_else(malformed)?;
        self.at.set(end);
        Ok(text)
    }

    /// What most attributes are: a string (`S`) or a number (`N`) without escapes and white space, which is passed then. `None`,
    /// without moving, if the next one is another.
    #[inline(never)]
    pub(crate) fn plain<const TYPE: u8>(&self) -> Option<&'de str> {
        let start = self.at.get() + OPEN;
        let end = self.plain_end::<TYPE>()?;
        self.at.set(end + 2);
        self.text.get(start..end)
    }

    /// Where the text of such an attribute ends.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "measured: a call costs as much as what it does"
    )]
    fn plain_end<const TYPE: u8>(&self) -> Option<usize> {
        // The shortest is `{"S":""}`, so there are eight bytes in any case.
        const { assert!(OPEN == 6) };
        let open = u64::from_le_bytes([b'{', b'"', TYPE, b'"', b':', b'"', 0, 0]);
        let (at, bytes) = (self.at.get(), self.text.as_bytes());
        let next = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        if next << 16 != open << 16 {
            return None;
        }
        let end = strings::end(bytes, at + OPEN);
        (bytes.get(end..)?.first_chunk() == Some(br#""}"#)).then_some(end)
    }

    /// The name of the next member, of those most are, as [`plain`](Self::plain) attributes.
    #[inline(never)]
    pub(crate) fn plain_key(&self, first: bool) -> Option<&'de str> {
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
    pub(crate) fn binary(&self) -> Read<Vec<u8>> {
        match self.string()? {
            Cow::Borrowed(text) => Base64::decode_vec(text).map_err(|_| malformed()),
            // Base64 needs no escapes, and the SDK refuses them.
            Cow::Owned(_) => Err(malformed()),
        }
    }

    pub(crate) fn boolean(&self) -> Read<bool> {
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
    pub(crate) fn key(&self, first: bool) -> Read<Option<Cow<'de, str>>> {
        match self.plain_key(first) {
            Some(key) => Ok(Some(Cow::Borrowed(key))),
            None => self.any_key(first),
        }
    }

    #[inline(never)]
    fn any_key(&self, first: bool) -> Read<Option<Cow<'de, str>>> {
        if !self.another(first, b'}')? {
            return Ok(None);
        }
        let key = self.string()?;
        self.token(b':')?;
        Ok(Some(key))
    }

    /// Whether there is another element of an array, which is next then. `first` is right behind the bracket.
    #[inline]
    pub(crate) fn element(&self, first: bool) -> Read<bool> {
        self.another(first, b']')
    }

    #[inline]
    fn another(&self, first: bool, end: u8) -> Read<bool> {
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
    pub(crate) fn open(&self) -> Read<Type> {
        self.token(b'{')?;
        let name = self.string()?;
        self.token(b':')?;
        Ok(match &*name {
            "S" => Type::S,
            "N" => Type::N,
            "B" => Type::B,
            "BOOL" => Type::Bool,
            "NULL" => Type::Null,
            "L" => Type::L,
            "M" => Type::M,
            "SS" => Type::Set(SetKind::String),
            "NS" => Type::Set(SetKind::Number),
            "BS" => Type::Set(SetKind::Binary),
            _ => return Err(malformed()),
        })
    }

    /// Whether the attribute that is next is NULL, and thereby read.
    #[inline]
    pub(crate) fn null(&self) -> Read<bool> {
        let rest = self.text.as_bytes().get(self.at.get()..);
        match rest.and_then(<[u8]>::first_chunk) {
            Some([b'{', b'"', b'S' | b'L' | b'M', _] | [b'{', b'"', b'N', b'"']) => Ok(false),
            _ => self.null_with_space(),
        }
    }

    #[inline(never)]
    fn null_with_space(&self) -> Read<bool> {
        if self.literal(br#"{"NULL":true}"#) {
            return Ok(true);
        }
        let start = self.at.get();
        if let Type::Null = self.open()? {
            self.boolean()?;
            self.token(b'}')?;
            return Ok(true);
        }
        self.at.set(start);
        Ok(false)
    }

    /// Into the list or map of an attribute that begins with `open`, without white space; `false`, without moving, if it does not.
    #[inline]
    pub(crate) fn enter_plain(&self, open: [u8; 6]) -> Read<bool> {
        if !self.literal(&open) {
            return Ok(false);
        }
        self.deeper().map(|()| true)
    }

    #[inline]
    fn deeper(&self) -> Read<()> {
        self.depth.set(self.depth.get() + 1);
        if self.depth.get() > MAX_DEPTH {
            return Err(malformed());
        }
        Ok(())
    }

    /// Into a list or a map.
    #[inline]
    pub(crate) fn enter(&self, bracket: u8) -> Read<()> {
        self.deeper()?;
        self.token(bracket)
    }

    /// Out of a list or a map whose own end is read, and out of its attribute.
    #[inline]
    pub(crate) fn leave(&self) -> Read<()> {
        self.depth.set(self.depth.get().saturating_sub(1));
        self.token(b'}')
    }

    /// Passes an attribute. It is read as closely as if it were wanted, for an error in it to be found.
    pub(crate) fn skip_attribute(&self) -> Read<()> {
        if let Some(end) = self
            .plain_end::<b'S'>()
            .or_else(|| self.plain_end::<b'N'>())
        {
            self.at.set(end + 2);
            return Ok(());
        }
        self.skip_any_attribute()
    }

    #[inline(never)]
    fn skip_any_attribute(&self) -> Read<()> {
        match self.open()? {
            Type::S | Type::N => drop(self.string()?),
            Type::B => drop(self.binary()?),
            Type::Bool | Type::Null => drop(self.boolean()?),
            Type::L => return self.skip_list(Self::skip_attribute),
            Type::Set(SetKind::Binary) => return self.skip_list(|at| at.binary().map(drop)),
            Type::Set(_) => return self.skip_list(|at| at.string().map(drop)),
            Type::M => {
                self.enter(b'{')?;
                self.skip_attributes()?;
                return self.leave();
            }
        }
        self.token(b'}')
    }

    fn skip_list(&self, element: impl Fn(&Self) -> Read<()>) -> Read<()> {
        self.enter(b'[')?;
        let mut first = true;
        while self.element(first)? {
            element(self)?;
            first = false;
        }
        self.leave()
    }

    /// Passes the attributes of a map or an item, from behind its brace.
    pub(crate) fn skip_attributes(&self) -> Read<()> {
        let mut first = true;
        while self.key(first)?.is_some() {
            self.skip_attribute()?;
            first = false;
        }
        Ok(())
    }

    /// Whether the map ends behind the attribute that is next.
    pub(crate) fn ends_after_attribute(&self) -> Read<bool> {
        self.skip_attribute()?;
        Ok(self.peek() == b'}')
    }

    /// Passes any JSON. What is no JSON may pass too: this is for what the SDK reads afterwards.
    pub(crate) fn skip_json(&self) -> Read<()> {
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
