//! What is written out: the tables, their entities, and items to show.

use super::pattern::AccessPattern;
use super::sample::{self, Sample};
use crate::entity::EntityMeta;
use crate::error::Result;
use crate::schema::{Schema, TableSchema};
use crate::table::DynaTable;

/// One table, or several as a tuple: what [`Catalog::of`] and [`main`](super::main) take.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table",
    label = "this type does not derive `DynaTable`",
    note = "several tables are a tuple: `(Shop, Stock)`"
)]
pub trait Tables {
    /// Each table.
    #[doc(hidden)]
    fn entries() -> Vec<Entry>;
}

impl<T: DynaTable> Tables for T {
    fn entries() -> Vec<Entry> {
        vec![Entry::of::<T>()]
    }
}

macro_rules! tuples {
    ($($table:ident)*) => {
        impl<$($table: DynaTable),*> Tables for ($($table,)*) {
            fn entries() -> Vec<Entry> {
                vec![$(Entry::of::<$table>()),*]
            }
        }
    };
}
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);
tuples!(A B C D E F G H I J K);
tuples!(A B C D E F G H I J K L);

/// A table with what is shown of it.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Entry {
    pub(super) schema: &'static TableSchema,
    pub(super) entities: &'static [&'static EntityMeta],
    /// The name, with the variables that have a value put in.
    pub(super) name: String,
    pub(super) samples: Vec<Sample>,
}

impl Entry {
    fn of<T: DynaTable>() -> Self {
        let schema = <T::Schema as Schema>::SCHEMA;
        Self {
            schema,
            entities: T::ENTITIES,
            name: schema.name.to_owned(),
            samples: T::ENTITIES
                .iter()
                .flat_map(|entity| sample::of(entity))
                .collect(),
        }
    }

    /// The samples of an entity.
    pub(super) fn samples_of(&self, entity: &EntityMeta) -> impl Iterator<Item = &Sample> {
        let samples = self.samples.iter();
        samples.filter(move |sample| sample.entity.name == entity.name)
    }

    pub(super) fn patterns(&self) -> Vec<AccessPattern> {
        let entities = self.entities.iter();
        entities
            .flat_map(|entity| AccessPattern::of(entity))
            .collect()
    }
}

/// The tables that are written out, with items to show.
///
/// ```
/// use dyna_runtime::schema::{Catalog, Form};
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users-{stage}", pk = "pk"), pk = "USER#<id>")]
/// # struct User { id: String }
///
/// # fn main() -> dyna_runtime::Result<()> {
/// let catalog = Catalog::of::<User>()
///     .with("stage", "prod")
///     .samples([User { id: "ann".into() }])?;
/// assert!(catalog.to_text(Form::Markdown).contains("USER#ann"));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Catalog {
    pub(super) entries: Vec<Entry>,
}

impl Catalog {
    /// These tables, with items that are made up from their templates.
    pub fn of<T: Tables>() -> Self {
        Self {
            entries: T::entries(),
        }
    }

    /// Gives a variable its value in the name of each table that has it.
    pub fn with(mut self, variable: &str, value: &str) -> Self {
        for entry in &mut self.entries {
            entry.name = entry.name.replace(&format!("{{{variable}}}"), value);
        }
        self
    }

    /// Shows these items in the place of those that are made up for their entities.
    pub fn samples<T: DynaTable>(mut self, items: impl IntoIterator<Item = T>) -> Result<Self> {
        let mut given = Vec::new();
        for item in items {
            let item = item.to_item()?;
            given.push(Sample::given(T::entity_of(&item)?, item));
        }
        let schema = <T::Schema as Schema>::SCHEMA;
        let same = |entry: &&mut Entry| entry.schema.name == schema.name;
        for entry in self.entries.iter_mut().filter(same) {
            let is_given = |made: &Sample| given.iter().any(|s| s.entity.name == made.entity.name);
            entry.samples.retain(|made| !is_given(made));
            entry.samples.extend(given.iter().cloned());
        }
        Ok(self)
    }

    /// What can be asked of the tables by key, as the derives have made it.
    pub fn access_patterns(&self) -> Vec<AccessPattern> {
        self.entries.iter().flat_map(Entry::patterns).collect()
    }

    /// The variables of all names that have no value yet.
    pub(super) fn variables(&self) -> Vec<&str> {
        let mut variables = Vec::new();
        for entry in &self.entries {
            for piece in super::names::pieces(&entry.name) {
                if let super::names::Piece::Variable(name) = piece
                    && !variables.contains(&name)
                {
                    variables.push(name);
                }
            }
        }
        variables
    }
}
