//! Types recognized by their spelling. Only errors are worded by it, and look-ups made more convenient: the type itself answers through
//! traits.

use super::templates::TemplateSite;
use syn::Type;

/// Friendlier words for types that are spelled out; behind an alias the trait `KeyPart` says it.
pub(super) fn refused_type(
    ty: &Type,
    place: TemplateSite<'_>,
    is_alone: bool,
) -> Option<(&'static str, &'static str)> {
    Some(match (spelled(ty)?.as_str(), place) {
        // Of a number key, that is; of a text key the trait says it.
        ("f32" | "f64", _) if is_alone => return None,
        ("f32" | "f64", _) => (
            "a text key, and floats have no text form that sorts by value",
            "store an integer instead, such as cents or milliseconds, or give the float a key attribute of its own: `number(\"{}\")` on the table, and the template \"<{}>\"",
        ),
        ("bool", _) => (
            "a key, where \"true\" and \"false\" say little",
            "use an enum with `#[derive(KeyPart)]`, such as `enum State { Open, Closed }`",
        ),
        ("Option", TemplateSite::Primary(_)) if has_arguments(ty) => (
            "the primary key, which always has a value: it cannot be an `Option`",
            "use `<{}>` in an index instead; items without a value are then left out of that index",
        ),
        _ => return None,
    })
}

/// Whether it is spelled as an `Option`.
pub(super) fn is_option(ty: &Type) -> bool {
    spelled(ty).is_some_and(|name| name == "Option") && has_arguments(ty)
}

/// Whether it is written with `<..>`, as the standard library's `Option` is.
fn has_arguments(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| !last.arguments.is_none()))
}

/// The last word of a type that is a plain path.
fn spelled(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.qself.is_none() => {
            Some(path.path.segments.last()?.ident.to_string())
        }
        _ => None,
    }
}

/// What an index is looked up by instead of an `Option`: what that holds. An alias of one is looked up the same way, through
/// `AsKeyPart<Option<T>>`.
pub(super) fn optional<'t>(ty: &'t Type, site: TemplateSite<'_>) -> Option<&'t Type> {
    if let (TemplateSite::Index, Type::Path(path)) = (site, ty)
        && let Some(segment) = path.path.segments.last()
        && segment.ident == "Option"
        && let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments
        && let Some(syn::GenericArgument::Type(inner)) = arguments.args.first()
    {
        return Some(inner);
    }
    None
}
