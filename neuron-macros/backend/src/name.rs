//! The rule for an op's name, from the table the runtime searches.

use proc_macro2::Ident;
use syn::LitStr;
use syn::ext::IdentExt;

use crate::errors::Errors;
use crate::messages;

/// How many characters the table has for a name.
pub(crate) const LIMIT: usize = 31;

/// The name of an op: the one given, or its function's.
pub(crate) fn of_op(function: &Ident, given: Option<&LitStr>, errors: &mut Errors) -> String {
    let name = given.map_or_else(|| function.unraw().to_string(), LitStr::value);
    match (mistake(&name), given) {
        (Some(message), Some(given)) => errors.report(given, message),
        (Some(message), None) => errors.report(function, message),
        (None, _) => {}
    }
    name
}

/// What is wrong with `name`, if anything.
fn mistake(name: &str) -> Option<String> {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() {
        Some(messages::NAME_EMPTY.into())
    } else if !name.chars().all(letters) || name.starts_with(|c: char| c.is_ascii_digit()) {
        Some(messages::NAME_LETTERS.into())
    } else if name.len() > LIMIT {
        Some(messages::name_long(name, LIMIT))
    } else {
        None
    }
}
