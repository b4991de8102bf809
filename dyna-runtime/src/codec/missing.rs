//! Fields that are not stored because they are `None`, and that serde asks for all the same: one that is read by a function of its own
//! (`#[serde(with = "..")]`) or has an `Option` inside of a newtype.
//!
//! Where such a field is missing, the item is read again with NULL in its place. This is the slow way out: it is taken only where reading
//! failed, and `#[serde(default)]` on the field avoids it.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::DeserializeOwned;

use super::error::{DecodeError, Segment};
use super::{Item, ValueReader, from_item, from_value};

/// Whether a value can be read. What is tried again and again knows no more of its type.
type Try<'t> = &'t dyn Fn(AttributeValue) -> Result<(), DecodeError>;

fn tried<T: DeserializeOwned>(value: AttributeValue) -> Result<(), DecodeError> {
    match from_value::<T>(value) {
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Reads a value from the attributes of an item.
pub(super) fn from_item_without<T: DeserializeOwned>(item: Item) -> Result<T, DecodeError> {
    // Reading takes the attributes out of the item.
    let kept = AttributeValue::M(item.clone());
    match from_item(item) {
        Ok(value) => Ok(value),
        Err(first) => from_value(completed(kept, first, &tried::<T>)?),
    }
}

/// Reads a value from one attribute by a function.
pub(crate) fn read_without<T>(
    mut value: AttributeValue,
    read: fn(ValueReader<'_, '_>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    let kept = value.clone();
    read(ValueReader::of(&mut value)).or_else(|first| {
        let tried = |mut value| read(ValueReader::of(&mut value)).map(drop);
        let mut whole = completed(kept, first, &tried)?;
        read(ValueReader::of(&mut whole))
    })
}

/// The item with what is missing in it, or the error that reading it failed with.
#[cold]
fn completed(
    item: AttributeValue,
    first: DecodeError,
    read: Try<'_>,
) -> Result<AttributeValue, DecodeError> {
    match missing(&item, &first, read) {
        Some(given) => Ok(with(&item, &given)),
        None => Err(blamed(item, first, read)),
    }
}

/// The error with the attribute that is to blame for it, if none is named: the one without which the item could be read. Where serde reads
/// on from a copy of its own, as in a flattened map, it is not known otherwise.
fn blamed(item: AttributeValue, error: DecodeError, read: Try<'_>) -> DecodeError {
    let AttributeValue::M(item) = item else {
        return error;
    };
    if error.depth() > 0 || error.missing().is_some() {
        return error;
    }
    let mut names: Vec<&String> = item.keys().collect();
    names.sort_unstable();
    let to_blame = names.into_iter().find(|name| {
        let mut others = item.clone();
        others.remove(*name);
        !error.names(name) && read(AttributeValue::M(others)).is_ok()
    });
    match to_blame {
        Some(name) => error.in_field(name.clone()),
        None => error,
    }
}

/// Fails if a part of an item could not be read: what lies this deep in it. All else may be missing.
pub(crate) fn check_part<T: DeserializeOwned>(item: Item, depth: usize) -> Result<(), DecodeError> {
    check_tried(AttributeValue::M(item), depth, &tried::<T>)
}

fn check_tried(item: AttributeValue, depth: usize, read: Try<'_>) -> Result<(), DecodeError> {
    let mut given: Vec<GivenField> = Vec::new();
    let fails = |given: &[GivenField]| {
        let error = read(with(&item, given)).err();
        error.filter(|error| error.depth() >= depth)
    };
    while let Some(error) = fails(&given) {
        let Some((path, name)) = error.missing() else {
            return Err(error);
        };
        let next = places(&item, &path, name)
            .into_iter()
            .filter(|place| !given.contains(&(*place, name)))
            .map(|place| given.iter().copied().chain([(place, name)]).collect())
            .find(|more: &Vec<GivenField>| {
                fails(more).is_none_or(|next| {
                    next.missing()
                        .is_some_and(|next| next != (path.clone(), name))
                })
            });
        match next {
            Some(more) => given = more,
            None => return Err(error),
        }
    }
    Ok(())
}

/// A field that was given NULL: the number of its map among all of the item, and its name.
type GivenField = (usize, &'static str);

/// Gives NULL to one missing field after the other, until the item can be read: which are given it.
fn missing(item: &AttributeValue, first: &DecodeError, read: Try<'_>) -> Option<Vec<GivenField>> {
    let mut given: Vec<GivenField> = Vec::new();
    let mut error = first.missing()?;
    loop {
        let (path, name) = &error;
        let next = places(item, path, name)
            .into_iter()
            .filter(|place| !given.contains(&(*place, name)))
            .find_map(|place| {
                let more: Vec<GivenField> = given.iter().copied().chain([(place, *name)]).collect();
                match read(with(item, &more)) {
                    Ok(()) => Some((more, None)),
                    // Another one is missing, so this one is not.
                    Err(next) => match next.missing()? {
                        next if next == error => None,
                        next => Some((more, Some(next))),
                    },
                }
            });
        let (more, left) = next?;
        let Some(left) = left else {
            return Some(needed(item, more, read));
        };
        (given, error) = (more, left);
    }
}

/// Only those NULLs without which it cannot be read: another one would be an entry of a map that is not stored.
fn needed(item: &AttributeValue, mut given: Vec<GivenField>, read: Try<'_>) -> Vec<GivenField> {
    let mut at = 0;
    while at < given.len() {
        let one = given.remove(at);
        if read(with(item, &given)).is_err() {
            given.insert(at, one);
            at += 1;
        }
    }
    given
}

/// The item with these NULLs.
fn with(item: &AttributeValue, given: &[GivenField]) -> AttributeValue {
    let mut item = item.clone();
    let mut number = 0;
    give(&mut item, given, &mut number);
    item
}

/// Puts NULL into the maps, which are counted from the outside.
fn give(value: &mut AttributeValue, given: &[GivenField], number: &mut usize) {
    match value {
        AttributeValue::M(map) => {
            let own = given.iter().filter(|(at, _)| at == number);
            let own: Vec<&str> = own.map(|(_, name)| *name).collect();
            *number += 1;
            let mut names: Vec<String> = map.keys().cloned().collect();
            names.sort_unstable();
            for name in names {
                if let Some(inner) = map.get_mut(&name) {
                    give(inner, given, number);
                }
            }
            for name in own {
                map.insert(name.to_owned(), AttributeValue::Null(true));
            }
        }
        AttributeValue::L(list) => {
            for element in list {
                give(element, given, number);
            }
        }
        _ => {}
    }
}

/// The numbers of the maps in which a field of this name may be missing: at the path, or below it where serde reads on from a copy of its
/// own and the path ends.
fn places(item: &AttributeValue, path: &[Segment], name: &str) -> Vec<usize> {
    let mut found = Vec::new();
    search(item, Some(path), name, &mut 0, 0, &mut found);
    // What is nearest to the path comes first.
    found.sort_by_key(|(depth, number)| (*depth, *number));
    found.into_iter().map(|(_, number)| number).collect()
}

/// `path` is what is left of it, outermost last; nothing, if the value lies elsewhere.
fn search(
    value: &AttributeValue,
    path: Option<&[Segment]>,
    name: &str,
    number: &mut usize,
    depth: usize,
    found: &mut Vec<(usize, usize)>,
) {
    let inside = |segment: &Segment| {
        let (last, rest) = path?
            .split_last()
            .map_or((None, &[][..]), |(last, rest)| (Some(last), rest));
        match last {
            None => Some(rest),
            Some(last) => last.leads_to(segment).then_some(rest),
        }
    };
    let below = depth + usize::from(path.is_some_and(<[Segment]>::is_empty));
    match value {
        AttributeValue::M(map) => {
            if path.is_some_and(<[Segment]>::is_empty) && !map.contains_key(name) {
                found.push((depth, *number));
            }
            *number += 1;
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(name, _)| *name);
            for (key, inner) in entries {
                let path = inside(&Segment::Field(key.clone().into()));
                search(inner, path, name, number, below, found);
            }
        }
        AttributeValue::L(list) => {
            for (at, inner) in list.iter().enumerate() {
                let path = inside(&Segment::Index(at));
                search(inner, path, name, number, below, found);
            }
        }
        _ => {}
    }
}
