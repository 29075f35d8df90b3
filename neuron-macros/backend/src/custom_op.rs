//! `#[custom_op]`, step by step.

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use crate::errors::Errors;
use crate::expansion::{Kernel, broken_entry, entry};
use crate::item::Item;
use crate::options::Options;
use crate::{function, messages, name, outcome, parameters};

/// Expands `#[custom_op(options)] item`: the item as it came, then its table entry, then every mistake.
pub fn custom_op(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let options = Options::parse(options, &mut errors);
    let mut output = item.clone();
    match syn::parse2::<Item>(item) {
        Ok(item) => output.extend(table_entry(item, options, &mut errors)),
        Err(error) => errors.add(error),
    }
    output.extend(errors.into_tokens());
    output
}

/// Checks the whole of `item`, and makes its table entry.
fn table_entry(item: Item, options: Options, errors: &mut Errors) -> TokenStream {
    function::check(&item, errors);
    let name = name::of_op(&item.signature.ident, options.name.as_ref(), errors);
    let parameters = parameters::check(&item.signature, options.shape.is_some(), errors);
    if let Some(word) = options.in_place.as_ref().filter(|_| parameters.destination().is_none()) {
        errors.report(word, messages::IN_PLACE_RETURNING);
    }
    outcome::check(&item.signature, parameters.destination().is_some(), errors);

    // An `impl` has no room for a static, and the second of two attributes makes its own.
    let no_room = item.signature.receiver().is_some() || function::is_twice(&item);
    let in_place = options.in_place.is_some();
    let Options { root, shape, stack_size, .. } = options;
    let kernel = Kernel { item, name, root, shape, stack_size, in_place, parameters };
    if errors.is_empty() {
        entry(&kernel)
    } else if no_room {
        TokenStream::new()
    } else {
        broken_entry(&kernel)
    }
}
