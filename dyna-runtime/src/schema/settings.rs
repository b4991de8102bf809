//! Settings of a table: billing, encryption, backups, protection, resource tags.

/// Billing, storage class, protection, encryption and resource tags of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// How requests are paid for.
    pub billing: BillingMode,
    /// The table class.
    pub table_class: TableClass,
    /// Whether DynamoDB refuses to delete the table.
    pub deletion_protection: bool,
    /// Whether the table can be restored to any second of the last 35 days.
    pub point_in_time_recovery: bool,
    /// The encryption key at rest.
    pub encryption: Encryption,
    /// Its AWS tags, names and values.
    pub resource_tags: &'static [(&'static str, &'static str)],
    /// Whether the table is declared in part: it belongs to others, who have more indexes, settings and attributes than are declared.
    pub partial: bool,
}

impl Settings {
    /// A table without any option: on demand, in the standard class, encrypted with a key of AWS.
    pub const DEFAULT: Self = Self {
        billing: BillingMode::OnDemand,
        table_class: TableClass::Standard,
        deletion_protection: false,
        point_in_time_recovery: false,
        encryption: Encryption::AwsOwned,
        resource_tags: &[],
        partial: false,
    };

    /// The same, billed in this way.
    #[doc(hidden)]
    pub const fn billing(self, billing: BillingMode) -> Self {
        Self { billing, ..self }
    }

    /// The same, in this class.
    #[doc(hidden)]
    pub const fn table_class(self, table_class: TableClass) -> Self {
        Self {
            table_class,
            ..self
        }
    }

    /// The same, protected.
    #[doc(hidden)]
    pub const fn deletion_protection(self) -> Self {
        Self {
            deletion_protection: true,
            ..self
        }
    }

    /// The same, restorable.
    #[doc(hidden)]
    pub const fn point_in_time_recovery(self) -> Self {
        Self {
            point_in_time_recovery: true,
            ..self
        }
    }

    /// The same, encrypted with this key.
    #[doc(hidden)]
    pub const fn encryption(self, encryption: Encryption) -> Self {
        Self { encryption, ..self }
    }

    /// The same, with these tags.
    #[doc(hidden)]
    pub const fn resource_tags(
        self,
        resource_tags: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self {
            resource_tags,
            ..self
        }
    }

    /// The same, declared in part.
    #[doc(hidden)]
    pub const fn partial(self) -> Self {
        Self {
            partial: true,
            ..self
        }
    }
}

/// How requests are paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BillingMode {
    /// Each for itself.
    OnDemand,
    /// By what is provisioned.
    Provisioned(Throughput),
}

impl BillingMode {
    /// The capacity of a provisioned table.
    pub const fn throughput(self) -> Option<Throughput> {
        match self {
            Self::OnDemand => None,
            Self::Provisioned(throughput) => Some(throughput),
        }
    }
}

/// Capacity units per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Throughput {
    /// For reads.
    pub read: u32,
    /// For writes.
    pub write: u32,
}

impl Throughput {
    /// So many units for reads and for writes.
    pub const fn new(read: u32, write: u32) -> Self {
        Self { read, write }
    }
}

/// The table class: the price of storage against that of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableClass {
    /// For tables whose cost is in their requests.
    Standard,
    /// For tables whose cost is in their size.
    InfrequentAccess,
}

/// The encryption key of a table at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encryption {
    /// One that DynamoDB owns.
    AwsOwned,
    /// The key `alias/aws/dynamodb` of the account.
    AwsManaged,
    /// A KMS key of yours, by its id, ARN or alias.
    Kms(&'static str),
}
