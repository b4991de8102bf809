//! The settings of a table as const data.

use crate::model::{Encryption, Settings, TableClass, Throughput};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// `Settings { .. }` with what is given.
pub(super) fn settings(settings: &Settings) -> TokenStream {
    let billing = settings.provisioned.map(|provisioned| {
        let throughput = throughput(provisioned);
        quote!(billing: __rt::BillingMode::Provisioned(#throughput))
    });
    let class = settings.class.map(|class| match class {
        TableClass::Standard => quote!(class: __rt::TableClass::Standard),
        TableClass::InfrequentAccess => quote!(class: __rt::TableClass::InfrequentAccess),
    });
    let protection = settings
        .deletion_protection
        .then(|| quote!(deletion_protection: true));
    let recovery = settings
        .point_in_time_recovery
        .then(|| quote!(point_in_time_recovery: true));
    let encryption = settings
        .encryption
        .as_ref()
        .map(|encryption| match encryption {
            Encryption::AwsOwned => quote!(encryption: __rt::Encryption::AwsOwned),
            Encryption::AwsManaged => quote!(encryption: __rt::Encryption::AwsManaged),
            Encryption::Kms(key) => quote!(encryption: __rt::Encryption::Kms(#key)),
        });
    let tags = (!settings.tags.is_empty()).then(|| {
        let tags = settings
            .tags
            .iter()
            .map(|(name, value)| quote!((#name, #value)));
        quote!(tags: &[#(#tags),*])
    });
    let all = [billing, class, protection, recovery, encryption, tags];
    let given: Vec<_> = all.iter().flatten().collect();
    if given.is_empty() {
        return quote!(__rt::Settings::DEFAULT);
    }
    // Clippy would remark on a rest that has nothing in it.
    let rest = (given.len() < all.len()).then(|| quote!(..__rt::Settings::DEFAULT));
    quote!(__rt::Settings { #(#given,)* #rest })
}

pub(super) fn throughput(throughput: Throughput) -> TokenStream {
    let read = Literal::u32_unsuffixed(throughput.read);
    let write = Literal::u32_unsuffixed(throughput.write);
    quote!(__rt::Throughput { read: #read, write: #write })
}
