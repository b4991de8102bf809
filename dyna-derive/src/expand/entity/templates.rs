//! Templates as const data, and the fields that fill them.

use crate::model::{Entity, Index, Key, Part, Piece, Role, Template};
use crate::template::{Format, Function, LayoutItem};
use crate::tokens;
use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// The parts of an entity, quoted. `__rt` must be in scope.
pub(super) struct Quoted<'e> {
    pub(super) entity: &'e Entity,
}

impl Quoted<'_> {
    /// `<Discord as HasIndex<Name<'g', 's', 'i', '1'>>>`, all of it under the name that the user gave.
    pub(super) fn has_index(&self, index: &Index) -> TokenStream {
        let span = index.name.span();
        let table = tokens::moved(self.entity.table.clone(), span);
        let name = tokens::name(&quote!(__rt), &index.name.to_string(), span);
        let span = tokens::located(span);
        quote_spanned!(span=> <#table as __rt::HasIndex<#name>>)
    }

    /// `KeyTemplates { .. }` of the primary key or of an index.
    pub(super) fn templates(&self, key: &Key, index: Option<&Index>) -> TokenStream {
        let all = |templates: &[Template], role| {
            let templates = templates.iter().enumerate().map(|(n, template)| {
                let kind = self.kind(template, index, role, n);
                self.template(template, &kind, index)
            });
            quote!(&[#(#templates),*])
        };
        let (pk, sk) = (all(&key.pk, "Pk"), all(&key.sk, "Sk"));
        quote!(__rt::KeyTemplates { pk: #pk, sk: #sk })
    }

    /// The type of the key attribute that a template is written to. Only a template that is one field can be anything but text.
    fn kind(
        &self,
        template: &Template,
        index: Option<&Index>,
        role: &str,
        n: usize,
    ) -> TokenStream {
        if template.lone().is_none() {
            return quote!(__rt::S);
        }
        let role = syn::Ident::new(role, proc_macro2::Span::call_site());
        match index {
            Some(index) => {
                let span = tokens::located(index.name.span());
                let index = self.has_index(index);
                let n = Literal::usize_unsuffixed(n);
                quote_spanned!(span=> <#index::#role as __rt::At<#n>>::Kind)
            }
            None => {
                let table = &self.entity.table;
                quote!(<#table as __rt::Schema>::#role)
            }
        }
    }

    fn template(
        &self,
        template: &Template,
        kind: &TokenStream,
        index: Option<&Index>,
    ) -> TokenStream {
        let text = template.literal.value();
        let delimiter = Literal::byte_character(self.entity.delimiter);
        let fields = template.fields.iter().map(|field| match field.as_slice() {
            [] => quote!(__rt::lit("")),
            [Piece::Literal(text)] => quote!(__rt::lit(#text)),
            [Piece::Part(part)] => {
                let (name, shape, layout) = quoted_part(template, part, kind, index);
                match layout {
                    None => quote!(__rt::part(#name, #shape)),
                    Some(layout) => quote!(__rt::date(#name, #shape, &[#layout])),
                }
            }
            pieces => {
                let pieces = pieces.iter().map(|piece| match piece {
                    Piece::Literal(text) => quote!(__rt::Seg::Lit(#text)),
                    Piece::Part(part) => {
                        let (name, shape, layout) = quoted_part(template, part, kind, index);
                        quote!(__rt::Seg::Part(__rt::Part { name: #name, shape: #shape, layout: &[#layout] }))
                    }
                });
                quote!(__rt::mixed(&[#(#pieces),*]))
            }
        });
        quote!(__rt::Template { text: #text, delimiter: #delimiter, fields: &[#(#fields),*] })
    }

    /// `write_keys`: the fields that fill each template.
    pub(super) fn write_keys(&self) -> TokenStream {
        let of_self = |part: &Part| {
            let Part { access, ty, .. } = part;
            let span = tokens::located(ty.span());
            quote_spanned!(span=> &self.#access)
        };
        let (pk, sk) = self.own(&self.entity.key, None, &of_self, &|_| None);
        let indexes = self.entity.indexes.iter().enumerate().map(|(n, index)| {
            let (pk, sk) = self.own(&index.key, Some(index), &of_self, &|_| None);
            quote!(out.index(#n, #pk, #sk);)
        });
        quote! {
            fn write_keys(&self, out: &mut __rt::KeyWriter) {
                out.primary::<Self>(#pk, #sk);
                #(#indexes)*
            }
        }
    }

    /// The fields that fill the templates of a key, as two tuples. `access` is how to get at a field, and `written` is what a
    /// placeholder of an index is known to write.
    pub(super) fn own(
        &self,
        key: &Key,
        index: Option<&Index>,
        access: &dyn Fn(&Part) -> TokenStream,
        written: &dyn Fn(&Part) -> Option<TokenStream>,
    ) -> (TokenStream, TokenStream) {
        let half = |templates: &[Template], role: &str| {
            let parts = templates.iter().enumerate().flat_map(|(n, template)| {
                let kind = self.kind(template, index, role, n);
                let parts = template.parts();
                parts.map(move |part| match written(part) {
                    Some(written) => tokens::option(Some(written)),
                    None => own_part(template, part, &kind, index, &access(part)),
                })
            });
            quote!((#(#parts,)*))
        };
        (half(&key.pk, "Pk"), half(&key.sk, "Sk"))
    }

    /// `read_keys`: the fields that the key holds as they are.
    pub(super) fn read_keys(&self) -> Option<TokenStream> {
        let fields: Vec<_> = self
            .entity
            .fields
            .iter()
            .filter_map(|field| {
                let attribute = &field.attribute;
                let name = field.ident.unraw().to_string();
                let part = self.entity.key.parts().find(|part| part.path == name)?;
                let (found, read) = self.read_from(part)?;
                let write = match &field.serialize {
                    Some(function) => {
                        quote!(|__value| __rt::stored(#function(__value, __rt::ValueWriter::OMITTING)))
                    }
                    None => quote!(__rt::to_value),
                };
                Some(quote!(out.field(#attribute, #found, #read, #write);))
            })
            .collect();
        (!fields.is_empty()).then(|| {
            quote! {
                fn read_keys(__key: &__rt::Parsed<'_>, out: &mut __rt::KeyReader) {
                    #(#fields)*
                }
            }
        })
    }

    /// The text of a placeholder of an index from the parsed key `__key`, if that has it and the value of the field is lost.
    pub(super) fn copied(&self, wanted: &Part) -> Option<TokenStream> {
        if !self.entity.is_copied(wanted) {
            return None;
        }
        let mut templates = self.entity.key.templates();
        templates.find_map(|(template, role, _)| {
            let n = template.parts().position(|part| part.is_same(wanted))?;
            let n = Literal::usize_unsuffixed(n);
            Some(match role {
                Role::Partition => quote!(__key.pk(#n)),
                Role::Sort => quote!(__key.sk(#n)),
            })
        })
    }

    /// The value of a field from the parsed key `__key`, if a placeholder has it.
    pub(super) fn read(&self, wanted: &Part) -> Option<TokenStream> {
        let (found, read) = self.read_from(wanted)?;
        Some(quote!(#read(#found)))
    }

    /// Where a field is in the parsed key `__key`, and what reads it there, if a placeholder has it.
    fn read_from(&self, wanted: &Part) -> Option<(TokenStream, TokenStream)> {
        let key = &self.entity.key;
        key.templates().find_map(|(template, role, _)| {
            let n = template
                .parts()
                .position(|part| part.path == wanted.path && part.is_readable())?;
            let kind = match template.lone() {
                None => quote!(__rt::S),
                Some(_) => {
                    let table = &self.entity.table;
                    let kind = match role {
                        Role::Partition => quote!(Pk),
                        Role::Sort => quote!(Sk),
                    };
                    quote!(<#table as __rt::Schema>::#kind)
                }
            };
            let ty = &wanted.ty;
            let role = match role {
                Role::Partition => quote!(pk),
                Role::Sort => quote!(sk),
            };
            let span = tokens::located(ty.span());
            let n = Literal::usize_unsuffixed(n);
            Some((
                quote!(__key.#role(#n)),
                quote_spanned!(span=> <#ty as __rt::KeyOf<#kind>>::read),
            ))
        })
    }
}

/// A field as a part of a key.
fn own_part(
    template: &Template,
    part: &Part,
    kind: &TokenStream,
    index: Option<&Index>,
    access: &TokenStream,
) -> TokenStream {
    let ty = &part.ty;
    let span = tokens::located(ty.span());
    match (index, &part.function) {
        (_, Some(function @ Function::Path(_))) => {
            let call = call(function, template);
            match (index, part.is_optional()) {
                (None, _) => quote!(__rt::apply(#call(#access))),
                (Some(_), false) => tokens::option(Some(quote!(__rt::apply(#call(#access))))),
                (Some(_), true) => {
                    quote!((#access).as_ref().map(|part| __rt::apply(#call(part))))
                }
            }
        }
        (None, None) => quote_spanned!(span=> <#ty as __rt::KeyOf<#kind>>::own(#access)),
        (None, Some(function)) => {
            let call = call(function, template);
            quote_spanned!(span=> #call(<#ty as __rt::KeyOf<#kind>>::own(#access)))
        }
        (Some(_), None) => {
            quote_spanned!(span=> <#ty as __rt::IndexOf<#kind>>::own(#access))
        }
        (Some(_), Some(function)) => {
            let call = call(function, template);
            let own = quote_spanned!(span=> <#ty as __rt::IndexOf<#kind>>::own(#access));
            quote!(#own.map(#call))
        }
    }
}

/// `Secondary<Discord, Name<'g', 's', 'i', '1'>>`, all of it under the name that the user gave.
pub(super) fn secondary(entity: &Entity, index: &Index) -> TokenStream {
    let table = &entity.table;
    let name = tokens::name(&quote!(__rt), &index.name.to_string(), index.name.span());
    let span = tokens::located(index.name.span());
    quote_spanned!(span=> __rt::Secondary<#table, #name>)
}

/// The call of a built-in function.
pub(super) fn call(function: &Function, template: &Template) -> TokenStream {
    match function {
        Function::Sha256 => quote!(__rt::sha256),
        Function::Lower => quote!(__rt::lower),
        Function::Upper => quote!(__rt::upper),
        Function::Shard(buckets) => quote!(__rt::shard::<#buckets>),
        Function::Path(path) => user_path(path, template),
    }
}

/// The path of a function of the user's, at the place of the template that names it.
fn user_path(path: &str, template: &Template) -> TokenStream {
    tokens::moved(path.parse().unwrap_or_default(), template.literal.span())
}

/// The name, the shape and the layout of a placeholder.
fn quoted_part<'p>(
    template: &Template,
    part: &'p Part,
    kind: &TokenStream,
    index: Option<&Index>,
) -> (&'p str, TokenStream, Option<TokenStream>) {
    let Part { path, ty, .. } = part;
    let span = tokens::located(ty.span());
    let (plain, whole) = match index {
        None => (
            quote!(#ty),
            quote_spanned!(span=> <#ty as __rt::KeyOf<#kind>>::SHAPE),
        ),
        Some(_) => (
            quote_spanned!(span=> <#ty as __rt::IndexOf<#kind>>::Part),
            quote_spanned!(span=> <#ty as __rt::IndexOf<#kind>>::SHAPE),
        ),
    };
    let shape = match (&part.function, &part.format, part.rest) {
        (Some(Function::Path(path)), ..) => {
            let path = user_path(path, template);
            quote!(__rt::shape_of(#path))
        }
        (Some(function), ..) => {
            let applied = match function {
                Function::Sha256 => quote!(__rt::Sha256),
                Function::Lower => quote!(__rt::Lower),
                Function::Upper => quote!(__rt::Upper),
                Function::Shard(buckets) => quote!(__rt::Shard<#buckets>),
                Function::Path(_) => quote!(()),
            };
            quote!(<#applied as __rt::Function>::SHAPE)
        }
        (None, Some(Format::Width(width)), _) => {
            let width = Literal::u16_unsuffixed(u16::from(*width));
            let bound = quote_spanned!(span=> <#plain as __rt::Padded>::DIGITS);
            quote!(__rt::padded(#bound, #width))
        }
        (None, Some(Format::Len(length)), _) => {
            let length = Literal::u16_unsuffixed(*length);
            let bound = quote_spanned!(span=> <#plain as __rt::TextPart>::IS_TEXT);
            quote!(__rt::sized(#bound, #length))
        }
        (None, Some(Format::Layout(items)), _) => {
            let runs = items.iter().flat_map(runs);
            let bound = quote_spanned!(span=> <#plain as __rt::DatePart>::HAS_TIME);
            let needs_time = items.iter().any(LayoutItem::is_time);
            quote!(__rt::laid_out(#bound, #needs_time, &[#(#runs),*]))
        }
        (None, None, true) => {
            let bound = quote_spanned!(span=> <#plain as __rt::TextPart>::IS_TEXT);
            quote!(__rt::rest(#bound))
        }
        (None, None, false) => whole,
    };
    let layout = match &part.format {
        Some(Format::Layout(items)) => {
            let items = items.iter().map(layout_item);
            Some(quote!(#(#items),*))
        }
        _ => None,
    };
    (path, shape, layout)
}

fn layout_item(item: &LayoutItem) -> TokenStream {
    let name = match item {
        LayoutItem::Literal(text) => return quote!(__rt::LayoutItem::Literal(#text)),
        LayoutItem::Year => quote!(Year),
        LayoutItem::Month => quote!(Month),
        LayoutItem::Day => quote!(Day),
        LayoutItem::Hour => quote!(Hour),
        LayoutItem::Minute => quote!(Minute),
        LayoutItem::Second => quote!(Second),
        LayoutItem::Millis => quote!(Millis),
        LayoutItem::Micros => quote!(Micros),
        LayoutItem::Nanos => quote!(Nanos),
        LayoutItem::DayOfYear => quote!(DayOfYear),
    };
    quote!(__rt::LayoutItem::#name)
}

/// The bytes that an item of a layout writes.
fn runs(item: &LayoutItem) -> Vec<TokenStream> {
    let digits: u16 = match item {
        LayoutItem::Literal(text) => {
            return text.bytes().map(|byte| quote!(__rt::byte(#byte))).collect();
        }
        LayoutItem::Year => 4,
        LayoutItem::Millis | LayoutItem::DayOfYear => 3,
        LayoutItem::Micros => 6,
        LayoutItem::Nanos => 9,
        _ => 2,
    };
    vec![quote!(__rt::run(__rt::DIGIT, #digits))]
}
