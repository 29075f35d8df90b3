//! What the tests of several modules need.

use proc_macro2::{TokenStream, TokenTree};

/// The tokens of `source`.
pub(crate) fn tokens(source: &str) -> TokenStream {
    source.parse().unwrap_or_else(|error| panic!("{error} in {source}"))
}

/// The text of every `compile_error!` in `output`, in order.
pub(crate) fn messages(output: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut reporting = false;
    for token in output {
        match token {
            TokenTree::Ident(word) => reporting = word == "compile_error",
            TokenTree::Group(group) if reporting => {
                let text = syn::parse2::<syn::LitStr>(group.stream());
                found.push(text.expect("compile_error! has a string").value());
            }
            TokenTree::Group(group) => found.extend(messages(group.stream())),
            _ => {}
        }
    }
    found
}

/// `source` with each of its tokens left out once, and each of its beginnings: what an editor sees while one types.
pub(crate) fn half_typed(source: &str) -> Vec<TokenStream> {
    let all: Vec<TokenTree> = tokens(source).into_iter().collect();
    let mut versions = Vec::new();
    for at in 0..all.len() {
        versions.push(all[..at].iter().cloned().collect());
        versions.push([&all[..at], &all[at + 1..]].concat().into_iter().collect());
    }
    for (at, token) in all.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        for inner in half_typed(&group.stream().to_string()) {
            let mut version = all.clone();
            version[at] = proc_macro2::Group::new(group.delimiter(), inner).into();
            versions.push(version.into_iter().collect());
        }
    }
    versions
}
