//! `#[derive(DynaProjection)]`: some fields of an entity, checked against it.

use crate::attr::SerdeAttr;
use crate::attr::{FieldAttr, ProjectionAttr, ProjectionFieldAttr, crate_path};
use crate::check::{RawField, raw_field};
use crate::error::Errors;
use crate::expand::{aliases, read_by};
use crate::model::Field;
use crate::reserved;
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, FieldsNamed, Ident, Path};

/// A checked projection.
struct View<'i> {
    ident: &'i Ident,
    krate: Path,
    /// The entity, or the nested struct.
    of: Path,
    indexes: Vec<Ident>,
    fields: Vec<ViewField>,
    denies_unknown: bool,
}

/// A field that is read.
struct ViewField {
    field: Field,
    /// Whether it is a projection of a nested struct.
    nested: bool,
}

/// Everything that `#[derive(DynaProjection)]` generates, or all that is wrong.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream, Errors> {
    let mut errors = Errors::default();
    let view = read(input, &mut errors);
    match view {
        Some(view) if errors.is_empty() => Ok(view.expand()),
        _ => Err(errors),
    }
}

fn read<'i>(input: &'i DeriveInput, errors: &mut Errors) -> Option<View<'i>> {
    let ident = &input.ident;
    let attr = ProjectionAttr::parse(&input.attrs, errors);
    let fields = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Some(fields),
            _ => None,
        },
        _ => None,
    };
    let Some(fields) = fields else {
        errors.at(
            ident,
            "a projection is a struct with named fields, those of its entity",
        );
        return None;
    };
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics,
            format_args!("`{ident}` is generic, and a projection is one type"),
        );
    }
    let serde = SerdeAttr::parse(&input.attrs, errors);
    if let Some(form) = serde.other_form.as_ref().filter(|form| *form != "tag") {
        errors.help(
            form,
            format_args!("a projection is read field by field, and `{form}` reads another form"),
            "remove it from the struct",
        );
    }
    let fields = stored(fields, &serde, errors);
    if fields.is_empty() && errors.is_empty() {
        errors.help(
            ident,
            format_args!("`{ident}` reads no field"),
            "give it fields of its entity, with their names and types",
        );
    }
    let krate = crate_path(attr.krate.get());
    match attr.of.into_inner() {
        Some(of) => Some(View {
            ident,
            krate,
            of,
            indexes: attr.indexes,
            fields,
            denies_unknown: serde.deny_unknown_fields,
        }),
        None => {
            // A misspelled option has been reported.
            if errors.is_empty() {
                errors.help(
                    ident,
                    format_args!("`{ident}` does not say what it is a projection of"),
                    "write `#[dyna(of = Entity)]`",
                );
            }
            None
        }
    }
}

/// The fields that are read, with their attributes.
fn stored(fields: &FieldsNamed, serde: &SerdeAttr, errors: &mut Errors) -> Vec<ViewField> {
    let mut stored = Vec::new();
    for field in &fields.named {
        let nested = ProjectionFieldAttr::parse(&field.attrs, errors).nested;
        if SerdeAttr::parse(&field.attrs, errors).flatten {
            errors.help(
                field,
                "a projection names the fields that it reads, and a flattened one has no name",
                "name them here",
            );
        }
        let raw = raw_field(field, serde, FieldAttr::default(), errors);
        let field = raw.and_then(RawField::stored);
        stored.extend(field.map(|field| ViewField { field, nested }));
    }
    stored
}

impl View<'_> {
    fn expand(&self) -> TokenStream {
        let Self {
            ident,
            krate,
            of,
            denies_unknown,
            ..
        } = self;
        let name = ident.unraw().to_string();
        let fields = self.fields.iter().map(ViewField::selected);
        let checks = (0..)
            .zip(&self.fields)
            .map(|(n, field)| self.check(n, field));
        let indexes = self.indexes.iter().map(|index| self.fits(index));
        // A type that cannot be read is the struct's own fault.
        let span = tokens::located(ident.span());
        let read = quote_spanned!(span=> __rt::project::<#of, #ident>(item));
        quote! {
            const _: () = {
                use #krate::__private as __rt;
                #[automatically_derived]
                impl __rt::DynaProjection for #ident {
                    const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                    const SELECTION: &'static __rt::Selection = &__rt::Selection {
                        name: #name,
                        fields: &[#(#fields),*],
                        sees_unknown: #denies_unknown,
                    };
                }
                #[automatically_derived]
                impl __rt::View<#of> for #ident {
                    const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                    const SELECTION: ::core::option::Option<&'static __rt::Selection> =
                        ::core::option::Option::Some(<Self as __rt::DynaProjection>::SELECTION);
                    fn read(item: __rt::FoundItem<'_, '_>) -> __rt::Result<Self> {
                        #read
                    }
                }
                #(#checks)*
                #(#indexes)*
            };
        }
    }

    /// The field is one of the entity's, with its type and its attribute. Both in one constant, so that only the first is reported.
    fn check(&self, n: usize, field: &ViewField) -> TokenStream {
        let (view, of) = (self.ident, &self.of);
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
                let _: fn(&#of) = |__of| __rt::#function::<#ty, _>(&__of.#ident);
                __rt::check_selected(
                    #owner::NAME,
                    #owner::FIELDS,
                    <#view as __rt::DynaProjection>::SELECTION,
                    #n,
                );
            };
        }
    }

    /// The proof that a partial index holds all that is read.
    fn fits(&self, index: &Ident) -> TokenStream {
        let (ident, of) = (self.ident, &self.of);
        let span = tokens::located(index.span());
        let name = tokens::name(&quote!(__rt), &index.to_string(), index.span());
        let table = tokens::moved(quote!(<#of as __rt::Entity>::Table), index.span());
        quote_spanned! {span=>
            #[automatically_derived]
            impl __rt::FitsIn<__rt::Secondary<#table, #name>> for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            }
            const _: () = __rt::check_fits(
                <#of as __rt::Entity>::META,
                <#ident as __rt::DynaProjection>::SELECTION,
                <#table as __rt::HasIndex<#name>>::INDEX,
            );
        }
    }
}

impl ViewField {
    fn selected(&self) -> TokenStream {
        let Field {
            ident,
            attribute,
            ty,
            ..
        } = &self.field;
        let (name, expr) = (ident.unraw().to_string(), reserved::expression(attribute));
        let nested = self.nested.then(|| {
            let span = tokens::located(ty.span());
            quote_spanned!(span=> .nested(<#ty as __rt::DynaProjection>::SELECTION))
        });
        let with = read_by(&self.field).map(|with| quote!(.with(#with)));
        let aliases = aliases(&self.field.aliases);
        let asked = self.field.asked.then(|| quote!(.asked()));
        quote!(__rt::Selected::new(#name, #attribute, #expr)#aliases #asked #nested #with)
    }
}
