//! The function under `#[custom_op]`, parsed up to its body.

use proc_macro2::{Delimiter, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Result, Signature, Visibility};

use crate::messages;

/// A function without its body, which stays a token tree: it may be half typed, and it is the author's.
pub(crate) struct Item {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if !starts_function(input) {
            return Err(Error::new(input.span(), messages::NOT_A_FUNCTION));
        }
        let signature = input
            .parse()
            .map_err(|error: Error| Error::new(error.span(), messages::signature(&error.to_string())))?;
        body(input)?;
        Ok(Self { attributes, visibility, signature })
    }
}

/// Whether only qualifiers stand before a `fn`, which tells `const fn` from `const X: …`.
fn starts_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    while let Ok(token) = ahead.parse::<TokenTree>() {
        match token {
            TokenTree::Ident(word) if word == "fn" => return true,
            TokenTree::Ident(_) | TokenTree::Literal(_) => {}
            _ => return false,
        }
    }
    false
}

/// Passes over a body without looking into it.
fn body(input: ParseStream<'_>) -> Result<()> {
    let brace = input.step(|cursor| match cursor.group(Delimiter::Brace) {
        Some((_, _, rest)) => Ok(((), rest)),
        None => Err(cursor.error("")),
    });
    if brace.is_ok() && input.is_empty() { Ok(()) } else { Err(Error::new(input.span(), messages::NO_BODY)) }
}
