//! Whose an item of a shared table is: ours, another entity's, unknown, or a misfit.
//!
//! | item | tag | key |
//! |---|---|---|
//! | ours | the entity's, or none | fits the entity's templates |
//! | foreign | another listed entity's, or none | fits that one's, if there is no tag; or is a sentinel of a unique field |
//! | unknown | no listed entity's | fits none, if there is no tag |
//! | misfit | the entity's | does not fit |

mod glance;

use crate::codec::wire::{Found, Picked, Scalar, Watch};
use crate::entity::EntityMeta;
use crate::entity::collection::Own;
use crate::error::{Error, Misfit};
use crate::key::{KeyId, KeyValue, StoredKey};
use crate::managed::UNIQUE_SORT_KEY;
use crate::schema::{IndexSchema, KeyAttribute, ScalarType, TableSchema};
use crate::shape;
use crate::shape::Template;
use glance::Glance;

/// Whose an item is, for a read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Verdict {
    /// Of an entity that is read.
    Ours,
    /// Of another entity of the table, or a sentinel.
    Foreign,
    /// Of no entity of the table.
    Unknown,
    /// Tagged as one of an entity that is read, under a key that this entity never writes.
    Misfit(&'static EntityMeta),
}

/// Whose items a read is of, and which others there are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// Whose items are read.
    pub(crate) own: Own,
    /// The entities of the table.
    pub(crate) listed: &'static [&'static EntityMeta],
    /// Whether items come with their tags: some indexes do not hold them.
    pub(crate) tagged: bool,
    /// Whether the partition key of the table is given, and therefore fits.
    pub(crate) in_partition: bool,
    /// Whether the sort key of the table is given too, or any fits.
    pub(crate) has_sort_key: bool,
}

/// What an item is judged by.
struct Marks<'i> {
    tag: Picked<'i>,
    keys: [Picked<'i>; 2],
}

impl<'i> Marks<'i> {
    fn of(schema: &TableSchema, item: &'i Found<'_, '_>) -> Self {
        let sk = schema.sk().map_or("", |sk| sk.name);
        let tag = schema.tag.map_or("", |tag| tag.attribute.name);
        let [tag, pk, sk] = item.pick([tag, schema.pk().name, sk]);
        Self {
            tag,
            keys: [pk, sk],
        }
    }

    /// Whether the key fits the templates of an entity.
    fn fit(&self, meta: &EntityMeta) -> bool {
        let templates = meta.key.pk.iter().chain(meta.key.sk);
        let attributes = meta.schema.key.attributes();
        let mut keys = templates.zip(attributes).zip(&self.keys);
        keys.all(|((template, attribute), key)| match key {
            Some(Some(Scalar::S(text) | Scalar::N(text))) => shape::matches(template, text),
            Some(Some(Scalar::B(_))) => attribute.kind == ScalarType::B,
            _ => false,
        })
    }

    /// Whether it is a sentinel of a unique field of one of these entities.
    fn are_of_a_sentinel(&self, entities: &[&'static EntityMeta]) -> bool {
        let [Some(Some(Scalar::S(pk))), sk] = &self.keys else {
            return false;
        };
        let is_there = match sk {
            Some(Some(Scalar::S(sk))) => shape::matches(&UNIQUE_SORT_KEY, sk),
            sk => sk.is_none(),
        };
        let mut unique = entities.iter().flat_map(|entity| entity.managed.unique);
        is_there && unique.any(|unique| shape::matches(&unique.template, pk))
    }

    fn id(&self, schema: &TableSchema) -> Option<KeyId> {
        let mut keys = self.keys.iter();
        KeyId::from_values(&schema.key, |_| match keys.next()? {
            Some(Some(Scalar::S(text))) => Some(KeyValue::S(text.to_string())),
            Some(Some(Scalar::N(text))) => Some(KeyValue::N(text.to_string())),
            Some(Some(Scalar::B(bytes))) => Some(KeyValue::B(bytes.to_vec())),
            _ => None,
        })
    }

    /// The first of these entities that the item is of, and whether its key fits that one's templates.
    fn whose(&self, entities: &[&'static EntityMeta]) -> Option<(usize, bool)> {
        match &self.tag {
            None => {
                let fits = entities.iter().position(|entity| self.fit(entity));
                fits.map(|at| (at, true))
            }
            Some(Some(Scalar::S(tag))) => {
                let tagged = |entity: &&EntityMeta| entity.tag == tag;
                let first = entities.iter().position(&tagged)?;
                // One tag may stand for several entities, which their keys tell apart.
                let mut others = entities.iter().enumerate().skip(first);
                let fits = others.find(|(_, entity)| tagged(entity) && self.fit(entity));
                Some(fits.map_or((first, false), |(at, _)| (at, true)))
            }
            Some(_) => None,
        }
    }
}

impl Rule {
    /// The rule of a read of the table, or of an index of it.
    pub(crate) fn new(
        own: Own,
        listed: &'static [&'static EntityMeta],
        index: &IndexSchema,
    ) -> Self {
        let mut rule = Self {
            own,
            listed,
            tagged: true,
            in_partition: false,
            has_sort_key: false,
        };
        let schema = rule.schema();
        if let Some(tag) = schema.tag {
            rule.tagged = index.holds(&schema.key, tag.attribute.name);
        }
        rule
    }

    fn schema(&self) -> &'static TableSchema {
        let first = self.own.entities().first();
        first.map_or(&TableSchema::BROKEN, |entity| entity.schema)
    }

    /// Whose an item is.
    pub(crate) fn judge(&self, item: &Found<'_, '_>) -> Verdict {
        let marks = Marks::of(self.schema(), item);
        let own = self.own.entities();
        match (marks.whose(own), marks.whose(self.listed)) {
            (Some((_, true)), _) => Verdict::Ours,
            // Also if its key does not fit: that is for those to judge who read it.
            (_, Some((_, true))) | (None, Some(_)) => Verdict::Foreign,
            (Some((at, false)), _) => Verdict::Misfit(own[at]),
            (None, None) if marks.tag.is_none() && marks.are_of_a_sentinel(self.listed) => {
                Verdict::Foreign
            }
            (None, None) => Verdict::Unknown,
        }
    }

    /// Whether an item of ours has a tag, or another would have one.
    fn is_told_by_tag(&self) -> bool {
        self.tagged && self.schema().tag.is_some()
    }

    /// What to look at while items are read, so that [`is_certain`](Self::is_certain) can tell that they are ours.
    pub(crate) fn lookout(&self) -> Lookout {
        let schema = self.schema();
        let tag = schema.tag.map_or("", |tag| tag.attribute.name);
        let pk = Some(schema.pk()).filter(|_| !self.in_partition);
        let sk = schema.sk().filter(|_| !self.has_sort_key);
        let [sk, pk] = [sk, pk].map(|key| key.map_or("", |key| key.name));
        let names = [tag, sk, pk];
        // A key that is a field itself is read as one, and so may be the entries of a map.
        let is_read = |entity: &&EntityMeta| {
            entity.reads_unknown || names.iter().any(|name| entity.has_attribute(name))
        };
        let is_text = |attribute: Option<&KeyAttribute>| {
            attribute.is_some_and(|attribute| attribute.kind == ScalarType::S)
        };
        let glances = match self.own {
            Own::One(meta) => [
                (meta.key.sk.first(), sk, schema.sk()),
                (meta.key.pk.first(), pk, Some(schema.pk())),
            ]
            .map(|(template, name, attribute)| {
                let template = template.filter(|_| !name.is_empty() && is_text(attribute))?;
                Some(Glance::new(template))
            }),
            Own::Members(_) | Own::Table(_) => [None, None],
        };
        Lookout {
            watch: Watch::new(names, self.own.entities().iter().any(is_read)),
            glances,
        }
    }

    /// Whether the item that was just read is certainly ours. Of what is not certain, [`judge`](Self::judge) says what it is.
    pub(crate) fn is_certain(&self, lookout: &Lookout, answer: &str) -> bool {
        let watch = &lookout.watch;
        let meta = match self.own {
            Own::One(meta) => {
                if self.is_told_by_tag() && !watch.is(TAG, meta.tag, answer) {
                    return false;
                }
                meta
            }
            // A tag that was not seen may be there all the same. Without one in the index, the key has told `which` it is.
            _ if !watch.has(TAG) => return !self.is_told_by_tag(),
            own => {
                let tag = watch.text::<b'S'>(TAG, answer);
                let mut entities = own.entities().iter();
                match entities.find(|entity| tag == Some(entity.tag)) {
                    Some(meta) => meta,
                    None => return false,
                }
            }
        };
        let pk = || lookout.fits(PK, &meta.key.pk[0], meta.schema.pk(), answer);
        let sk = || match (meta.key.sk, meta.schema.sk()) {
            ([template, ..], Some(attribute)) => lookout.fits(SK, template, attribute, answer),
            _ => true,
        };
        (self.has_sort_key || sk()) && (self.in_partition || pk())
    }
}

/// What is looked at while items are read.
pub(crate) struct Lookout {
    pub(crate) watch: Watch,
    /// The keys of the one entity that is read, if they are text: its sort key, and its partition key.
    glances: [Option<Glance>; 2],
}

impl Lookout {
    /// Whether an attribute of the key fits its template.
    #[inline]
    fn fits(&self, n: usize, template: &Template, attribute: &KeyAttribute, answer: &str) -> bool {
        if let Some(glance) = &self.glances[n - SK]
            && let Some(place) = self.watch.place(n)
            && glance.takes(answer.as_bytes(), place)
        {
            return true;
        }
        self.fits_closely(n, template, attribute, answer)
    }

    #[inline(never)]
    fn fits_closely(
        &self,
        n: usize,
        template: &Template,
        attribute: &KeyAttribute,
        answer: &str,
    ) -> bool {
        let text = match attribute.kind {
            ScalarType::S => self.watch.text::<b'S'>(n, answer),
            ScalarType::N => self.watch.text::<b'N'>(n, answer),
            ScalarType::B => return self.watch.has(n),
        };
        text.is_some_and(|text| {
            shape::surely_matches(template, text) || shape::matches(template, text)
        })
    }
}

/// The places of the tag and of the attributes of the key among what is watched for.
const TAG: usize = 0;
const SK: usize = 1;
const PK: usize = 2;

/// Which of these entities an item is of: its tag says so, or without one the shape of its key.
pub(crate) fn which(
    entities: &[&'static EntityMeta],
    item: &Found<'_, '_>,
) -> Result<usize, Option<Error>> {
    let Some(schema) = entities.first().map(|entity| entity.schema) else {
        return Err(None);
    };
    if item.is_watched()
        && let Some(tag) = schema.tag
        && let Some(Scalar::S(tag)) = item.scalar(tag.attribute.name)
    {
        // Its key is looked at afterwards: `is_certain`.
        let tagged = |entity: &&EntityMeta| entity.tag == tag;
        return entities.iter().position(tagged).ok_or(None);
    }
    let marks = Marks::of(schema, item);
    match marks.whose(entities) {
        Some((at, true)) => Ok(at),
        Some((at, false)) => Err(Some(misfit(entities[at], marks.id(schema), Misfit::Shape))),
        None => Err(None),
    }
}

/// The error of an item of no entity of the table.
pub(crate) fn unknown(schema: &'static TableSchema, item: &Found<'_, '_>) -> Error {
    let id = Marks::of(schema, item).id(schema);
    Error::UnknownItem {
        table: schema.type_name,
        key: id.map(|id| Box::new(StoredKey::unknown(&schema.key, id))),
    }
}

/// The error of an item under a key that its entity never writes.
pub(crate) fn misfit(meta: &'static EntityMeta, key: Option<KeyId>, misfit: Misfit) -> Error {
    Error::Misfit {
        entity: meta.name,
        key: key.map(|key| Box::new(StoredKey::of(meta.key, key))),
        misfit,
    }
}
