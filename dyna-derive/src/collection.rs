//! `#[derive(DynaCollection)]`: entities that share a partition, as one enum.

use crate::attr::{CollectionAttr, crate_path, refuse};
use crate::error::Errors;
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Fields, Ident, Path, Type};

/// The most values that DynamoDB compares a tag with.
const MOST_MEMBERS: usize = 100;

/// A checked collection.
struct Collection<'i> {
    input: &'i DeriveInput,
    krate: Path,
    index: Option<Ident>,
    /// The variants and their entities; there is at least one.
    first: Member<'i>,
    rest: Vec<Member<'i>>,
}

struct Member<'i> {
    variant: &'i Ident,
    entity: &'i Type,
}

/// Everything that `#[derive(DynaCollection)]` generates, or all that is wrong.
pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream, Errors> {
    let mut errors = Errors::default();
    let attr = CollectionAttr::parse(&input.attrs, &mut errors);
    if !input.generics.params.is_empty() {
        errors.at(
            &input.generics,
            format_args!("`{}` is generic, and a collection is one type", input.ident),
        );
    }
    let members = match &input.data {
        Data::Enum(data) => members(data, &mut errors),
        _ => Vec::new(),
    };
    if members.is_empty() && errors.is_empty() {
        errors.help(
            &input.ident,
            "a collection is an enum of entities that share a partition",
            "write a variant for each, such as `User(User)`",
        );
    }
    let mut members = members.into_iter();
    let Some(first) = members.next().filter(|_| errors.is_empty()) else {
        return Err(errors);
    };
    let collection = Collection {
        input,
        krate: crate_path(attr.krate.get()),
        index: attr.index.into_inner(),
        first,
        rest: members.collect(),
    };
    Ok(collection.expand())
}

fn members<'i>(data: &'i DataEnum, errors: &mut Errors) -> Vec<Member<'i>> {
    let mut members: Vec<Member<'i>> = Vec::new();
    for variant in &data.variants {
        refuse(&variant.attrs, "a variant of a collection", errors);
        let fields = match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields.unnamed.first(),
            _ => None,
        };
        let Some(field) = fields else {
            errors.help(
                variant,
                "a variant of a collection holds one entity",
                format_args!("write `{0}({0})`", variant.ident),
            );
            continue;
        };
        let member = Member {
            variant: &variant.ident,
            entity: &field.ty,
        };
        let text = |member: &Member<'_>| member.entity.to_token_stream().to_string();
        if members.iter().any(|other| text(other) == text(&member)) {
            errors.help(
                &field.ty,
                format_args!("`{}` is a member already", text(&member)),
                "an item is of one variant: remove the other",
            );
        }
        members.push(member);
    }
    if let Some(member) = members.get(MOST_MEMBERS) {
        errors.at(
            member.variant,
            format_args!("a collection has at most {MOST_MEMBERS} members"),
        );
    }
    members
}

impl Collection<'_> {
    fn members(&self) -> impl Iterator<Item = &Member<'_>> {
        std::iter::once(&self.first).chain(&self.rest)
    }

    fn expand(&self) -> TokenStream {
        let (krate, ident, vis) = (&self.krate, &self.input.ident, &self.input.vis);
        let name = ident.unraw().to_string();
        let space = self.space();
        let metas = self.members().map(Member::meta);
        let view = self.view();
        let stored = self.stored();
        let checks = (0..)
            .zip(self.members())
            .map(|(n, member)| self.check(n, member));
        let first = self.first.entity;
        let doc = format!(
            "Queries the partition of {}, in the order of their keys.",
            self.names()
        );
        quote! {
            const _: () = {
                use #krate::__private as __rt;
                #[automatically_derived]
                impl __rt::DynaCollection for #ident {
                    const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                    const META: &'static __rt::CollectionMeta = &__rt::CollectionMeta {
                        name: #name,
                        members: &[#(#metas),*],
                        index: <#space as __rt::KeySpace>::INDEX,
                    };
                }
                #view
                #stored
                #(#checks)*
                // A program may only be given collections.
                #[allow(dead_code)]
                #[automatically_derived]
                impl #ident {
                    #[doc = #doc]
                    #vis fn query<__A>(partition: __A) -> __rt::Query<Self, #space, __rt::Done>
                    where
                        #first: __rt::InPartition<__A, #space>,
                    {
                        __rt::collect(<#first as __rt::InPartition<__A, #space>>::draft(partition))
                    }
                }
            };
        }
    }

    /// What is queried, as a type.
    fn space(&self) -> TokenStream {
        let table = self.table();
        match &self.index {
            None => quote!(__rt::Primary<#table>),
            Some(index) => {
                let table = tokens::moved(table, index.span());
                let name = tokens::name(&quote!(__rt), &index.to_string(), index.span());
                let span = tokens::located(index.span());
                quote_spanned!(span=> __rt::Secondary<#table, #name>)
            }
        }
    }

    fn table(&self) -> TokenStream {
        let first = self.first.entity;
        let span = tokens::located(first.span());
        quote_spanned!(span=> <#first as __rt::Entity>::Table)
    }

    /// `User`, `Account` and so on, for people.
    fn names(&self) -> String {
        let names = self.members().map(|member| {
            let name = crate::docs::spelled(member.entity.to_token_stream());
            format!("`{name}`")
        });
        names.collect::<Vec<_>>().join(", ")
    }

    /// The variant of an item: its tag says so, or the shape of its key.
    fn view(&self) -> TokenStream {
        let ident = &self.input.ident;
        let first = self.first.read();
        let arms = (1..).zip(&self.rest).map(|(n, member)| {
            let n = Literal::usize_unsuffixed(n);
            let read = member.read();
            quote!(#n => #read,)
        });
        quote! {
            #[automatically_derived]
            impl __rt::View<Self> for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                fn read(item: __rt::FoundItem<'_, '_>) -> __rt::Result<Self> {
                    match __rt::which(<Self as __rt::DynaCollection>::META.members, &item)? {
                        #(#arms)*
                        _ => #first,
                    }
                }
            }
        }
    }

    /// It is stored wherever all of its members are.
    fn stored(&self) -> TokenStream {
        let ident = &self.input.ident;
        let entities: Vec<_> = self.members().map(|member| member.entity).collect();
        quote! {
            #[automatically_derived]
            impl<__T: #(__rt::Lists<#entities>)+*> __rt::StoredIn<__T> for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                const FOREIGN: __rt::Foreign = __rt::Foreign::of_members(
                    <__T as __rt::DynaTable>::ENTITIES,
                    &[#(<__T as __rt::Lists<#entities>>::AT),*],
                    <Self as __rt::DynaCollection>::META,
                );
            }
        }
    }

    /// The proof that a member is in the partition of the first.
    fn check(&self, n: usize, member: &Member<'_>) -> TokenStream {
        let (ident, entity) = (&self.input.ident, member.entity);
        let table = tokens::moved(self.table(), entity.span());
        let span = tokens::located(entity.span());
        let mut n = Literal::usize_unsuffixed(n);
        n.set_span(span);
        let mut ident = ident.clone();
        ident.set_span(ident.span().located_at(span));
        quote_spanned! {span=>
            const _: bool = <<#entity as __rt::Entity>::Table as __rt::SameTable<#table>>::IS_SAME;
            const _: () = __rt::check_member(<#ident as __rt::DynaCollection>::META, #n);
        }
    }
}

impl Member<'_> {
    fn meta(&self) -> TokenStream {
        let entity = self.entity;
        let span = tokens::located(entity.span());
        quote_spanned!(span=> <#entity as __rt::Entity>::META)
    }

    fn read(&self) -> TokenStream {
        let Self { variant, entity } = self;
        let span = tokens::located(entity.span());
        quote_spanned!(span=> <#entity as __rt::Entity>::read(item).map(Self::#variant))
    }
}
