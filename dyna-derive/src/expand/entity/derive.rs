//! Everything that `#[derive(DynaEntity)]` generates.

use super::checks::checks;
use super::functions::functions;
use super::meta::implementation;
use super::queries::Space;
use super::setters::setters;
use super::steps::steps;
use super::variants::common_fields;
use crate::expand::fields::forms;
use crate::model::Entity;
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn entity(entity: &Entity) -> TokenStream {
    let krate = &entity.krate;
    let forms = forms(&entity.fields);
    let (implementation, checks) = (implementation(entity), checks(entity));
    let (functions, steps) = (functions(entity), steps(entity));
    let partitions = Space::of(entity).map(|space| space.in_partition());
    let (setters, common) = (setters(entity), common_fields(entity));
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[allow(unused_imports)]
            use __rt::UnknownKind as _;
            #forms
            #implementation
            #checks
            #functions
            #steps
            #(#partitions)*
            #setters
            #common
        };
    }
}
