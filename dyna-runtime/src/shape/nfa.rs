//! Automata for the few comparisons that codes and lengths cannot settle.
//!
//! They live in fixed arrays, since const evaluation has no heap. What does not fit is reported
//! as unknown, which every caller treats as "can meet".

use super::{Bytes, DIGIT, Field, Kind, Seg, Shape, Template};

/// States per automaton.
pub(super) const STATES: usize = 512;
/// Not a state.
pub(super) const NOWHERE: u16 = u16::MAX;

// `byte` of a state that takes a set; neither value occurs in UTF-8.
const INSIDE: u8 = 0xff;
/// ... and begins a placeholder, so it cannot take the second half of a character.
const START: u8 = 0xfe;

/// In state `s`, take `byte[s]` (or a byte of `set[s]`) and go to `next[s]`, or take nothing and
/// go to `alt[s]`. State `len` accepts.
pub(super) struct Nfa {
    byte: [u8; STATES],
    set: [Bytes; STATES],
    pub(super) next: [u16; STATES],
    pub(super) alt: [u16; STATES],
    pub(super) len: u16,
    /// How many of the last states are plain text.
    tail: u16,
    /// Not all of it fitted.
    pub(super) full: bool,
}

impl Nfa {
    /// Accepts the empty text only.
    pub(super) const fn empty() -> Nfa {
        Nfa {
            byte: [INSIDE; STATES],
            set: [Bytes::NONE; STATES],
            next: [NOWHERE; STATES],
            alt: [NOWHERE; STATES],
            len: 0,
            tail: 0,
            full: false,
        }
    }

    /// One field.
    pub(super) const fn field(field: &Field, delimiter: u8) -> Nfa {
        let mut nfa = Nfa::empty();
        nfa.add_field(field, delimiter);
        nfa
    }

    /// The fields `from..to` of a template and the delimiters between them.
    pub(super) const fn fields(t: &Template, from: usize, to: usize) -> Nfa {
        let mut nfa = Nfa::empty();
        let mut i = from;
        while i < to {
            if i > from {
                nfa.push_byte(t.delimiter);
            }
            nfa.add_field(&t.fields[i], t.delimiter);
            i += 1;
        }
        nfa
    }

    /// Followed by the delimiter and anything or nothing.
    pub(super) const fn and_more(mut self, delimiter: u8) -> Nfa {
        self.push_byte(delimiter);
        self.push_star(Bytes::ANY);
        self
    }

    /// Followed by this text.
    pub(super) const fn and_text(mut self, text: &[u8]) -> Nfa {
        self.add_text(text);
        self
    }

    /// Followed by a placeholder.
    pub(super) const fn and_shape(mut self, shape: Shape, delimiter: u8) -> Nfa {
        self.add_shape(shape, delimiter);
        self
    }

    /// Followed by these pieces.
    pub(super) const fn and_segs(mut self, segs: &[Seg], delimiter: u8) -> Nfa {
        self.add_segs(segs, delimiter);
        self
    }

    const fn add_field(&mut self, field: &Field, delimiter: u8) {
        match field.kind {
            Kind::Lit(text) => self.add_text(text.as_bytes()),
            Kind::Part(part) => self.add_shape(part.shape, delimiter),
            Kind::Mixed(segs) => self.add_segs(segs, delimiter),
        }
    }

    const fn add_segs(&mut self, segs: &[Seg], delimiter: u8) {
        let mut i = 0;
        while i < segs.len() {
            match segs[i] {
                Seg::Lit(text) => self.add_text(text.as_bytes()),
                Seg::Part(part) => self.add_shape(part.shape, delimiter),
            }
            i += 1;
        }
    }

    const fn add_text(&mut self, text: &[u8]) {
        let mut i = 0;
        while i < text.len() && !self.full {
            self.push_byte(text[i]);
            i += 1;
        }
    }

    const fn add_shape(&mut self, shape: Shape, delimiter: u8) {
        let start = self.len as usize;
        self.add_states(shape, delimiter);
        self.tail = 0;
        if start < self.len as usize && self.byte[start] == INSIDE {
            self.byte[start] = START;
        }
    }

    const fn add_states(&mut self, shape: Shape, delimiter: u8) {
        match shape {
            Shape::Text => self.add_plus(Bytes::ANY.without(delimiter)),
            Shape::Rest | Shape::Opaque => self.add_plus(Bytes::ANY),
            Shape::Sized(n) => self.add_run(Bytes::ANY.without(delimiter), n),
            Shape::Digits(n) => self.add_run(DIGIT, n),
            Shape::Number(n) => self.add_number(n),
            Shape::Fixed(runs) => {
                let mut i = 0;
                while i < runs.len() {
                    self.add_run(runs[i].set, runs[i].n);
                    i += 1;
                }
            }
            Shape::OneOf(words) => self.add_words(words),
            Shape::Optional(shape) => self.add_optional(*shape, delimiter),
        }
    }

    /// The shape, with a way past it: the last of the ways that its first state has without taking anything.
    const fn add_optional(&mut self, shape: Shape, delimiter: u8) {
        let mut at = self.len as usize;
        self.add_states(shape, delimiter);
        // What is always empty has no state to pass.
        if self.full || at == self.len as usize {
            return;
        }
        while self.alt[at] != NOWHERE && self.alt[at] != self.len {
            at = self.alt[at] as usize;
        }
        self.alt[at] = self.len;
    }

    const fn add_plus(&mut self, set: Bytes) {
        self.push(INSIDE, set);
        self.push_star(set);
    }

    const fn add_run(&mut self, set: Bytes, n: u16) {
        let mut i = 0;
        while i < n && !self.full {
            self.push(INSIDE, set);
            i += 1;
        }
    }

    /// One to `n` digits: after the first, every state may also leave.
    const fn add_number(&mut self, n: u16) {
        let (first, end) = (self.len, self.len.saturating_add(n));
        self.add_run(DIGIT, n);
        let mut at = first + 1;
        while at < end && !self.full {
            self.alt[at as usize] = end;
            at += 1;
        }
    }

    /// The words one after the other: each begins with a way to the next and ends at the end.
    const fn add_words(&mut self, words: &[&str]) {
        let (mut total, mut empty, mut i) = (0, false, 0);
        while i < words.len() {
            total += words[i].len();
            empty |= words[i].is_empty();
            i += 1;
        }
        if total == 0 && !empty {
            return self.push(INSIDE, Bytes::NONE); // no words at all: nothing gets past this
        }
        if total + self.len as usize >= STATES {
            self.full = true;
            return;
        }
        let end = self.len + super::short(total);
        i = 0;
        while i < words.len() {
            let entry = self.len as usize;
            self.add_text(words[i].as_bytes());
            if self.len as usize > entry {
                self.next[self.len as usize - 1] = end;
                if self.len < end {
                    self.alt[entry] = self.len;
                } else if empty {
                    self.alt[entry] = end;
                }
            }
            i += 1;
        }
    }

    const fn push_byte(&mut self, byte: u8) {
        self.push(byte, Bytes::NONE);
    }

    const fn push_star(&mut self, set: Bytes) {
        let at = self.len;
        self.push(INSIDE, set);
        if !self.full {
            self.next[at as usize] = at;
            self.alt[at as usize] = at + 1;
        }
    }

    const fn push(&mut self, byte: u8, set: Bytes) {
        let at = self.len as usize;
        if at + 1 >= STATES {
            self.full = true;
            return;
        }
        self.byte[at] = byte;
        self.set[at] = set;
        self.next[at] = self.len + 1;
        self.len += 1;
        self.tail = if byte < START { self.tail + 1 } else { 0 };
    }

    /// Can state `s`, which takes a set, take this byte?
    const fn takes(&self, s: usize, byte: u8) -> bool {
        let continues = byte & 0xc0 == 0x80;
        self.set[s].contains(byte) && !(continues && self.byte[s] == START)
    }

    /// How many bytes of text both end with; `None` if they end differently.
    pub(super) const fn common_tail(&self, other: &Nfa) -> Option<u16> {
        let mut n = 0;
        while n < self.tail && n < other.tail {
            let (i, j) = (self.len - 1 - n, other.len - 1 - n);
            if self.byte[i as usize] != other.byte[j as usize] {
                return None;
            }
            n += 1;
        }
        Some(n)
    }

    /// The byte of a state that is plain text.
    pub(super) const fn text_byte(&self, i: u16) -> u8 {
        self.byte[i as usize]
    }

    /// Is there a byte that state `i` here and state `j` there both take?
    pub(super) const fn agrees(&self, i: u16, other: &Nfa, j: u16) -> bool {
        let (i, j) = (i as usize, j as usize);
        let (mine, theirs) = (self.byte[i], other.byte[j]);
        if mine < START && theirs < START {
            mine == theirs
        } else if mine < START {
            other.takes(j, mine)
        } else if theirs < START {
            self.takes(i, theirs)
        } else {
            let (mine, theirs) = (&self.set[i], &other.set[j]);
            mine.ascii & theirs.ascii != 0 || (mine.high && theirs.high)
        }
    }

    /// Of the bytes that both states take, the one to show.
    pub(super) const fn shown(&self, i: u16, other: &Nfa, j: u16) -> u8 {
        let (i, j) = (i as usize, j as usize);
        if self.byte[i] < START {
            self.byte[i]
        } else if other.byte[j] < START {
            other.byte[j]
        } else {
            self.set[i].and(other.set[j]).nicest()
        }
    }
}
