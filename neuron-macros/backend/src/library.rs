//! `neuron_library!`: a list of ops under the name that a model loads.

#[cfg(test)]
mod tests;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::token::Bracket;
use syn::{Attribute, Error, Ident, LitStr, Path, Result, Token, Visibility, bracketed};

use crate::entry;
use crate::errors::Errors;
use crate::messages;
use crate::root::Root;

/// How many ops a library can have.
const MAX_OPS: usize = 10;

/// What stands before the list.
struct Head {
    root: Root,
    attributes: Vec<Attribute>,
    visibility: Visibility,
    ident: Ident,
    name: LitStr,
}

/// Expands `neuron_library!(pub NAME: "name" = [path::of_op, …])` into a static, then every mistake.
pub fn neuron_library(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut output = TokenStream::new();
    let parsed = |input: ParseStream<'_>| {
        let head = head(input)?;
        let ops = ops(input, &mut errors)?;
        Ok((head, ops))
    };
    match parsed.parse2(input) {
        Ok((head, ops)) => {
            check_name(&head.name, &mut errors);
            let ops = checked(ops, &mut errors);
            output.extend(expand(&head, &ops, !errors.is_empty()));
        }
        Err(error) => errors.add(error),
    }
    output.extend(errors.into_tokens());
    output
}

fn head(input: ParseStream<'_>) -> Result<Head> {
    let root = root(input)?;
    let fits = |error: Error| Error::new(error.span(), messages::LIBRARY);
    let attributes = input.call(Attribute::parse_outer).map_err(fits)?;
    let visibility = input.parse().map_err(fits)?;
    let ident = input.parse().map_err(fits)?;
    input.parse::<Token![:]>().map_err(fits)?;
    let name = input.parse().map_err(fits)?;
    input.parse::<Token![=]>().map_err(fits)?;
    Ok(Head { root, attributes, visibility, ident, name })
}

/// The optional `crate = path;`.
fn root(input: ParseStream<'_>) -> Result<Root> {
    if !(input.peek(Token![crate]) && input.peek2(Token![=])) {
        return Ok(Root::default());
    }
    let fits = |error: Error| Error::new(error.span(), messages::LIBRARY_CRATE);
    input.parse::<Token![crate]>()?;
    input.parse::<Token![=]>()?;
    let path = input.call(Path::parse_mod_style).map_err(fits)?;
    input.parse::<Token![;]>().map_err(fits)?;
    Ok(Root::given(path))
}

/// The list; an element that is no path is reported and left out.
fn ops(input: ParseStream<'_>, errors: &mut Errors) -> Result<Vec<Path>> {
    if !input.peek(Bracket) {
        return Err(Error::new(input.span(), messages::LIBRARY));
    }
    let list;
    let bracket = bracketed!(list in input);
    input.parse::<Option<Token![;]>>()?;
    if !input.is_empty() {
        return Err(Error::new(input.span(), messages::LIBRARY));
    }

    let mut ops = Vec::new();
    if list.is_empty() {
        errors.report_at(bracket.span.join(), messages::LIBRARY_EMPTY);
    }
    while !list.is_empty() {
        match entry::function_path(&list) {
            Ok(path) if list.is_empty() || list.peek(Token![,]) => ops.push(path),
            Ok(_) => errors.add(Error::new(list.span(), messages::ENTRY)),
            Err(error) => errors.add(error),
        }
        while !list.is_empty() && list.parse::<Option<Token![,]>>()?.is_none() {
            list.parse::<TokenTree>()?;
        }
    }
    Ok(ops)
}

fn check_name(name: &LitStr, errors: &mut Errors) {
    match name.value().as_str() {
        "" => errors.report(name, messages::LIBRARY_NAME_EMPTY),
        "builtin" => errors.report(name, messages::LIBRARY_BUILTIN),
        _ => {}
    }
}

/// The ops that can stand together; what cannot is reported. Equal names of ops are left to `Library::new`, which
/// alone can see them.
fn checked(ops: Vec<Path>, errors: &mut Errors) -> Vec<Path> {
    let mut kept: Vec<(String, Path)> = Vec::new();
    for op in ops {
        let written = op.to_token_stream().to_string().replace(' ', "");
        if kept.iter().any(|(other, _)| *other == written) {
            errors.report(&op, messages::duplicate_op(&written));
        } else if kept.len() == MAX_OPS {
            errors.report(&op, messages::LIBRARY_OPS);
            break;
        } else {
            kept.push((written, op));
        }
    }
    kept.into_iter().map(|(_, op)| op).collect()
}

/// The static. Where there are mistakes it stands in for the library, so that uses of it add no errors of their own.
fn expand(head: &Head, ops: &[Path], broken: bool) -> TokenStream {
    let Head { root, attributes, visibility, ident, name } = head;
    let root = root.at(Span::mixed_site());
    let name = if broken { "broken".into() } else { name.value() };
    let entries = ops.iter().cloned().map(entry::entry_path);
    let documented = attributes.iter().any(|attribute| attribute.path().is_ident("doc"));
    // `missing_docs` is on in many crates, and the name says what there is to say.
    let document = (!documented).then(|| {
        let text = format!("The library \"{name}\".");
        quote!(#[doc = #text])
    });
    quote! {
        #document
        #(#attributes)*
        #visibility static #ident: #root::Library = #root::Library::new(#name, &[#(&#entries),*]);
    }
}
