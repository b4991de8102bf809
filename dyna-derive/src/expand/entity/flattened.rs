//! What an entity flattens, so that the runtime can refuse the names that are declared.

use super::of_self::variable;
use crate::model::{Entity, FlatField, Flattened, Variant, Variants};
use crate::tokens;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

/// `fn flattened`, and what goes with it, if the entity flattens anything.
pub(super) fn flattened(entity: &Entity) -> Option<TokenStream> {
    let (names, write_only) = match &entity.variants {
        None => {
            let of_self = |field: &Ident| quote!(self.#field);
            let names = names(&entity.flattened, &of_self)?;
            (names, entity.flattened.write_only.iter().collect())
        }
        Some(variants) => of_variants(variants)?,
    };
    let write_only = (!write_only.is_empty())
        .then(|| quote!(const WRITE_ONLY: &'static [&'static str] = &[#(#write_only),*];));
    Some(quote! {
        fn flattened(&self, __out: &mut __rt::Flattened) {
            #names
        }
        #write_only
    })
}

/// The names that each variant flattens, and the attributes that any of them only writes.
fn of_variants(variants: &Variants) -> Option<(TokenStream, Vec<&String>)> {
    let list = &variants.list;
    let arms: Vec<_> = list.iter().filter_map(arm).collect();
    let others = (arms.len() < list.len()).then(|| quote!(_ => {}));
    let mut write_only: Vec<_> = list
        .iter()
        .flat_map(|it| &it.flattened.write_only)
        .collect();
    write_only.sort();
    write_only.dedup();
    (!arms.is_empty()).then(|| (quote!(match self { #(#arms)* #others }), write_only))
}

fn arm(variant: &Variant) -> Option<TokenStream> {
    let (ident, flattened) = (&variant.ident, &variant.flattened);
    let taken = |field: &Ident| {
        let variable = variable(field);
        quote!((*#variable))
    };
    let names = names(flattened, &taken)?;
    let fields = flattened.fields.iter().map(|field| &field.ident);
    let fields: Vec<_> = fields
        .chain(flattened.skipped.iter().map(|(ident, _)| ident))
        .collect();
    let variables = fields.iter().map(|field| variable(field));
    Some(quote!(Self::#ident { #(#fields: #variables,)* .. } => { #names }))
}

/// The names that fields which are flattened write, if there are any; `place` is where a field is.
fn names(flattened: &Flattened, place: &dyn Fn(&Ident) -> TokenStream) -> Option<TokenStream> {
    let Flattened {
        fields,
        declared,
        skipped,
        ..
    } = flattened;
    if fields.is_empty() {
        return None;
    }
    let declared = (!declared.is_empty()).then(|| quote!(__out.declared(&[#(#declared),*]);));
    let fields = fields.iter().map(|one| field(one, &place(&one.ident)));
    let skipped = skipped.iter().map(|(ident, function)| {
        let place = place(ident);
        quote!(__out.skipped(#function(&#place));)
    });
    Some(quote!(#declared #(#fields)* #(#skipped)*))
}

fn field(field: &FlatField, place: &TokenStream) -> TokenStream {
    let ty = field.ty.to_token_stream();
    let span = tokens::located(ty.span());
    let declares = if field.is_read {
        quote_spanned!(span=> __rt::declared_by::<#ty>())
    } else {
        quote!(&[])
    };
    let names = match &field.serialize {
        Some(function) => quote!(#function(&#place, __names)),
        None => quote_spanned!(span=> __names.of(&#place)),
    };
    quote!(__out.field(#declares, |__names| #names);)
}
