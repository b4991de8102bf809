//! The steps of a query over the fields of a sort key. `__rt` must be in scope.

use super::parts;
use super::queries::{Space, given, parameter};
use crate::model::{Entity, Step, StepRange, steps as steps_name};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt;

/// The type of sort-key steps, if a key of the entity has any: `MessageSteps<0, 1>` is the second step of the primary key.
pub(super) fn steps(entity: &Entity) -> Option<TokenStream> {
    let methods: Vec<_> = Space::of(entity)
        .flat_map(|space| methods(&space))
        .collect();
    if methods.is_empty() {
        return None;
    }
    let (vis, steps) = (&entity.vis, steps_name(&entity.ident));
    let doc = format!("The steps over the sort keys of [`{}`].", entity.ident);
    Some(quote! {
        #[doc = #doc]
        #vis struct #steps<const KEY: usize, const AT: usize>(__rt::Draft);
        #[automatically_derived]
        impl<const KEY: usize, const AT: usize> __rt::Steps for #steps<KEY, AT> {
            fn new(draft: __rt::Draft) -> Self {
                Self(draft)
            }
            fn draft(&self) -> &__rt::Draft {
                &self.0
            }
            fn draft_mut(&mut self) -> &mut __rt::Draft {
                &mut self.0
            }
            fn into_draft(self) -> __rt::Draft {
                self.0
            }
        }
        #(#methods)*
    })
}

/// The methods over each field of the sort key of one key.
fn methods(space: &Space<'_>) -> Vec<TokenStream> {
    let steps = space.key.steps();
    if steps.is_empty() {
        return Vec::new();
    }
    let (entity, of, name) = (
        &space.entity.ident,
        space.space(),
        steps_name(&space.entity.ident),
    );
    let ((at, done), key) = (aliases(space), space.number());
    let aliases = quote! {
        type #at<const AT: usize> = __rt::Query<#entity, #of, #name<#key, AT>>;
        type #done = __rt::Query<#entity, #of, __rt::NoSteps>;
    };
    let steps = steps.iter().map(|one| step(space, one));
    std::iter::once(aliases).chain(steps).collect()
}

/// Short names for the queries of this key, so that the steps stay readable.
fn aliases(space: &Space<'_>) -> (Ident, Ident) {
    let key = space.number().to_string();
    (format_ident!("__At{key}"), format_ident!("__Done{key}"))
}

fn step(space: &Space<'_>, step: &Step<'_>) -> TokenStream {
    let (vis, (at, done)) = (&space.entity.vis, aliases(space));
    let (steps, key) = (steps_name(&space.entity.ident), space.number());
    let Step { part, template, .. } = step;
    let (arg, path, ty) = (&part.arg, &part.path, parts::lookup_ty(part));
    let n = Literal::usize_unsuffixed(step.n);
    let next = Literal::usize_unsuffixed(step.n + 1);
    let (parameter, given) = (parameter(part, &[part]), given(template, part));
    let fix_doc = format!("Only items with this `{path}`.");
    let range = step.range.map(|range| {
        let (name, bound) = (format_ident!("{}_range", arg.unraw()), range_bound(range));
        let doc = format!("Only items with `{path}` in this range.");
        quote! {
            #[doc = #doc]
            #vis fn #name(&self, range: impl __rt::#bound<#ty>) -> #done {
                self.0.range::<#ty, _, _, _>(#n, range)
            }
        }
    });
    let starts_with = step.starts_with.then(|| {
        let name = format_ident!("{}_starts_with", arg.unraw());
        let doc = format!("Only items whose `{path}` starts with this text.");
        quote! {
            #[doc = #doc]
            #vis fn #name(&self, text: impl __rt::TextPrefix<#ty>) -> #done {
                self.0.starts_with(#n, text.as_ref())
            }
        }
    });
    quote! {
        // A program rarely uses all of these.
        #[allow(dead_code)]
        impl #steps<#key, #n> {
            #[doc = #fix_doc]
            #vis fn #arg(&self, #parameter) -> #at<#next> {
                self.0.fix(#n, #given)
            }
            #range
            #starts_with
        }
    }
}

/// What the type of a field must be for a range over it.
fn range_bound(range: StepRange) -> TokenStream {
    match range {
        StepRange::FixedWidth => quote!(FixedRange),
        StepRange::AtEnd => quote!(LastRange),
        StepRange::BeforeMore => quote!(InnerRange),
    }
}
