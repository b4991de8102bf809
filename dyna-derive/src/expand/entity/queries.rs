//! The functions that query, and the steps over the fields of a sort key.

use super::derive::is_queryable;
use super::each::Each;
use super::templates::{call, secondary};
use crate::model::{Entity, Index, Key, Part, Template, distinct};
use crate::template::Function;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt;

/// The arguments of a function that takes key fields: one for each field, however often its key names it.
pub(super) struct Args<'a>(Vec<&'a Part>);

impl<'a> Args<'a> {
    pub(super) fn new(parts: impl Iterator<Item = &'a Part>) -> Self {
        Self(parts.collect())
    }

    /// `channel_id: impl AsPart<String>`
    pub(super) fn parameters(&self) -> Vec<TokenStream> {
        let parts = distinct(self.0.iter().copied());
        parts
            .into_iter()
            .map(|part| parameter(part, &self.0))
            .collect()
    }

    pub(super) fn names(&self) -> Vec<&'a Ident> {
        distinct(self.0.iter().copied())
            .into_iter()
            .map(|part| &part.arg)
            .collect()
    }
}

/// A parameter for a field, which may be given to a function of the user's, stand in the key as it is, or both.
fn parameter(part: &Part, all: &[&Part]) -> TokenStream {
    let (arg, bounds) = (&part.arg, parameter_bounds(part, all));
    quote!(#arg: impl #bounds)
}

pub(super) fn parameter_bounds(part: &Part, all: &[&Part]) -> TokenStream {
    let arg_ty = &part.arg_ty;
    let uses = || all.iter().filter(|other| other.path == part.path);
    let given_away = |part: &&&Part| matches!(part.function, Some(Function::Path(_)));
    let as_value = uses()
        .any(|part| given_away(&part))
        .then(|| quote!(__rt::AsValue<#arg_ty>));
    let as_part = (!uses().all(|part| given_away(&part))).then(|| quote!(__rt::AsPart<#arg_ty>));
    let bounds = as_part.into_iter().chain(as_value);
    quote!(#(#bounds)+*)
}

/// The arguments that fill templates, as a tuple.
pub(super) fn all_given(templates: &[Template]) -> TokenStream {
    let given = templates
        .iter()
        .flat_map(|template| template.parts().map(|part| given(template, part)));
    quote!((#(#given,)*))
}

pub(super) fn given(template: &Template, part: &Part) -> TokenStream {
    let Part { arg, arg_ty, .. } = part;
    match &part.function {
        None => quote!(__rt::given::<#arg_ty, _>(&#arg)),
        Some(function @ Function::Path(_)) => {
            let call = call(function, template);
            quote!(__rt::apply(#call(&*__rt::AsValue::<#arg_ty>::value(&#arg))))
        }
        Some(function) => {
            let call = call(function, template);
            quote!(#call(__rt::given::<#arg_ty, _>(&#arg)))
        }
    }
}

/// The type of sort-key steps, if a key of the entity has any: `MessageSteps<0, 1>` is the second step of the primary key.
pub(super) fn steps(entity: &Entity) -> Option<TokenStream> {
    let methods: Vec<_> = Space::of(entity).flat_map(|space| space.steps()).collect();
    if methods.is_empty() {
        return None;
    }
    let (vis, steps) = (&entity.vis, steps_ident(entity));
    let doc = format!("The steps over the sort keys of [`{}`].", entity.ident);
    Some(quote! {
        #[doc = #doc]
        #vis struct #steps<const KEY: usize, const AT: usize>(__rt::Draft);
        #[automatically_derived]
        impl<const KEY: usize, const AT: usize> __rt::Steps for #steps<KEY, AT> {
            fn new(draft: __rt::Draft) -> Self {
                Self(draft)
            }
            fn draft(&self) -> &__rt::Draft {
                &self.0
            }
            fn draft_mut(&mut self) -> &mut __rt::Draft {
                &mut self.0
            }
            fn into_draft(self) -> __rt::Draft {
                self.0
            }
        }
        #(#methods)*
    })
}

fn steps_ident(entity: &Entity) -> Ident {
    format_ident!("__{}Steps", entity.ident)
}

/// The primary key or an index, as something to query.
pub(super) struct Space<'e> {
    pub(super) entity: &'e Entity,
    pub(super) key: &'e Key,
    index: Option<(usize, &'e Index)>,
}

impl<'e> Space<'e> {
    /// The primary key, then the indexes.
    pub(super) fn of(entity: &'e Entity) -> impl Iterator<Item = Self> {
        let indexes = entity.indexes.iter().enumerate();
        let indexes = indexes.map(|(n, index)| (&index.key, Some((n, index))));
        std::iter::once((&entity.key, None))
            .chain(indexes)
            .map(move |(key, index)| Self { entity, key, index })
    }

    /// What is queried, as a type.
    pub(super) fn space(&self) -> TokenStream {
        let table = &self.entity.table;
        match self.index {
            Some((_, index)) => secondary(self.entity, index),
            None => quote!(__rt::Primary<#table>),
        }
    }

    /// Which key of the entity it is: 0 is the primary.
    pub(super) fn number(&self) -> Literal {
        Literal::usize_unsuffixed(self.index.map_or(0, |(n, _)| n + 1))
    }

    /// The functions that start a query: of one partition, and of several.
    pub(super) fn queries(&self) -> Option<TokenStream> {
        let queryable = is_queryable(self.key);
        if self.index.is_none() && !queryable {
            return None;
        }
        let (vis, space, number) = (&self.entity.vis, self.space(), self.number());
        let accessor = self.accessor();
        let parameters = Args::new(self.key.pk.iter().flat_map(Template::parts)).parameters();
        let pk = all_given(&self.key.pk);
        let steps = if queryable {
            let steps = steps_ident(self.entity);
            quote!(#steps<#number, 0>)
        } else {
            quote!(__rt::Done)
        };
        let query = quote!(__rt::Query<Self, #space, #steps>);
        let each = Each::new(&self.key.pk).map(|each| each.function(self, &query));
        let doc = self.doc();
        Some(quote! {
            #[doc = #doc]
            #vis fn #accessor(#(#parameters),*) -> #query {
                __rt::query(#number, #pk)
            }
            #each
        })
    }

    /// What the function that starts a query is called.
    pub(super) fn accessor(&self) -> Ident {
        self.index.map_or_else(
            || format_ident!("query"),
            |(_, index)| index.accessor.clone(),
        )
    }

    /// The partition, the order, and the steps that follow.
    fn doc(&self) -> String {
        let through = self
            .index
            .map(|(_, index)| format!(" through index `{}`", index.name))
            .unwrap_or_default();
        let mut doc = format!("Queries the partition {}{through}", texts(&self.key.pk));
        let steps = self.key.sk.iter().flat_map(Template::parts);
        let steps: Vec<_> = steps
            .map(|part| format!("`.{}(..)`", part.arg.unraw()))
            .collect();
        if !self.key.sk.is_empty() {
            doc.extend([", in the order of ", &texts(&self.key.sk)]);
        }
        if !steps.is_empty() {
            doc.extend(["; its fields follow as ", &steps.join(", ")]);
        }
        doc + "."
    }

    /// The methods over each field of the sort key.
    fn steps(&self) -> Vec<TokenStream> {
        if !is_queryable(self.key) {
            return Vec::new();
        }
        let (entity, space, steps) = (&self.entity.ident, self.space(), steps_ident(self.entity));
        let ((at, done), key) = (self.aliases(), self.number());
        let aliases = quote! {
            type #at<const AT: usize> = __rt::Query<#entity, #space, #steps<#key, AT>>;
            type #done = __rt::Query<#entity, #space, __rt::Done>;
        };
        let parts = self.key.sk.iter().flat_map(|sk| {
            let last = sk.parts().count();
            let parts = sk.parts().enumerate();
            parts.map(move |(at, part)| (sk, part, sk.ends_in_part() && at + 1 == last))
        });
        let steps = parts
            .enumerate()
            .map(|(n, (sk, part, last))| self.step(sk, n, part, last));
        std::iter::once(aliases).chain(steps).collect()
    }

    /// Short names for the queries of this key, so that the steps stay readable.
    fn aliases(&self) -> (Ident, Ident) {
        let key = self.number();
        (
            format_ident!("__At{}", key.to_string()),
            format_ident!("__Done{}", key.to_string()),
        )
    }

    fn step(&self, sk: &Template, n: usize, part: &Part, last: bool) -> TokenStream {
        let (vis, (at, done)) = (&self.entity.vis, self.aliases());
        let (steps, key) = (steps_ident(self.entity), self.number());
        let Part {
            arg, arg_ty, path, ..
        } = part;
        let (n, next) = (
            Literal::usize_unsuffixed(n),
            Literal::usize_unsuffixed(n + 1),
        );
        let (parameter, given) = (parameter(part, &[part]), given(sk, part));
        let fix_doc = format!("Only items with this `{path}`.");
        let range = range_bound(last, part).map(|bound| {
            let name = format_ident!("{}_range", arg.unraw());
            let doc = format!("Only items with `{path}` in this range.");
            quote! {
                #[doc = #doc]
                #vis fn #name(&self, range: impl __rt::#bound<#arg_ty>) -> #done {
                    self.0.range::<#arg_ty, _, _, _>(#n, range)
                }
            }
        });
        let starts_with = (last && part.function.is_none() && part.format.is_none()).then(|| {
            let name = format_ident!("{}_starts_with", arg.unraw());
            let doc = format!("Only items whose `{path}` starts with this text.");
            quote! {
                #[doc = #doc]
                #vis fn #name(&self, text: impl __rt::TextPrefix<#arg_ty>) -> #done {
                    self.0.starts_with(#n, text.as_ref())
                }
            }
        });
        quote! {
            // A program rarely uses all of these.
            #[allow(dead_code)]
            impl #steps<#key, #n> {
                #[doc = #fix_doc]
                #vis fn #arg(&self, #parameter) -> #at<#next> {
                    self.0.fix(#n, #given)
                }
                #range
                #starts_with
            }
        }
    }
}

/// The templates as they are written.
fn texts(templates: &[Template]) -> String {
    let texts: Vec<_> = templates
        .iter()
        .map(|template| format!("`{}`", template.literal.value()))
        .collect();
    texts.join(", ")
}

/// What the type of a field must be for a range over it.
fn range_bound(last: bool, part: &Part) -> Option<Ident> {
    let name = match (&part.function, &part.format) {
        (Some(_), _) => return None,
        (None, Some(_)) => "FixedRange",
        (None, None) if last => "LastRange",
        (None, None) => "InnerRange",
    };
    Some(format_ident!("{name}"))
}
