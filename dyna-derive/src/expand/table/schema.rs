//! A table as const data.

use super::index::{index, marker};
use super::key::{attribute, key_schema, kind_type};
use super::settings::settings;
use crate::model::{KeyAttribute, KeyKind, Schema, StreamViewType, Table};
use crate::reserved::expression;
use crate::tokens;
use proc_macro2::TokenStream;
use quote::quote;

/// `impl Schema`, and those of the indexes.
pub(super) fn schema(table: &Table, schema: &Schema) -> TokenStream {
    let Schema { name, key, .. } = schema;
    let ident = &table.ident;
    let type_name = ident.to_string();
    let (pk, sk) = (kind_type(&key.pk), kind_type(&key.sk));
    let key = key_schema(key);
    let options = options(schema);
    let view = view(schema.stream);
    let markers = schema.indexes.iter().map(marker);
    let listed = (!schema.indexes.is_empty())
        .then(|| quote!(.indexes(&[#(<#ident as __rt::HasIndex<#markers>>::INDEX),*])));
    let indexes = schema.indexes.iter().map(|one| index(table, one));
    quote! {
        #[automatically_derived]
        impl __rt::Schema for #ident {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            type Pk = #pk;
            type Sk = #sk;
            type Stream = __rt::#view;
            const SCHEMA: &'static __rt::TableSchema =
                &__rt::TableSchema::new(#type_name, #name, #key) #listed #options;
        }
        #(#indexes)*
    }
}

/// What the table has beyond a name and keys.
fn options(schema: &Schema) -> TokenStream {
    let doc = (!schema.doc.is_empty()).then(|| {
        let doc = &schema.doc;
        quote!(.doc(#doc))
    });
    let tag = schema.tag.as_deref().map(tag);
    let ttl = schema.ttl.as_deref().map(|name| {
        let attribute = named(name, KeyKind::N);
        quote!(.ttl(#attribute))
    });
    let stream = schema.stream.map(|view| {
        let view = stream(view);
        quote!(.stream(#view))
    });
    let settings = settings(&schema.settings).map(|settings| quote!(.settings(#settings)));
    let delimiter = (schema.delimiter != "#").then(|| {
        let delimiter = tokens::delimiter(&schema.delimiter);
        quote!(.delimiter(#delimiter))
    });
    let stores_null = schema.stores_null.then(|| quote!(.stores_null()));
    quote!(#doc #tag #ttl #stream #settings #delimiter #stores_null)
}

/// `.tag(..)`: items that other software wrote may have none; the shape of their keys tells whose they are.
fn tag(name: &str) -> TokenStream {
    let attribute = named(name, KeyKind::S);
    let expr = expression(name);
    let is = format!("({expr} = :e OR {expr} = :null OR attribute_not_exists({expr}))");
    quote!(.tag(#attribute, #is))
}

fn named(name: &str, kind: KeyKind) -> TokenStream {
    let name = name.to_owned();
    attribute(&KeyAttribute { name, kind })
}

/// The images of its changes, as a type.
fn view(stream: Option<StreamViewType>) -> TokenStream {
    match stream {
        None => quote!(NoStream),
        Some(StreamViewType::KeysOnly) => quote!(KeysOnly),
        Some(StreamViewType::NewImage) => quote!(NewImage),
        Some(StreamViewType::OldImage) => quote!(OldImage),
        Some(StreamViewType::NewAndOldImages) => quote!(NewAndOldImages),
    }
}

fn stream(view: StreamViewType) -> TokenStream {
    match view {
        StreamViewType::KeysOnly => quote!(__rt::StreamViewType::KeysOnly),
        StreamViewType::NewImage => quote!(__rt::StreamViewType::NewImage),
        StreamViewType::OldImage => quote!(__rt::StreamViewType::OldImage),
        StreamViewType::NewAndOldImages => quote!(__rt::StreamViewType::NewAndOldImages),
    }
}
