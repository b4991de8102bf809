//! The formats by name, and the catalog in each of them.

use super::{cloudformation, html, markdown, mermaid, shell, terraform, workbench};
use crate::catalog::Catalog;
use std::fmt;

/// A format of the schema as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A CloudFormation template in YAML.
    CloudFormation,
    /// A CloudFormation template in JSON, which CDK includes too.
    CloudFormationJson,
    /// Terraform resources.
    Terraform,
    /// A shell script of AWS CLI calls.
    Shell,
    /// A data model of NoSQL Workbench, with sample items.
    Workbench,
    /// A reference in Markdown.
    Markdown,
    /// An entity-relationship diagram for Mermaid.
    Mermaid,
    /// One page for the browser, which loads nothing from elsewhere.
    Html,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::CloudFormation,
        Self::CloudFormationJson,
        Self::Terraform,
        Self::Shell,
        Self::Workbench,
        Self::Markdown,
        Self::Mermaid,
        Self::Html,
    ];

    /// Its command: `cloudformation`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CloudFormation => "cloudformation",
            Self::CloudFormationJson => "cloudformation-json",
            Self::Terraform => "terraform",
            Self::Shell => "shell",
            Self::Workbench => "workbench",
            Self::Markdown => "markdown",
            Self::Mermaid => "mermaid",
            Self::Html => "html",
        }
    }

    /// Its line in the help.
    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::CloudFormation => "a CloudFormation template in YAML",
            Self::CloudFormationJson => "the same in JSON, also for CDK",
            Self::Terraform => "Terraform resources",
            Self::Shell => "a script of `aws dynamodb create-table` calls",
            Self::Workbench => "a NoSQL Workbench model with sample items",
            Self::Markdown => "a reference: entities, indexes, access patterns",
            Self::Mermaid => "an entity-relationship diagram",
            Self::Html => "one page to look at: partitions, items, requests",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Catalog {
    /// The schema in a format. It ends with a line break.
    ///
    /// ```
    /// use dyna_cli::{Catalog, Format};
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users-{stage}", pk = "pk"), pk = "USER#<id>")]
    /// # struct User { id: String }
    ///
    /// let template = Catalog::of::<User>().to_text(Format::CloudFormation);
    /// assert!(template.contains("Fn::Sub: \"users-${Stage}\""));
    /// ```
    pub fn to_text(&self, format: Format) -> String {
        match format {
            Format::CloudFormation => cloudformation::template(self).yaml(),
            Format::CloudFormationJson => cloudformation::template(self).json() + "\n",
            Format::Terraform => terraform::resources(self),
            Format::Shell => shell::script(self),
            Format::Workbench => workbench::model(self).json() + "\n",
            Format::Markdown => markdown::reference(self),
            Format::Mermaid => mermaid::diagram(self),
            Format::Html => html::page(self),
        }
    }
}
