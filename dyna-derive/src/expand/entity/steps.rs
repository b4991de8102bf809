//! The steps of a query over the fields of a sort key. `__rt` must be in scope.

use super::chain;
use super::parts;
use super::queries::{Space, given, parameter};
use crate::model::{Closes, Entity, Open, Step, StepRange, steps as steps_name};
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
        #vis struct #steps<const KEY: usize, const AT: usize>(__rt::QuerySpec);
        #[automatically_derived]
        impl<const KEY: usize, const AT: usize> __rt::Steps for #steps<KEY, AT> {
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
    let (arg, path) = (&part.arg, &part.path);
    // What a function of several fields gives is given as text.
    let ty = if part.inputs.is_empty() {
        parts::lookup_ty(part)
    } else {
        quote!(::std::string::String)
    };
    let n = Literal::usize_unsuffixed(step.n);
    let next = Literal::usize_unsuffixed(step.n + 1);
    let (parameter, given) = (parameter(part, &[part]), given(template, part));
    let fix_doc = format!("Keeps only items with this `{path}`; narrows the sort-key condition.");
    let by = chain::ty(&part.functions);
    let range = step.range.map(|range| {
        let (name, bound) = (format_ident!("{}_range", arg.unraw()), range_bound(range));
        let doc = match range {
            StepRange::OfPlain => quote!(#[doc(hidden)]),
            _ => {
                let doc = format!("Keeps only items with `{path}` in this range.");
                quote!(#[doc = #doc])
            }
        };
        let call = match &by {
            None => quote!(range::<#ty, _, _, _>),
            Some(by) => quote!(range_by::<#by, #ty, _, _, _>),
        };
        quote! {
            #doc
            #vis fn #name(&self, range: impl __rt::#bound<#ty>) -> #done {
                self.0.#call(#n, range)
            }
        }
    });
    let starts_with = step.starts_with.then(|| {
        let name = format_ident!("{}_starts_with", arg.unraw());
        let doc = format!("Keeps only items whose `{path}` starts with this text.");
        let call = match &by {
            None => quote!(starts_with),
            Some(by) => quote!(starts_with_by::<#by, _, _>),
        };
        quote! {
            #[doc = #doc]
            #vis fn #name(&self, text: impl __rt::TextPrefix<#ty>) -> #done {
                self.0.#call(#n, text.as_ref())
            }
        }
    });
    let (fixed, fix) = match step.open {
        Open::Never => (quote!(#at<#next>), quote!(self.0.fix(#n, #given))),
        Open::ByType => {
            let (entity, open) = (&space.entity.ident, opened(step.n + 1));
            let which = space.key_ref();
            let next = quote! {
                <__rt::Ends<{ __rt::is_open(<#entity as __rt::Entity>::META, #which, #n) }>
                    as __rt::Next<#at<#next>, #steps<#key, #open>>>
            };
            (
                quote!(#next::Step),
                quote!(#next::step(self.0.fixed_at(#n, &#given))),
            )
        }
        Open::Always => {
            let open = opened(step.n + 1);
            let fix = quote!(__rt::Unfinished::new(self.0.fixed_at(#n, &#given)));
            (quote!(__rt::Unfinished<#steps<#key, #open>>), fix)
        }
    };
    let after_open = step.closes.map(|closes| {
        let (own, open) = (opened(step.n), opened(step.n + 1));
        let (fixed, fix) = match closes {
            Closes::All => (quote!(#at<#next>), quote!(self.0.fix(#n, #given))),
            Closes::NotYet => {
                let fix = quote!(__rt::Unfinished::new(self.0.fixed_at(#n, &#given)));
                (quote!(__rt::Unfinished<#steps<#key, #open>>), fix)
            }
        };
        quote! {
            #[allow(dead_code)]
            impl #steps<#key, #own> {
                #[doc = #fix_doc]
                #vis fn #arg(&self, #parameter) -> #fixed {
                    #fix
                }
            }
        }
    });
    quote! {
        // A program rarely uses all of these.
        #[allow(dead_code)]
        impl #steps<#key, #n> {
            #[doc = #fix_doc]
            #vis fn #arg(&self, #parameter) -> #fixed {
                #fix
            }
            #range
            #starts_with
        }
        #after_open
    }
}

/// The number of a step that has to be given, because the one before does not end without it: the steps of a key have smaller numbers.
fn opened(n: usize) -> Literal {
    Literal::usize_unsuffixed(100 + n)
}

/// What the type of a field must be for a range over it.
fn range_bound(range: StepRange) -> TokenStream {
    match range {
        StepRange::FixedWidth => quote!(RangeFixedWidth),
        StepRange::AtEnd => quote!(RangeAtEnd),
        StepRange::BeforeMore => quote!(RangeBeforeMore),
        StepRange::OfText => quote!(RangeOfText),
        StepRange::OfPlain => quote!(RangeOfPlain),
    }
}
