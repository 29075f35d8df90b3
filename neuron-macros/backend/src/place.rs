//! Places in the author's source that generated tokens stand at, since the compiler points where tokens stand.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::ToTokens;

/// From the first token of something to its last. An expression whose own first and last tokens stand there is, to
/// the compiler, that whole piece of the author's source; spans cannot be joined on a stable compiler.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) start: Span,
    pub(crate) end: Span,
}

impl Place {
    /// Where these tokens are.
    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
        let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
        let start = spans.next().unwrap_or_else(Span::call_site);
        Self { start, end: spans.last().unwrap_or(start) }
    }

    /// The `(…)` of a call that ends here.
    pub(crate) fn call(self, arguments: TokenStream) -> Group {
        let mut group = Group::new(Delimiter::Parenthesis, arguments);
        group.set_span(self.end);
        group
    }
}
