//! A partition by its fields, for collections: they cannot see the fields of their members.

use super::queries::{Args, Space, all_given, parameter_bounds};
use crate::model::{Template, distinct};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

impl Space<'_> {
    /// `impl InPartition<A, K>`, where `A` is the field of the partition key, or a tuple of several.
    pub(super) fn in_partition(&self) -> TokenStream {
        let (entity, space, key) = (&self.entity.ident, self.space(), self.key_ref());
        let parts: Vec<_> = self.key.pk.iter().flat_map(Template::parts).collect();
        let types: Vec<_> = (0..distinct(parts.iter().copied()).len())
            .map(|n| format_ident!("__A{n}"))
            .collect();
        let bounds = distinct(parts.iter().copied());
        let bounds = bounds.iter().map(|part| parameter_bounds(part, &parts));
        let names = Args::new(parts.iter().copied()).names();
        let (ty, pattern) = match (types.as_slice(), names.as_slice()) {
            ([ty], [name]) => (quote!(#ty), quote!(#name)),
            _ => (quote!((#(#types),*)), quote!((#(#names),*))),
        };
        let pk = all_given(&self.key.pk);
        quote! {
            #[automatically_derived]
            impl<#(#types: #bounds),*> __rt::InPartition<#ty, #space> for #entity {
                fn spec(#pattern: #ty) -> __rt::QuerySpec {
                    __rt::query_spec::<Self>(#key, #pk)
                }
            }
        }
    }
}
