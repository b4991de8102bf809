//! The settings of a table as const data, and the throughput of its indexes.

use crate::attr::pascal;
use crate::attr::{BillingAttr, EncryptionAttr, IndexAttr, SettingsAttr};
use crate::error::Errors;
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

impl SettingsAttr {
    /// `Settings { .. }` with what is given.
    pub(super) fn quote(&self) -> TokenStream {
        let billing = self.provisioned().map(|(read, write)| {
            let throughput = throughput(read, write);
            quote!(billing: __rt::Billing::Provisioned(#throughput))
        });
        let class = self.class.get().map(|class| {
            let class = format_ident!("{}", pascal(&class.value()));
            quote!(class: __rt::TableClass::#class)
        });
        let protection = self.deletion_protection.get();
        let protection = protection.map(|()| quote!(deletion_protection: true));
        let recovery = self.point_in_time_recovery.get();
        let recovery = recovery.map(|()| quote!(point_in_time_recovery: true));
        let encryption = self.encryption.get().map(|encryption| match encryption {
            EncryptionAttr::Owned => quote!(encryption: __rt::Encryption::AwsOwned),
            EncryptionAttr::Managed => quote!(encryption: __rt::Encryption::AwsManaged),
            EncryptionAttr::Kms(key) => quote!(encryption: __rt::Encryption::Kms(#key)),
        });
        let tags = self.tags.get().map(|tags| {
            let tags = tags.iter().map(|(name, value)| quote!((#name, #value)));
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

    /// The throughput of an index: its own, or the table's. Only global indexes of a provisioned table have one.
    pub(super) fn throughput(&self, index: &IndexAttr, errors: &mut Errors) -> TokenStream {
        let own = index.billing.get();
        if own.is_some() && index.local {
            errors.help(
                &index.ident,
                "a local index has the throughput of its table",
                "remove `billing`",
            );
        }
        if own.is_some() && self.provisioned().is_none() {
            errors.help(
                &index.ident,
                "the table is billed on demand, and its indexes with it",
                "write `billing = provisioned(read = 5, write = 5)` on the table too",
            );
        }
        if let (Some(BillingAttr::OnDemand), Some(_)) = (own, self.provisioned()) {
            errors.help(
                &index.ident,
                "the table is provisioned, and its indexes with it",
                "write `billing = provisioned(read = 5, write = 5)`, or leave it out to have the throughput of the table",
            );
        }
        let units = match own {
            Some(BillingAttr::Provisioned { read, write }) => Some((*read, *write)),
            _ => self.provisioned(),
        };
        let units = units.filter(|_| !index.local);
        tokens::option(units.map(|(read, write)| throughput(read, write)))
    }

    fn provisioned(&self) -> Option<(u32, u32)> {
        match self.billing.get() {
            Some(BillingAttr::Provisioned { read, write }) => Some((*read, *write)),
            _ => None,
        }
    }
}

fn throughput(read: u32, write: u32) -> TokenStream {
    let (read, write) = (
        Literal::u32_unsuffixed(read),
        Literal::u32_unsuffixed(write),
    );
    quote!(__rt::Throughput { read: #read, write: #write })
}
