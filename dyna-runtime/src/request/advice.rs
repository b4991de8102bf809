//! Messages of the compiler for calls that an entity does not have: traits that no type implements.

macro_rules! never {
    ($($name:ident: $message:literal, $label:literal, $note:literal;)*) => {$(
        /// No type implements it.
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $name {}
    )*};
}

never! {
    DeletedByKey: "`delete` is not a method: it takes the fields of the key",
        "write `{Self}::delete_loaded(&entity)`, or `{Self}::delete(..)` with the fields of the key",
        "`delete_loaded` deletes the item that was loaded as this entity, if it still has the same version";
    UpdatedByKey: "`update` is not a method: it takes the fields of the key",
        "write `{Self}::update_loaded(&entity)`, or `{Self}::update(..)` with the fields of the key",
        "`update_loaded` changes the item that was loaded as this entity, and its index keys with it";
}
