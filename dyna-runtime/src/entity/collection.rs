//! Several entities of one partition, read together.

use crate::derived::Derived;
use crate::entity::EntityMeta;
use crate::entity::projection::View;
use crate::key::range::SortCondition;
use crate::schema::IndexSchema;
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
/// # assert_eq!(Startup::query("ann").explain().get("KeyConditionExpression"), Some("pk = :p"));
/// ```
///
/// The members are entities of one table whose partition keys have the same template, up to the names of the fields; this is proved when
/// the enum is compiled. A partition key with several fields is given as a tuple: `Team::query(("acme", 7))`. Items of other entities
/// in the partition are left out. With `#[dyna(index = gsi1)]` on the enum the partition is one of that index.
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
}

/// A collection as it is declared with `#[derive(DynaCollection)]`.
#[derive(Debug)]
pub struct CollectionMeta {
    /// The name of the enum.
    pub name: &'static str,
    /// The entities, in the order of the variants.
    pub members: &'static [&'static EntityMeta],
    /// The key of the table, or of the index, whose partition they share.
    pub index: &'static IndexSchema,
}

impl CollectionMeta {
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
    const fn sort_key(&self, member: usize) -> Option<&'static Template> {
        let meta = self.members[member];
        match space_of(meta, self.index) {
            Some(space) => meta.keys_of(space).sk.first(),
            None => None,
        }
    }

    /// What all sort keys begin with, and whether they are that.
    pub(crate) fn condition(&self) -> (String, SortCondition) {
        let common = self.common_fields();
        let lengths = (0..self.members.len())
            .filter_map(|member| self.sort_key(member).map(|key| key.fields.len()));
        let (least, most) = lengths.fold((usize::MAX, 0), |(least, most), length| {
            (least.min(length), most.max(length))
        });
        let Some(key) = self.sort_key(0).filter(|_| common > 0) else {
            return (String::new(), SortCondition::All);
        };
        let mut prefix = String::new();
        for (n, field) in key.fields.iter().take(common).enumerate() {
            if let Kind::Lit(text) = field.kind() {
                prefix.push_str(text);
            }
            if n + 1 < common || least > common {
                prefix.push(char::from(key.delimiter));
            }
        }
        let condition = if most == common {
            SortCondition::Equals(prefix.clone())
        } else {
            SortCondition::BeginsWith(prefix.clone())
        };
        (prefix, condition)
    }
}

const fn same_literal(a: &Template, b: &Template, at: usize) -> bool {
    if at >= b.fields.len() {
        return false;
    }
    match (a.fields[at].kind(), b.fields[at].kind()) {
        (Kind::Lit(a), Kind::Lit(b)) => shape::same(a, b),
        _ => false,
    }
}

/// Which key of an entity is the one of this table or index.
pub(crate) const fn space_of(meta: &'static EntityMeta, index: &IndexSchema) -> Option<usize> {
    let mut space = 0;
    while space <= meta.indexes.len() {
        if shape::same(meta.schema_of(space).name, index.name) {
            return Some(space);
        }
        space += 1;
    }
    None
}

/// Whose items are read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Own {
    One(&'static EntityMeta),
    Members(&'static CollectionMeta),
    /// All entities of a table.
    Table(&'static [&'static EntityMeta]),
}

impl Own {
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
