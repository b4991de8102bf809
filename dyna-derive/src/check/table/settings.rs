//! The settings of a table, and the throughput of its indexes.

use crate::attr::{BillingAttr, EncryptionAttr, IndexAttr, SettingsAttr};
use crate::error::Errors;
use crate::model::{Encryption, Settings, TableClass, Throughput};
use syn::LitStr;

/// What is given of them.
pub(super) fn settings(attr: &SettingsAttr) -> Settings {
    let tags = attr.resource_tags.get().into_iter().flatten();
    Settings {
        provisioned: provisioned(attr),
        table_class: attr.table_class.get().and_then(class),
        deletion_protection: attr.deletion_protection.get().is_some(),
        point_in_time_recovery: attr.point_in_time_recovery.get().is_some(),
        encryption: attr.encryption.get().map(|encryption| match encryption {
            EncryptionAttr::Owned => Encryption::AwsOwned,
            EncryptionAttr::Managed => Encryption::AwsManaged,
            EncryptionAttr::Kms(key) => Encryption::Kms(key.value()),
        }),
        resource_tags: tags
            .map(|(name, value)| (name.value(), value.value()))
            .collect(),
        partial: attr.partial.get().is_some(),
    }
}

/// The class of a table; `attr` has reported any other name.
fn class(name: &LitStr) -> Option<TableClass> {
    match name.value().as_str() {
        "standard" => Some(TableClass::Standard),
        "infrequent_access" => Some(TableClass::InfrequentAccess),
        _ => None,
    }
}

/// The throughput of an index: its own, or the table's. Only global indexes of a provisioned table have one.
pub(super) fn throughput(
    attr: &SettingsAttr,
    index: &IndexAttr,
    errors: &mut Errors,
) -> Option<Throughput> {
    let (own, table) = (index.billing.get(), provisioned(attr));
    if own.is_some() && index.local {
        errors.help(
            &index.ident,
            "a local index has the throughput of its table",
            "remove `billing`",
        );
    }
    if own.is_some() && table.is_none() {
        errors.help(
            &index.ident,
            "the table is billed on demand, and its indexes with it",
            "write `billing = provisioned(read = 5, write = 5)` on the table too",
        );
    }
    if let (Some(BillingAttr::OnDemand), Some(_)) = (own, table) {
        errors.help(
            &index.ident,
            "the table is provisioned, and its indexes with it",
            "write `billing = provisioned(read = 5, write = 5)`, or leave it out to have the throughput of the table",
        );
    }
    let own = own.and_then(units);
    own.or(table).filter(|_| !index.local)
}

fn provisioned(attr: &SettingsAttr) -> Option<Throughput> {
    attr.billing.get().and_then(units)
}

fn units(billing: &BillingAttr) -> Option<Throughput> {
    match *billing {
        BillingAttr::Provisioned { read, write } => Some(Throughput { read, write }),
        BillingAttr::OnDemand => None,
    }
}
