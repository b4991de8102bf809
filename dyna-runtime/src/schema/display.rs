//! The parts of a declaration as people call them. What DynamoDB has is described in the same words, so that equal texts mean equal parts.

use super::{
    BillingMode, Encryption, IndexKind, IndexSchema, KeyAttribute, Projection, ScalarType,
    StreamViewType, TableClass, Throughput,
};
use std::fmt;

/// The index in a few words: `global index: partition gsi1pk (S), sort gsi1sk (S), with all attributes`.
impl fmt::Display for IndexSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, projection) = (self.kind, self.projection);
        write!(f, "{kind}: {}, with {projection}", self.display_key())
    }
}

impl IndexSchema {
    /// Its key in a few words: `partition pk (S), sort sk (N)`.
    pub fn display_key(&self) -> impl fmt::Display + use<> {
        let typed = |attribute: &KeyAttribute| (attribute.name.to_owned(), attribute.kind.as_str());
        KeyText {
            pk: self.pk.iter().map(typed).collect(),
            sk: self.sk.iter().map(typed).collect(),
        }
    }
}

/// The attributes of a key with their types, as text.
pub(crate) struct KeyText<'k> {
    pub(crate) pk: Vec<(String, &'k str)>,
    pub(crate) sk: Vec<(String, &'k str)>,
}

impl fmt::Display for KeyText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |half: &[(String, &str)]| {
            let half = half.iter().map(|(name, kind)| format!("{name} ({kind})"));
            half.collect::<Vec<_>>().join(" + ")
        };
        write!(f, "partition {}", listed(&self.pk))?;
        match self.sk.as_slice() {
            [] => Ok(()),
            sk => write!(f, ", sort {}", listed(sk)),
        }
    }
}

impl ScalarType {
    /// DynamoDB's name for it: `S`, `N` or `B`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
        }
    }
}

impl Projection {
    /// DynamoDB's name for it: `ALL`, `KEYS_ONLY` or `INCLUDE`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "ALL",
            Self::KeysOnly => "KEYS_ONLY",
            Self::Include(_) => "INCLUDE",
        }
    }

    /// The attributes beside the keys that it names.
    pub const fn included(self) -> &'static [&'static str] {
        match self {
            Self::All | Self::KeysOnly => &[],
            Self::Include(attributes) => attributes,
        }
    }
}

impl StreamViewType {
    /// DynamoDB's name for it: `NEW_AND_OLD_IMAGES`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::KeysOnly => "KEYS_ONLY",
            Self::NewImage => "NEW_IMAGE",
            Self::OldImage => "OLD_IMAGE",
            Self::NewAndOldImages => "NEW_AND_OLD_IMAGES",
        }
    }
}

impl BillingMode {
    /// DynamoDB's name for it: `PAY_PER_REQUEST` or `PROVISIONED`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OnDemand => "PAY_PER_REQUEST",
            Self::Provisioned(_) => "PROVISIONED",
        }
    }
}

impl TableClass {
    /// DynamoDB's name for it: `STANDARD` or `STANDARD_INFREQUENT_ACCESS`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "STANDARD",
            Self::InfrequentAccess => "STANDARD_INFREQUENT_ACCESS",
        }
    }
}

impl Encryption {
    /// Whether the key is in KMS, that of the account or one of yours.
    pub const fn is_kms(self) -> bool {
        match self {
            Self::AwsOwned => false,
            Self::AwsManaged | Self::Kms(_) => true,
        }
    }

    /// The KMS key of yours, by its id, ARN or alias.
    pub const fn kms_key(self) -> Option<&'static str> {
        match self {
            Self::AwsOwned | Self::AwsManaged => None,
            Self::Kms(key) => Some(key),
        }
    }
}

/// DynamoDB's name for it: `S`, `N` or `B`.
impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// `table`, `local index` or `global index`.
impl fmt::Display for IndexKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "table",
            Self::Local => "local index",
            Self::Global => "global index",
        })
    }
}

/// `all attributes`, `the keys`, or `the keys and a, b`: by name, since their order does not matter.
impl fmt::Display for Projection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all attributes"),
            Self::KeysOnly => f.write_str("the keys"),
            Self::Include(attributes) => f.write_str(&included(attributes.to_vec())),
        }
    }
}

pub(crate) fn included(mut attributes: Vec<&str>) -> String {
    attributes.sort_unstable();
    format!("the keys and {}", attributes.join(", "))
}

/// As the declaration spells it: `new_and_old_images`.
impl fmt::Display for StreamViewType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::KeysOnly => "keys_only",
            Self::NewImage => "new_image",
            Self::OldImage => "old_image",
            Self::NewAndOldImages => "new_and_old_images",
        })
    }
}

/// `on demand`, or the capacity that is provisioned.
impl fmt::Display for BillingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnDemand => f.write_str("on demand"),
            Self::Provisioned(throughput) => throughput.fmt(f),
        }
    }
}

/// `5 read and 2 write units`
impl fmt::Display for Throughput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&units(self.read.into(), self.write.into()))
    }
}

pub(crate) fn units(read: i64, write: i64) -> String {
    format!("{read} read and {write} write units")
}

/// `a key owned by AWS`, `the KMS key of the account` or `KMS key alias/orders`.
impl fmt::Display for Encryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AwsOwned => f.write_str("a key owned by AWS"),
            Self::AwsManaged => f.write_str("the KMS key of the account"),
            Self::Kms(key) => write!(f, "KMS key {key}"),
        }
    }
}
