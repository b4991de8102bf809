//! `#[derive(KeyPart)]`.

use crate::model::{KeyPart, PartForm};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Member, Path, Type};

/// Everything that `#[derive(KeyPart)]` generates.
pub(crate) fn key_part(part: &KeyPart) -> TokenStream {
    let KeyPart { ident, krate, form } = part;
    match form {
        PartForm::Newtype { member, inner } => newtype(ident, krate, member, inner),
        PartForm::Number { member, inner } => number(ident, krate, member, inner),
        PartForm::Words(words) => closed_set(ident, krate, words),
    }
}

fn newtype(ident: &Ident, krate: &Path, member: &Member, inner: &Type) -> TokenStream {
    let as_number = as_number(member, inner);
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
                #as_number
            }
        };
    }
}

/// A number that has no text form of its own: a whole number key, and no part of another.
fn number(ident: &Ident, krate: &Path, member: &Member, inner: &Type) -> TokenStream {
    let as_number = as_number(member, inner);
    let looked_up = [
        (quote!(#ident), quote!(#ident)),
        (quote!(#ident), quote!(&#ident)),
        (quote!(::core::option::Option<#ident>), quote!(#ident)),
        (quote!(::core::option::Option<#ident>), quote!(&#ident)),
    ];
    let looked_up = looked_up.map(|(field, given)| {
        quote! {
            #[automatically_derived]
            impl __rt::AsKeyPart<#field> for #given {
                fn put(&self, out: &mut __rt::KeyBuf, _: __rt::KeyToken) {
                    <#ident as __rt::KeyOf<__rt::N>>::put_part(self, out)
                }
            }
        }
    });
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[automatically_derived]
            impl __rt::KeyOf<__rt::N> for #ident {
                #as_number
            }
            #[automatically_derived]
            impl __rt::FinalRange for #ident {}
            #(#looked_up)*
        };
    }
}

/// What a newtype writes to a number key, and reads from it.
fn as_number(member: &Member, inner: &Type) -> TokenStream {
    quote! {
        const SHAPE: __rt::Shape = __rt::Shape::Opaque;
        fn put_part(&self, out: &mut __rt::KeyBuf) {
            <#inner as __rt::KeyOf<__rt::N>>::put_part(&self.#member, out)
        }
        fn decode(text: &str) -> ::core::option::Option<Self> {
            <#inner as __rt::KeyOf<__rt::N>>::decode(text).map(|inner| Self { #member: inner })
        }
    }
}

fn closed_set(ident: &Ident, krate: &Path, words: &[(Ident, String)]) -> TokenStream {
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
