//! `#[derive(DynaTable)]`: the schema of a table, and the proof that its entities can share it.

mod check;
mod index;
mod key;
mod settings;
mod variants;

use crate::attr::{
    EntityAttr, IndexAttr, IndexProjectionAttr, KeyAttr, KeyKind, TableAttr, TableRef, crate_path,
};
use crate::check::delimiter;
use crate::docs;
use crate::error::Errors;
use crate::reserved::expression;
use crate::tokens::{self, LONGEST_NAME};
use check::check_name;
use key::{Key, attribute, kind_type};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Path, Type};

/// Everything that `#[derive(DynaTable)]` generates, or all that is wrong.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream, Errors> {
    let mut errors = Errors::default();
    let Some((attr, entities)) = read(input, &mut errors) else {
        return Err(errors);
    };
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics,
            format_args!("`{}` is generic, and a table is one type", input.ident),
        );
    }
    let table = Table {
        input,
        krate: crate_path(attr.krate.get()),
        attr,
        entities,
    };
    let schema = table.schema(&mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(table.expand(&schema))
}

struct Table<'i> {
    input: &'i DeriveInput,
    krate: Path,
    attr: TableAttr,
    /// The entities it lists; `None` for a table that is declared apart from them.
    entities: Option<Vec<Type>>,
}

fn read(input: &DeriveInput, errors: &mut Errors) -> Option<(TableAttr, Option<Vec<Type>>)> {
    match &input.data {
        Data::Enum(data) => {
            let entities = variants::entities(data, errors);
            if variants::split(data, &mut Errors::default()).0.is_empty() {
                errors.help(
                    &input.ident,
                    format_args!("table `{}` lists no entity", input.ident),
                    "write a variant for each, such as `User(User)`",
                );
            }
            Some((TableAttr::parse(&input.attrs, errors), Some(entities)))
        }
        Data::Struct(data) if matches!(data.fields, Fields::Unit) => {
            Some((TableAttr::parse(&input.attrs, errors), None))
        }
        Data::Struct(_) => {
            // The options of the entity are for `DynaEntity` to judge.
            let mut judged = Errors::default();
            let attr = EntityAttr::parse(&input.attrs, &mut judged);
            let entity = input.ident.to_token_stream();
            let entities = Some(vec![Type::Verbatim(entity)]);
            match attr.table.into_inner() {
                Some(TableRef::Own(own)) if judged.is_empty() => {
                    let mut own = *own;
                    own.krate = attr.krate;
                    Some((own, entities))
                }
                _ if !judged.is_empty() => None,
                _ => {
                    errors.help(
                        &input.ident,
                        format_args!("`{}` does not say what its table is", input.ident),
                        "write `#[dyna(table(name = \"..\", pk = \"..\"), ..)]`, \
                         or derive `DynaTable` on an enum that lists the entities of the table",
                    );
                    None
                }
            }
        }
        Data::Union(_) => {
            errors.at(
                &input.ident,
                "a table is an enum of its entities, and this is a union",
            );
            None
        }
    }
}

impl Table<'_> {
    fn expand(&self, schema: &TokenStream) -> TokenStream {
        let (krate, ident, vis) = (&self.krate, &self.input.ident, &self.input.vis);
        let registry = self
            .entities
            .as_deref()
            .map(|entities| self.registry(entities));
        let embedded = cfg!(feature = "embedded").then(|| {
            quote! {
                /// Opens the table in a new in-process engine, where it is created.
                #vis async fn embedded() -> ::core::result::Result<#krate::Table<Self>, #krate::Error> {
                    #krate::Table::embedded().await
                }
            }
        });
        let from = self.conversions();
        let indexes = self.index_consts();
        let is_enum = matches!(self.input.data, Data::Enum(_));
        let scan = is_enum.then(|| {
            let schema = self.schema_type();
            quote! {
                /// Reads every item of the table.
                #vis fn scan() -> #krate::Scan<Self, #krate::schema::Primary<#schema>> {
                    #krate::Scan::table()
                }
            }
        });
        let open = self.entities.is_some().then(|| {
            quote! {
                // A program rarely uses all of these; a table may be called `Open`.
                #[allow(dead_code, clippy::self_named_constructors)]
                #[automatically_derived]
                impl #ident {
                    /// Opens the table with your own client. No request is made.
                    #vis fn open(client: #krate::__private::Client) -> #krate::Table<Self> {
                        #krate::Table::open(client)
                    }
                    #embedded
                    #scan
                }
            }
        });
        quote! {
            const _: () = {
                use #krate::__private as __rt;
                #schema
                #registry
                #indexes
            };
            #open
            #from
        }
    }

    /// `read` and `to_item`: an enum is what its variants are, an entity that is its own table is itself.
    fn codec(&self, entities: &[Type]) -> TokenStream {
        let Data::Enum(data) = &self.input.data else {
            return quote! {
                fn read(item: __rt::FoundItem<'_, '_>) -> __rt::Result<Self> {
                    <Self as __rt::View<Self>>::read(item)
                }
                fn to_item(&self) -> __rt::Result<__rt::Item> {
                    __rt::Entity::encode(self)
                }
            };
        };
        // What is wrong with them has been said.
        let (variants, unknown) = variants::split(data, &mut Errors::default());
        let variants: Vec<_> = variants.iter().map(|variant| &variant.ident).collect();
        // The first entity is the last arm: `which` finds no other numbers.
        let read: Vec<_> = entities
            .iter()
            .zip(&variants)
            .map(|(entity, variant)| {
                let span = tokens::located(entity.span());
                quote_spanned!(span=> <#entity as __rt::Entity>::read(item).map(Self::#variant))
            })
            .collect();
        let arms = read.iter().enumerate().skip(1).map(|(n, read)| {
            let n = Literal::usize_unsuffixed(n);
            quote!(#n => #read,)
        });
        let first = read.first();
        let encode = entities.iter().map(|entity| {
            let span = tokens::located(entity.span());
            quote_spanned!(span=> <#entity as __rt::Entity>::encode(entity))
        });
        let which = match unknown.map(|variant| &variant.ident) {
            None => quote!(__rt::which(Self::ENTITIES, &item)?),
            Some(unknown) => quote! {
                match __rt::which_or_unknown(Self::ENTITIES, &item)? {
                    ::core::option::Option::Some(__at) => __at,
                    ::core::option::Option::None => {
                        return __rt::unknown::<Self>(item).map(Self::#unknown);
                    }
                }
            },
        };
        let unknown = unknown.map(|variant| {
            let unknown = &variant.ident;
            quote! {
                Self::#unknown(ref item) => ::core::result::Result::Ok(::core::clone::Clone::clone(item)),
            }
        });
        quote! {
            fn read(item: __rt::FoundItem<'_, '_>) -> __rt::Result<Self> {
                match #which {
                    #(#arms)*
                    _ => #first,
                }
            }
            fn to_item(&self) -> __rt::Result<__rt::Item> {
                match *self {
                    #(Self::#variants(ref entity) => #encode,)*
                    #unknown
                }
            }
        }
    }

    /// `From` of each entity, for an enum of them.
    fn conversions(&self) -> Option<TokenStream> {
        let Data::Enum(data) = &self.input.data else {
            return None;
        };
        let ident = &self.input.ident;
        let (variants, _) = variants::split(data, &mut Errors::default());
        let variants = variants.iter().map(|variant| &variant.ident);
        let entities = self.entities.iter().flatten();
        Some(quote! {
            #(
                #[automatically_derived]
                impl ::core::convert::From<#entities> for #ident {
                    fn from(entity: #entities) -> Self {
                        Self::#variants(entity)
                    }
                }
            )*
        })
    }

    /// The type that the table is declared on.
    fn schema_type(&self) -> TokenStream {
        let ident = &self.input.ident;
        let schema = self.attr.schema.get();
        schema.map_or_else(|| ident.to_token_stream(), ToTokens::to_token_stream)
    }

    /// `impl Schema`, unless the table is declared elsewhere.
    fn schema(&self, errors: &mut Errors) -> TokenStream {
        let attr = &self.attr;
        if let Some(schema) = attr.schema.get() {
            if attr.declares {
                errors.at(
                    schema,
                    "the table is declared by its `schema`: give its name, key, indexes and other options there",
                );
            }
            return TokenStream::new();
        }
        let ident = &self.input.ident;
        let (Some(name), Some(pk)) = (attr.name.get(), attr.pk.get()) else {
            errors.help(
                ident,
                format_args!("table `{ident}` has no {}", if attr.pk.get().is_some() { "name" } else { "partition key" }),
                "write `name = \"table-name\", pk = \"pk\", sk = \"sk\"`: the names of the table and of its key attributes",
            );
            return TokenStream::new();
        };
        check_name(name, errors);
        let key = Key {
            name: "",
            scope: format_ident!("Table"),
            pk: std::slice::from_ref(pk),
            sk: attr.sk.as_slice(),
            projection: &IndexProjectionAttr::All,
            throughput: tokens::option(None),
        };
        let (pk_kind, sk_kind) = (kind_type(key.pk), kind_type(key.sk));
        let type_name = ident.to_string();
        let doc = docs::first_paragraph(&self.input.attrs);
        let settings = attr.settings.quote();
        let key_schema = key.quote();
        let tag = tokens::option(attr.tag.get().map(|tag| {
            let attribute = attribute(&KeyAttr {
                kind: KeyKind::S,
                name: tag.clone(),
            });
            // Items that other software wrote may have none; the shape of their keys tells whose they are.
            let is = format!(
                "({0} = :e OR {0} = :null OR attribute_not_exists({0}))",
                expression(&tag.value())
            );
            quote!(__rt::Tag { attribute: #attribute, is: #is })
        }));
        let ttl = tokens::option(attr.ttl.get().map(|ttl| {
            attribute(&KeyAttr {
                kind: KeyKind::N,
                name: ttl.clone(),
            })
        }));
        let stream = tokens::option(attr.stream.get().map(|stream| {
            let view = format_ident!("{}", crate::attr::pascal(&stream.value()));
            quote!(__rt::StreamView::#view)
        }));
        let delimiter = Literal::byte_character(delimiter(attr.delimiter.get(), errors));
        let stores_null = attr.nulls.get().is_some();
        let indexes: Vec<_> = attr
            .indexes
            .iter()
            .map(|index| self.index(index, pk, errors))
            .collect();
        attr.check_indexes(errors);
        let names = attr
            .indexes
            .iter()
            .map(|index| tokens::name(&quote!(__rt), &index.ident.to_string(), index.ident.span()));
        quote! {
            #[automatically_derived]
            impl __rt::Schema for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                type Pk = #pk_kind;
                type Sk = #sk_kind;
                const SCHEMA: &'static __rt::TableSchema = &__rt::TableSchema {
                    type_name: #type_name,
                    doc: #doc,
                    name: #name,
                    key: #key_schema,
                    indexes: &[#(<#ident as __rt::HasIndex<#names>>::INDEX),*],
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

    fn index(&self, index: &IndexAttr, table_pk: &KeyAttr, errors: &mut Errors) -> TokenStream {
        let ident = &self.input.ident;
        let table_pk = std::slice::from_ref(table_pk);
        let pk = match (index.pk.all(), index.local) {
            (pk @ [_, ..], false) => pk,
            ([], true) => table_pk,
            ([pk, ..], true) => {
                errors.help(
                    &pk.name,
                    "a local index has the partition key of its table",
                    format_args!(
                        "leave `pk` out: `local_index({}, sk = \"..\")`",
                        index.ident
                    ),
                );
                table_pk
            }
            ([], false) => {
                errors.help(
                    &index.ident,
                    format_args!("index `{}` has no partition key", index.ident),
                    format_args!("write `index({}, pk = \"attribute\")`", index.ident),
                );
                return TokenStream::new();
            }
        };
        if let (true, [_, second, ..]) = (index.local, index.sk.all()) {
            errors.help(
                &second.name,
                "a local index has one sort attribute",
                "declare a global index: `index(..)`",
            );
        }
        if index.local && index.sk.get().is_none() {
            errors.at(
                &index.ident,
                format_args!(
                    "a local index has a sort key: `local_index({}, sk = \"..\")`",
                    index.ident
                ),
            );
        }
        if index.ident.to_string().chars().count() > LONGEST_NAME {
            errors.help(
                &index.ident,
                format_args!("the name of an index in Rust has at most {LONGEST_NAME} characters"),
                format_args!(
                    "give it a short one, and its own as `index(short, name = \"{}\", ..)`",
                    index.ident
                ),
            );
        }
        let name = index.real_name();
        let projection = index.projection.get().unwrap_or(&IndexProjectionAttr::All);
        let scope = if index.local {
            format_ident!("Local")
        } else {
            format_ident!("Global")
        };
        let reads = if index.local {
            format_ident!("Strong")
        } else {
            format_ident!("Eventual")
        };
        let yields = match projection {
            IndexProjectionAttr::All => format_ident!("Whole"),
            _ => format_ident!("Partial"),
        };
        let key = Key {
            name: &name,
            scope,
            pk,
            sk: index.sk.all(),
            projection,
            throughput: self.attr.settings.throughput(index, errors),
        }
        .quote();
        let (pk_kind, sk_kind) = (kind_type(pk), kind_type(index.sk.all()));
        let marker = tokens::name(&quote!(__rt), &index.ident.to_string(), index.ident.span());
        // Under the name of the index, so that an error about a name that is not there points at those that are.
        let span = tokens::located(index.ident.span());
        let of = tokens::moved(quote!(#ident), span);
        let body = quote! {
            const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
            type Pk = #pk_kind;
            type Sk = #sk_kind;
            type Reads = __rt::#reads;
            type Yields = __rt::#yields;
            const INDEX: &'static __rt::IndexSchema = &#key;
        };
        quote_spanned! {span=>
            #[automatically_derived]
            impl __rt::HasIndex<#marker> for #of {
                #body
            }
        }
    }

    /// `impl DynaTable`, and the proof that no two entities can write the same key.
    fn registry(&self, entities: &[Type]) -> TokenStream {
        let (ident, schema) = (&self.input.ident, self.schema_type());
        let listed = entities.iter().enumerate().map(|(at, entity)| {
            let span = tokens::located(entity.span());
            quote_spanned! {span=>
                #[automatically_derived]
                impl __rt::Lists<#entity> for #ident {
                    const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                    const FOREIGN: __rt::Foreign = __rt::Foreign::of(<#ident as __rt::DynaTable>::ENTITIES, #at);
                    const AT: usize = #at;
                }
                const _: bool = <<#entity as __rt::Entity>::Table as __rt::SameTable<#schema>>::IS_SAME;
                const _: () = __rt::check_listed(<#ident as __rt::DynaTable>::ENTITIES, #at);
            }
        });
        let codec = self.codec(entities);
        let itself = matches!(self.input.data, Data::Enum(_)).then(|| {
            quote! {
                #[automatically_derived]
                impl __rt::Lists<Self> for #ident {
                    const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                    const FOREIGN: __rt::Foreign = __rt::Foreign::NONE;
                }
            }
        });
        quote! {
            #[automatically_derived]
            impl __rt::DynaTable for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                type Schema = #schema;
                const ENTITIES: &'static [&'static __rt::EntityMeta] =
                    &[#(<#entities as __rt::Entity>::META),*];
                #codec
            }
            #(#listed)*
            #itself
        }
    }
}
