//! The owner of an item in a shared table: ours, another entity's, unknown, or a misfit.
//!
//! | item | tag | key |
//! |---|---|---|
//! | ours | the entity's, or none | fits the entity's templates |
//! | foreign | another listed entity's, or none | fits that one's, if there is no tag; or is that of a sentinel of a unique field |
//! | foreign | any | is that of a sentinel of a unique field with a template of its own, `unique = ".."` |
//! | unknown | no listed entity's | fits none, if there is no tag |
//! | misfit | the entity's | does not fit |

pub(crate) mod claim;
mod glance;

use crate::codec::json::{ItemSource, KnownKey, Picked, Scalar, Watch};
use crate::entity::EntityMeta;
use crate::entity::collection::Owner;
use crate::error::{Error, Misfit};
use crate::key::{KeyId, KeyValue, StoredKey};
use crate::managed::Managed;
use crate::schema::{IndexSchema, KeyAttribute, ScalarType, TableSchema};
use crate::shape;
use crate::shape::Template;
use glance::Glance;
use std::cell::{Cell, OnceCell};

/// The owner of an item, for a read.
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

/// The entities that a read yields, and the others of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// The entity, collection or table whose items are read.
    pub(crate) owner: Owner,
    /// The entities of the table.
    pub(crate) listed: &'static [&'static EntityMeta],
    /// Whether items come with their tags: some indexes do not hold them.
    pub(crate) tagged: bool,
    /// Whether the partition key of the table is given, and therefore fits.
    pub(crate) in_partition: bool,
    /// Whether the sort key of the table is given too, or any fits.
    pub(crate) has_sort_key: bool,
}

/// The tag and key that an item is judged by.
struct Marks<'i> {
    tag: Picked<'i>,
    keys: [Picked<'i>; 2],
}

impl<'i> Marks<'i> {
    fn of(schema: &TableSchema, item: &'i ItemSource<'_, '_>) -> Self {
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

    /// Whether it is a sentinel of a unique field of one of these entities. Those of other software have any tag, or none.
    fn are_of_a_sentinel(&self, entities: &[&'static EntityMeta]) -> bool {
        let [Some(Some(Scalar::S(pk))), sk] = &self.keys else {
            return false;
        };
        let fits = |managed: &Managed| {
            let mut unique = managed.unique.iter();
            unique.any(|unique| {
                if self.tag.is_some() && !managed.is_shared(unique) {
                    return false;
                }
                let sk = match sk {
                    Some(Some(Scalar::S(sk))) => shape::matches(managed.sort_key(unique), sk),
                    sk => sk.is_none(),
                };
                sk && shape::matches(&unique.template, pk)
            })
        };
        entities.iter().any(|entity| fits(&entity.managed))
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
                // A key that several entities share tells nothing.
                let fits = |entity: &&EntityMeta| !entity.shares_key() && self.fit(entity);
                let fits = entities.iter().position(fits);
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
        owner: Owner,
        listed: &'static [&'static EntityMeta],
        index: &IndexSchema,
    ) -> Self {
        let mut rule = Self {
            owner,
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
        let first = self.owner.entities().first();
        first.map_or(&TableSchema::BROKEN, |entity| entity.schema)
    }

    /// Decides the owner of an item.
    pub(crate) fn judge(&self, item: &ItemSource<'_, '_>) -> Verdict {
        let marks = Marks::of(self.schema(), item);
        let owner = self.owner.entities();
        match (marks.whose(owner), marks.whose(self.listed)) {
            (Some((_, true)), _) => Verdict::Ours,
            _ if marks.are_of_a_sentinel(self.listed) => Verdict::Foreign,
            // Also if its key does not fit: that is for those to judge who read it.
            (_, Some((_, true))) | (None, Some(_)) => Verdict::Foreign,
            (Some((at, false)), _) => Verdict::Misfit(owner[at]),
            (None, None) => Verdict::Unknown,
        }
    }

    /// The attributes to watch while items are lexed, for [`is_certain`](Self::is_certain).
    pub(crate) fn lookout(&self) -> Lookout {
        let schema = self.schema();
        let tag = schema.tag.map_or("", |tag| tag.attribute.name);
        let pk = Some(schema.pk()).filter(|_| !self.in_partition);
        let sk = schema.sk().filter(|_| !self.has_sort_key);
        let [sk, pk] = [sk, pk].map(|key| key.map_or("", |key| key.name));
        let names = [tag, sk, pk];
        let entities = self.owner.entities().len();
        let tag = match self.owner {
            Owner::One(meta) => KnownKey::text(meta.tag),
            _ => KnownKey::default(),
        };
        Lookout {
            watch: Watch::new(names),
            tag,
            is_told_by_tag: self.tagged && schema.tag.is_some(),
            glances: std::iter::repeat_with(LazyGlances::default)
                .take(entities)
                .collect(),
        }
    }

    /// Whether the item that was just read surely belongs to the entity. If not, call [`judge`](Self::judge).
    pub(crate) fn is_certain(&self, lookout: &Lookout, answer: &str) -> bool {
        let watch = &lookout.watch;
        let (at, meta) = match self.owner {
            Owner::One(meta) => {
                if lookout.is_told_by_tag
                    && !watch.is_known(TAG, &lookout.tag, answer)
                    && !watch.is(TAG, meta.tag, answer)
                {
                    return false;
                }
                (0, meta)
            }
            // A tag that was not seen may be there all the same. Without one in the index, the key has told `which` it is.
            _ if !watch.has(TAG) => return !lookout.is_told_by_tag,
            owner => {
                let chosen = watch.chosen(TAG);
                match chosen.and_then(|at| Some((at, *owner.entities().get(at)?))) {
                    Some(chosen) => chosen,
                    None => return false,
                }
            }
        };
        let glances = lookout.glances_at(at, meta, self);
        let pk = || {
            lookout.fits(
                PK,
                glances.pk.as_ref(),
                &meta.key.pk[0],
                meta.schema.pk(),
                answer,
            )
        };
        let sk = || match (meta.key.sk, meta.schema.sk()) {
            ([template, ..], Some(attribute)) => {
                lookout.fits(SK, glances.sk.as_ref(), template, attribute, answer)
            }
            _ => true,
        };
        (self.has_sort_key || sk()) && (self.in_partition || pk())
    }
}

/// The attributes to watch while items are lexed.
pub(crate) struct Lookout {
    pub(crate) watch: Watch,
    /// The tag, if one entity is read.
    tag: KnownKey,
    /// Whether an item of ours has a tag, or another would have one.
    is_told_by_tag: bool,
    /// How the keys of each entity are looked at.
    glances: Box<[LazyGlances]>,
}

/// How the keys of an entity are looked at, if it has several items.
#[derive(Default)]
struct LazyGlances {
    /// How many items there were.
    items: Cell<usize>,
    made: OnceCell<Box<Glances>>,
}

/// How many items of an entity are looked at closely, unless more of them are expected: making [`Glances`] costs as much.
const CLOSE_LOOKS: usize = 3;

/// How the keys of an entity are looked at, if they are text.
struct Glances {
    pk: Option<Glance>,
    sk: Option<Glance>,
}

impl Glances {
    const NONE: &Self = &Self { pk: None, sk: None };

    #[cold]
    fn new(meta: &EntityMeta, rule: &Rule) -> Box<Self> {
        let glance = |template: Option<&Template>, attribute: Option<&KeyAttribute>| {
            let is_text = attribute.is_some_and(|attribute| attribute.kind == ScalarType::S);
            template.filter(|_| is_text).map(Glance::new)
        };
        Box::new(Self {
            pk: glance(
                meta.key.pk.first().filter(|_| !rule.in_partition),
                Some(meta.schema.pk()),
            ),
            sk: glance(
                meta.key.sk.first().filter(|_| !rule.has_sort_key),
                meta.schema.sk(),
            ),
        })
    }
}

impl Lookout {
    /// How the keys of the entity of this number are looked at.
    #[inline]
    fn glances_at(&self, at: usize, meta: &EntityMeta, rule: &Rule) -> &Glances {
        let Some(glances) = self.glances.get(at) else {
            return Glances::NONE;
        };
        if let Some(made) = glances.made.get() {
            return made;
        }
        let items = glances.items.get() + 1;
        glances.items.set(items);
        if items > CLOSE_LOOKS || self.watch.expected() > self.glances.len() * CLOSE_LOOKS {
            return glances.made.get_or_init(|| Glances::new(meta, rule));
        }
        Glances::NONE
    }

    /// Whether an attribute of the key fits its template.
    #[inline]
    fn fits(
        &self,
        n: usize,
        glance: Option<&Glance>,
        template: &Template,
        attribute: &KeyAttribute,
        answer: &str,
    ) -> bool {
        if let (Some(glance), Some(place)) = (glance, self.watch.place(n))
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

/// Finds the entity of an item: by its tag, or without one by the shape of its key.
pub(crate) fn which(
    entities: &[&'static EntityMeta],
    item: &ItemSource<'_, '_>,
) -> Result<usize, Option<Error>> {
    let Some(schema) = entities.first().map(|entity| entity.schema) else {
        return Err(None);
    };
    if let Some(watch) = item.watch()
        && let Some(tag) = schema.tag
        && let Some((tag, place)) = item.plain_text(tag.attribute.name)
    {
        // Its key is looked at afterwards: `is_certain`.
        let at = tagged(entities, watch.last(), tag).ok_or(None)?;
        watch.choose(at, place);
        return Ok(at);
    }
    let marks = Marks::of(schema, item);
    match marks.whose(entities) {
        Some((at, true)) => Ok(at),
        Some((at, false)) => Err(Some(misfit(entities[at], marks.id(schema), Misfit::Shape))),
        None => Err(None),
    }
}

/// The entity with this tag. Items of one entity often follow each other, and those of different ones come in the same order again, so the
/// entity of the last item is tried first, and those behind it next.
fn tagged(entities: &[&'static EntityMeta], last: usize, tag: &str) -> Option<usize> {
    let is_tagged = |entity: &&EntityMeta| is_same(entity.tag, tag);
    let (before, from) = entities.split_at_checked(last)?;
    let found = from.iter().position(is_tagged);
    let found = found.map(|at| last + at);
    found.or_else(|| before.iter().position(is_tagged))
}

/// Whether two texts are the same. Tags often begin alike and are equally long, so their ends are compared first.
#[inline]
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().last() == other.bytes().last() && one == other
}

/// The error of an item of no entity of the table.
pub(crate) fn unknown(schema: &'static TableSchema, item: &ItemSource<'_, '_>) -> Error {
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
