//! Views of an entity: the entity itself, or a projection of some fields.

use crate::codec::Item;
use crate::codec::json::{ItemSource, Overlay, Visible};
use crate::derived::Derived;
use crate::entity::{Entity, FieldMeta, KeyFunctions};
use crate::error::{Error, Result};
use crate::expr::Rendered;
use crate::schema::AttributeName;
use crate::schema::{AllAttributes, IndexSchema, KeyAttribute, Projection, SomeAttributes};
use crate::shape;
use serde::de::DeserializeOwned;

/// Some fields of an entity, or of a struct inside of one. Derived, never written by hand.
///
/// A projection has fields of its entity under the same names, with the same types, and reads only those:
///
/// ```
/// use dyna_runtime::{DynaEntity, DynaFields, DynaProjection, DynaTable};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
/// #[dyna(table(name = "users", pk = "pk", sk = "sk"), pk = "ORG#<org>", sk = "USER#<id>")]
/// struct User {
///     org: String,
///     #[dyna(key_only)]
///     id: String,
///     name: String,
///     data: UserData,
/// }
///
/// #[derive(Serialize, Deserialize, DynaFields)]
/// struct UserData {
///     plan: String,
///     history: Vec<String>,
/// }
///
/// #[derive(Deserialize, DynaProjection)]
/// #[dyna(of = User)]
/// struct Billing {
///     id: String,
///     name: String,
///     #[dyna(nested)]
///     data: PlanOf,
/// }
///
/// #[derive(Deserialize, DynaProjection)]
/// #[dyna(of = UserData)]
/// struct PlanOf {
///     plan: String,
/// }
///
/// // `id` is in the key alone, so the key is read; of `data`, only the plan is.
/// let get = User::get("acme", "ann").project::<Billing>();
/// assert_eq!(get.explain().get("ProjectionExpression"), Some("#name, #data.#plan, pk, sk"));
/// ```
///
/// An index that holds only some attributes yields no whole entities, but the projections that name it: `#[dyna(of = User, index =
/// by_plan)]` proves that all fields of the projection are in the index. `#[serde(..)]` of a projection gives its fields the
/// attributes that the entity has them in, which is checked; a field that the entity stores `with` a function is read `with` it here too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection",
    label = "this type does not derive `DynaProjection`"
)]
pub trait DynaProjection {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The fields that it reads.
    const SELECTION: &'static ProjectionMeta;
}

impl<P: DynaProjection> DynaProjection for Option<P> {
    const ONLY_BY_DERIVE: Derived = Derived;
    const SELECTION: &'static ProjectionMeta = P::SELECTION;
}

/// A type that serde deserializes.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read: a projection is read through serde",
    label = "derive `serde::Deserialize` on it"
)]
pub trait Readable: DeserializeOwned {}
impl<T: DeserializeOwned> Readable for T {}

/// A result type of reads of an `E`: `E` itself, or a projection of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection of `{E}`",
    label = "not a projection of `{E}`",
    note = "a projection says what it is of: `#[derive(DynaProjection)] #[dyna(of = {E})]`"
)]
pub trait View<E>: Sized + 'static {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The fields that it reads; `None` for all.
    #[doc(hidden)]
    const SELECTION: Option<&'static ProjectionMeta> = None;

    /// The value of an item that was found.
    #[doc(hidden)]
    fn read(item: ItemSource<'_, '_>) -> Result<Self>;
}

impl<E: Entity> View<E> for E {
    const ONLY_BY_DERIVE: Derived = Derived;

    fn read(item: ItemSource<'_, '_>) -> Result<Self> {
        crate::entity::read(item)
    }
}

impl<S, P: View<S>> View<Option<S>> for Option<P> {
    const ONLY_BY_DERIVE: Derived = Derived;

    fn read(item: ItemSource<'_, '_>) -> Result<Self> {
        P::read(item).map(Some)
    }
}

/// A struct whose fields are known: an entity, or a nested struct that derives `DynaFields`.
#[diagnostic::on_unimplemented(
    message = "the fields of `{Self}` are not known",
    label = "neither an entity nor a nested struct",
    note = "derive `DynaEntity` or `DynaFields` on it"
)]
pub trait DynaFields {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The name of the struct.
    const NAME: &'static str;
    /// The fields that have an attribute of their own, or are stored in the key.
    const FIELDS: &'static [FieldMeta];

    /// The fields that are stored in the key alone.
    #[doc(hidden)]
    fn key_only(_: &ItemSource<'_, '_>) -> Result<Item> {
        Ok(Item::new())
    }
}

impl<E: Entity> DynaFields for E {
    const ONLY_BY_DERIVE: Derived = Derived;
    const NAME: &'static str = E::META.name;
    const FIELDS: &'static [FieldMeta] = E::META.fields;

    fn key_only(item: &ItemSource<'_, '_>) -> Result<Item> {
        crate::entity::key_only(KeyFunctions::of::<E>(), item)
    }
}

/// The fields of a struct, for projections of it. An enum has a function of its own that goes before this one: it shows the fields that all
/// variants have.
#[doc(hidden)]
pub trait OwnFields {
    fn __fields(&self) -> &Self {
        self
    }
}

impl<T> OwnFields for T {}

/// The fields that a projection reads.
#[derive(Debug)]
pub struct ProjectionMeta {
    /// The name of the struct.
    pub name: &'static str,
    /// The fields.
    pub fields: &'static [ProjectedField],
    /// Whether it denies attributes that are none of its fields.
    pub reads_unknown: bool,
}

/// A field that a projection reads.
#[derive(Debug, Clone, Copy)]
pub struct ProjectedField {
    /// Its name in Rust.
    pub name: &'static str,
    /// The attribute it is stored in.
    pub attribute: &'static str,
    /// How expressions name the attribute.
    pub expr: &'static str,
    /// The fields that are read of a nested struct; empty for all.
    pub within: &'static [Self],
    /// The function that reads it, if it is not its type's own: the end of its path.
    pub with: &'static str,
    /// Other attributes in which it may be stored: those of `#[serde(alias = "..")]`.
    pub aliases: &'static [AttributeName],
    /// Whether it is an `Option` that serde asks for although it may not be stored.
    pub asked: bool,
}

impl ProjectedField {
    /// A field that is read as it is.
    #[doc(hidden)]
    pub const fn new(name: &'static str, attribute: &'static str, expr: &'static str) -> Self {
        Self {
            name,
            attribute,
            expr,
            within: &[],
            with: "",
            aliases: &[],
            asked: false,
        }
    }

    /// The same, read by a function of its own.
    #[doc(hidden)]
    #[must_use]
    pub const fn with(self, with: &'static str) -> Self {
        Self { with, ..self }
    }

    /// A nested struct of which a part is read.
    #[doc(hidden)]
    #[must_use]
    pub const fn nested(self, selection: &'static ProjectionMeta) -> Self {
        Self {
            within: selection.fields,
            ..self
        }
    }

    /// The same, but it may also be stored in these attributes.
    #[doc(hidden)]
    #[must_use]
    pub const fn aliases(self, aliases: &'static [AttributeName]) -> Self {
        Self { aliases, ..self }
    }

    /// The same, but serde asks for it although it may not be stored.
    #[doc(hidden)]
    #[must_use]
    pub const fn asked(self) -> Self {
        Self {
            asked: true,
            ..self
        }
    }

    fn stored(&self) -> AttributeName {
        AttributeName::new(self.attribute, self.expr).aliases(self.aliases)
    }
}

impl ProjectionMeta {
    /// The projection expression: the fields, and `keys` that are none of them. The fields of `entity` that are stored in the key
    /// alone are no attributes.
    pub(crate) fn render(
        &self,
        entity: &[FieldMeta],
        keys: impl Iterator<Item = &'static KeyAttribute>,
    ) -> Rendered {
        let mut out = Rendered::default();
        let stored = |field: &&ProjectedField| !FieldMeta::is_key_only(entity, field.attribute);
        for field in self.fields.iter().filter(stored) {
            render_field(field, &mut Vec::new(), &mut out);
        }
        let own = |name| self.fields.iter().any(|field| field.attribute == name);
        render_keys(keys.filter(|key| !own(key.name)), &mut out);
        out
    }

    /// Whether it has the field of an attribute.
    pub(crate) fn has(&self, attribute: &str) -> bool {
        self.fields.iter().any(|field| field.attribute == attribute)
    }

    /// Whether a field of it is stored in the key alone, so that the key is read too.
    pub(crate) fn needs_key(&self, entity: &[FieldMeta]) -> bool {
        let mut fields = self.fields.iter();
        fields.any(|field| FieldMeta::is_key_only(entity, field.attribute))
    }
}

/// A projection expression of attributes of keys, each once.
pub(crate) fn render_keys(keys: impl Iterator<Item = &'static KeyAttribute>, out: &mut Rendered) {
    let mut seen: Vec<&str> = Vec::new();
    for key in keys {
        if seen.contains(&key.name) {
            continue;
        }
        seen.push(key.name);
        if !out.expression.is_empty() {
            out.push(", ");
        }
        out.name(key.into());
    }
}

/// A path for each field that is read as it is, under each name that it may have.
fn render_field(field: &ProjectedField, above: &mut Vec<AttributeName>, out: &mut Rendered) {
    for name in field.stored().all() {
        above.push(name);
        for inner in field.within {
            render_field(inner, above, out);
        }
        if field.within.is_empty() {
            let mut separator = if out.expression.is_empty() { "" } else { ", " };
            for name in above.iter() {
                out.push(separator);
                out.name(*name);
                separator = ".";
            }
        }
        above.pop();
    }
}

/// The projection of an item of `E`.
#[doc(hidden)]
pub fn project<E: DynaFields, P: DynaProjection + Readable>(item: ItemSource<'_, '_>) -> Result<P> {
    if item.checks_keys() {
        let projection = P::SELECTION.name;
        return Err(Error::ProjectionUnchecked { projection });
    }
    let overlay = overlay(P::SELECTION, E::FIELDS, E::key_only, &item)?;
    item.read_with(overlay).map_err(|source| Error::Decode {
        entity: P::SELECTION.name,
        key: None,
        source,
    })
}

/// How the attributes of a projection differ from those that are stored.
fn overlay(
    selection: &'static ProjectionMeta,
    entity: &[FieldMeta],
    key_only: fn(&ItemSource<'_, '_>) -> Result<Item>,
    item: &ItemSource<'_, '_>,
) -> Result<Overlay> {
    let fields = selection.fields.iter();
    let (restored, stored): (Vec<&ProjectedField>, Vec<_>) =
        fields.partition(|field| FieldMeta::is_key_only(entity, field.attribute));
    let asked = stored.iter().filter(|field| field.asked);
    let asked = asked.map(|field| field.stored().names()).collect();
    let names = |fields: Vec<&'static ProjectedField>| {
        let names = fields.into_iter().flat_map(|field| field.stored().names());
        names.collect::<Vec<_>>()
    };
    let (restored, stored) = (names(restored), names(stored));
    let mut added = Item::new();
    if !restored.is_empty() {
        added = key_only(item)?;
        added.retain(|name, _| restored.contains(&name.as_str()));
    }
    Ok(Overlay {
        added,
        asked,
        visible: if selection.reads_unknown {
            Visible::Only(stored)
        } else {
            Visible::AllBut(restored)
        },
    })
}

/// A type that is `T`: what the field of a projection is compared with.
#[diagnostic::on_unimplemented(
    message = "type mismatch: the field is a `{Self}` in the entity and a `{T}` in the projection",
    label = "another type than the entity's field",
    note = "for a part of a nested struct, mark the field `#[dyna(nested)]` and give it a projection of that struct"
)]
pub trait Is<T> {
    /// Only this crate implements it.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}
impl<T> Is<T> for T {
    const ONLY_BY_DERIVE: Derived = Derived;
}

/// Fails to compile unless the field has this type.
#[doc(hidden)]
pub const fn same<T, F: Is<T>>(_: &F) {}

/// The other way round, so that the type of the field is found first.
pub trait NarrowedBy<P> {}
impl<F, P: View<F>> NarrowedBy<P> for F {}

/// Fails to compile unless `P` is a projection of the field's type.
#[doc(hidden)]
pub const fn narrowed<P, F: NarrowedBy<P>>(_: &F) {}

/// A type whose attributes are all in the index `K`, which holds only some: proved by the derive that implements it.
#[diagnostic::on_unimplemented(
    message = "this index holds only some of the attributes, and `{Self}` may need others",
    label = "`{Self}` is not read through this index",
    note = "read whole entities with `.hydrate()`, which fetches them by their keys",
    note = "or read a projection that names the index: `#[derive(DynaProjection)] #[dyna(of = .., index = ..)]`"
)]
pub trait CoveredBy<K> {
    /// Only derives implement this trait.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}

/// An index that yields `V`: any if it holds whole items, otherwise what fits.
pub trait CanYield<V, K> {
    /// Only this crate implements it.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;
}
impl<V, K> CanYield<V, K> for AllAttributes {
    const ONLY_BY_DERIVE: Derived = Derived;
}
impl<V: CoveredBy<K>, K> CanYield<V, K> for SomeAttributes {
    const ONLY_BY_DERIVE: Derived = Derived;
}

impl IndexSchema {
    /// Whether reads through it yield this attribute of the table with this key.
    pub(crate) const fn holds(&self, table: &Self, attribute: &str) -> bool {
        let included = match self.projection {
            Projection::All => return true,
            Projection::KeysOnly => &[],
            Projection::Include(attributes) => attributes,
        };
        let mut at = 0;
        while at < included.len() {
            if shape::same(included[at], attribute) {
                return true;
            }
            at += 1;
        }
        self.has_key(attribute) || table.has_key(attribute)
    }

    pub(crate) const fn has_key(&self, attribute: &str) -> bool {
        let mut at = 0;
        while at < self.pk.len() + self.sk.len() {
            let key = if at < self.pk.len() {
                &self.pk[at]
            } else {
                &self.sk[at - self.pk.len()]
            };
            if shape::same(key.name, attribute) {
                return true;
            }
            at += 1;
        }
        false
    }
}
