//! Where the placeholders of a template stand, so that keys are built without looking for them.

use super::{Field, Kind, Part, Seg, Template, short};
use std::ops::Deref;

/// The most placeholders that one half of a key has.
const MOST: usize = 8;

/// How the keys of a template are put together.
///
/// Where the template is known while the user's crate is compiled, this is a constant too, and the text between its
/// placeholders is written without a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyLayout {
    pub(crate) delimiter: u8,
    fields: &'static [Field],
    slots: [Slot; MOST],
    /// How many placeholders there are.
    pub(crate) parts: usize,
    /// The bytes that every key has: the text between placeholders, and the placeholders of a fixed width.
    pub(crate) known: usize,
}

/// Where a placeholder stands: in which field, and where in it.
#[derive(Clone, Copy, Debug)]
struct Slot {
    field: u16,
    seg: u16,
    is_fixed: bool,
}

impl KeyLayout {
    /// The plan of a template.
    pub(crate) const fn of(template: &Template) -> Self {
        let fields = template.fields;
        let nowhere = Slot {
            field: short(fields.len()),
            seg: 0,
            is_fixed: true,
        };
        let mut layout = Self {
            delimiter: template.delimiter,
            fields,
            slots: [nowhere; MOST],
            parts: 0,
            // The delimiters.
            known: fields.len().saturating_sub(1),
        };
        let mut field = 0;
        while field < fields.len() {
            match &fields[field].kind {
                Kind::Lit(text) => layout.known += text.len(),
                Kind::Part(_) => layout.add(field, 0, fields[field].width()),
                Kind::Mixed(segs) => {
                    let mut seg = 0;
                    while seg < segs.len() {
                        match &segs[seg] {
                            Seg::Lit(text) => layout.known += text.len(),
                            Seg::Part(part) => layout.add(field, seg, part.shape.width()),
                        }
                        seg += 1;
                    }
                }
            }
            field += 1;
        }
        layout
    }

    const fn add(&mut self, field: usize, seg: usize, width: Option<u16>) {
        if let Some(width) = width {
            self.known += width as usize;
        }
        if self.parts < MOST {
            self.slots[self.parts] = Slot {
                field: short(field),
                seg: short(seg),
                is_fixed: width.is_some(),
            };
            self.parts += 1;
        }
    }

    /// Whether all texts of placeholder `n` are equally long.
    #[inline]
    pub(crate) fn is_fixed(&self, n: usize) -> bool {
        self.slots.get(n).is_some_and(|slot| slot.is_fixed)
    }

    /// The field of placeholder `n`; after the last placeholder, the number of fields.
    pub(crate) fn field_of(&self, n: usize) -> usize {
        let slot = self.slots.get(n).filter(|_| n < self.parts);
        slot.map_or(self.fields.len(), |slot| slot.field.into())
    }

    /// Placeholder `n`.
    #[inline]
    pub(crate) fn part(&self, n: usize) -> Option<&'static Part> {
        let slot = self.slots.get(n)?;
        match &self.fields.get(usize::from(slot.field))?.kind {
            Kind::Lit(_) => None,
            Kind::Part(part) => Some(part),
            Kind::Mixed(segs) => match segs.get(usize::from(slot.seg))? {
                Seg::Lit(_) => None,
                Seg::Part(part) => Some(part),
            },
        }
    }

    /// Appends the text between placeholder `n` and the one before it, or the start; if there is no placeholder `n`, up
    /// to the end.
    #[expect(
        clippy::inline_always,
        reason = "of a template that is known, only its text is left of the loop"
    )]
    #[inline(always)]
    fn text(&self, n: usize, out: &mut String) {
        let slot = |n: usize| self.slots.get(n).filter(|_| n < self.parts);
        let (mut field, mut seg) = match n.checked_sub(1).and_then(slot) {
            Some(before) => (usize::from(before.field), usize::from(before.seg) + 1),
            None => (0, 0),
        };
        let (end, end_seg) = match slot(n) {
            Some(next) => (usize::from(next.field), usize::from(next.seg)),
            None => (self.fields.len(), 0),
        };
        while field < end {
            match self.fields.get(field).map(|field| &field.kind) {
                Some(Kind::Lit(text)) => out.push_str(text),
                Some(Kind::Mixed(segs)) => push(segs.get(seg..), out),
                Some(Kind::Part(_)) | None => {}
            }
            (field, seg) = (field + 1, 0);
            if field < self.fields.len() {
                out.push(char::from(self.delimiter));
            }
        }
        if let Some(Kind::Mixed(segs)) = self.fields.get(end).map(|field| &field.kind) {
            push(segs.get(seg..end_seg), out);
        }
    }
}

/// A plan that keys are built by.
pub(crate) trait Layout: Copy + Deref<Target = KeyLayout> {
    /// Appends the text between placeholder `n` and the one before it.
    fn literals(self, n: usize, out: &mut String);
}

impl Layout for &KeyLayout {
    #[inline(never)]
    fn literals(self, n: usize, out: &mut String) {
        self.text(n, out);
    }
}

/// A plan that is known while the user's crate is compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstLayout(pub(crate) &'static KeyLayout);

impl Deref for ConstLayout {
    type Target = KeyLayout;

    #[inline]
    fn deref(&self) -> &KeyLayout {
        self.0
    }
}

impl Layout for ConstLayout {
    #[expect(clippy::inline_always, reason = "as `text`")]
    #[inline(always)]
    fn literals(self, n: usize, out: &mut String) {
        self.text(n, out);
    }
}

/// Appends the literals of these segments. There are some: the slots of a layout are places of its own fields, in their order.
fn push(segs: Option<&[Seg]>, out: &mut String) {
    debug_assert!(segs.is_some(), "a slot is outside of its template");
    for seg in segs.unwrap_or_default() {
        if let Seg::Lit(text) = seg {
            out.push_str(text);
        }
    }
}

impl Template {
    /// The placeholders in order.
    pub fn parts(&self) -> impl Iterator<Item = &'static Part> + use<> {
        let layout = KeyLayout::of(self);
        (0..layout.parts).filter_map(move |n| layout.part(n))
    }

    /// The text before placeholder `n`, from the one before it or the start; after the last placeholder, the text up to the end.
    ///
    /// ```
    /// use dyna_runtime::entity::Entity;
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>#PROFILE")]
    /// # struct User { id: String }
    /// let template = &User::META.key.pk[0]; // `USER#<id>#PROFILE`
    /// assert_eq!(template.parts().next().map(|part| part.name), Some("id"));
    /// assert_eq!([0, 1].map(|n| template.literal_before(n)), ["USER#", "#PROFILE"]);
    /// ```
    pub fn literal_before(&self, n: usize) -> String {
        let (layout, mut text) = (KeyLayout::of(self), String::new());
        if n <= layout.parts {
            (&layout).literals(n, &mut text);
        }
        text
    }

    /// Appends the text between placeholder `after`, or the start, and the next placeholder.
    pub(crate) fn literals_after(&self, after: Option<usize>, out: &mut String) {
        (&KeyLayout::of(self)).literals(after.map_or(0, |after| after + 1), out);
    }
}
