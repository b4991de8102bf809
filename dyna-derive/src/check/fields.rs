//! The fields of a struct, with what serde says of them.

use super::managed::{managed, sentinel};
use super::types::is_option;
use crate::attr::{FieldAttr, SerdeAttr, Skip};
use crate::docs;
use crate::error::Errors;
use crate::model::{Field, FlatField, Flattened, Form, WhenAbsent};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, ExprPath, Fields, FieldsNamed, Ident};

/// A field as it is written, with what serde says of it.
pub(super) struct RawField {
    pub(super) field: Field,
    pub(super) key_only: Option<Ident>,
    pub(super) skip: Option<Skip>,
    pub(super) skip_if: Option<ExprPath>,
    pub(super) flatten: bool,
    pub(super) aliases: Vec<String>,
    pub(super) with: Option<Ident>,
}

impl RawField {
    /// Whether it has an attribute of its own.
    pub(super) fn is_stored(&self) -> bool {
        self.skip.is_none() && !self.flatten
    }

    /// The field, if it has an attribute of its own.
    pub(super) fn stored(self) -> Option<Field> {
        self.is_stored().then_some(self.field)
    }

    /// The field, if conditions and updates can name it.
    pub(super) fn constant(&self) -> Option<&Field> {
        (self.is_stored() && self.key_only.is_none()).then_some(&self.field)
    }
}

/// What the entity flattens, and the names that this may not write besides those of stored fields.
pub(super) fn flattened<'f>(fields: impl Iterator<Item = &'f RawField>) -> Flattened {
    let (flat, named): (Vec<_>, Vec<_>) = fields.partition(|raw| raw.flatten);
    if flat.is_empty() {
        return Flattened::default();
    }
    let attribute = |raw: &&RawField| raw.field.attribute.clone();
    let unread = named.iter().filter(|raw| raw.skip == Some(Skip::Reading));
    let unwritten = named.iter().filter(|raw| raw.skip == Some(Skip::Writing));
    let write_only: Vec<_> = unread.map(attribute).collect();
    let declared = unwritten
        .map(attribute)
        .chain(write_only.iter().cloned())
        .chain(named.iter().flat_map(|raw| raw.aliases.iter().cloned()))
        .collect();
    let written = flat
        .iter()
        .filter(|raw| matches!(raw.skip, None | Some(Skip::Reading)));
    let fields = written.map(|raw| FlatField {
        ident: raw.field.ident.clone(),
        ty: raw.field.ty.clone(),
        serialize: raw.field.serialize.clone(),
        is_read: raw.field.deserialize.is_none() && raw.skip.is_none(),
    });
    let skipped = named.iter().filter(|raw| raw.skip.is_none());
    let skipped = skipped.filter_map(|raw| Some((raw.field.ident.clone(), raw.skip_if.clone()?)));
    Flattened {
        fields: fields.collect(),
        declared,
        write_only,
        skipped: skipped.collect(),
    }
}

/// The field with what its attributes say: `dyna` is the one of ours.
pub(super) fn raw_field(
    field: &syn::Field,
    container: &SerdeAttr,
    dyna: FieldAttr,
    errors: &mut Errors,
) -> Option<RawField> {
    let ident = field.ident.clone()?;
    let serde = SerdeAttr::parse(&field.attrs, errors);
    let name = ident.unraw().to_string();
    let attribute = serde.rename.unwrap_or_else(|| {
        container
            .rename_all
            .map_or_else(|| name.clone(), |case| case.field(&name))
    });
    // Without a function of its own, an `Option` that is not there is `None` to serde.
    let is_read = serde.deserialize.is_some() && serde.default.is_none();
    let asked = is_read && container.default.is_none() && is_option(&field.ty);
    let has_default = serde.default_by_function || container.default.is_some();
    let when_absent = match () {
        () if asked => WhenAbsent::Asked,
        () if has_default => WhenAbsent::Defaulted,
        () => WhenAbsent::Nothing,
    };
    // Serde takes an alias that is the name itself, and one that is given twice.
    let mut aliases = serde.aliases.clone();
    aliases.sort();
    aliases.dedup();
    aliases.retain(|alias| *alias != attribute);
    Some(RawField {
        field: Field {
            ident,
            vis: field.vis.clone(),
            ty: field.ty.clone(),
            attribute,
            aliases,
            stores_null: dyna.flag("nulls").is_some(),
            key_only: dyna.flag("key_only").is_some(),
            managed: managed(&dyna, errors),
            sentinel: dyna
                .sentinel
                .as_ref()
                .and_then(|attr| sentinel(attr, &name, errors)),
            comment: docs::comment(&field.attrs),
            form: Form::of(serde.serialize.as_ref(), serde.module),
            serialize: serde.serialize,
            deserialize: serde.deserialize,
            when_absent,
        },
        key_only: dyna.flag("key_only").cloned(),
        skip: serde.skip,
        skip_if: serde.skip_if,
        flatten: serde.flatten,
        aliases: serde.aliases,
        with: serde.with,
    })
}

/// Each stored field has an attribute of its own, under each of its names.
pub(super) fn check_attributes<'f>(
    fields: impl Iterator<Item = &'f RawField>,
    errors: &mut Errors,
) {
    let stored: Vec<_> = fields.filter(|raw| raw.is_stored()).collect();
    for (at, raw) in stored.iter().enumerate() {
        let Field {
            ident, attribute, ..
        } = &raw.field;
        if attribute.is_empty() {
            errors.help(
                ident,
                format_args!("`{ident}` is stored in an attribute without a name"),
                "give it one: `#[serde(rename = \"..\")]`",
            );
        }
        if let Some(other) = stored[..at]
            .iter()
            .find(|other| other.field.attribute == *attribute)
        {
            errors.at(
                ident,
                format_args!(
                    "`{}` and `{ident}` are both stored as `{attribute}`",
                    other.field.ident
                ),
            );
        }
        let others = stored.iter().filter(|other| other.field.ident != *ident);
        for alias in &raw.field.aliases {
            let mut others = others.clone();
            let is_same = |other: &&&RawField| {
                let Field {
                    attribute, aliases, ..
                } = &other.field;
                attribute == alias || aliases.contains(alias)
            };
            if let Some(other) = others.find(is_same) {
                errors.at(
                    ident,
                    format_args!(
                        "the alias `{alias}` of `{ident}` is a name of `{}` too",
                        other.field.ident
                    ),
                );
            }
        }
    }
}

/// The fields of a struct with named ones.
pub(super) fn named_fields(input: &DeriveInput) -> Option<&FieldsNamed> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Some(fields),
            Fields::Unnamed(_) | Fields::Unit => None,
        },
        Data::Enum(_) | Data::Union(_) => None,
    }
}
