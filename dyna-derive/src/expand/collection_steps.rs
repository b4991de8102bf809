//! The steps of a collection over the fields of the sort key that all members have. `__rt` must be in scope.

use crate::model::{Collection, steps as steps_name};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, Type};

/// The type of the first step.
pub(super) fn steps_type(collection: &Collection) -> TokenStream {
    if collection.steps.is_empty() {
        return quote!(__rt::NoSteps);
    }
    let name = steps_name(&collection.ident);
    quote!(#name<0>)
}

/// The type of the steps, if there are any.
pub(super) fn steps(collection: &Collection, space: &TokenStream) -> Option<TokenStream> {
    if collection.steps.is_empty() {
        return None;
    }
    let (vis, ident, name) = (
        &collection.vis,
        &collection.ident,
        steps_name(&collection.ident),
    );
    let doc = format!("The steps over the sort keys of [`{ident}`].");
    let methods = collection.steps.iter().enumerate();
    let methods = methods.map(|(n, (field, ty))| step(collection, n, field, ty));
    Some(quote! {
        #[doc = #doc]
        #vis struct #name<const AT: usize>(__rt::QuerySpec);
        #[automatically_derived]
        impl<const AT: usize> __rt::Steps for #name<AT> {
            fn new(spec: __rt::QuerySpec) -> Self {
                Self(spec)
            }
            fn spec(&self) -> &__rt::QuerySpec {
                &self.0
            }
            fn spec_mut(&mut self) -> &mut __rt::QuerySpec {
                &mut self.0
            }
            fn into_spec(self) -> __rt::QuerySpec {
                self.0
            }
        }
        type __At<const AT: usize> = __rt::Query<#ident, #space, #name<AT>>;
        type __Done = __rt::Query<#ident, #space, __rt::NoSteps>;
        #(#methods)*
    })
}

fn step(collection: &Collection, n: usize, field: &Ident, ty: &Type) -> TokenStream {
    let (vis, ident, name) = (
        &collection.vis,
        &collection.ident,
        steps_name(&collection.ident),
    );
    let next = Literal::usize_unsuffixed(n + 1);
    let n = Literal::usize_unsuffixed(n);
    let path = field.unraw();
    let range = format_ident!("{path}_range");
    let starts_with = format_ident!("{path}_starts_with");
    let fix_doc = format!("Only items with this `{path}`.");
    let range_doc = format!("Only items with `{path}` in this range.");
    let starts_doc = format!("Only items whose `{path}` starts with this text.");
    let kind = quote!({ __rt::shared_range(<#ident as __rt::DynaCollection>::META, #n) });
    quote! {
        // A program rarely uses all of these.
        #[allow(dead_code)]
        impl #name<#n> {
            #[doc = #fix_doc]
            #vis fn #field(&self, #field: impl __rt::AsKeyPart<#ty>) -> __At<#next> {
                self.0.fix(#n, __rt::lookup::<#ty, _>(&#field))
            }
            #[doc = #range_doc]
            #vis fn #range(&self, range: impl __rt::SharedRange<#ty, #kind>) -> __Done {
                self.0.range::<#ty, _, _, _>(#n, range)
            }
            #[doc = #starts_doc]
            #vis fn #starts_with(&self, text: impl __rt::TextPrefix<#ty>) -> __Done {
                self.0.starts_with(#n, text.as_ref())
            }
        }
    }
}

/// The proofs that all members have the fields of the steps: at the start of the sort key, and with this type.
pub(super) fn checks(collection: &Collection) -> TokenStream {
    let ident = &collection.ident;
    let checks = collection.steps.iter().enumerate().map(|(n, (field, ty))| {
        let span = tokens::located(field.span());
        let mut n = Literal::usize_unsuffixed(n);
        n.set_span(span);
        let collection_ty = tokens::moved(ident.to_token_stream(), field.span());
        let at_type = tokens::located(ty.span());
        let types = collection.members().map(|member| {
            let entity = &member.entity;
            quote_spanned! {at_type=>
                let _: fn(&#entity) = |__of| __rt::same_step::<#ty, _>(&__of.__fields().#field);
            }
        });
        quote_spanned! {span=>
            const _: () = __rt::check_step(<#collection_ty as __rt::DynaCollection>::META, #n);
            const _: () = {
                #[allow(unused_imports)]
                use __rt::OwnFields as _;
                #(#types)*
            };
        }
    });
    quote!(#(#checks)*)
}
