//! Comparing a table in DynamoDB with its declaration.

use super::describe;
use super::live::{Live, recovery, tags, ttl_attribute};
use super::wait::Waiting;
use crate::error::Result;
use crate::schema::{
    BillingMode, Difference, DifferenceKind, Differences, Encryption, IndexSchema, Settings,
    TableClass, TableSchema,
};
use crate::table::{DynaTable, Table};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types as sdk;

impl<T: DynaTable> Table<T> {
    /// Fails with [`Error::SchemaMismatch`](crate::Error::SchemaMismatch) if the table in DynamoDB is not as declared, or does not exist.
    /// Changes nothing.
    ///
    /// Two differences are tolerated, since they come and go while everything works: the units of provisioned capacity, which
    /// autoscaling changes, and an index that is not declared, which a newer version of the program may have added. To see
    /// these too, or to decide for yourself, use [`differences`](Self::differences).
    ///
    /// Of a table that is declared in part, `#[dyna(partial)]`, only what is declared is compared: it may have other indexes, and these may
    /// hold more; a time of expiry, a stream and settings that are not given are as declared, whatever they are.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk", ttl = "ttl"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> dyna_runtime::Result<()> {
    /// # let client = dyna_runtime::embedded::Embedded::in_memory()?.client();
    /// let db = User::open(client);
    /// let error = db.verify().await.unwrap_err();
    /// assert_eq!(error.to_string(), "table `users` is not as declared:\n  table: declared partition pk (S), not there");
    ///
    /// db.create_table().await?;
    /// db.verify().await?; // at start-up: an error that names every difference
    /// # Ok(()) }
    /// ```
    pub async fn verify(&self) -> Result<()> {
        Ok(self.differences().await?.not_tolerated().into_result()?)
    }

    /// How the table in DynamoDB differs from its declaration. Changes nothing.
    ///
    /// Describes the table and its TTL, and its tags and its point-in-time recovery if they are declared: where they are not,
    /// any are as declared.
    ///
    /// ```
    /// # use dyna_runtime::{DynaEntity, DynaTable};
    /// # #[derive(serde::Serialize, serde::Deserialize, DynaEntity, DynaTable)]
    /// # #[dyna(table(name = "users", pk = "pk", ttl = "ttl"), pk = "USER#<id>")]
    /// # struct User { id: String }
    /// # async fn run(db: &dyna_runtime::Table<User>) -> dyna_runtime::Result<()> {
    /// let differences = db.differences().await?;
    /// println!("{differences}"); // a line for each
    /// differences.breaking().into_result()?; // only those that make requests fail
    /// # Ok(()) }
    /// ```
    pub async fn differences(&self) -> Result<Differences> {
        differences(self.client(), Self::SCHEMA, self.name()?).await
    }
}

/// How the table of this name differs from its declaration: see [`Table::differences`].
pub async fn differences(client: &Client, schema: &TableSchema, name: &str) -> Result<Differences> {
    match Waiting::for_table().describe(client, name).await {
        Err(error) if error.is_table_not_found() => {
            let missing =
                Difference::missing(DifferenceKind::Table, schema.key.display_key().to_string());
            Ok(Differences::new(name, vec![missing]))
        }
        table => differences_of(client, schema, name, table?).await,
    }
}

/// The same of a table that was described.
pub(super) async fn differences_of(
    client: &Client,
    schema: &TableSchema,
    name: &str,
    table: sdk::TableDescription,
) -> Result<Differences> {
    let settings = &schema.settings;
    let live = Live {
        ttl: ttl_attribute(client, name).await?,
        recovery: if settings.point_in_time_recovery {
            recovery(client, name).await?
        } else {
            None
        },
        tags: match settings.resource_tags {
            [] => Vec::new(),
            _ => tags(client, &table).await?,
        },
        table,
    };
    Ok(Differences::new(name, Comparison::of(schema, &live)))
}

/// How the keys of a table and of its indexes differ, from its description alone.
pub(super) fn key_differences(
    schema: &TableSchema,
    name: &str,
    table: &sdk::TableDescription,
) -> Differences {
    Differences::new(name, Comparison::of_keys(schema, table).found)
}

/// Whether a difference is one of what is declared of a table in part. Settings that are not given are not declared.
fn is_of_declared(declared: &Settings, found: &Difference) -> bool {
    match found.kind {
        DifferenceKind::Billing | DifferenceKind::Throughput => {
            declared.billing != Settings::DEFAULT.billing
        }
        DifferenceKind::TableClass => declared.table_class != Settings::DEFAULT.table_class,
        DifferenceKind::DeletionProtection => declared.deletion_protection,
        DifferenceKind::Encryption => declared.encryption != Settings::DEFAULT.encryption,
        _ => found.declared.is_some(),
    }
}

/// The differences found so far.
struct Comparison {
    found: Vec<Difference>,
    /// Whether the table is declared in part, so that indexes may hold more.
    partial: bool,
}

impl Comparison {
    fn of(schema: &TableSchema, live: &Live) -> Vec<Difference> {
        let mut this = Self::of_keys(schema, &live.table);
        this.features(schema, live);
        this.settings(schema, live);
        if schema.settings.partial {
            let declared = &schema.settings;
            this.found.retain(|found| is_of_declared(declared, found));
        }
        this.found
    }

    /// The key of the table, and its indexes.
    fn of_keys(schema: &TableSchema, table: &sdk::TableDescription) -> Self {
        let mut this = Self {
            found: Vec::new(),
            partial: schema.settings.partial,
        };
        this.key(DifferenceKind::Key, &schema.key, table.key_schema(), table);
        for index in schema.indexes {
            this.index(index, table);
        }
        for found in Live::indexes(table) {
            let declared = schema.indexes.iter().any(|index| index.name == found.name);
            if !declared {
                let key = describe::key(found.key, table);
                let found_text = format!("{}: {key}", describe::kind(&found));
                this.differ(
                    DifferenceKind::Index(found.name.to_owned()),
                    None,
                    Some(found_text),
                );
            }
        }
        this
    }

    fn differ(&mut self, kind: DifferenceKind, declared: Option<String>, found: Option<String>) {
        if declared != found {
            self.found.push(Difference {
                kind,
                declared,
                found,
            });
        }
    }

    fn texts(
        &mut self,
        kind: DifferenceKind,
        declared: impl Into<String>,
        found: impl Into<String>,
    ) {
        self.differ(kind, Some(declared.into()), Some(found.into()));
    }

    fn key(
        &mut self,
        kind: DifferenceKind,
        declared: &IndexSchema,
        found: &[sdk::KeySchemaElement],
        table: &sdk::TableDescription,
    ) {
        self.texts(
            kind,
            declared.display_key().to_string(),
            describe::key(found, table),
        );
    }

    fn index(&mut self, index: &IndexSchema, table: &sdk::TableDescription) {
        let name = || index.name.to_owned();
        let found = Live::indexes(table).find(|found| found.name == index.name);
        let Some(found) = found else {
            self.differ(DifferenceKind::Index(name()), Some(index.to_string()), None);
            return;
        };
        self.texts(
            DifferenceKind::Index(name()),
            index.kind.to_string(),
            describe::kind(&found),
        );
        self.key(DifferenceKind::IndexKey(name()), index, found.key, table);
        if !(self.partial && found.holds(index.projection)) {
            self.texts(
                DifferenceKind::Projection(name()),
                index.projection.to_string(),
                describe::projection(&found),
            );
        }
        if let (Some(declared), Some(found)) = (index.throughput, found.throughput) {
            self.texts(
                DifferenceKind::IndexThroughput(name()),
                declared.to_string(),
                describe::throughput(found),
            );
        }
    }

    fn features(&mut self, schema: &TableSchema, live: &Live) {
        let ttl = schema.ttl.map(|attribute| attribute.name.to_owned());
        self.differ(DifferenceKind::Ttl, ttl, live.ttl.clone());
        let stream = live.table.stream_specification();
        let stream = stream.filter(|stream| stream.stream_enabled());
        let found = stream.and_then(|stream| stream.stream_view_type());
        let found = found.map(|view| view.as_str().to_lowercase());
        self.differ(
            DifferenceKind::Stream,
            schema.stream.map(|view| view.to_string()),
            found,
        );
    }

    fn settings(&mut self, schema: &TableSchema, live: &Live) {
        let (settings, table) = (&schema.settings, &live.table);
        self.billing(settings.billing, table);
        let class = match settings.table_class {
            TableClass::Standard => "STANDARD",
            TableClass::InfrequentAccess => "STANDARD_INFREQUENT_ACCESS",
        };
        let found = table.table_class_summary();
        let found = found.and_then(|class| class.table_class());
        let found = found.map_or("STANDARD", sdk::TableClass::as_str);
        self.texts(DifferenceKind::TableClass, class, found);
        let found = table.deletion_protection_enabled().unwrap_or_default();
        let declared = settings.deletion_protection;
        self.texts(
            DifferenceKind::DeletionProtection,
            describe::on(declared),
            describe::on(found),
        );
        if let Some(found) = live.recovery {
            let declared = settings.point_in_time_recovery;
            self.texts(
                DifferenceKind::PointInTimeRecovery,
                describe::on(declared),
                describe::on(found),
            );
        }
        self.encryption(settings.encryption, table.sse_description());
        for (name, value) in settings.resource_tags {
            let found = live.tags.iter().find(|tag| tag.key() == *name);
            let found = found.map(|tag| format!("`{}`", tag.value()));
            let kind = DifferenceKind::ResourceTag((*name).to_owned());
            self.differ(kind, Some(format!("`{value}`")), found);
        }
    }

    /// The mode, or the units if both are provisioned.
    fn billing(&mut self, declared: BillingMode, table: &sdk::TableDescription) {
        let kind = match declared {
            BillingMode::Provisioned(_) if !describe::is_on_demand(table) => {
                DifferenceKind::Throughput
            }
            BillingMode::OnDemand | BillingMode::Provisioned(_) => DifferenceKind::Billing,
        };
        self.texts(kind, declared.to_string(), describe::billing(table));
    }

    /// DynamoDB tells the ARN of a KMS key, but neither its aliases nor whose it is.
    fn encryption(&mut self, declared: Encryption, found: Option<&sdk::SseDescription>) {
        let found = found.filter(|found| {
            !matches!(
                found.status,
                Some(sdk::SseStatus::Disabled | sdk::SseStatus::Disabling)
            )
        });
        let owned = || Encryption::AwsOwned.to_string();
        let arn = found.and_then(|found| found.kms_master_key_arn());
        let key = || arn.map_or_else(|| "a KMS key".to_owned(), |arn| format!("KMS key {arn}"));
        match (declared, found) {
            (Encryption::AwsOwned, None) | (Encryption::AwsManaged, Some(_)) => {}
            (Encryption::AwsOwned, Some(_)) => {
                self.texts(DifferenceKind::Encryption, owned(), key());
            }
            (Encryption::AwsManaged | Encryption::Kms(_), None) => {
                self.texts(DifferenceKind::Encryption, declared.to_string(), owned());
            }
            (Encryption::Kms(id), Some(_)) => {
                let is_other = |arn: &str| !id.contains("alias/") && !arn.ends_with(id);
                if arn.is_some_and(is_other) {
                    self.texts(DifferenceKind::Encryption, declared.to_string(), key());
                }
            }
        }
    }
}
