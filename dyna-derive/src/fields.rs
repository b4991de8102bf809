//! `#[derive(DynaFields)]`: what templates and conditions may reach inside of a nested struct.

use crate::attr::SerdeAttr;
use crate::attr::{FieldAttr, crate_path, parse_crate, refuse};
use crate::check::{RawField, check_attributes, check_consts, raw_field};
use crate::error::Errors;
use crate::expand::{consts, field_metas, forms, stored_name};
use crate::model::Field;
use crate::tokens::{self, LONGEST_NAME};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, FieldsNamed, Visibility};

/// Everything that `#[derive(DynaFields)]` generates, or all that is wrong.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream, Errors> {
    let mut errors = Errors::default();
    let krate = crate_path(parse_crate(&input.attrs, &mut errors).get());
    let ident = &input.ident;
    let Data::Struct(data) = &input.data else {
        errors.at(
            ident,
            "`DynaFields` is derived for structs with named fields",
        );
        return Err(errors);
    };
    let Fields::Named(fields) = &data.fields else {
        errors.at(
            ident,
            "`DynaFields` is derived for structs with named fields",
        );
        return Err(errors);
    };
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics,
            format_args!("`{ident}` is generic, and the fields of a key have one type"),
        );
    }
    let stored = stored(input, fields, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let consts = consts(&stored);
    let forms = forms(&stored);
    let name = ident.unraw().to_string();
    let metas = field_metas(&stored);
    let private = matches!(input.vis, Visibility::Inherited);
    let fields = fields.named.iter().filter_map(|field| {
        // A private field of a public struct may have a private type, which no trait may show.
        let hidden = !private && matches!(field.vis, Visibility::Inherited);
        let name = field
            .ident
            .as_ref()
            .filter(|_| !hidden)?
            .unraw()
            .to_string();
        if name.chars().count() > LONGEST_NAME {
            return None;
        }
        let name = tokens::name(&quote!(__rt), &name, field.ident.as_ref()?.span());
        let ty = &field.ty;
        let stored_as = stored
            .iter()
            .find(|stored| Some(&stored.ident) == field.ident.as_ref());
        let stored_as =
            stored_as.map_or_else(|| quote!(__rt::StoredName::new("", "")), stored_name);
        Some(quote! {
            #[automatically_derived]
            impl __rt::HasField<#name> for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                type Type = #ty;
                const NAME: __rt::StoredName = #stored_as;
            }
        })
    });
    Ok(quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[allow(unused_imports)]
            use __rt::UnknownKind as _;
            #forms
            #(#fields)*
            #[automatically_derived]
            impl __rt::DynaFields for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                const NAME: &'static str = #name;
                const FIELDS: &'static [__rt::FieldMeta] = &[#metas];
            }
            // A program rarely uses all of these.
            #[allow(dead_code)]
            #[automatically_derived]
            impl #ident {
                #consts
            }
        };
    })
}

/// The fields that have a place of their own in what is stored.
fn stored(input: &DeriveInput, fields: &FieldsNamed, errors: &mut Errors) -> Vec<Field> {
    let serde = SerdeAttr::parse(&input.attrs, errors);
    // A tag is stored beside the fields.
    if let Some(form) = serde.other_form.as_ref().filter(|form| *form != "tag") {
        errors.help(
            form,
            format_args!("`{form}` stores `{}` in another form, so its fields are not found where their constants look", input.ident),
            format_args!("remove it, or do not derive `DynaFields` for `{}`", input.ident),
        );
    }
    let mut raw = Vec::new();
    for field in &fields.named {
        refuse(&field.attrs, "a field of a nested struct", errors);
        raw.extend(raw_field(field, &serde, FieldAttr::default(), errors));
    }
    check_attributes(&raw, errors);
    let stored: Vec<_> = raw.into_iter().filter_map(RawField::stored).collect();
    check_consts(stored.iter(), errors);
    stored
}
