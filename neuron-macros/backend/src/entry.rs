//! The way from an op's function to its table entry.

#[cfg(test)]
mod tests;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{ParseStream, Parser};
use syn::{Error, Ident, Path, Result};

use crate::messages;

/// Expands `op!(path)`: a reference to the table entry of the op whose function has this path.
pub fn op(input: TokenStream) -> TokenStream {
    match path.parse2(input) {
        Ok(function) => {
            let entry = entry_path(function);
            quote!((&#entry))
        }
        Err(error) => error.into_compile_error(),
    }
}

fn path(input: ParseStream<'_>) -> Result<Path> {
    let path = function_path(input)?;
    if input.is_empty() { Ok(path) } else { Err(Error::new(input.span(), messages::ENTRY)) }
}

/// A path that can be an op's function. What follows it is the caller's to judge.
pub(crate) fn function_path(input: ParseStream<'_>) -> Result<Path> {
    input.call(Path::parse_mod_style).map_err(|error| Error::new(error.span(), messages::ENTRY))
}

/// The path of an op's entry, from that of its function.
pub(crate) fn entry_path(mut function: Path) -> Path {
    if let Some(last) = function.segments.last_mut() {
        last.ident = entry_name(&last.ident);
    }
    function
}

/// The name of an op's entry. By its hygiene it is the macro's, so that no lint asks an author for capitals.
pub(crate) fn entry_name(function: &Ident) -> Ident {
    format_ident!("__op_{}", function, span = Span::mixed_site().located_at(function.span()))
}
