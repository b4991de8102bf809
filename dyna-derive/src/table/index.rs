//! The indexes of a table as values, for scans: `Discord::GSI1`.

use super::Table;
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Data;
use syn::ext::IdentExt;

impl Table<'_> {
    /// One constant per index. Of an entity that is its own table, a field of the same name has it.
    pub(super) fn index_consts(&self) -> Option<TokenStream> {
        let (ident, vis) = (&self.input.ident, &self.input.vis);
        let taken = self.field_consts();
        let consts = self.attr.indexes.iter().filter_map(|index| {
            let name = index.ident.unraw().to_string();
            let constant = name.to_uppercase();
            if taken.contains(&constant) {
                return None;
            }
            let constant = format_ident!("{constant}", span = index.ident.span());
            let marker = tokens::name(&quote!(__rt), &index.ident.to_string(), index.ident.span());
            let doc = format!("The index `{}`.", index.real_name());
            Some(quote! {
                #[doc = #doc]
                #vis const #constant: __rt::Secondary<Self, #marker> = __rt::Secondary::INDEX;
            })
        });
        let consts: Vec<_> = consts.collect();
        (!consts.is_empty()).then(|| {
            quote! {
                // A program rarely uses all of these.
                #[allow(dead_code)]
                #[automatically_derived]
                impl #ident {
                    #(#consts)*
                }
            }
        })
    }

    /// The names of the constants that `DynaEntity` generates.
    fn field_consts(&self) -> Vec<String> {
        let Data::Struct(data) = &self.input.data else {
            return Vec::new();
        };
        let names = data.fields.iter().filter_map(|field| field.ident.as_ref());
        names
            .map(|name| name.unraw().to_string().to_uppercase())
            .collect()
    }
}
