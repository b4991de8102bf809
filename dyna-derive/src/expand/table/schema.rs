//! A table as const data.

use super::index::{index, marker};
use super::key::{attribute, key_schema, kind_type};
use super::settings::settings;
use crate::model::{KeyAttribute, KeyKind, Schema, StreamViewType, Table};
use crate::reserved::expression;
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// `impl Schema`, and those of the indexes.
pub(super) fn schema(table: &Table, schema: &Schema) -> TokenStream {
    let Schema {
        name,
        doc,
        key,
        stores_null,
        ..
    } = schema;
    let ident = &table.ident;
    let type_name = ident.to_string();
    let (pk, sk) = (kind_type(&key.pk), kind_type(&key.sk));
    let (key, settings) = (key_schema(key), settings(&schema.settings));
    let tag = tokens::option(schema.tag.as_deref().map(tag));
    let ttl = schema.ttl.as_deref().map(|name| named(name, KeyKind::N));
    let ttl = tokens::option(ttl);
    let stream = tokens::option(schema.stream.map(stream));
    let delimiter = Literal::byte_character(schema.delimiter);
    let markers = schema.indexes.iter().map(marker);
    let indexes = schema.indexes.iter().map(|one| index(table, one));
    quote! {
        #[automatically_derived]
        impl __rt::Schema for #ident {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            type Pk = #pk;
            type Sk = #sk;
            const SCHEMA: &'static __rt::TableSchema = &__rt::TableSchema {
                type_name: #type_name,
                doc: #doc,
                name: #name,
                key: #key,
                indexes: &[#(<#ident as __rt::HasIndex<#markers>>::INDEX),*],
                tag: #tag,
                ttl: #ttl,
                stream: #stream,
                settings: #settings,
                delimiter: #delimiter,
                stores_null: #stores_null,
            };
        }
        #(#indexes)*
    }
}

/// `Tag { .. }`: items that other software wrote may have none; the shape of their keys tells whose they are.
fn tag(name: &str) -> TokenStream {
    let attribute = named(name, KeyKind::S);
    let expr = expression(name);
    let is = format!("({expr} = :e OR {expr} = :null OR attribute_not_exists({expr}))");
    quote!(__rt::TagAttribute { attribute: #attribute, is: #is })
}

fn named(name: &str, kind: KeyKind) -> TokenStream {
    let name = name.to_owned();
    attribute(&KeyAttribute { name, kind })
}

fn stream(view: StreamViewType) -> TokenStream {
    match view {
        StreamViewType::KeysOnly => quote!(__rt::StreamViewType::KeysOnly),
        StreamViewType::NewImage => quote!(__rt::StreamViewType::NewImage),
        StreamViewType::OldImage => quote!(__rt::StreamViewType::OldImage),
        StreamViewType::NewAndOldImages => quote!(__rt::StreamViewType::NewAndOldImages),
    }
}
