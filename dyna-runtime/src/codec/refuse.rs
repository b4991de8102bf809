//! The methods of a serializer that refuse a type, as one list.

/// Implements the named methods of `Serializer` by the error that `Self::refused` makes of the shape's name.
macro_rules! refuse {
    (@method bool) => { refuse! { @value serialize_bool(bool) "boolean" } };
    (@method float) => {
        refuse! { @value serialize_f32(f32) "float" }
        refuse! { @value serialize_f64(f64) "float" }
    };
    (@method integer) => {
        refuse! { @value serialize_i8(i8) "number" }
        refuse! { @value serialize_i16(i16) "number" }
        refuse! { @value serialize_i32(i32) "number" }
        refuse! { @value serialize_i64(i64) "number" }
        refuse! { @value serialize_i128(i128) "number" }
        refuse! { @value serialize_u8(u8) "number" }
        refuse! { @value serialize_u16(u16) "number" }
        refuse! { @value serialize_u32(u32) "number" }
        refuse! { @value serialize_u64(u64) "number" }
        refuse! { @value serialize_u128(u128) "number" }
    };
    (@method char) => { refuse! { @value serialize_char(char) "string" } };
    (@method str) => { refuse! { @value serialize_str(&str) "string" } };
    (@method bytes) => { refuse! { @value serialize_bytes(&[u8]) "binary" } };
    (@method none) => { refuse! { @value serialize_none() "null" } };
    (@method some) => {
        fn serialize_some<T: ::serde::Serialize + ?Sized>(self, _: &T) -> Result<Self::Ok, Self::Error> {
            Err(Self::refused("option"))
        }
    };
    (@method unit) => {
        refuse! { @value serialize_unit() "null" }
        refuse! { @value serialize_unit_struct(&'static str) "null" }
    };
    (@method unit_variant) => {
        refuse! { @value serialize_unit_variant(&'static str, u32, &'static str) "string" }
    };
    (@method newtype_variant) => {
        fn serialize_newtype_variant<T: ::serde::Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<Self::Ok, Self::Error> {
            Err(Self::refused("map"))
        }
    };
    (@method list) => {
        refuse! { @compound SerializeSeq serialize_seq(Option<usize>) "list" }
        refuse! { @compound SerializeTuple serialize_tuple(usize) "list" }
        refuse! { @compound SerializeTupleStruct serialize_tuple_struct(&'static str, usize) "list" }
    };
    (@method map) => {
        refuse! { @compound SerializeMap serialize_map(Option<usize>) "map" }
        refuse! { @compound SerializeStruct serialize_struct(&'static str, usize) "map" }
    };
    (@method compound_variant) => {
        refuse! { @compound SerializeTupleVariant serialize_tuple_variant(&'static str, u32, &'static str, usize) "map" }
        refuse! { @compound SerializeStructVariant serialize_struct_variant(&'static str, u32, &'static str, usize) "map" }
    };
    (@value $method:ident($($argument:ty),*) $kind:literal) => {
        fn $method(self, $(_: $argument),*) -> Result<Self::Ok, Self::Error> {
            Err(Self::refused($kind))
        }
    };
    (@compound $type:ident $method:ident($($argument:ty),*) $kind:literal) => {
        fn $method(self, $(_: $argument),*) -> Result<Self::$type, Self::Error> {
            Err(Self::refused($kind))
        }
    };
    ($($shape:ident)*) => { $( refuse! { @method $shape } )* };
}

pub(super) use refuse;
