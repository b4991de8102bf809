//! The attribute type of a field, by the `Serialize` of its Rust type.

use crate::schema::ScalarType;
use crate::schema::StoredAs;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;
use std::sync::Arc;

/// A type that is known.
trait KnownKind {
    const STORED_AS: StoredAs;
}

macro_rules! known {
    ($as:expr; $($type:ty),*) => {$(
        impl KnownKind for $type {
            const STORED_AS: StoredAs = $as;
        }
    )*};
}

known!(StoredAs::Key(ScalarType::S); char, String, Box<str>, Arc<str>, Cow<'static, str>);
known!(
    StoredAs::Key(ScalarType::N);
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64
);
known!(StoredAs::Other; (), bool);

macro_rules! other {
    ($($type:ty, [$($generics:tt)*];)*) => {$(
        impl<$($generics)*> KnownKind for $type {
            const STORED_AS: StoredAs = StoredAs::Other;
        }
    )*};
}

other! {
    Vec<T>, [T];
    VecDeque<T>, [T];
    Box<[T]>, [T];
    [T; N], [T, const N: usize];
    HashSet<T, H>, [T, H];
    BTreeSet<T>, [T];
    HashMap<K, V, H>, [K, V, H];
    BTreeMap<K, V>, [K, V];
}

impl<T: KnownKind> KnownKind for Option<T> {
    const STORED_AS: StoredAs = T::STORED_AS;
}

/// Asks what a type is stored as: generated code names the constant, which is the one here if the type is known, and the one of
/// [`UnknownKind`] otherwise.
#[derive(Debug)]
pub struct KindOf<T>(PhantomData<T>);

#[expect(private_bounds, reason = "only asked whether it holds")]
impl<T: KnownKind> KindOf<T> {
    /// The type that it is stored as.
    pub const STORED_AS: StoredAs = T::STORED_AS;
}

/// The fallback for a type that is not known.
pub trait UnknownKind {
    /// Nothing.
    const STORED_AS: StoredAs = StoredAs::Unknown;
}

impl<T> UnknownKind for KindOf<T> {}
