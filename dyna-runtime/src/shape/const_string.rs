//! Text without a heap: what const evaluation can build and print.

use core::fmt;

/// Text in a fixed buffer. What does not fit is cut off between two characters and marked with `…`.
#[derive(Clone)]
pub struct ConstString {
    buffer: [u8; ConstString::CAPACITY],
    len: usize,
    cut: bool,
}

impl ConstString {
    const CAPACITY: usize = 4096;
    const MARK: &'static str = "…";

    /// No text yet.
    pub(crate) const fn new() -> ConstString {
        ConstString {
            buffer: [0; ConstString::CAPACITY],
            len: 0,
            cut: false,
        }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.buffer.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => unreachable!(), // only whole characters are ever written
        }
    }

    /// Is there no text?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) const fn push(&mut self, text: &str) {
        if self.cut {
            return;
        }
        let room = ConstString::CAPACITY - ConstString::MARK.len() - self.len;
        if text.len() <= room {
            self.copy(text.as_bytes());
        } else {
            let mut end = room;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            self.copy(text.as_bytes().split_at(end).0);
            self.copy(ConstString::MARK.as_bytes());
            self.cut = true;
        }
    }

    pub(super) const fn push_ascii(&mut self, byte: u8) {
        if let Ok(text) = core::str::from_utf8(&[byte]) {
            self.push(text);
        }
    }

    const fn copy(&mut self, bytes: &[u8]) {
        let free = self.buffer.split_at_mut(self.len).1;
        free.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
        self.len += bytes.len();
    }

    pub(crate) const fn with(mut self, text: &str) -> ConstString {
        self.push(text);
        self
    }

    pub(super) const fn repeat(mut self, text: &str, n: usize) -> ConstString {
        let mut i = 0;
        while i < n {
            self.push(text);
            i += 1;
        }
        self
    }

    pub(super) const fn number(self, n: u16) -> ConstString {
        let mut this = if n < 10 { self } else { self.number(n / 10) };
        this.push_ascii(b'0' + (n % 10).to_le_bytes()[0]);
        this
    }
}

impl fmt::Display for ConstString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for ConstString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
