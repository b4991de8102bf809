//! The names that generated code may not take, because the runtime or other generated code has them: one list for each place. Tests read
//! the runtime's source and the expansions, and fail on a name that is missing here.

use crate::error::Errors;
use crate::model::{Field, Setter, const_name};
use proc_macro2::Ident;
use syn::ext::IdentExt;

/// The methods of `Query`, and those of the prelude's traits: a step over a sort-key field of this name could not be reached.
pub(super) const QUERY_METHODS: &[&str] = &[
    "after",
    "all",
    "at_most",
    "before",
    "borrow",
    "borrow_mut",
    "clone",
    "clone_from",
    "clone_into",
    "concurrency",
    "consistent",
    "count",
    "deref",
    "explain",
    "explain_on",
    "filter",
    "finish",
    "into_any",
    "first",
    "fmt",
    "hydrate",
    "sequential",
    "into",
    "limit",
    "skip_expired",
    "descending",
    "one",
    "page_size",
    "prefetch",
    "project",
    "return_consumed_capacity",
    "send",
    "skip_unknown",
    "skip_unreadable",
    "stream",
    "to_owned",
    "try_into",
];

/// The methods of `Update` that begin as the setters of indexes do: a setter of this name could not be reached.
const UPDATE_SETTERS: &[&str] = &["set_if_missing"];

/// The functions that entities have: the query of an index has another name.
pub(super) const ENTITY_FUNCTIONS: &[&str] = &[
    "check",
    "create",
    "delete",
    "delete_loaded",
    "get",
    "key",
    "rekey_loaded",
    "rekey",
    "parse_key",
    "put",
    "query",
    "query_many",
    "raw_key",
    "replace",
    "scan",
    "update",
    "update_loaded",
    "upsert",
];

/// The functions that tables have, and so an entity that is its own table.
pub(super) const TABLE_FUNCTIONS: &[&str] = &["embedded", "open", "simulated"];

/// Each field has a constant of its own.
pub(super) fn check_consts<'f>(fields: impl Iterator<Item = &'f Field>, errors: &mut Errors) {
    let mut seen: Vec<(Ident, &Ident)> = Vec::new();
    for field in fields {
        let constant = const_name(&field.ident);
        match seen.iter().find(|(other, _)| *other == constant) {
            Some((_, other)) => errors.help(
                &field.ident,
                format_args!(
                    "fields `{other}` and `{}` would both have the constant `{constant}`",
                    field.ident
                ),
                format_args!(
                    "rename one of them and keep its attribute: `#[serde(rename = \"{}\")]`",
                    field.attribute
                ),
            ),
            None => seen.push((constant, &field.ident)),
        }
    }
}

/// Each setter of indexes has a name of its own, which no update has.
pub(super) fn check_setters(setters: &[Setter<'_>], errors: &mut Errors) {
    const HELP: &str =
        "give the query of the index another name with `as = ..`: the setter follows it";
    for (at, setter) in setters.iter().enumerate() {
        let name = setter.name.unraw().to_string();
        if UPDATE_SETTERS.contains(&name.as_str()) {
            errors.help(
                &setter.name,
                format_args!(
                    "the setter of this index would be `{name}`, which is a method of every update"
                ),
                HELP,
            );
        }
        if setters[..at].iter().any(|other| other.name == setter.name) {
            errors.help(
                &setter.name,
                format_args!("the setters of two indexes would both be called `{name}`"),
                HELP,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ENTITY_FUNCTIONS, QUERY_METHODS, TABLE_FUNCTIONS, UPDATE_SETTERS};
    use std::path::Path;
    use syn::{ImplItem, Item, ItemImpl, TraitItem, Type, Visibility};

    /// All impl blocks of the runtime, and of what this derive makes of an entity that has everything.
    fn impls(path: &Path, found: &mut Vec<ItemImpl>) {
        for entry in std::fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                impls(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                of_items(syn::parse_file(&text).unwrap().items, found);
            }
        }
    }

    fn of_items(items: Vec<Item>, found: &mut Vec<ItemImpl>) {
        for item in items {
            match item {
                Item::Impl(item) => found.push(item),
                Item::Mod(item) => of_items(item.content.map_or_else(Vec::new, |it| it.1), found),
                Item::Const(item) => {
                    if let syn::Expr::Block(block) = *item.expr {
                        let items = block.block.stmts.into_iter();
                        let items = items.filter_map(|stmt| match stmt {
                            syn::Stmt::Item(item) => Some(item),
                            _ => None,
                        });
                        of_items(items.collect(), found);
                    }
                }
                _ => {}
            }
        }
    }

    /// The functions of a type that can be seen elsewhere, and those of the traits that it implements.
    fn functions(impls: &[ItemImpl], name: &str) -> Vec<String> {
        let is = |item: &&ItemImpl| matches!(&*item.self_ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name));
        let functions = impls.iter().filter(is).flat_map(|item| {
            let of_trait = item.trait_.is_some();
            item.items.iter().filter_map(move |item| match item {
                ImplItem::Fn(function)
                    if of_trait || matches!(function.vis, Visibility::Public(_)) =>
                {
                    Some(function.sig.ident.to_string())
                }
                _ => None,
            })
        });
        functions.collect()
    }

    fn runtime() -> Vec<ItemImpl> {
        let mut found = Vec::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dyna-runtime/src");
        impls(&source, &mut found);
        found
    }

    #[track_caller]
    fn assert_listed(functions: &[String], list: &[&str]) {
        assert!(!functions.is_empty(), "the source is elsewhere");
        let missing: Vec<_> = functions
            .iter()
            .filter(|name| !list.contains(&name.as_str()))
            .collect();
        assert!(missing.is_empty(), "not in the list of names: {missing:?}");
    }

    #[test]
    fn every_method_of_a_query_is_a_name_that_no_step_takes() {
        assert_listed(&functions(&runtime(), "Query"), QUERY_METHODS);
    }

    #[test]
    fn every_method_of_an_update_is_a_name_that_no_setter_takes() {
        let mut methods = functions(&runtime(), "Update");
        methods.retain(|name| name.starts_with("set_"));
        assert_listed(&methods, UPDATE_SETTERS);
    }

    /// Names that entities will have.
    const FUTURE: &[&str] = &["simulated"];

    /// The functions that are callable on every entity: those of its derives, and those of the runtime's trait.
    fn functions_of_entities() -> Vec<String> {
        let input: syn::DeriveInput = syn::parse_quote! {
            #[dyna(table(name = "messages", pk = "pk", sk = "sk"), pk = "CHANNEL#<channel>", sk = "<n:05>")]
            pub struct Message { channel: String, n: u32, text: String }
        };
        let mut found = Vec::new();
        for tokens in [
            crate::derives::entity(&input),
            crate::derives::table(&input),
        ] {
            of_items(syn::parse2::<syn::File>(tokens).unwrap().items, &mut found);
        }
        found.retain(|item| item.trait_.is_none());
        let mut functions = functions(&found, "Message");
        functions.push("embedded".to_owned());
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        let source = source.join("../dyna-runtime/src/request/entity.rs");
        let source = syn::parse_file(&std::fs::read_to_string(source).unwrap()).unwrap();
        let of_trait = source.items.into_iter().filter_map(|item| match item {
            Item::Trait(item) if item.ident == "DynaEntity" => Some(item.items),
            _ => None,
        });
        let of_trait: Vec<_> = of_trait
            .flatten()
            .filter_map(|item| match item {
                TraitItem::Fn(function) => Some(function.sig.ident.to_string()),
                _ => None,
            })
            .collect();
        assert!(!of_trait.is_empty(), "the trait is elsewhere");
        functions.extend(of_trait);
        functions
    }

    #[test]
    fn every_function_of_an_entity_is_a_name_that_no_query_takes() {
        let functions = functions_of_entities();
        assert_listed(&functions, &[ENTITY_FUNCTIONS, TABLE_FUNCTIONS].concat());
    }

    #[test]
    fn no_name_is_kept_from_queries_without_a_function_of_it() {
        let functions = functions_of_entities();
        let known: Vec<&str> = functions.iter().map(String::as_str).collect();
        for name in [ENTITY_FUNCTIONS, TABLE_FUNCTIONS].concat() {
            let is_known = known.contains(&name) || FUTURE.contains(&name);
            assert!(is_known, "no entity has `{name}`");
        }
    }
}
