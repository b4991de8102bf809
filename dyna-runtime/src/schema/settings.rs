//! What a table is beside its keys: how it is billed, kept, protected and labelled.

/// How a table is billed, kept, protected and labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How requests are paid for.
    pub billing: BillingMode,
    /// What storage costs.
    pub class: TableClass,
    /// Whether DynamoDB refuses to delete the table.
    pub deletion_protection: bool,
    /// Whether the table can be restored to any second of the last 35 days.
    pub point_in_time_recovery: bool,
    /// Whose key encrypts it at rest.
    pub encryption: Encryption,
    /// Its AWS tags, names and values.
    pub tags: &'static [(&'static str, &'static str)],
}

impl Settings {
    /// A table without any option: on demand, in the standard class, encrypted with a key of AWS.
    pub const DEFAULT: Self = Self {
        billing: BillingMode::OnDemand,
        class: TableClass::Standard,
        deletion_protection: false,
        point_in_time_recovery: false,
        encryption: Encryption::AwsOwned,
        tags: &[],
    };
}

/// How requests are paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
pub struct Throughput {
    /// For reads.
    pub read: u32,
    /// For writes.
    pub write: u32,
}

/// What storage costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableClass {
    /// For tables whose cost is in their requests.
    Standard,
    /// For tables whose cost is in their size.
    InfrequentAccess,
}

/// Whose key encrypts a table at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    /// One that DynamoDB owns.
    AwsOwned,
    /// The key `alias/aws/dynamodb` of the account.
    AwsManaged,
    /// A KMS key of yours, by its id, ARN or alias.
    Kms(&'static str),
}
