//! What is written out: the tables, their entities, and items to show.

use crate::pattern::AccessPattern;
use crate::sample::{self, Sample};
use dyna_runtime::DynaTable;
use dyna_runtime::EntityMeta;
use dyna_runtime::Result;
use dyna_runtime::schema::{Schema, TableSchema};

/// A table with what is shown of it.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) schema: &'static TableSchema,
    pub(crate) entities: &'static [&'static EntityMeta],
    /// The name, with the variables that have a value put in.
    pub(crate) name: String,
    pub(crate) samples: Vec<Sample>,
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
    pub(crate) fn samples_of(&self, entity: &EntityMeta) -> impl Iterator<Item = &Sample> {
        let samples = self.samples.iter();
        samples.filter(move |sample| sample.entity.name == entity.name)
    }

    pub(crate) fn patterns(&self) -> Vec<AccessPattern> {
        let entities = self.entities.iter();
        entities
            .flat_map(|entity| AccessPattern::of(entity))
            .collect()
    }
}

/// The tables that are written out, with items to show.
///
/// ```
/// use dyna_cli::{Catalog, Form};
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
    pub(crate) entries: Vec<Entry>,
}

impl Catalog {
    /// A table, with items that are made up from its templates.
    pub fn of<T: DynaTable>() -> Self {
        Self {
            entries: vec![Entry::of::<T>()],
        }
    }

    /// Adds another table.
    pub fn table<T: DynaTable>(mut self) -> Self {
        self.entries.push(Entry::of::<T>());
        self
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
    pub(crate) fn variables(&self) -> Vec<&str> {
        let mut variables = Vec::new();
        for entry in &self.entries {
            for piece in crate::identifier::pieces(&entry.name) {
                if let crate::identifier::Piece::Variable(name) = piece
                    && !variables.contains(&name)
                {
                    variables.push(name);
                }
            }
        }
        variables
    }
}
