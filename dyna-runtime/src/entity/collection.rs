//! Several entities of one partition, read together.

use crate::derived::Derived;
use crate::entity::projection::View;
use crate::entity::{Entity, EntityMeta, FieldMeta};
use crate::expr::Condition;
use crate::key::LAST;
use crate::key::range::SortCondition;
use crate::schema::{IndexSchema, KeyAttribute, ScalarType};
use crate::shape;
use crate::shape::{Kind, Template};

/// Entities that share a partition, as one enum. Derived, never written by hand.
///
/// One query reads them all, in the order of their keys:
///
/// ```
/// use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(DynaTable)]
/// #[dyna(name = "money", pk = "pk", sk = "sk", tag = "type")]
/// enum Money {
///     User(User),
///     Account(Account),
/// }
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize, DynaEntity)]
/// #[dyna(table = Money, pk = "USER#<id>", sk = "@PROFILE")]
/// struct User {
///     id: String,
/// }
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize, DynaEntity)]
/// #[dyna(table = Money, pk = "USER#<user>", sk = "ACCOUNT#<id>")]
/// struct Account {
///     user: String,
///     id: String,
/// }
///
/// #[derive(Debug, PartialEq, DynaCollection)]
/// enum Startup {
///     Profile(User),
///     Account(Account),
/// }
///
/// # async fn run(db: dyna_runtime::Table<Money>) -> dyna_runtime::Result<()> {
/// let items: Vec<Startup> = Startup::query("ann").all(&db).await?;
/// # Ok(()) }
/// # assert_eq!(Startup::query("ann").explain().get("KeyConditionExpression"), Some("pk = :p AND sk BETWEEN :s AND :t"));
/// ```
///
/// Only the span of sort keys between the members is read, here from `@PROFILE` to the last `ACCOUNT#`: what lies before and after it in the
/// partition costs nothing.
///
/// The members are entities of one table whose partition keys have the same template, up to the names of the fields; this is proved when
/// the enum is compiled. A partition key with several fields is given as a tuple: `Team::query(("acme", 7))`. Items of other entities
/// in the partition are left out. With `#[dyna(index = gsi1)]` on the enum the partition is one of that index.
///
/// Where the sort keys of all members begin with the same fields, `#[dyna(steps(day: String))]` on the enum lets queries take them:
/// `.day("mon")`, `.day_range("mon".."tue")`, `.day_starts_with("m")`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a collection",
    label = "this type does not derive `DynaCollection`"
)]
pub trait DynaCollection: View<Self> + 'static {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// Its members, and what they share.
    const META: &'static CollectionMeta;

    /// A condition on a field of one member as one on all of them, for [`Query::filter`](crate::Query::filter). All members have the field,
    /// with the same name, attribute and type; if one has not, the request fails before it is made.
    ///
    /// ```
    /// # use dyna_runtime::{DynaCollection, DynaEntity, DynaTable};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(DynaTable)]
    /// # #[dyna(name = "money", pk = "pk", sk = "sk", tag = "type")]
    /// # enum Money { User(User), Account(Account) }
    /// # #[derive(Debug, Serialize, Deserialize, DynaEntity)]
    /// # #[dyna(table = Money, pk = "USER#<id>", sk = "@PROFILE")]
    /// # struct User { id: String, closed: bool }
    /// # #[derive(Debug, Serialize, Deserialize, DynaEntity)]
    /// # #[dyna(table = Money, pk = "USER#<user>", sk = "ACCOUNT#<id>")]
    /// # struct Account { user: String, id: String, closed: bool }
    /// # #[derive(Debug, DynaCollection)]
    /// # enum Startup { Profile(User), Account(Account) }
    /// # async fn run(db: dyna_runtime::Table<Money>) -> dyna_runtime::Result<()> {
    /// let open = Startup::for_all(Account::CLOSED.eq(false));
    /// let items = Startup::query("ann").filter(open).all(&db).await?;
    /// # Ok(()) }
    /// ```
    fn for_all<M: Entity>(condition: Condition<M>) -> Condition<Self>
    where
        Self: HasMember<M>,
    {
        let is_shared = |attribute: &str| Self::META.is_shared(attribute, M::META);
        condition.of_others(is_shared, "a filter of a collection needs a field that every member has, with the same attribute name and type")
    }
}

/// A collection that `M` is a member of.
#[diagnostic::on_unimplemented(
    message = "`{M}` is not a member of `{Self}`",
    label = "a condition on a field of an entity that is no member"
)]
pub trait HasMember<M> {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}

/// A collection as it is declared with `#[derive(DynaCollection)]`.
#[derive(Debug)]
#[non_exhaustive]
pub struct CollectionMeta {
    /// The name of the enum.
    pub name: &'static str,
    /// The entities, in the order of the variants.
    pub members: &'static [&'static EntityMeta],
    /// The key of the table, or of the index, whose partition they share.
    pub index: &'static IndexSchema,
    /// The fields at the start of the sort key that all members write alike, and that queries take: `#[dyna(steps(..))]`.
    pub steps: &'static [&'static str],
}

impl CollectionMeta {
    /// A collection of these entities, which share a partition of this key.
    #[doc(hidden)]
    pub const fn new(
        name: &'static str,
        members: &'static [&'static EntityMeta],
        index: &'static IndexSchema,
        steps: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            members,
            index,
            steps,
        }
    }

    /// Whether all members store the same field in an attribute, or under this alias, as one of them.
    fn is_shared(&self, attribute: &str, of: &EntityMeta) -> bool {
        let Some(field) = FieldMeta::named(of.fields, attribute) else {
            return false;
        };
        self.members.iter().all(|member| {
            let other = FieldMeta::stored_in(member.fields, field.attribute);
            other.is_some_and(|other| field.is_stored_like(other))
        })
    }

    /// How many fields at the start of the sort key are the same literals in all members.
    pub(crate) const fn common_fields(&self) -> usize {
        let Some(first) = self.sort_key(0) else {
            return 0;
        };
        let mut at = 0;
        while at < first.fields.len() {
            let mut member = 1;
            while member < self.members.len() {
                match self.sort_key(member) {
                    Some(other) if same_literal(first, other, at) => {}
                    _ => return at,
                }
                member += 1;
            }
            if !matches!(first.fields[at].kind(), Kind::Lit(_)) {
                return at;
            }
            at += 1;
        }
        at
    }

    /// The template of the first attribute of a member's sort key.
    pub(crate) const fn sort_key(&self, member: usize) -> Option<&'static Template> {
        let meta = self.members[member];
        match meta.key_ref(self.index) {
            Some(key) => meta.templates(key).sk.first(),
            None => None,
        }
    }

    /// The common prefix of all sort keys, and the range that the members can have.
    pub(crate) fn condition(&self) -> (String, SortCondition) {
        (self.prefix(), self.span())
    }

    /// The fields that are the same literals in all sort keys.
    fn prefix(&self) -> String {
        if let (false, Some(key)) = (self.steps.is_empty(), self.sort_key(0)) {
            let mut prefix = String::new();
            key.literals_after(None, &mut prefix);
            return prefix;
        }
        let common = self.common_fields();
        let lengths = (0..self.members.len())
            .filter_map(|member| self.sort_key(member).map(|key| key.fields.len()));
        let least = lengths.min().unwrap_or_default();
        let mut prefix = String::new();
        let fields = self.sort_key(0).map_or(&[][..], |key| key.fields);
        for (n, field) in fields.iter().take(common).enumerate() {
            if let Kind::Lit(text) = field.kind() {
                prefix.push_str(text);
            }
            if n + 1 < common || least > common {
                prefix.extend(self.sort_key(0).map(|key| char::from(key.delimiter)));
            }
        }
        prefix
    }

    /// The sort keys that the members can have, as one condition.
    fn span(&self) -> SortCondition {
        self.spanned(Span::of)
    }

    /// The spans of all members, as one condition.
    pub(super) fn spanned(&self, span: impl Fn(&Template) -> Span) -> SortCondition {
        let is_text = |key: &KeyAttribute| key.kind == ScalarType::S;
        if !self.index.sk.first().is_some_and(is_text) {
            return SortCondition::All;
        }
        let spans = (0..self.members.len()).map(|member| self.sort_key(member).map(&span));
        let all = spans.reduce(|one, other| Some(one?.and(other?)));
        all.flatten()
            .map_or(SortCondition::All, Span::into_condition)
    }

    /// Whether items of others may meet the condition: of these entities, and of their unique values.
    pub(crate) fn may_meet(
        &self,
        condition: &SortCondition,
        listed: &[&'static EntityMeta],
    ) -> bool {
        let SortCondition::Between(low, high) = condition else {
            return true;
        };
        let is_member = |entity: &EntityMeta| {
            let mut members = self.members.iter();
            members.any(|member| member.id() == entity.id())
        };
        let is_inside = |template: &Template| {
            let span = Span::of(template);
            span.low <= *high && span.high() >= *low
        };
        let mut others = listed.iter().filter(|entity| !is_member(entity));
        let partition = self.members[0].key_ref(self.index);
        let partition = partition.map_or(&[][..], |key| self.members[0].templates(key).pk);
        let is_met = |entity: &&'static EntityMeta| match entity.key_ref(self.index) {
            Some(key) => {
                let keys = entity.templates(key);
                let mut both = partition.iter().zip(keys.pk);
                both.all(|(ours, theirs)| shape::intersect(ours, theirs))
                    && keys.sk.first().is_none_or(is_inside)
            }
            // It may have the attributes of the index all the same.
            None => true,
        };
        let has_sentinel = |entity: &&'static EntityMeta| {
            let mut unique = entity.managed.unique.iter();
            unique.any(|unique| is_inside(entity.managed.sort_key(unique)))
        };
        others.any(is_met) || self.index.name.is_empty() && listed.iter().any(has_sentinel)
    }
}

/// The sort keys that templates make: from what the least begins with to what the greatest begins with.
pub(super) struct Span {
    low: String,
    /// What the greatest begins with.
    last: String,
    /// Whether the greatest are longer than that.
    goes_on: bool,
}

impl Span {
    fn of(template: &Template) -> Self {
        let mut low = String::new();
        template.literals_after(None, &mut low);
        Self::new(low, template.parts().count() > 0)
    }

    /// All that begin with a text, or the text alone.
    pub(super) fn new(low: String, goes_on: bool) -> Self {
        Self {
            last: low.clone(),
            low,
            goes_on,
        }
    }

    /// Sorts after all of them, or is the last.
    fn high(&self) -> String {
        let end = self.goes_on.then_some(LAST);
        self.last.chars().chain(end).collect()
    }

    fn and(self, other: Self) -> Self {
        let (low, high) = (
            self.low.clone().min(other.low.clone()),
            self.high() >= other.high(),
        );
        Self {
            low,
            ..if high { self } else { other }
        }
    }

    fn into_condition(self) -> SortCondition {
        match (self.low == self.last, self.goes_on) {
            // Some begin with a field, which may be any text.
            _ if self.low.is_empty() || self.last.is_empty() => SortCondition::All,
            (true, false) => SortCondition::Equals(self.low),
            (true, true) => SortCondition::BeginsWith(self.low),
            (false, _) => {
                let high = self.high();
                SortCondition::Between(self.low, high)
            }
        }
    }
}

/// Whether both have this literal at a place. Keys with different delimiters have nothing in common behind it.
const fn same_literal(a: &Template, b: &Template, at: usize) -> bool {
    if at >= b.fields.len() || a.delimiter != b.delimiter {
        return false;
    }
    match (a.fields[at].kind(), b.fields[at].kind()) {
        (Kind::Lit(a), Kind::Lit(b)) => shape::same(a, b),
        _ => false,
    }
}

/// The entity, collection or table whose items are read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Owner {
    One(&'static EntityMeta),
    Members(&'static CollectionMeta),
    /// All entities of a table.
    Table(&'static [&'static EntityMeta]),
}

impl Owner {
    /// The entity, the collection, or the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::One(meta) => meta.name,
            Self::Members(meta) => meta.name,
            Self::Table(entities) => entities
                .first()
                .map_or("", |entity| entity.schema.type_name),
        }
    }

    /// The entities.
    pub(crate) fn entities(&self) -> &[&'static EntityMeta] {
        match self {
            Self::One(meta) => std::slice::from_ref(meta),
            Self::Members(meta) => meta.members,
            Self::Table(entities) => entities,
        }
    }
}
