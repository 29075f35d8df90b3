//! Source of `#[custom_op]`, `neuron_library!` and `op!`: the first line says which, and has the options.

use std::string::{String, ToString};
use std::vec::Vec;

use neuron_macros_backend::{custom_op, every_message, neuron_library, op};
use proc_macro2::{TokenStream, TokenTree};

/// What is made of no more than so many brackets in brackets: the compiler itself ends at about as many.
const DEEPEST: usize = 100;

/// What signatures are made of.
pub(super) const WORDS: &[&str] = &[
    "async ",
    "const ",
    "unsafe ",
    "extern \"C\" ",
    "pub ",
    "fn f",
    "<T>",
    "<const N: u32>",
    "<'a>",
    "where T: Copy ",
    "self, ",
    "&self, ",
    "...",
    "q7: &Q7, ",
    "q7: Q7, ",
    "x: &Tensor, ",
    "x: Tensor, ",
    "out: &mut Tensor",
    "(a, b): ",
    "_: ",
    "#[cfg(a)] ",
    "&[f32]",
    "&str",
    "Option<i32>",
    "*const f32",
    "(i32, i32)",
    "impl Fn()",
    "_",
    "&&Tensor",
    "&'a Tensor",
    "usize",
    "f64",
    "u32",
    "bool",
    "&mut f32",
    "&f32",
    " -> Result<()> ",
    " -> Result<Tensor> ",
    " -> Tensor ",
    " -> Option<Tensor> ",
    " -> (Tensor, Tensor) ",
    " -> f32 ",
    "{}",
    ";",
    "name = \"relu\"",
    "name = ",
    "shape = f",
    "shape = 1",
    "crate = nd",
    "crate = \"nd\"",
    "in_place",
    "in_place = true",
    ", ",
    "(",
    ")",
    "a: i32, ",
    "custom_op",
    "neuron_library",
    "\n",
    "pub NAME: \"name\" = [a, b]",
    "\"builtin\"",
    "[",
    "]",
    "#[custom_op] ",
    "struct S;",
    "a::b",
    "r#fn",
    "'",
    "\"",
    "/*",
];

/// Every message, and the ways without one.
pub(super) fn arms() -> Vec<&'static str> {
    ["no tokens", "too deep", "accepted"]
        .into_iter()
        .chain(every_message().into_iter().map(|(name, _)| name))
        .collect()
}

/// What is expanded comes back, and parses but for what the author wrote.
pub(super) fn feed(bytes: &[u8]) -> Vec<&'static str> {
    let text = String::from_utf8_lossy(bytes);
    if depth(&text) > DEEPEST {
        return std::vec!["too deep"];
    }
    let (first, item) = text.split_once('\n').unwrap_or((&text, ""));
    let (which, options) = first.split_once(' ').unwrap_or((first, ""));
    let (Ok(options), Ok(item)) = (options.parse::<TokenStream>(), item.parse::<TokenStream>()) else {
        return std::vec!["no tokens"];
    };
    let output = match which {
        "neuron_library" => neuron_library(item),
        "op" => op(item),
        _ => {
            let output = custom_op(options, item.clone());
            let (whole, own) = (output.to_string(), item.to_string());
            assert!(whole.starts_with(&own), "{own}\nbecame\n{whole}");
            output
        }
    };
    let mut told = Vec::new();
    messages(output, &mut told);
    if told.is_empty() {
        return std::vec!["accepted"];
    }
    told.iter().map(|message| name(message)).collect()
}

/// The name of a message: of those it contains, the first one, of several there the longest. One of the parser's own has
/// none.
fn name(message: &str) -> &'static str {
    let at =
        |(name, text): (_, &'static str)| Some((message.find(text)?, std::cmp::Reverse(text.len()), name));
    every_message().into_iter().filter_map(at).min().map_or("the parser's own", |(_, _, name)| name)
}

/// The text of every `compile_error!`.
fn messages(output: TokenStream, found: &mut Vec<String>) {
    let mut reporting = false;
    for token in output {
        match token {
            TokenTree::Ident(word) => reporting = word == "compile_error",
            TokenTree::Group(group) if reporting => {
                // The author may write one too.
                found.extend(syn::parse2::<syn::LitStr>(group.stream()).map(|text| text.value()).ok());
                reporting = false;
            }
            TokenTree::Group(group) => messages(group.stream(), found),
            _ => {}
        }
    }
}

/// How deep its brackets are, at most.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' | b'<' | b'&' | b'*' | b'!' | b'-' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
