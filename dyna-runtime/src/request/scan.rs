//! Reading a whole table.

use super::read::{Call, Items, Plan, Reader, is_key};
use super::{Explain, Page, filter};
use crate::codec::Item;
use crate::cursor::{Cursor, CursorError, Origin, Place};
use crate::entity::{DynaEntity, EntityMeta};
use crate::error::{Error, Result};
use crate::expr::{Condition, Expr};
use crate::table::{DynaTable, Lists, Table};

/// Reads every item of an entity, `Message::scan()`, or of a whole table, `Discord::scan()`.
///
/// DynamoDB looks at every item of the table and bills it, also those that are not returned.
#[must_use = "a request does nothing until it is sent"]
pub struct Scan<E> {
    /// The entity, or any of the table if all its items are read.
    meta: &'static EntityMeta,
    own: Option<&'static EntityMeta>,
    decode: fn(Item) -> Result<E>,
    filter: Expr,
    limit: Option<usize>,
    page_size: Option<i32>,
    segments: u16,
    prefetch: usize,
    consistent: bool,
    after: Option<Cursor>,
}

impl<E: DynaEntity> Scan<E> {
    /// Every item of an entity.
    #[doc(hidden)]
    pub fn entity() -> Self {
        Self::new(E::META, Some(E::META), E::decode)
    }
}

impl<E: DynaTable> Scan<E> {
    /// Every item of a table.
    #[doc(hidden)]
    pub fn table() -> Self {
        // A table lists at least one entity.
        let meta = E::ENTITIES.first().copied().unwrap_or(&EntityMeta::BROKEN);
        Self::new(meta, None, E::from_item)
    }
}

impl<E> Scan<E> {
    fn new(
        meta: &'static EntityMeta,
        own: Option<&'static EntityMeta>,
        decode: fn(Item) -> Result<E>,
    ) -> Self {
        Self {
            meta,
            own,
            decode,
            filter: Expr::default(),
            limit: None,
            page_size: None,
            segments: 1,
            prefetch: 0,
            consistent: false,
            after: None,
        }
    }

    /// Only the items that meet the condition.
    pub fn filter(mut self, condition: Condition<E>) -> Self {
        self.filter = std::mem::take(&mut self.filter).and(condition.into_expr());
        self
    }

    /// At most this many items, however many requests that takes. With several segments, of each.
    pub fn limit(mut self, items: usize) -> Self {
        self.limit = Some(items);
        self
    }

    /// At most this many items are looked at per request: DynamoDB's `Limit`.
    pub fn page_size(mut self, items: u32) -> Self {
        self.page_size = Some(i32::try_from(items.max(1)).unwrap_or(i32::MAX));
        self
    }

    /// Reads that many parts of the table at the same time, in [`all`](Self::all) and [`stream`](Self::stream).
    pub fn segments(mut self, segments: u16) -> Self {
        self.segments = segments.max(1);
        self
    }

    /// Asks for up to that many answers of each segment before they are wanted, in [`all`](Self::all) and
    /// [`stream`](Self::stream): while the items of one are decoded and used, the next is on its way.
    pub fn prefetch(mut self, answers: usize) -> Self {
        self.prefetch = answers;
        self
    }

    /// Sees every write that was answered before, for twice the read capacity.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Goes on where a page ended.
    pub fn after(mut self, cursor: impl Into<Option<Cursor>>) -> Self {
        self.after = cursor.into();
        self
    }

    /// Reads one page: up to [`limit`](Self::limit) items, or as many as DynamoDB gives in one answer (1 MB).
    pub async fn send<T: Lists<E>>(self, db: &Table<T>) -> Result<Page<E>> {
        let origin = Origin {
            table: db.name()?,
            index: "",
            partitions: &[Vec::new()],
            backward: false,
            scope: self.own.map_or("", |own| own.name),
        };
        let refused = |source| Error::Cursor {
            entity: self.meta.name,
            source,
        };
        let start = self
            .after
            .as_ref()
            .map(|cursor| cursor.open(&origin, db.cursor_secret()))
            .transpose()
            .map_err(refused)?;
        let start = match start.as_deref() {
            None => None,
            Some([Place::At(key)]) if is_key(&[&self.meta.schema.key], key) => Some(key.clone()),
            Some(_) => return Err(refused(CursorError::Malformed)),
        };
        let Some(mut reader) = self.reader(db, None, start)? else {
            return Ok(Page {
                items: Vec::new(),
                prev: None,
                next: None,
            });
        };
        let items = reader.items(self.limit.is_none()).await?;
        let next = reader
            .start
            .map(|key| Cursor::seal(&origin, &[Place::At(key)], db.cursor_secret()));
        let items = items.into_iter().map(self.decode).collect::<Result<_>>()?;
        Ok(Page {
            items,
            prev: None,
            next: next.transpose().map_err(refused)?,
        })
    }

    /// Reads all items, with as many requests as it takes.
    pub async fn all<T: Lists<E>>(self, db: &Table<T>) -> Result<Vec<E>> {
        self.stream(db).collect().await
    }

    /// The items one by one, as they come: one request of each segment at a time, when its items are wanted.
    pub fn stream<T: Lists<E>>(self, db: &Table<T>) -> Items<E> {
        let segments = 0..self.segments;
        let readers = segments.map(|segment| self.reader(db, Some(segment), None));
        let readers: Result<Vec<_>> = readers.filter_map(Result::transpose).collect();
        let plan = Plan {
            prefetch: self.prefetch,
            ..Plan::default()
        };
        Items::new(readers, plan, self.decode)
    }

    /// The call of the scan, or of one segment of it; `None` if nothing can match.
    fn reader<T: DynaTable>(
        &self,
        db: &Table<T>,
        segment: Option<u16>,
        start: Option<Item>,
    ) -> Result<Option<Reader>> {
        let table = db.name()?;
        self.filter.check().map_err(|source| Error::Encode {
            entity: self.meta.name,
            source,
        })?;
        if self.filter.known() == Some(false) {
            return Ok(None);
        }
        let mut request = db.client().scan().table_name(table);
        if let (Some(segment), true) = (segment, self.segments > 1) {
            request = request
                .segment(segment.into())
                .total_segments(self.segments.into());
        }
        if let Some(filter) = filter(self.meta, self.own, &self.filter)? {
            request = request.filter_expression(filter.expression);
            for (alias, name) in filter.names {
                request = request.expression_attribute_names(alias, name);
            }
            for (alias, value) in filter.values {
                request = request.expression_attribute_values(alias, value);
            }
        }
        let schema = &self.meta.schema.key;
        let request = request.set_consistent_read(self.consistent.then_some(true));
        Ok(Some(Reader {
            own: self.own,
            filtered: self.own.is_some() || self.filter.known().is_none(),
            page_size: self.page_size,
            wanted: self.limit,
            start,
            ..Reader::new(Call::Scan(request), [schema, schema])
        }))
    }

    /// What it asks.
    pub fn explain(&self) -> Explain {
        let mut explain = Explain::new("Scan", self.meta.schema.name);
        match filter(self.meta, self.own, &self.filter) {
            Ok(Some(filter)) => explain.expression("FilterExpression", filter),
            Ok(None) => {}
            Err(error) => explain.member("Error", error.to_string()),
        }
        if self.segments > 1 {
            explain.member("TotalSegments", self.segments.to_string());
        }
        if let Some(limit) = self.limit {
            explain.member("limit", limit.to_string());
        }
        if let Some(size) = self.page_size {
            explain.member("Limit", size.to_string());
        }
        if self.consistent {
            explain.member("ConsistentRead", "true");
        }
        explain
    }
}

impl<E> std::fmt::Debug for Scan<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Scan({})",
            self.own.map_or(self.meta.schema.type_name, |own| own.name)
        )
    }
}
