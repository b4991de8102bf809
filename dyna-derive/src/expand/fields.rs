//! The fields of an entity or a nested struct as paths: `Message::CONTENT`, `UserData::EMAIL`.

use crate::docs;
use crate::model::{
    Entity, Field, FieldRole, Form, ManagedRole, WhenAbsent, const_name, form as form_name,
};
use crate::reserved;
use crate::tokens;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// One const per field of a nested struct.
pub(crate) fn consts(fields: &[Field]) -> TokenStream {
    let consts = fields.iter().map(|field| constant(field, None, None));
    quote!(#(#consts)*)
}

/// One const per field of an entity, with what updates may do with it.
pub(super) fn entity_consts(entity: &Entity) -> TokenStream {
    let consts = entity.fields.iter().map(|field| {
        if field.key_only {
            return key_only(field);
        }
        constant(field, role(entity, field), Some(&entity.ident))
    });
    quote!(#(#consts)*)
}

/// The const of a field without an attribute, which says so where it is used.
fn key_only(field: &Field) -> TokenStream {
    let (name, vis) = (const_name(&field.ident), &field.vis);
    quote! {
        #[doc(hidden)]
        #[allow(dead_code)]
        #vis const #name: __rt::KeyOnlyField<Self> = __rt::KeyOnlyField::new(__rt::Derived);
    }
}

/// What the field is to updates, as a type, if it is not free.
fn role(entity: &Entity, field: &Field) -> Option<TokenStream> {
    Some(match entity.role(field) {
        FieldRole::Free => return None,
        FieldRole::Managed => quote!(__rt::ManagedField),
        FieldRole::Unique => quote!(__rt::UniqueRole),
        FieldRole::Variant => quote!(__rt::VariantTag),
        FieldRole::UniqueExpiry => quote!(__rt::UniqueExpiry),
        FieldRole::InKey => quote!(__rt::InKey),
        FieldRole::Deciding => quote!(__rt::DecidesIndex),
        FieldRole::InIndex { setter, is_input } => {
            let (ident, name) = (&entity.ident, field.ident.unraw().to_string());
            let derived = if is_input {
                quote!(true)
            } else {
                quote!(__rt::has_separate_key(<#ident as __rt::Entity>::META, #name))
            };
            match setter {
                Some(setter) => quote!(__rt::InIndex<{ #derived }, #setter>),
                None => quote!(__rt::InManagedIndex<{ #derived }>),
            }
        }
    })
}

fn constant(field: &Field, role: Option<TokenStream>, entity: Option<&Ident>) -> TokenStream {
    let name = const_name(&field.ident);
    let (vis, ty, attribute) = (&field.vis, &field.ty, &field.attribute);
    let expr = reserved::expression(attribute);
    let doc = doc(field);
    let types = match (role, form(field)) {
        (None, None) => TokenStream::new(),
        (Some(role), None) => quote!(, #role),
        (role, Some(form)) => {
            let role = role.unwrap_or_else(|| quote!(__rt::Free));
            quote!(, #role, #form)
        }
    };
    let value = match (&field.serialize, &field.deserialize) {
        (Some(_), _) | (_, Some(_)) => {
            let write = match &field.serialize {
                Some(function) => quote!(#function),
                None => quote!(__rt::serialize),
            };
            let read = match &field.deserialize {
                Some(function) => quote!(#function),
                None => quote!(__rt::deserialize),
            };
            let write = quote!(|__value, __writer| #write(__value, __writer));
            let read = quote!(|__reader| #read(__reader));
            quote!(<__rt::Field<Self, #ty #types>>::encoded(__rt::Derived, #attribute, #expr, #write, #read))
        }
        // A type that cannot be serialized is the field's fault.
        (None, None) => {
            let span = tokens::located(ty.span());
            quote_spanned!(span=> __rt::Field::new(__rt::Derived, #attribute, #expr))
        }
    };
    let aliases = field_aliases(&field.aliases);
    let of =
        entity.map(|entity| quote!(.nulls(__rt::Derived, <#entity as __rt::Entity>::META.nulls())));
    quote! {
        #[doc = #doc]
        #vis const #name: __rt::Field<Self, #ty #types> = #value #aliases #of;
    }
}

/// What the user says of the field, and its attribute.
fn doc(field: &Field) -> String {
    let (comment, attribute) = (&field.comment, &field.attribute);
    let attribute = format!("The attribute `{attribute}`.");
    if comment.trim().is_empty() {
        return attribute;
    }
    format!("{comment}\n\n {attribute}")
}

/// How the field is stored, as a type, if it is not as its type serializes.
pub(super) fn form(field: &Field) -> Option<TokenStream> {
    Some(match &field.form {
        Form::Plain => return None,
        Form::Opaque => quote!(__rt::Opaque),
        Form::Bytes => quote!(__rt::Bytes),
        Form::Named(_) => {
            let name = form_name(&field.ident);
            quote!(<#name as __rt::StoredBy>::Form)
        }
    })
}

/// The forms of the fields whose `with` is called like a module of the runtime's. Such a module says its form under the name `__Form`,
/// and of any other the name is found in the block around it, where it says that the form is not known.
pub(crate) fn forms(fields: &[Field]) -> TokenStream {
    let forms = fields.iter().filter_map(|field| {
        let Form::Named(module) = &field.form else {
            return None;
        };
        let name = form_name(&field.ident);
        let vis = &field.vis;
        Some(quote! {
            #[doc(hidden)]
            #[derive(::core::fmt::Debug)]
            #[allow(non_camel_case_types)]
            #vis enum #name {}
            const _: () = {
                use __rt::unknown::*;
                const _: () = {
                    #[allow(unused_imports)]
                    use #module::*;
                    #[automatically_derived]
                    impl __rt::StoredBy for #name {
                        type Form = __Form;
                    }
                };
            };
        })
    });
    quote!(#(#forms)*)
}

/// `AttributeName::new("status", "#status")`, and its aliases.
pub(crate) fn stored_name(field: &Field) -> TokenStream {
    let aliases = aliases(&field.aliases);
    let name = name(&field.attribute);
    quote!(#name #aliases)
}

fn name(attribute: &str) -> TokenStream {
    let expr = reserved::expression(attribute);
    quote!(__rt::AttributeName::new(#attribute, #expr))
}

/// `.aliases(&[AttributeName::new("mail", "mail")])`, if there are any.
pub(crate) fn aliases(aliases: &[String]) -> Option<TokenStream> {
    let names = aliases.iter().map(|alias| name(alias));
    (!aliases.is_empty()).then(|| quote!(.aliases(&[#(#names),*])))
}

/// The same of a constant, which only a derive may give other names.
fn field_aliases(aliases: &[String]) -> Option<TokenStream> {
    let names = aliases.iter().map(|alias| name(alias));
    (!aliases.is_empty()).then(|| quote!(.aliases(__rt::Derived, &[#(#names),*])))
}

/// `FieldMeta::new("channel_id", "channelId")`, for each field.
pub(crate) fn field_metas(fields: &[Field], is_index_only: &dyn Fn(&Field) -> bool) -> TokenStream {
    let fields = fields.iter().map(|field| {
        let index_only = is_index_only(field).then(|| quote!(.index_only()));
        let (name, attribute) = (field.ident.unraw().to_string(), &field.attribute);
        let constructor = if field.key_only {
            quote!(key_only)
        } else {
            quote!(new)
        };
        let (ty, typed) = match field.managed {
            Some(ManagedRole::Variant) => {
                ("String".to_owned(), quote!(::std::string::String))
            }
            _ => {
                let ty = field.ty.to_token_stream();
                (docs::spelled(ty.clone()), ty)
            }
        };
        let doc = docs::first_paragraph(&field.comment);
        let doc = (!doc.is_empty()).then(|| quote!(.doc(#doc)));
        let expr = reserved::expression(attribute);
        let alias = (expr != *attribute).then(|| quote!(.alias(#expr)));
        let with = read_by(field).map(|with| quote!(.with(#with)));
        let stored_as = stored_as(field).map(|kind| quote!(.stored_as(#kind)));
        let aliases = aliases(&field.aliases);
        let when_absent = match field.when_absent {
            WhenAbsent::Nothing => None,
            WhenAbsent::Asked => Some(quote!(.asked())),
            WhenAbsent::Defaulted => Some(quote!(.defaulted())),
        };
        let more = quote!(.typed::<#typed>() #index_only #alias #aliases #when_absent #doc #with #stored_as);
        quote!(__rt::FieldMeta::#constructor(#name, #attribute, #ty)#more)
    });
    quote!(#(#fields),*)
}

/// What a field is stored as, where its type tells.
fn stored_as(field: &Field) -> Option<TokenStream> {
    let ty = &field.ty;
    match field.form {
        Form::Plain => Some(quote!(<__rt::KindOf<#ty>>::STORED_AS)),
        Form::Bytes => Some(quote!(__rt::StoredAs::Key(__rt::ScalarType::B))),
        Form::Opaque | Form::Named(_) => None,
    }
}

/// The function that reads a field, if it is not the type's own: the last two names of its path, since a module may be found under several
/// paths.
pub(crate) fn read_by(field: &Field) -> Option<String> {
    let path = field.deserialize.as_ref()?;
    let names = path
        .path
        .segments
        .iter()
        .map(|one| one.to_token_stream().to_string());
    let names: Vec<_> = names.collect();
    Some(names[names.len().saturating_sub(2)..].join("::"))
}
