//! The functions that set the fields of indexes together, so that their keys follow.

use super::templates::Quoted;
use crate::model::{Entity, Part, Setter, distinct};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;

/// The type of the setters, and the type itself if there are any.
pub(super) fn setters(entity: &Entity) -> (TokenStream, Option<TokenStream>) {
    let setters = entity.setters();
    if setters.is_empty() {
        return (quote!(__rt::NoSetters), None);
    }
    let (vis, name) = (&entity.vis, format_ident!("__{}Setters", entity.ident));
    let doc = format!("Sets the fields of the indexes of [`{}`].", entity.ident);
    let methods = setters.iter().map(|setter| method(entity, setter));
    // Types of their names, so that the compiler can say what to call.
    let names = setters.iter().map(|setter| &setter.name);
    let tokens = quote! {
        #[doc = #doc]
        #[derive(::core::fmt::Debug, ::core::clone::Clone)]
        #vis struct #name(__rt::Changes);
        #[automatically_derived]
        impl __rt::Setters for #name {
            fn new(changes: __rt::Changes) -> Self {
                Self(changes)
            }
            fn changes(&self) -> &__rt::Changes {
                &self.0
            }
            fn changes_mut(&mut self) -> &mut __rt::Changes {
                &mut self.0
            }
        }
        #(
            #[doc(hidden)]
            #[derive(::core::fmt::Debug)]
            #[allow(non_camel_case_types)]
            #vis enum #names {}
        )*
        // A program rarely uses all of these; a key has as many fields as it has.
        #[allow(dead_code, clippy::too_many_arguments)]
        impl #name {
            #(#methods)*
        }
    };
    (quote!(#name), Some(tokens))
}

fn method(entity: &Entity, setter: &Setter<'_>) -> TokenStream {
    let Setter {
        name,
        indexes,
        parts,
    } = setter;
    let (vis, ident) = (&entity.vis, &entity.ident);
    let quoted = Quoted { entity };
    // What a key does not give back has to be given again, unless it has the text that is written.
    let key_parts = key_parts(entity, setter);
    let (known, asked): (Vec<_>, Vec<_>) = distinct(key_parts.iter().copied())
        .into_iter()
        .map(|part| (part, quoted.read(part)))
        .partition(|(_, read)| read.is_some());
    let reads = known.iter().map(|(part, read)| {
        let arg = &part.arg;
        quote!(let #arg = #read?;)
    });
    let asked: Vec<&Part> = asked.into_iter().map(|(part, _)| part).collect();
    // What it does not give back as it is has to be what is stored.
    let expected = key_parts
        .iter()
        .copied()
        .filter(|part| !entity.is_known(part));
    let args = arguments(setter, &asked);
    let names: Vec<&Ident> = args.iter().map(|part| &part.arg).collect();
    let types: Vec<_> = args.iter().map(|part| &part.ty).collect();
    let sets = parts.iter().map(|part| {
        let Part { field, arg, .. } = part;
        quote!(__out.field(#field, &#arg);)
    });
    let expects = distinct(expected).into_iter().map(|part| {
        let Part { field, arg, .. } = part;
        quote!(__out.expect(#field, &#arg);)
    });
    let numbers = indexes.iter().map(|(n, _)| Literal::usize_unsuffixed(*n));
    let keys = indexes.iter().map(|(n, index)| {
        let access = |part: &Part| {
            let arg = &part.arg;
            quote!(&#arg)
        };
        let (pk, sk) = quoted.own(&index.key, Some(index), &access, &|part| {
            quoted.copied(part)
        });
        let n = Literal::usize_unsuffixed(*n);
        quote!(__out.keys().index(#n, #pk, #sk);)
    });
    let doc = doc(setter, &asked);
    quote! {
        #[doc = #doc]
        #vis fn #name(&self, #(#names: impl __rt::IntoField<#types>),*) -> __rt::Update<#ident> {
            #(let #names: #types = __rt::IntoField::into_field(#names);)*
            __rt::Update::of(self.0.indexed::<#ident>(&[#(#numbers),*], |__key, __out| {
                #(#reads)*
                #(#sets)*
                #(#expects)*
                #(#keys)*
                ::core::result::Result::Ok(())
            }))
        }
    }
}

/// The fields of the indexes that are in the primary key, each as often as an index has it.
fn key_parts<'e>(entity: &'e Entity, setter: &Setter<'e>) -> Vec<&'e Part> {
    let parts = index_parts(setter).filter(|part| entity.is_in_key(&part.path));
    parts.filter(|part| !entity.is_copied(part)).collect()
}

fn index_parts<'e>(setter: &Setter<'e>) -> impl Iterator<Item = &'e Part> {
    let indexes = setter.indexes.iter();
    indexes.flat_map(|(_, index)| index.key.parts())
}

/// The fields that are given, in the order of the templates.
fn arguments<'e>(setter: &Setter<'e>, asked: &[&'e Part]) -> Vec<&'e Part> {
    let given = setter.parts.iter().chain(asked);
    let is_given = |part: &&Part| given.clone().any(|given| given.path == part.path);
    distinct(index_parts(setter).filter(is_given))
}

fn doc(setter: &Setter<'_>, asked: &[&Part]) -> String {
    let listed = |names: Vec<String>| names.join(", ");
    let fields = |parts: &[&Part]| {
        let parts = parts.iter();
        listed(parts.map(|part| format!("`{}`", part.path)).collect())
    };
    let indexes = setter.indexes.iter();
    let names = indexes
        .clone()
        .map(|(_, index)| format!("`{}`", index.name));
    let templates = indexes.flat_map(|(_, index)| index.key.templates());
    let templates = templates.map(|(template, ..)| format!("`{}`", template.literal.value()));
    let what = if setter.indexes.len() == 1 {
        "index"
    } else {
        "indexes"
    };
    let doc = format!(
        "Sets {} and recomputes the key of the {what} {}. The arguments are in the order of its templates: {}. If an `Option` is `None`, the item leaves the index.",
        fields(&setter.parts),
        listed(names.collect()),
        listed(templates.collect()),
    );
    if asked.is_empty() {
        return doc;
    }
    let asked = fields(asked);
    format!(
        "{doc}\n\nThe key of the item does not tell {asked}: the update fails if it is not what is stored."
    )
}
