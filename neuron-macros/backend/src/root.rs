//! The path to `neuron_device` that an expansion writes before every name.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::Path;

/// Where `neuron_device` is: under its own name, or where `crate = path` says.
#[derive(Clone, Default)]
pub(crate) struct Root {
    given: Option<Path>,
}

impl Root {
    /// The path an author gave.
    pub(crate) fn given(path: Path) -> Self {
        Self { given: Some(path) }
    }

    /// `neuron_device::__private`, as if written at `place`, so that what the compiler says about it lands there.
    pub(crate) fn at(&self, place: Span) -> TokenStream {
        match &self.given {
            None => quote_spanned!(place=> ::neuron_device::__private),
            Some(path) => {
                let path = moved(path.to_token_stream(), place);
                quote_spanned!(place=> #path::__private)
            }
        }
    }
}

/// The same tokens at another place. They keep their own hygiene: `$crate` must still mean the macro's crate.
fn moved(tokens: TokenStream, place: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), moved(group.stream(), place)).into();
            }
            token.set_span(place.resolved_at(token.span()));
            token
        })
        .collect()
}
