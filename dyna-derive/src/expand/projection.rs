//! `#[derive(DynaProjection)]`: some fields of an entity, checked against it.

use super::fields::{aliases, read_by};
use crate::model::{Field, ProjectedField, Projection, WhenAbsent};
use crate::reserved;
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// Everything that `#[derive(DynaProjection)]` generates.
pub(crate) fn projection(projection: &Projection) -> TokenStream {
    let Projection {
        ident,
        krate,
        of,
        denies_unknown,
        ..
    } = projection;
    let name = ident.unraw().to_string();
    let fields = projection.fields.iter().map(selected);
    let checks = (0..)
        .zip(&projection.fields)
        .map(|(n, field)| check(projection, n, field));
    let indexes = projection
        .indexes
        .iter()
        .map(|index| fits(projection, index));
    // A type that cannot be read is the struct's own fault.
    let span = tokens::located(ident.span());
    let read = quote_spanned!(span=> __rt::project::<#of, #ident>(item));
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[allow(unused_imports)]
            use __rt::OwnFields as _;
            #[automatically_derived]
            impl __rt::DynaProjection for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                const SELECTION: &'static __rt::ProjectionMeta = &__rt::ProjectionMeta {
                    name: #name,
                    fields: &[#(#fields),*],
                    reads_unknown: #denies_unknown,
                };
            }
            #[automatically_derived]
            impl __rt::View<#of> for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                const SELECTION: ::core::option::Option<&'static __rt::ProjectionMeta> =
                    ::core::option::Option::Some(<Self as __rt::DynaProjection>::SELECTION);
                fn read(item: __rt::ItemSource<'_, '_>) -> __rt::Result<Self> {
                    #read
                }
            }
            #(#checks)*
            #(#indexes)*
        };
    }
}

/// The field is one of the entity's, with its type and its attribute. Both in one constant, so that only the first is reported.
fn check(projection: &Projection, n: usize, field: &ProjectedField) -> TokenStream {
    let (view, of) = (&projection.ident, &projection.of);
    let (ident, ty) = (&field.field.ident, &field.field.ty);
    let n = Literal::usize_unsuffixed(n);
    let at_type = tokens::located(ty.span());
    let function = if field.nested {
        quote_spanned!(at_type=> narrowed)
    } else {
        quote_spanned!(at_type=> same)
    };
    let span = tokens::located(ident.span());
    // With the user's own span, so that what is wrong with the entity is said once.
    let owner = quote!(<#of as __rt::DynaFields>);
    quote_spanned! {span=>
        const _: () = {
            let _: fn(&#of) = |__of| __rt::#function::<#ty, _>(&__of.__fields().#ident);
            __rt::check_projected_field(
                #owner::NAME,
                #owner::FIELDS,
                <#view as __rt::DynaProjection>::SELECTION,
                #n,
            );
        };
    }
}

/// The proof that a partial index holds all that is read.
fn fits(projection: &Projection, index: &Ident) -> TokenStream {
    let (ident, of) = (&projection.ident, &projection.of);
    let span = tokens::located(index.span());
    let name = tokens::name(&quote!(__rt), &index.to_string(), index.span());
    let table = tokens::moved(quote!(<#of as __rt::Entity>::Table), index.span());
    quote_spanned! {span=>
        #[automatically_derived]
        impl __rt::CoveredBy<__rt::Secondary<#table, #name>> for #ident {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
        }
        const _: () = __rt::check_covered(
            <#of as __rt::Entity>::META,
            <#ident as __rt::DynaProjection>::SELECTION,
            <#table as __rt::HasIndex<#name>>::INDEX,
        );
    }
}
/// `Selected::new(..)`
fn selected(projected: &ProjectedField) -> TokenStream {
    let Field {
        ident,
        attribute,
        ty,
        ..
    } = &projected.field;
    let (name, expr) = (ident.unraw().to_string(), reserved::expression(attribute));
    let nested = projected.nested.then(|| {
        let span = tokens::located(ty.span());
        quote_spanned!(span=> .nested(<#ty as __rt::DynaProjection>::SELECTION))
    });
    let with = read_by(&projected.field).map(|with| quote!(.with(#with)));
    let aliases = aliases(&projected.field.aliases);
    let is_asked = projected.field.when_absent == WhenAbsent::Asked;
    let asked = is_asked.then(|| quote!(.asked()));
    quote!(__rt::ProjectedField::new(#name, #attribute, #expr)#aliases #asked #nested #with)
}
