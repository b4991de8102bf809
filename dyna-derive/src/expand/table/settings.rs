//! The settings of a table as const data.

use crate::model::{Encryption, Settings, TableClass, Throughput};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// `Settings::DEFAULT` with what is given, if anything is.
pub(super) fn settings(settings: &Settings) -> Option<TokenStream> {
    let billing = settings.provisioned.map(|provisioned| {
        let throughput = throughput(provisioned);
        quote!(.billing(__rt::BillingMode::Provisioned(#throughput)))
    });
    let class = settings.table_class.map(|class| match class {
        TableClass::Standard => quote!(.table_class(__rt::TableClass::Standard)),
        TableClass::InfrequentAccess => quote!(.table_class(__rt::TableClass::InfrequentAccess)),
    });
    let protection = settings
        .deletion_protection
        .then(|| quote!(.deletion_protection()));
    let recovery = settings
        .point_in_time_recovery
        .then(|| quote!(.point_in_time_recovery()));
    let encryption = settings
        .encryption
        .as_ref()
        .map(|encryption| match encryption {
            Encryption::AwsOwned => quote!(.encryption(__rt::Encryption::AwsOwned)),
            Encryption::AwsManaged => quote!(.encryption(__rt::Encryption::AwsManaged)),
            Encryption::Kms(key) => quote!(.encryption(__rt::Encryption::Kms(#key))),
        });
    let tags = (!settings.resource_tags.is_empty()).then(|| {
        let tags = settings
            .resource_tags
            .iter()
            .map(|(name, value)| quote!((#name, #value)));
        quote!(.resource_tags(&[#(#tags),*]))
    });
    let partial = settings.partial.then(|| quote!(.partial()));
    let all = [
        billing, class, protection, recovery, encryption, tags, partial,
    ];
    let given: Vec<_> = all.iter().flatten().collect();
    (!given.is_empty()).then(|| quote!(__rt::Settings::DEFAULT #(#given)*))
}

pub(super) fn throughput(throughput: Throughput) -> TokenStream {
    let read = Literal::u32_unsuffixed(throughput.read);
    let write = Literal::u32_unsuffixed(throughput.write);
    quote!(__rt::Throughput::new(#read, #write))
}
