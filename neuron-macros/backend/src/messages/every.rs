//! The list of all messages, so that a fuzzer can say which of them it has met.

use super::*;

/// A list of constants, each with its name.
macro_rules! named {
    ($($name:ident,)*) => { &[$((stringify!($name), $name)),*] };
}

/// The messages that are always the same.
const FIXED: &[(&str, &str)] = named![
    NOT_A_FUNCTION,
    NO_BODY,
    TWICE,
    ASYNC,
    CONST,
    UNSAFE,
    EXTERN,
    GENERIC_TYPE,
    GENERIC_CONST,
    GENERIC_LIFETIME,
    WHERE,
    METHOD,
    VARIADIC,
    Q7_MISSING,
    Q7_FIRST,
    Q7_TWICE,
    Q7_REFERENCE,
    PATTERN,
    UNNAMED,
    CFG_ARGUMENT,
    TENSOR_BY_VALUE,
    SLICE,
    STRING,
    OPTIONAL,
    POINTER,
    TUPLE,
    CODE,
    INFERRED,
    NESTED,
    LIFETIME,
    ARGUMENTS,
    SECOND_DESTINATION,
    NO_DESTINATION,
    TWO_RESULTS,
    SHAPE_UNKNOWN,
    RETURN_IN_PLACE,
    RETURN_BARE_TENSOR,
    RETURN_OPTION,
    RETURN_SEVERAL,
    RETURN_VALUE,
    OPTIONS,
    OPTION_NAME,
    OPTION_SHAPE,
    OPTION_STACK,
    OPTION_CRATE,
    OPTION_IN_PLACE,
    IN_PLACE_RETURNING,
    NAME_EMPTY,
    NAME_LETTERS,
    LIBRARY,
    LIBRARY_CRATE,
    LIBRARY_NAME_EMPTY,
    LIBRARY_BUILTIN,
    LIBRARY_EMPTY,
    LIBRARY_OPS,
    ENTRY,
];

/// Of the messages with the author's words in them, a part that is always the same.
const WORDED: &[(&str, &str)] = &[
    ("scalar", "` does not cross"),
    ("scalar_reference", "scalars are passed by value: write `"),
    ("scalar_reference, mutable", "an op's only result is its destination: take `"),
    ("unknown_option", "there is no option `"),
    ("duplicate_option", "` is given already: remove one of the two"),
    ("name_long", "characters, this one "),
    ("duplicate_op", "` is listed already: remove one of the two"),
    ("signature", "the signature does not parse ("),
];

/// Every message, by name, or what is always the same in it. A message that contains several of these is the longest.
pub(crate) fn every() -> Vec<(&'static str, &'static str)> {
    [FIXED, WORDED].concat()
}

#[cfg(test)]
mod tests;
