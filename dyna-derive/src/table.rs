//! `#[derive(DynaTable)]`: the schema of a table, and the proof that its entities can share it.

use crate::attr::EntityAttr;
use crate::attr::{IndexAttr, KeyAttr, KeyKind, ProjectionAttr, TableAttr, TableRef};
use crate::check::{delimiter, krate};
use crate::error::Errors;
use crate::reserved::expression;
use crate::tokens::{self, LONGEST_NAME};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, Path, Type};

/// Everything that `#[derive(DynaTable)]` generates, or all that is wrong.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream, Errors> {
    let mut errors = Errors::default();
    let (attr, entities) = read(input, &mut errors);
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics,
            format_args!("`{}` is generic, and a table is one type", input.ident),
        );
    }
    let table = Table {
        input,
        krate: krate(attr.krate.get()),
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

fn read(input: &DeriveInput, errors: &mut Errors) -> (TableAttr, Option<Vec<Type>>) {
    match &input.data {
        Data::Enum(data) => {
            let entities = data
                .variants
                .iter()
                .filter_map(|variant| match &variant.fields {
                    Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                        Some(fields.unnamed[0].ty.clone())
                    }
                    _ => {
                        errors.help(
                            variant,
                            "a variant of a table holds one entity",
                            format_args!("write `{0}({0})`", variant.ident),
                        );
                        None
                    }
                });
            let entities = entities.collect();
            (TableAttr::parse(&input.attrs, errors), Some(entities))
        }
        Data::Struct(data) if matches!(data.fields, Fields::Unit) => {
            (TableAttr::parse(&input.attrs, errors), None)
        }
        Data::Struct(_) => {
            // The options of the entity are for `DynaEntity` to judge.
            let attr = EntityAttr::parse(&input.attrs, &mut Errors::default());
            let entity = input.ident.to_token_stream();
            let entities = Some(vec![Type::Verbatim(entity)]);
            match attr.table.into_inner() {
                Some(TableRef::Own(own)) => {
                    let mut own = *own;
                    own.krate = attr.krate;
                    (own, entities)
                }
                _ => {
                    errors.help(
                        &input.ident,
                        format_args!("`{}` does not say what its table is", input.ident),
                        "write `#[dyna(table(name = \"..\", pk = \"..\"), ..)]`, \
                         or derive `DynaTable` on an enum that lists the entities of the table",
                    );
                    (TableAttr::default(), entities)
                }
            }
        }
        Data::Union(_) => {
            errors.at(
                &input.ident,
                "a table is an enum of its entities, and this is a union",
            );
            (TableAttr::default(), None)
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
        let open = self.entities.is_some().then(|| {
            quote! {
                // A program rarely uses all of these.
                #[allow(dead_code)]
                #[automatically_derived]
                impl #ident {
                    /// Opens the table with your own client. No request is made.
                    #vis fn open(client: #krate::__private::Client) -> #krate::Table<Self> {
                        #krate::Table::open(client)
                    }
                    #embedded
                }
            }
        });
        quote! {
            const _: () = {
                use #krate::__private as __rt;
                #schema
                #registry
            };
            #open
        }
    }

    /// `impl Schema`, unless the table is declared elsewhere.
    fn schema(&self, errors: &mut Errors) -> TokenStream {
        let attr = &self.attr;
        if let Some(schema) = attr.schema.get() {
            let given =
                attr.name.get().is_some() || attr.pk.get().is_some() || !attr.indexes.is_empty();
            if given {
                errors.at(
                    schema,
                    "the table is declared by its `schema`: give its name, key and indexes there",
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
        if self.entities.is_none() {
            check_unit(self.input, errors);
        }
        let key = Key {
            name: "",
            scope: format_ident!("Table"),
            pk,
            sk: attr.sk.get(),
            projection: &ProjectionAttr::All,
        };
        let (pk_kind, sk_kind) = (kind_type(Some(pk)), kind_type(attr.sk.get()));
        let entity = ident.to_string();
        let key_schema = key.quote();
        let tag = tokens::option(attr.tag.get().map(|tag| {
            let attribute = attribute(&KeyAttr {
                kind: KeyKind::S,
                name: tag.clone(),
            });
            let is = format!("{} = :e", expression(&tag.value()));
            quote!(__rt::Tag { attribute: #attribute, is: #is })
        }));
        let ttl = tokens::option(attr.ttl.get().map(ToTokens::to_token_stream));
        let stream = tokens::option(attr.stream.get().map(|stream| {
            let view = format_ident!("{}", crate::serde_attr::pascal(&stream.value()));
            quote!(__rt::StreamView::#view)
        }));
        let delimiter = Literal::byte_character(delimiter(attr.delimiter.get(), errors));
        let absent = format!("attribute_not_exists({})", expression(&pk.name.value()));
        let indexes: Vec<_> = attr
            .indexes
            .iter()
            .map(|index| self.index(index, pk, errors))
            .collect();
        self.check_indexes(errors);
        let names = attr
            .indexes
            .iter()
            .map(|index| tokens::name(&quote!(__rt), &index.ident.to_string(), index.ident.span()));
        quote! {
            #[automatically_derived]
            impl __rt::Schema for #ident {
                type Pk = #pk_kind;
                type Sk = #sk_kind;
                const SCHEMA: &'static __rt::TableSchema = &__rt::TableSchema {
                    entity: #entity,
                    name: #name,
                    key: #key_schema,
                    indexes: &[#(<#ident as __rt::HasIndex<#names>>::INDEX),*],
                    tag: #tag,
                    ttl: #ttl,
                    stream: #stream,
                    delimiter: #delimiter,
                    absent: #absent,
                };
            }
            #(#indexes)*
        }
    }

    fn index(&self, index: &IndexAttr, table_pk: &KeyAttr, errors: &mut Errors) -> TokenStream {
        let ident = &self.input.ident;
        let pk = match (index.pk.get(), index.local) {
            (Some(pk), false) => pk,
            (None, true) => table_pk,
            (Some(pk), true) => {
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
            (None, false) => {
                errors.help(
                    &index.ident,
                    format_args!("index `{}` has no partition key", index.ident),
                    format_args!("write `index({}, pk = \"attribute\")`", index.ident),
                );
                return TokenStream::new();
            }
        };
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
        let name = index
            .name
            .get()
            .map_or_else(|| index.ident.to_string(), syn::LitStr::value);
        let projection = index.projection.get().unwrap_or(&ProjectionAttr::All);
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
            ProjectionAttr::All => format_ident!("Whole"),
            _ => format_ident!("Partial"),
        };
        let key = Key {
            name: &name,
            scope,
            pk,
            sk: index.sk.get(),
            projection,
        }
        .quote();
        let (pk_kind, sk_kind) = (kind_type(Some(pk)), kind_type(index.sk.get()));
        let marker = tokens::name(&quote!(__rt), &index.ident.to_string(), index.ident.span());
        quote! {
            #[automatically_derived]
            impl __rt::HasIndex<#marker> for #ident {
                type Pk = #pk_kind;
                type Sk = #sk_kind;
                type Reads = __rt::#reads;
                type Yields = __rt::#yields;
                const INDEX: &'static __rt::IndexSchema = &#key;
            }
        }
    }

    fn check_indexes(&self, errors: &mut Errors) {
        let indexes = &self.attr.indexes;
        for (at, index) in indexes.iter().enumerate() {
            if indexes[..at].iter().any(|other| other.ident == index.ident) {
                errors.at(
                    &index.ident,
                    format_args!("index `{}` is declared twice", index.ident),
                );
            }
        }
        let keys = self.attr.pk.get().into_iter().chain(self.attr.sk.get());
        let keys = keys.chain(
            indexes
                .iter()
                .flat_map(|index| index.pk.get().into_iter().chain(index.sk.get())),
        );
        let mut seen: Vec<&KeyAttr> = Vec::new();
        for key in keys {
            match seen
                .iter()
                .find(|other| other.name.value() == key.name.value())
            {
                Some(other) if other.kind != key.kind => {
                    errors.at(
                        &key.name,
                        format_args!(
                            "attribute `{}` is declared with two types",
                            key.name.value()
                        ),
                    );
                }
                Some(_) => {}
                None => seen.push(key),
            }
        }
    }

    /// `impl DynaTable`, and the proof that no two entities can write the same key.
    fn registry(&self, entities: &[Type]) -> TokenStream {
        let ident = &self.input.ident;
        let schema = self
            .attr
            .schema
            .get()
            .map_or_else(|| ident.to_token_stream(), ToTokens::to_token_stream);
        let listed = entities.iter().enumerate().map(|(at, entity)| {
            quote_spanned! {entity.span()=>
                #[automatically_derived]
                impl __rt::ListedIn<#ident> for #entity {
                    const FOREIGN: __rt::Foreign = __rt::Foreign::of(<#ident as __rt::DynaTable>::ENTITIES, #at);
                }
                const _: fn() = || __rt::same_table::<#entity, #schema>();
                const _: () = __rt::check_listed(<#ident as __rt::DynaTable>::ENTITIES, #at);
            }
        });
        quote! {
            #[automatically_derived]
            impl __rt::DynaTable for #ident {
                type Schema = #schema;
                const ENTITIES: &'static [&'static __rt::EntityMeta] =
                    &[#(<#entities as __rt::DynaEntity>::META),*];
            }
            #(#listed)*
        }
    }
}

fn check_unit(input: &DeriveInput, errors: &mut Errors) {
    if !matches!(&input.data, Data::Struct(data) if matches!(data.fields, Fields::Unit)) {
        errors.at(
            &input.ident,
            "a table that is declared apart from its entities is a unit struct",
        );
    }
}

/// The key of the table or of an index.
struct Key<'a> {
    name: &'a str,
    scope: Ident,
    pk: &'a KeyAttr,
    sk: Option<&'a KeyAttr>,
    projection: &'a ProjectionAttr,
}

impl Key<'_> {
    fn quote(&self) -> TokenStream {
        let Self { name, scope, .. } = self;
        let pk = attribute(self.pk);
        let sk = tokens::option(self.sk.map(attribute));
        let projection = match self.projection {
            ProjectionAttr::All => quote!(__rt::Projection::All),
            ProjectionAttr::KeysOnly => quote!(__rt::Projection::KeysOnly),
            ProjectionAttr::Include(attributes) => {
                quote!(__rt::Projection::Include(&[#(#attributes),*]))
            }
        };
        let conditions = self.conditions();
        quote! {
            __rt::IndexSchema {
                name: #name,
                scope: __rt::Scope::#scope,
                pk: #pk,
                sk: #sk,
                projection: #projection,
                conditions: #conditions,
            }
        }
    }

    /// The key conditions, spelled out once here so that no request has to.
    fn conditions(&self) -> TokenStream {
        let pk = expression(&self.pk.name.value());
        let all = format!("{pk} = :p");
        let with = |condition: fn(&str) -> String| match self.sk {
            Some(sk) => format!("{all} AND {}", condition(&expression(&sk.name.value()))),
            None => all.clone(),
        };
        let equals = with(|sk| format!("{sk} = :s"));
        let begins_with = with(|sk| format!("begins_with({sk}, :s)"));
        let between = with(|sk| format!("{sk} BETWEEN :s AND :t"));
        let at_least = with(|sk| format!("{sk} >= :s"));
        let at_most = with(|sk| format!("{sk} <= :s"));
        quote! {
            __rt::Conditions {
                all: #all,
                equals: #equals,
                begins_with: #begins_with,
                between: #between,
                at_least: #at_least,
                at_most: #at_most,
            }
        }
    }
}

fn attribute(key: &KeyAttr) -> TokenStream {
    let name = key.name.value();
    let expr = expression(&name);
    let kind = kind(key.kind);
    quote!(__rt::Attribute { name: #name, expr: #expr, kind: __rt::Kind::#kind })
}

fn kind(kind: KeyKind) -> Ident {
    match kind {
        KeyKind::S => format_ident!("S"),
        KeyKind::N => format_ident!("N"),
        KeyKind::B => format_ident!("B"),
    }
}

fn kind_type(key: Option<&KeyAttr>) -> TokenStream {
    let kind = key.map_or_else(|| format_ident!("NoSort"), |key| kind(key.kind));
    quote!(__rt::#kind)
}
