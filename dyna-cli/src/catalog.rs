//! The tables that are described, with items to show.

use crate::identifier::{Piece, pieces};
use crate::pattern::AccessPattern;
use crate::sample::{self, Sample};
use dyna_runtime::entity::EntityMeta;
use dyna_runtime::schema::{Schema, TableSchema};
use dyna_runtime::{DynaTable, Result};
use std::any::TypeId;

/// A table, its entities and items to show.
#[derive(Debug, Clone)]
pub(crate) struct CatalogTable {
    /// The type that lists the entities.
    lists: TypeId,
    pub(crate) schema: &'static TableSchema,
    pub(crate) entities: &'static [&'static EntityMeta],
    /// The name, with the variables that have a value put in.
    pub(crate) name: String,
    pub(crate) samples: Vec<Sample>,
}

impl CatalogTable {
    fn from_type<T: DynaTable>() -> Self {
        let schema = <T::Schema as Schema>::SCHEMA;
        Self {
            lists: TypeId::of::<T>(),
            schema,
            entities: T::ENTITIES,
            name: schema.name.to_owned(),
            samples: T::ENTITIES
                .iter()
                .flat_map(|entity| sample::made_up(entity))
                .collect(),
        }
    }

    /// Gives a variable of its name a value, if it has that variable.
    fn set(&mut self, variable: &str, value: &str) {
        self.name = self.name.replace(&format!("{{{variable}}}"), value);
    }

    /// The samples of an entity.
    pub(crate) fn samples_of(&self, entity: &EntityMeta) -> impl Iterator<Item = &Sample> {
        let samples = self.samples.iter();
        samples.filter(move |sample| sample.entity.name == entity.name)
    }

    pub(crate) fn patterns(&self) -> Vec<AccessPattern> {
        let entities = self.entities.iter();
        entities
            .flat_map(|entity| AccessPattern::for_entity(entity))
            .collect()
    }
}

/// Tables, with sample items, that print in every [`Format`](crate::Format).
///
/// ```
/// use dyna_cli::{Catalog, Format};
/// # use dyna_runtime::{DynaEntity, DynaTable};
/// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
/// # #[dyna(table(name = "users-{stage}", pk = "pk"), pk = "USER#<id>")]
/// # struct User { id: String }
///
/// # fn main() -> dyna_runtime::Result<()> {
/// let catalog = Catalog::of::<User>()
///     .with_variable("stage", "prod")
///     .samples([User { id: "ann".into() }])?;
/// assert!(catalog.to_text(Format::Markdown).contains("USER#ann"));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Catalog {
    pub(crate) tables: Vec<CatalogTable>,
    /// The variables that have a value.
    values: Vec<(String, String)>,
}

impl Catalog {
    /// A table, with items that are made up from its templates.
    pub fn of<T: DynaTable>() -> Self {
        Self {
            tables: vec![CatalogTable::from_type::<T>()],
            values: Vec::new(),
        }
    }

    /// Adds another table, with items that are made up from its templates. A table that is there already stays as it is.
    pub fn table<T: DynaTable>(mut self) -> Self {
        let mut tables = self.tables.iter();
        if tables.all(|table| table.lists != TypeId::of::<T>()) {
            let mut table = CatalogTable::from_type::<T>();
            for (variable, value) in &self.values {
                table.set(variable, value);
            }
            self.tables.push(table);
        }
        self
    }

    /// Gives a variable its value in the name of each table that has it, also of those that are added later.
    pub fn with_variable(mut self, variable: &str, value: &str) -> Self {
        for table in &mut self.tables {
            table.set(variable, value);
        }
        self.values.push((variable.to_owned(), value.to_owned()));
        self
    }

    /// Shows these items in the place of those that are made up for their entities. Adds their table if it is not there yet.
    pub fn samples<T: DynaTable>(mut self, items: impl IntoIterator<Item = T>) -> Result<Self> {
        let mut given = Vec::new();
        for item in items {
            let item = item.to_item()?;
            given.push(Sample::given(T::entity_of(&item)?, item));
        }
        let schema = <T::Schema as Schema>::SCHEMA;
        let is_same = |table: &CatalogTable| table.schema.name == schema.name;
        if !self.tables.iter().any(is_same) {
            self = self.table::<T>();
        }
        for table in self.tables.iter_mut().filter(|table| is_same(table)) {
            let is_given = |made: &Sample| given.iter().any(|s| s.entity.name == made.entity.name);
            table.samples.retain(|made| !is_given(made));
            table.samples.extend(given.iter().cloned());
        }
        Ok(self)
    }

    /// The requests by key that the derives have made functions for.
    pub fn access_patterns(&self) -> Vec<AccessPattern> {
        self.tables
            .iter()
            .flat_map(CatalogTable::patterns)
            .collect()
    }

    /// The variables of all names that have no value yet.
    pub(crate) fn variables(&self) -> Vec<&str> {
        let mut variables = Vec::new();
        for table in &self.tables {
            for piece in pieces(&table.name) {
                if let Piece::Variable(name) = piece
                    && !variables.contains(&name)
                {
                    variables.push(name);
                }
            }
        }
        variables
    }
}

#[cfg(test)]
mod tests {
    use super::Catalog;
    use crate::Format;
    use dyna_runtime::{DynaEntity, DynaTable};
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
    #[dyna(table(name = "users", pk = "pk"), pk = "USER#<id>")]
    struct User {
        id: String,
    }

    #[derive(Serialize, Deserialize, DynaEntity, DynaTable)]
    #[dyna(table(name = "rooms-{stage}", pk = "pk"), pk = "ROOM#<no>")]
    struct Room {
        no: u32,
    }

    fn ann() -> [User; 1] {
        [User {
            id: "ann".to_owned(),
        }]
    }

    #[test]
    fn samples_are_shown_before_and_after_their_table_is_added() {
        let before = Catalog::of::<Room>().samples(ann()).unwrap();
        let before = before.table::<User>().to_text(Format::Html);
        let after = Catalog::of::<Room>().table::<User>().samples(ann());
        assert_eq!(before, after.unwrap().to_text(Format::Html));
        assert!(before.contains("USER#ann") && !before.contains("USER#id1"));
    }

    #[test]
    fn a_variable_has_its_value_in_the_name_of_a_table_that_is_added_later() {
        let catalog = Catalog::of::<User>().with_variable("stage", "prod");
        let text = catalog.table::<Room>().to_text(Format::Terraform);
        assert!(text.contains("\"rooms-prod\""), "{text}");
    }

    #[test]
    fn a_table_that_is_added_twice_is_there_once() {
        let twice = Catalog::of::<User>().table::<Room>().table::<User>();
        let once = Catalog::of::<User>().table::<Room>();
        assert_eq!(
            twice.to_text(Format::Terraform),
            once.to_text(Format::Terraform)
        );
    }
}
