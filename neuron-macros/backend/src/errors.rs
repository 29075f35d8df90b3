//! The mistakes found so far, in the order of their finding.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Error;

/// Every mistake of one macro call. Checks add to it and go on, so that an author sees all of them in one build.
#[derive(Default)]
pub(crate) struct Errors {
    all: Option<Error>,
}

impl Errors {
    /// Adds a mistake that these tokens make.
    pub(crate) fn report(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.add(Error::new_spanned(tokens, message));
    }

    /// Adds a mistake at a place that has no tokens of its own.
    pub(crate) fn report_at(&mut self, place: Span, message: impl Display) {
        self.add(Error::new(place, message));
    }

    /// Adds what a parser said.
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.all {
            Some(all) => all.combine(error),
            None => self.all = Some(error),
        }
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_none()
    }

    /// One `compile_error!` for each mistake.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.all.map_or_else(TokenStream::new, Error::into_compile_error)
    }
}
