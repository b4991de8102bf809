//! An entity with errors: its functions take anything, so that calls of them are not errors too.

use crate::check::signatures;
use crate::model::{
    Constant, IndexSignature, KeySignature, SetterSignature, Signatures, each as each_name,
    setters as setters_name, steps as steps_name,
};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{DeriveInput, Ident};

/// `impl Entity` with nothing in it, and the functions.
pub(crate) fn entity(input: &DeriveInput) -> TokenStream {
    let Some(signatures) = signatures(input) else {
        return TokenStream::new();
    };
    let Signatures { ident, krate, .. } = &signatures;
    let table = table(&signatures);
    let guards = ["Replaceable", "BatchWritable", "Expiring"].map(|guard| format_ident!("{guard}"));
    let (functions, steps) = (functions(&signatures), steps(&signatures));
    let (setters_type, setters) = setters(&signatures);
    quote! {
        const _: () = {
            use #krate::__private as __rt;
            #[automatically_derived]
            impl __rt::Entity for #ident {
                const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                type Table = #table;
                type Setters = #setters_type;
                const META: &'static __rt::EntityMeta = &__rt::EntityMeta::BROKEN;
                fn write_keys(&self, _: &mut __rt::KeyWriter) {}
            }
            #(
                #[automatically_derived]
                impl __rt::#guards for #ident {
                    const ONLY_BY_DERIVE: __rt::Derived = __rt::Derived;
                }
            )*
            #functions
            #steps
            #setters
        };
    }
}

fn table(signatures: &Signatures) -> TokenStream {
    let table = signatures.table.as_ref();
    table.map_or_else(|| quote!(()), ToTokens::to_token_stream)
}

fn functions(signatures: &Signatures) -> TokenStream {
    let Signatures { ident, vis, .. } = signatures;
    let table = table(signatures);
    let by_key = by_key(signatures);
    let spaces = spaces(signatures);
    let queries = spaces.iter().filter_map(|space| space.queries(signatures));
    let partitions = spaces.iter().map(|space| {
        let of = &space.ty;
        quote! {
            #[automatically_derived]
            impl<__A> __rt::InPartition<__A, #of> for #ident {
                fn spec(_: __A) -> __rt::QuerySpec {
                    ::core::unreachable!()
                }
            }
        }
    });
    let constants = signatures.constants.iter().map(constant);
    quote! {
        #[allow(dead_code, unused_variables, clippy::too_many_arguments)]
        #[automatically_derived]
        impl #ident {
            #by_key
            #vis fn update_loaded(loaded: &Self) -> __rt::Update<Self, __rt::Nothing, __rt::Loaded> {
                ::core::unreachable!()
            }
            #vis fn delete_loaded(loaded: &Self) -> __rt::Delete<Self> {
                ::core::unreachable!()
            }
            #vis fn put(&self) -> __rt::Put<'_, Self> {
                ::core::unreachable!()
            }
            #vis fn create(&self) -> __rt::Put<'_, Self> {
                ::core::unreachable!()
            }
            #vis fn replace(&self) -> __rt::Put<'_, Self> {
                ::core::unreachable!()
            }
            #vis fn rekey(from: __rt::Key<Self>, to: &Self) -> __rt::Rekey<'_, Self> {
                ::core::unreachable!()
            }
            #vis fn rekey_loaded<'__to>(loaded: &Self, to: &'__to Self) -> __rt::Rekey<'__to, Self> {
                ::core::unreachable!()
            }
            #vis fn scan() -> __rt::Scan<Self, __rt::Primary<#table>> {
                ::core::unreachable!()
            }
            #(#queries)*
            #(#constants)*
        }
        #(#partitions)*
    }
}

/// The functions that take the fields of the primary key, if they are known.
fn by_key(signatures: &Signatures) -> Option<TokenStream> {
    let vis = &signatures.vis;
    let args = signatures.key.args.as_deref()?;
    let parse_key = parse_key(signatures);
    Some(quote! {
        #vis fn key(#(#args: impl ::core::marker::Sized),*) -> __rt::Key<Self> {
            ::core::unreachable!()
        }
        #parse_key
        #vis fn get(#(#args: impl ::core::marker::Sized),*) -> __rt::Get<Self> {
            ::core::unreachable!()
        }
        #vis fn update(#(#args: impl ::core::marker::Sized),*) -> __rt::Update<Self> {
            ::core::unreachable!()
        }
        #vis fn upsert(#(#args: impl ::core::marker::Sized),*) -> __rt::Update<Self> {
            ::core::unreachable!()
        }
        #vis fn delete(#(#args: impl ::core::marker::Sized),*) -> __rt::Delete<Self> {
            ::core::unreachable!()
        }
        #vis fn check(#(#args: impl ::core::marker::Sized),*) -> __rt::ConditionCheck<Self, __rt::NoCondition> {
            ::core::unreachable!()
        }
    })
}

/// `parse_key`, with the types of the fields.
fn parse_key(signatures: &Signatures) -> Option<TokenStream> {
    let vis = &signatures.vis;
    let types = match signatures.parsed.as_deref()? {
        [] => return None,
        [ty] => quote!(#ty),
        types => quote!((#(#types),*)),
    };
    let sk = signatures.has_sk.then(|| quote!(, sk: &str));
    Some(quote! {
        #vis fn parse_key(pk: &str #sk) -> ::core::result::Result<#types, __rt::KeyError> {
            ::core::unreachable!()
        }
    })
}

pub(super) fn constant(constant: &Constant) -> TokenStream {
    let Constant { name, vis, ty } = constant;
    quote! {
        #vis const #name: __rt::Field<Self, #ty> =
            <__rt::Field<Self, #ty>>::encoded(
                __rt::Derived,
                "",
                "",
                |_, _| ::core::unreachable!(),
                |_| ::core::unreachable!(),
            );
    }
}

/// The primary key or an index, as something to query.
struct Space<'s> {
    number: Literal,
    ty: TokenStream,
    accessor: Ident,
    key: &'s KeySignature,
    is_index: bool,
}

fn spaces(signatures: &Signatures) -> Vec<Space<'_>> {
    let table = table(signatures);
    let primary = Space {
        number: Literal::usize_unsuffixed(0),
        ty: quote!(__rt::Primary<#table>),
        accessor: format_ident!("query"),
        key: &signatures.key,
        is_index: false,
    };
    let indexes = (1..).zip(&signatures.indexes);
    let indexes = indexes.map(
        |(
            n,
            IndexSignature {
                name,
                accessor,
                key,
            },
        )| {
            let name = tokens::name(&quote!(__rt), &name.to_string(), name.span());
            Space {
                number: Literal::usize_unsuffixed(n),
                ty: quote!(__rt::Secondary<#table, #name>),
                accessor: accessor.clone(),
                key,
                is_index: true,
            }
        },
    );
    std::iter::once(primary).chain(indexes).collect()
}

impl Space<'_> {
    /// The functions that start a query: of one partition, and of several.
    fn queries(&self, signatures: &Signatures) -> Option<TokenStream> {
        let is_queryable = !self.key.steps.is_empty() || self.key.args.is_none();
        if !self.is_index && !is_queryable {
            return None;
        }
        let (
            vis,
            Self {
                accessor,
                ty,
                number,
                ..
            },
        ) = (&signatures.vis, self);
        let each = each_name(accessor);
        let partition = self.key.partition.as_deref()?;
        let steps = if self.key.steps.is_empty() {
            quote!(__rt::NoSteps)
        } else {
            let steps = steps_name(&signatures.ident);
            quote!(#steps<#number, 0>)
        };
        Some(quote! {
            #vis fn #accessor(#(#partition: impl ::core::marker::Sized),*) -> __rt::Query<Self, #ty, #steps> {
                ::core::unreachable!()
            }
            #vis fn #each(list: impl ::core::marker::Sized) -> __rt::Query<Self, #ty, #steps> {
                ::core::unreachable!()
            }
        })
    }

    /// The methods over the fields of the sort key.
    fn steps(&self, signatures: &Signatures) -> TokenStream {
        let (vis, Self { ty, number, .. }) = (&signatures.vis, self);
        let (ident, steps) = (&signatures.ident, steps_name(&signatures.ident));
        let methods = (0..).zip(&self.key.steps).map(|(n, arg)| {
            let range = format_ident!("{}_range", arg.unraw());
            let starts_with = format_ident!("{}_starts_with", arg.unraw());
            let (n, next) = (Literal::usize_unsuffixed(n), Literal::usize_unsuffixed(n + 1));
            quote! {
                #[allow(dead_code, unused_variables)]
                impl #steps<#number, #n> {
                    #vis fn #arg(&self, #arg: impl ::core::marker::Sized) -> __rt::Query<#ident, #ty, #steps<#number, #next>> {
                        ::core::unreachable!()
                    }
                    #vis fn #range(&self, range: impl ::core::marker::Sized) -> __rt::Query<#ident, #ty, __rt::NoSteps> {
                        ::core::unreachable!()
                    }
                    #vis fn #starts_with(&self, text: impl ::core::marker::Sized) -> __rt::Query<#ident, #ty, __rt::NoSteps> {
                        ::core::unreachable!()
                    }
                }
            }
        });
        quote!(#(#methods)*)
    }
}

/// The type of sort-key steps, if there are any.
fn steps(signatures: &Signatures) -> Option<TokenStream> {
    let spaces = spaces(signatures);
    if spaces.iter().all(|space| space.key.steps.is_empty()) {
        return None;
    }
    let (vis, steps) = (&signatures.vis, steps_name(&signatures.ident));
    let methods = spaces.iter().map(|space| space.steps(signatures));
    Some(quote! {
        #[doc(hidden)]
        #vis struct #steps<const KEY: usize, const AT: usize>(__rt::QuerySpec);
        #[automatically_derived]
        impl<const KEY: usize, const AT: usize> __rt::Steps for #steps<KEY, AT> {
            fn new(spec: __rt::QuerySpec) -> Self {
                Self(spec)
            }
            fn spec(&self) -> &__rt::QuerySpec {
                &self.0
            }
            fn spec_mut(&mut self) -> &mut __rt::QuerySpec {
                &mut self.0
            }
            fn into_spec(self) -> __rt::QuerySpec {
                self.0
            }
        }
        #(#methods)*
    })
}

/// The type of the setters of indexes, and what it has.
fn setters(signatures: &Signatures) -> (TokenStream, Option<TokenStream>) {
    if signatures.setters.is_empty() {
        return (quote!(__rt::NoSetters), None);
    }
    let (ident, vis, name) = (
        &signatures.ident,
        &signatures.vis,
        setters_name(&signatures.ident),
    );
    let methods = signatures.setters.iter();
    let methods = methods.map(|SetterSignature { name, args }| {
        quote! {
            #vis fn #name(&self, #(#args: impl ::core::marker::Sized),*) -> __rt::Update<#ident> {
                ::core::unreachable!()
            }
        }
    });
    let setters = quote! {
        #[doc(hidden)]
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
        #[allow(dead_code, unused_variables, clippy::too_many_arguments)]
        impl #name {
            #(#methods)*
        }
    };
    (name.to_token_stream(), Some(setters))
}
