//! The doorway to `neuron-macros-backend`: the three macros that a kernel's author uses, by way of `neuron_device`.

#![expect(
    missing_docs,
    reason = "`neuron_device` documents them where it re-exports them, with examples that compile"
)]

use neuron_macros_backend as backend;
use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn custom_op(options: TokenStream, item: TokenStream) -> TokenStream {
    backend::custom_op(options.into(), item.into()).into()
}

#[proc_macro]
pub fn neuron_library(input: TokenStream) -> TokenStream {
    backend::neuron_library(input.into()).into()
}

#[proc_macro]
pub fn op(input: TokenStream) -> TokenStream {
    backend::op(input.into()).into()
}
