//! The functions of a placeholder, as expressions and as types. `__rt` must be in scope.

use super::parts;
use crate::model::{Index, Part, Template};
use crate::template::Function;
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// What a chain of functions has come to.
enum Made {
    /// A reference to the value of the field, which a function of the user's is given.
    Value(TokenStream),
    /// What a function of the user's returns.
    Returned(TokenStream),
    /// Something that writes itself as a part of a key.
    Written(TokenStream),
}

/// What the functions of a placeholder make of a reference to the value of its field.
pub(super) fn of_value(template: &Template, part: &Part, value: TokenStream) -> TokenStream {
    apply(template, part, Made::Value(value))
}

/// What the function of several fields makes of references to their values.
pub(super) fn of_several(
    template: &Template,
    part: &Part,
    inputs: impl Iterator<Item = TokenStream>,
) -> TokenStream {
    let call = part.functions.first().map(|one| call(one, template));
    quote!(__rt::apply(#call(#(#inputs),*)))
}

/// What the functions of a placeholder make of a part of a key.
pub(super) fn of_written(template: &Template, part: &Part, written: TokenStream) -> TokenStream {
    match part.functions.as_slice() {
        [function] => {
            let call = call(function, template);
            quote!(#call(#written))
        }
        _ => apply(template, part, Made::Written(written)),
    }
}

/// The same as a function, to be mapped over an `Option`.
pub(super) fn mapped(template: &Template, part: &Part) -> TokenStream {
    match part.functions.as_slice() {
        [function] => call(function, template),
        _ => {
            let made = of_written(template, part, quote!(part));
            quote!(|part| #made)
        }
    }
}

fn apply(template: &Template, part: &Part, first: Made) -> TokenStream {
    let made = part.functions.iter().fold(first, |made, function| {
        let value = match (function.takes_value(), made) {
            (true, Made::Value(value)) => value,
            (true, Made::Returned(value)) => quote!(&#value),
            (true, Made::Written(written)) => quote!(&__rt::text_of(#written)),
            (false, made) => {
                let (call, written) = (call(function, template), written(made));
                return Made::Written(quote!(#call(#written)));
            }
        };
        match function {
            Function::ShardBy(buckets, path) => {
                let path = user_path(path, template);
                let span = tokens::located(template.literal.span());
                Made::Written(quote_spanned!(span=> __rt::in_bucket::<#buckets>(#path(#value))))
            }
            function => {
                let call = call(function, template);
                Made::Returned(quote!(#call(#value)))
            }
        }
    });
    written(made)
}

fn written(made: Made) -> TokenStream {
    match made {
        Made::Value(value) | Made::Returned(value) => quote!(__rt::apply(#value)),
        Made::Written(written) => written,
    }
}

/// The call of a function.
fn call(function: &Function, template: &Template) -> TokenStream {
    match function {
        Function::Sha256 => quote!(__rt::sha256),
        Function::Lower => quote!(__rt::lower),
        Function::Upper => quote!(__rt::upper),
        Function::Trim => quote!(__rt::trim),
        Function::Shard(buckets) => quote!(__rt::shard::<#buckets>),
        Function::Path(path) | Function::ShardBy(_, path) => user_path(path, template),
    }
}

/// The functions of a placeholder that make text of text, as one type: `Then<Trim, Lower>`.
pub(super) fn ty(functions: &[Function]) -> Option<TokenStream> {
    let types = functions.iter().map(built_in);
    types.reduce(|all, next| {
        let (all, next) = (all?, next?);
        Some(quote!(__rt::Then<#all, #next>))
    })?
}

/// The shape of what the functions of a placeholder make of a value: that of the last.
pub(super) fn shape(
    template: &Template,
    part: &Part,
    index: Option<&Index>,
) -> Option<TokenStream> {
    let function = part.functions.last()?;
    if !part.inputs.is_empty() {
        let call = call(function, template);
        let inputs = part.inputs.iter().map(parts::access);
        let shape_of = shape_of(index);
        return Some(quote!(__rt::#shape_of::<Self, _>(|__it| #call(#(&__it.#inputs),*))));
    }
    let shape = match (function, built_in(function)) {
        (_, Some(built_in)) => quote!(<#built_in as __rt::Function>::SHAPE),
        (Function::Path(path), None) => {
            let path = user_path(path, template);
            let shape_of = shape_of(index);
            quote!(__rt::#shape_of(#path))
        }
        (function, None) => {
            let buckets = function.buckets();
            quote!(<__rt::Shard<#buckets> as __rt::Function>::SHAPE)
        }
    };
    Some(shape)
}

/// What asks a function of the user's for its shape, and whether it may give `None`.
fn shape_of(index: Option<&Index>) -> TokenStream {
    match index {
        Some(index) if index.holds_all => quote!(shape_of_certain),
        Some(_) => quote!(shape_of),
        None => quote!(shape_of_part),
    }
}

/// The type of a function of ours.
fn built_in(function: &Function) -> Option<TokenStream> {
    Some(match function {
        Function::Sha256 => quote!(__rt::Sha256),
        Function::Lower => quote!(__rt::Lower),
        Function::Upper => quote!(__rt::Upper),
        Function::Trim => quote!(__rt::Trim),
        Function::Shard(buckets) => quote!(__rt::Shard<#buckets>),
        Function::ShardBy(..) | Function::Path(_) => return None,
    })
}

/// The path of a function of the user's, at the place of the template that names it.
fn user_path(path: &str, template: &Template) -> TokenStream {
    tokens::moved(path.parse().unwrap_or_default(), template.literal.span())
}
