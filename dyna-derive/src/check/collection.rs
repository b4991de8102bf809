//! `#[derive(DynaCollection)]`: an enum of entities that share a partition.

use crate::attr::{CollectionAttr, crate_path, refuse};
use crate::error::Errors;
use crate::model::{Collection, Member};
use quote::ToTokens;
use syn::{Data, DataEnum, DeriveInput, Fields};

/// The most values that DynamoDB compares a tag with.
const MOST_MEMBERS: usize = 100;

/// The collection, or all that is wrong with it.
pub(crate) fn collection(input: &DeriveInput) -> Result<Collection, Errors> {
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
    let collection = members.next().map(|first| Collection {
        ident: input.ident.clone(),
        vis: input.vis.clone(),
        krate: crate_path(attr.krate.get()),
        index: attr.index.into_inner(),
        steps: attr
            .steps
            .into_inner()
            .map_or_else(Vec::new, |steps| steps.0),
        first,
        rest: members.collect(),
    });
    errors.into_result(collection)
}

fn members(data: &DataEnum, errors: &mut Errors) -> Vec<Member> {
    let mut members: Vec<Member> = Vec::new();
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
            variant: variant.ident.clone(),
            entity: field.ty.clone(),
        };
        let text = |member: &Member| member.entity.to_token_stream().to_string();
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
            &member.variant,
            format_args!("a collection has at most {MOST_MEMBERS} members"),
        );
    }
    members
}
