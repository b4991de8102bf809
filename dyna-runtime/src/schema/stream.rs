//! The view types of a table's stream, as types: which images its changes have.

use crate::derived::Derived;

/// The images that the records of a stream carry, as types: `stream = ".."` of the table.
pub trait StreamView: 'static {
    /// Only this crate implements it.
    #[doc(hidden)]
    const ONLY_BY_DERIVE: Derived;

    /// The item after the change: `T`, or [`NoImage`].
    type New<T>;
    /// The item before the change: `T`, or [`NoImage`].
    type Old<T>;

    /// Whether records carry the item after the change.
    const HAS_NEW: bool;
    /// Whether records carry the item before the change.
    const HAS_OLD: bool;

    /// The image that was read; nothing if the view has such images and there is none.
    #[doc(hidden)]
    fn new_image<T>(image: Option<T>) -> Option<Self::New<T>>;
    /// The same of the old image.
    #[doc(hidden)]
    fn old_image<T>(image: Option<T>) -> Option<Self::Old<T>>;
}

/// The view types that a stream can have.
#[diagnostic::on_unimplemented(
    message = "the table declares no stream, so the images of its changes are not known",
    label = "changes of a table without `stream`",
    note = "declare what its stream carries: `#[dyna(.., stream = \"new_and_old_images\")]`, or \"new_image\", \"old_image\", \"keys_only\"",
    note = "of a Kinesis destination or an export, whose images the table does not decide, name them: `Change::<Table, NewAndOldImages>::from_record(..)`"
)]
pub trait HasStream: StreamView {}

/// In the place of an image that the stream does not carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoImage;

macro_rules! views {
    ($($(#[$doc:meta])* $view:ident: $new:ident, $old:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $view {}

        impl StreamView for $view {
            const ONLY_BY_DERIVE: Derived = Derived;
            type New<T> = views!(@type $new);
            type Old<T> = views!(@type $old);
            const HAS_NEW: bool = views!(@is $new);
            const HAS_OLD: bool = views!(@is $old);

            fn new_image<T>(image: Option<T>) -> Option<Self::New<T>> {
                views!(@image $new image)
            }

            fn old_image<T>(image: Option<T>) -> Option<Self::Old<T>> {
                views!(@image $old image)
            }
        }
    )*};
    (@type image) => { T };
    (@type nothing) => { NoImage };
    (@is image) => { true };
    (@is nothing) => { false };
    (@image image $image:ident) => { $image };
    (@image nothing $image:ident) => {{ drop($image); Some(NoImage) }};
}

views! {
    /// `stream = "new_and_old_images"`: the item before and after each change.
    NewAndOldImages: image, image;
    /// `stream = "new_image"`: the item after each change.
    NewImage: image, nothing;
    /// `stream = "old_image"`: the item before each change.
    OldImage: nothing, image;
    /// `stream = "keys_only"`: the key of each item that changed.
    KeysOnly: nothing, nothing;
    /// A table without `stream`.
    NoStream: nothing, nothing;
}

impl HasStream for NewAndOldImages {}
impl HasStream for NewImage {}
impl HasStream for OldImage {}
impl HasStream for KeysOnly {}
