//! Snapshots of whole files, expanded. `tests/ui` compiles the snapshots as well, so each has to stand on its own.

use std::fs;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Item, Meta};

use crate::{custom_op, neuron_library};

/// The file `inputs/<name>.rs` with this crate's macros expanded, printed.
fn expanded(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/expansion/inputs/{name}.rs"));
    let source = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = syn::parse_file(&source).unwrap();
    let tokens: TokenStream = file.items.into_iter().map(expand).collect();
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

fn expand(item: Item) -> TokenStream {
    match item {
        Item::Macro(item) if item.mac.path.is_ident("neuron_library") => neuron_library(item.mac.tokens),
        Item::Fn(mut item) => {
            let Some(at) = item.attrs.iter().position(|attribute| {
                attribute.path().segments.last().is_some_and(|last| last.ident == "custom_op")
            }) else {
                return item.into_token_stream();
            };
            let options = match item.attrs.remove(at).meta {
                Meta::List(list) => list.tokens,
                _ => TokenStream::new(),
            };
            custom_op(options, item.into_token_stream())
        }
        item => item.into_token_stream(),
    }
}

macro_rules! snapshots {
    ($($name:ident),*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), expanded(stringify!($name)));
        }
    )*};
}
snapshots!(in_place, returning, every_argument, options, library);
