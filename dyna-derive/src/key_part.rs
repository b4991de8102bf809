//! `#[derive(KeyPart)]`: newtypes take the shape of what they hold, fieldless enums are their words.

use crate::attr::SerdeAttr;
use crate::attr::{crate_path, parse_crate, refuse};
use crate::error::Errors;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Data, DataEnum, DeriveInput, Fields, Ident, Member, Path, Type};

const FORMS: &str = "`KeyPart` is derived for newtypes such as `struct UserId(String);` and for enums without fields";

/// Everything that `#[derive(KeyPart)]` generates, or all that is wrong.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream, Errors> {
    let mut errors = Errors::default();
    let krate = crate_path(parse_crate(&input.attrs, &mut errors).get());
    if !input.generics.params.is_empty() {
        errors.help(
            &input.generics,
            format_args!("`{}` is generic", input.ident),
            "implement `KeyPart` by hand",
        );
    }
    let tokens = match &input.data {
        Data::Struct(data) if data.fields.len() == 1 => data
            .fields
            .members()
            .zip(&data.fields)
            .next()
            .map(|(member, field)| newtype(&input.ident, &krate, &member, &field.ty)),
        Data::Enum(data) => {
            words(input, data, &mut errors).map(|words| closed_set(&input.ident, &krate, &words))
        }
        _ => {
            errors.at(&input.ident, FORMS);
            None
        }
    };
    match tokens {
        Some(tokens) if errors.is_empty() => Ok(tokens),
        _ => Err(errors),
    }
}

fn newtype(ident: &Ident, krate: &Path, member: &Member, inner: &Type) -> TokenStream {
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[automatically_derived]
            impl __rt::KeyPart for #ident {
                const SHAPE: __rt::Shape = <#inner as __rt::KeyPart>::SHAPE;
                const TRUSTED: bool = <#inner as __rt::KeyPart>::TRUSTED;
                fn encode(&self, out: &mut __rt::KeyBuf) {
                    <#inner as __rt::KeyPart>::encode(&self.#member, out)
                }
                fn decode(text: &str) -> ::core::option::Option<Self> {
                    <#inner as __rt::KeyPart>::decode(text).map(|inner| Self { #member: inner })
                }
            }
            // Each holds exactly where it holds for the inner type; the higher-ranked bound keeps rustc from
            // judging it at once.
            #[automatically_derived]
            impl __rt::SortableKeyPart for #ident where for<'a> #inner: __rt::SortableKeyPart {}
            #[automatically_derived]
            impl __rt::FinalRange for #ident where for<'a> #inner: __rt::FinalRange {}
            #[automatically_derived]
            impl __rt::TextPart for #ident where for<'a> #inner: __rt::TextPart {}
            #[automatically_derived]
            impl __rt::Padded for #ident where for<'a> #inner: __rt::Padded {
                const DIGITS: u16 = <#inner as __rt::Padded>::DIGITS;
            }
            #[automatically_derived]
            impl __rt::DatePart for #ident where for<'a> #inner: __rt::DatePart {
                const HAS_TIME: bool = <#inner as __rt::DatePart>::HAS_TIME;
                fn of_rfc3339(text: &str) -> ::core::option::Option<Self> {
                    <#inner as __rt::DatePart>::of_rfc3339(text).map(|inner| Self { #member: inner })
                }
            }
            #[automatically_derived]
            impl __rt::KeyOf<__rt::N> for #ident where for<'a> #inner: __rt::KeyOf<__rt::N> {
                const SHAPE: __rt::Shape = __rt::Shape::Opaque;
                fn put_part(&self, out: &mut __rt::KeyBuf) {
                    <#inner as __rt::KeyOf<__rt::N>>::put_part(&self.#member, out)
                }
                fn decode(text: &str) -> ::core::option::Option<Self> {
                    <#inner as __rt::KeyOf<__rt::N>>::decode(text).map(|inner| Self { #member: inner })
                }
            }
        };
    }
}

/// The variants and the words that serde writes for them.
fn words<'i>(
    input: &DeriveInput,
    data: &'i DataEnum,
    errors: &mut Errors,
) -> Option<Vec<(&'i Ident, String)>> {
    let container = SerdeAttr::parse(&input.attrs, errors);
    if data.variants.is_empty() {
        errors.at(
            &input.ident,
            format_args!("`{}` has no variants, so it has no words", input.ident),
        );
    }
    let mut words: Vec<(&Ident, String)> = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            errors.at(variant, FORMS);
            return None;
        }
        refuse(&variant.attrs, "a word of a key", errors);
        let name = variant.ident.unraw().to_string();
        let serde = SerdeAttr::parse(&variant.attrs, errors);
        let word = serde.rename.unwrap_or_else(|| {
            container
                .rename_all
                .map_or(name.clone(), |case| case.variant(&name))
        });
        if word.is_empty() || word.contains('\u{10FFFF}') {
            errors.at(
                &variant.ident,
                "the word of a variant is not empty, and does not contain U+10FFFF",
            );
        }
        if words.iter().any(|(_, other)| *other == word) {
            errors.at(
                &variant.ident,
                format_args!("two variants are written as \"{word}\""),
            );
        }
        words.push((&variant.ident, word));
    }
    Some(words)
}

fn closed_set(ident: &Ident, krate: &Path, words: &[(&Ident, String)]) -> TokenStream {
    let variants: Vec<_> = words.iter().map(|(variant, _)| variant).collect();
    let words: Vec<_> = words.iter().map(|(_, word)| word).collect();
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[automatically_derived]
            impl __rt::KeyPart for #ident {
                const SHAPE: __rt::Shape = __rt::Shape::OneOf(&[#(#words),*]);
                const TRUSTED: bool = true;
                fn encode(&self, out: &mut __rt::KeyBuf) {
                    out.fixed(match self {
                        #(Self::#variants => #words,)*
                    })
                }
                fn decode(text: &str) -> ::core::option::Option<Self> {
                    match text {
                        #(#words => ::core::option::Option::Some(Self::#variants),)*
                        _ => ::core::option::Option::None,
                    }
                }
            }
        };
    }
}
