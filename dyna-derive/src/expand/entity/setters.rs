//! The functions that set the fields of indexes together, so that their keys follow.

use super::keys::{own, read, slot_text};
use super::parts;
use crate::model::{Entity, Part, Setter, When, setters as setters_name};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::Ident;

/// The name of the type of the setters.
pub(super) fn setters_type(entity: &Entity) -> TokenStream {
    if entity.setters().is_empty() {
        return quote!(__rt::NoSetters);
    }
    setters_name(&entity.ident).to_token_stream()
}

/// The type of the setters, if there are any.
pub(super) fn setters(entity: &Entity) -> Option<TokenStream> {
    let setters = entity.setters();
    if setters.is_empty() {
        return None;
    }
    let (vis, name) = (&entity.vis, setters_name(&entity.ident));
    let doc = format!("Sets the fields of the indexes of [`{}`].", entity.ident);
    let methods = setters.iter().map(|setter| method(entity, setter));
    // Types of their names, so that the compiler can say what to call.
    let names = setters.iter().map(|setter| &setter.name);
    Some(quote! {
        #[doc = #doc]
        #[derive(::core::fmt::Debug, ::core::clone::Clone)]
        #vis struct #name(__rt::ItemChanges);
        #[automatically_derived]
        impl __rt::Setters for #name {
            fn new(changes: __rt::ItemChanges) -> Self {
                Self(changes)
            }
            fn changes(&self) -> &__rt::ItemChanges {
                &self.0
            }
            fn changes_mut(&mut self) -> &mut __rt::ItemChanges {
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
    })
}

fn method(entity: &Entity, setter: &Setter<'_>) -> TokenStream {
    let (vis, ident, name) = (&entity.vis, &entity.ident, &setter.name);
    let reads = setter.known.iter().map(|(part, slot)| {
        let (arg, read) = (&part.arg, read(entity, part, *slot));
        quote!(let #arg = #read?;)
    });
    let names: Vec<&Ident> = setter.args.iter().map(|part| &part.arg).collect();
    let types: Vec<_> = setter.args.iter().map(|part| parts::ty(part)).collect();
    let sets = setter.parts.iter().map(|part| {
        let arg = &part.arg;
        match entity.field(&part.path) {
            Some(field) if entity.is_index_only(field) => {
                let attribute = &field.attribute;
                quote!(__out.key_only(#attribute, __rt::to_value(&#arg));)
            }
            _ => {
                let field = parts::path(entity, part);
                quote!(__out.field(#field, &#arg);)
            }
        }
    });
    let expects = setter.expected.iter().map(|part| {
        let (field, arg) = (parts::path(entity, part), &part.arg);
        quote!(__out.expect(#field, &#arg);)
    });
    let indexes = setter.indexes.iter();
    let numbers = indexes.clone().map(|(n, _)| Literal::usize_unsuffixed(*n));
    let keys = indexes.map(|(n, index)| {
        let access = |part: &Part| {
            let arg = variable(setter, part);
            quote!(&#arg)
        };
        let copied = |part: &Part| entity.copied_slot(part).map(slot_text);
        let (pk, sk) = own(entity, &index.key, Some(index), &access, &copied);
        let n = Literal::usize_unsuffixed(*n);
        let write = quote!(__out.keys().index(#n, #pk, #sk););
        match &index.when {
            Some(When::Field(field)) => {
                let arg = variable(setter, field);
                quote!(if #arg { #write })
            }
            _ => write,
        }
    });
    let doc = doc(setter);
    quote! {
        #[doc = #doc]
        #vis fn #name(&self, #(#names: impl __rt::IntoFieldValue<#types>),*) -> __rt::Update<#ident> {
            #(let #names: #types = __rt::IntoFieldValue::into_field(#names);)*
            __rt::Update::of(__rt::Derived, self.0.indexed::<#ident>(&[#(#numbers),*], |__key, __out| {
                #(#reads)*
                #(#sets)*
                #(#expects)*
                #(#keys)*
                ::core::result::Result::Ok(())
            }))
        }
    }
}

/// What the value of a field is called: two indexes may name its argument differently.
fn variable<'s>(setter: &'s Setter<'_>, part: &'s Part) -> &'s Ident {
    let known = setter.known.iter().map(|(part, _)| *part);
    let mut all = setter.args.iter().copied().chain(known);
    all.find(|one| one.path == part.path)
        .map_or(&part.arg, |one| &one.arg)
}

fn doc(setter: &Setter<'_>) -> String {
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
    if setter.asked.is_empty() {
        return doc;
    }
    let asked = fields(&setter.asked);
    format!(
        "{doc}\n\nThe update also checks that the stored {asked} equals the argument, because the primary key does not contain it."
    )
}
