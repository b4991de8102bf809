//! How a table in DynamoDB differs from its declaration, as data and as text.

use std::fmt;

/// How a table in DynamoDB differs from its declaration. Its text has a line for each difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differences {
    table: String,
    differences: Vec<Difference>,
}

impl Differences {
    pub(crate) fn new(table: &str, differences: Vec<Difference>) -> Self {
        Self {
            table: table.to_owned(),
            differences,
        }
    }

    /// Whether the table is as declared.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty()
    }

    /// The name of the table.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Each of them, first the key, then the indexes, then the settings.
    pub fn iter(&self) -> std::slice::Iter<'_, Difference> {
        self.differences.iter()
    }

    /// Only those that make requests fail or yield less: see [`Difference::is_breaking`].
    pub fn breaking(self) -> Self {
        self.only(Difference::is_breaking)
    }

    /// Only those that [`verify`](crate::Table::verify) fails on: see [`Difference::is_tolerated`].
    pub fn not_tolerated(self) -> Self {
        self.only(|difference| !difference.is_tolerated())
    }

    pub(crate) fn only(mut self, wanted: impl Fn(&Difference) -> bool) -> Self {
        self.differences.retain(wanted);
        self
    }

    /// An error if there are any.
    pub fn into_result(self) -> Result<(), Self> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl std::error::Error for Differences {}

impl<'d> IntoIterator for &'d Differences {
    type Item = &'d Difference;
    type IntoIter = std::slice::Iter<'d, Difference>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return write!(f, "table `{}` is as declared", self.table);
        }
        write!(f, "table `{}` is not as declared:", self.table)?;
        let mut lines = self.differences.iter();
        lines.try_for_each(|difference| write!(f, "\n  {difference}"))
    }
}

/// One thing that is not as declared.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The part of the table that differs.
    pub kind: DifferenceKind,
    /// The declared value; `None` if there is none.
    pub declared: Option<String>,
    /// The value in DynamoDB; `None` if there is none.
    pub found: Option<String>,
}

/// The part of a table that a [`Difference`] is about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DifferenceKind {
    /// The table itself.
    Table,
    /// The primary key.
    Key,
    /// An index as such.
    Index(String),
    /// The key of an index.
    IndexKey(String),
    /// The projection of an index.
    Projection(String),
    /// The throughput of an index.
    IndexThroughput(String),
    /// The time of expiry.
    Ttl,
    /// The stream.
    Stream,
    /// How requests are paid for: on demand, or for what is provisioned.
    Billing,
    /// The provisioned throughput of the table.
    Throughput,
    /// The table class.
    TableClass,
    /// Whether DynamoDB refuses to delete the table.
    DeletionProtection,
    /// Whether the table can be restored.
    PointInTimeRecovery,
    /// The encryption key.
    Encryption,
    /// A resource tag.
    ResourceTag(String),
}

impl Difference {
    pub(crate) fn missing(kind: DifferenceKind, declared: String) -> Self {
        Self {
            kind,
            declared: Some(declared),
            found: None,
        }
    }

    /// Whether requests fail or yield less because of it: the table, a key, an index or what it holds is not as declared. The
    /// other differences are about money and operation, and an index that is not declared disturbs no one.
    pub fn is_breaking(&self) -> bool {
        match self.kind {
            DifferenceKind::Index(_) => self.declared.is_some(),
            DifferenceKind::Table
            | DifferenceKind::Key
            | DifferenceKind::IndexKey(_)
            | DifferenceKind::Projection(_) => true,
            _ => false,
        }
    }

    /// Whether it is expected while everything works: the units of provisioned capacity, which autoscaling changes, and an index that is
    /// not declared, which a newer version of the program may have added. [`verify`](crate::Table::verify) and
    /// [`create_table`](crate::Table::create_table) do not fail on these.
    pub fn is_tolerated(&self) -> bool {
        match self.kind {
            DifferenceKind::Throughput | DifferenceKind::IndexThroughput(_) => true,
            DifferenceKind::Index(_) => self.declared.is_none(),
            _ => false,
        }
    }

    /// Whether [`enable_missing_settings`](crate::Table::enable_missing_settings) mends it.
    pub(crate) fn can_be_enabled(&self) -> bool {
        match self.kind {
            DifferenceKind::Ttl => self.declared.is_some() && self.found.is_none(),
            // It is compared only where it is declared.
            DifferenceKind::PointInTimeRecovery => true,
            _ => false,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = &self.kind;
        match (&self.declared, &self.found) {
            (Some(declared), Some(found)) => {
                write!(f, "{kind}: declared {declared}, found {found}")?;
            }
            (Some(declared), None) => write!(f, "{kind}: declared {declared}, not there")?,
            (None, Some(found)) => write!(f, "{kind}: not declared, found {found}")?,
            (None, None) => write!(f, "{kind}")?,
        }
        if self.can_be_enabled() {
            f.write_str("; `enable_missing_settings` turns it on")?;
        }
        Ok(())
    }
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table => f.write_str("table"),
            Self::Key => f.write_str("key"),
            Self::Index(index) => write!(f, "index `{index}`"),
            Self::IndexKey(index) => write!(f, "key of index `{index}`"),
            Self::Projection(index) => write!(f, "projection of index `{index}`"),
            Self::IndexThroughput(index) => write!(f, "throughput of index `{index}`"),
            Self::Ttl => f.write_str("time to live"),
            Self::Stream => f.write_str("stream"),
            Self::Billing => f.write_str("billing"),
            Self::Throughput => f.write_str("throughput"),
            Self::TableClass => f.write_str("table class"),
            Self::DeletionProtection => f.write_str("deletion protection"),
            Self::PointInTimeRecovery => f.write_str("point-in-time recovery"),
            Self::Encryption => f.write_str("encryption"),
            Self::ResourceTag(name) => write!(f, "resource tag `{name}`"),
        }
    }
}
