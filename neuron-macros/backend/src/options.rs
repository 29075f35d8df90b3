//! The options of `#[custom_op(…)]`.

#[cfg(test)]
mod tests;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::token::Paren;
use syn::{ExprPath, LitInt, LitStr, Path, Result, Token};

use crate::errors::Errors;
use crate::messages;
use crate::root::Root;

/// Bytes of stack an op can ask for.
const MOST_STACK: u32 = 4 << 20;

/// What the options say, each at most once.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) name: Option<LitStr>,
    pub(crate) shape: Option<ExprPath>,
    /// The word itself, which has no value.
    pub(crate) in_place: Option<Ident>,
    pub(crate) stack_size: Option<LitInt>,
    pub(crate) root: Root,
}

impl Options {
    /// Reads every option it can, and reports the others.
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut options = Self::default();
        let read = |input: ParseStream<'_>| {
            let mut seen: Vec<String> = Vec::new();
            while !input.is_empty() {
                let start = input.fork();
                let read = options.read(input, &mut seen, errors);
                if let Err(error) = read {
                    errors.add(error);
                } else if !input.is_empty() && !input.peek(Token![,]) {
                    errors.add(syn::Error::new(input.span(), messages::OPTIONS));
                }
                skip_past_comma(input, &start);
            }
            Ok(())
        };
        if let Err(error) = read.parse2(tokens) {
            errors.add(error);
        }
        options
    }

    fn read(&mut self, input: ParseStream<'_>, seen: &mut Vec<String>, errors: &mut Errors) -> Result<()> {
        let key =
            input.call(Ident::parse_any).map_err(|error| syn::Error::new(error.span(), messages::OPTIONS))?;
        let written = key.to_string();
        let message = match written.as_str() {
            "name" => messages::OPTION_NAME,
            "shape" => messages::OPTION_SHAPE,
            "crate" => messages::OPTION_CRATE,
            "in_place" => messages::OPTION_IN_PLACE,
            "stack_size" => messages::OPTION_STACK,
            _ => return Err(syn::Error::new_spanned(key, messages::unknown_option(&written))),
        };
        if seen.contains(&written) {
            errors.report(&key, messages::duplicate_option(&written));
        }
        if written == "in_place" {
            if input.peek(Token![=]) || input.peek(Paren) {
                return Err(syn::Error::new_spanned(key, message));
            }
            self.in_place = Some(key);
            seen.push(written);
            return Ok(());
        }
        // The end of the input has no token of its own: there the key is the place to look at.
        let place = |error: syn::Error| {
            let place = if input.is_empty() { key.span() } else { error.span() };
            syn::Error::new(place, message)
        };
        input.parse::<Token![=]>().map_err(place)?;
        match written.as_str() {
            "name" => self.name = Some(input.parse().map_err(place)?),
            "shape" => self.shape = Some(input.parse().map_err(place)?),
            "stack_size" => self.stack_size = Some(stack_size(&input.parse().map_err(place)?)?),
            _ => self.root = Root::given(input.call(Path::parse_mod_style).map_err(place)?),
        }
        seen.push(written);
        Ok(())
    }
}

/// A number of bytes an op may ask for.
fn stack_size(written: &LitInt) -> Result<LitInt> {
    let fits = matches!(written.suffix(), "" | "u32")
        && written.base10_parse::<u32>().is_ok_and(|bytes| (1..=MOST_STACK).contains(&bytes));
    if fits { Ok(written.clone()) } else { Err(syn::Error::new_spanned(written, messages::OPTION_STACK)) }
}

/// Goes on after the next comma, and always goes on.
fn skip_past_comma(input: ParseStream<'_>, start: ParseStream<'_>) {
    if input.cursor() == start.cursor() {
        let _ = input.parse::<TokenTree>();
    }
    while !input.is_empty() {
        if input.parse::<Option<Token![,]>>().is_ok_and(|comma| comma.is_some()) {
            return;
        }
        let _ = input.parse::<TokenTree>();
    }
}
