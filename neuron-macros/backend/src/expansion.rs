//! The table entry that an op's function turns into: a static beside it.

#[cfg(test)]
mod tests;

use std::ffi::CString;

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{ExprPath, Ident, LitInt};

use crate::entry;
use crate::item::Item;
use crate::name;
use crate::parameters::Parameters;
use crate::place::Place;
use crate::root::Root;
use crate::wrapper::{kernel_argument, wrapper};

/// A kernel and all that is known about it.
pub(crate) struct Kernel {
    pub(crate) item: Item,
    pub(crate) name: String,
    pub(crate) root: Root,
    pub(crate) shape: Option<ExprPath>,
    pub(crate) stack_size: Option<LitInt>,
    pub(crate) in_place: bool,
    pub(crate) parameters: Parameters,
}

impl Kernel {
    /// A name of the expansion's own, as if written at `place`. It contains the function's, so that it never hides it.
    pub(crate) fn own(&self, what: &str, place: Span) -> Ident {
        let function = &self.item.signature.ident;
        format_ident!("__{}_{what}", function, span = function.span().located_at(place))
    }
}

/// The entry of a kernel in which nothing is wrong.
pub(crate) fn entry(kernel: &Kernel) -> TokenStream {
    let root = kernel.root.at(Span::mixed_site());
    let (name, launch) = (c_string(&kernel.name), kernel.own("launch", Span::call_site()));
    let (wrapper, source) = (wrapper(kernel), source(kernel));
    let parameters = kernel.parameters.arguments().map(|parameter| {
        let (name, argument) = (&parameter.name, kernel_argument(kernel, &parameter.ty));
        let kind = Ident::new("KIND", Place::of(&parameter.ty).end);
        quote!(#root::Parameter { name: #name, kind: #argument::#kind })
    });
    let form = match kernel.parameters.destination() {
        Some(destination) => {
            let name = &destination.name;
            quote!(#root::Form::InPlace { destination: #name })
        }
        None => quote!(#root::Form::Returning),
    };
    let shape = match &kernel.shape {
        // A typed variable, since its error says what was expected; that of a cast does not.
        Some(path) => {
            let shape = kernel.own("shape", path.span());
            quote! {
                #root::Option::Some({
                    let #shape: #root::ShapeFn = #path;
                    #shape
                })
            }
        }
        None => quote!(#root::Option::None),
    };
    // An error about the stack says that it is from the author's number.
    let stack = kernel.stack_size.as_ref().map(|bytes| quote_spanned!(bytes.span()=> .with_stack(#bytes)));
    let in_place = kernel.in_place.then(|| quote!(.in_place()));
    declare(
        kernel,
        quote! {
            #wrapper
            #root::Op::new(#name, #source, &[#(#parameters),*], #form, #shape, #launch) #in_place #stack
        },
    )
}

/// An entry for a kernel with mistakes: nothing runs, since the build fails, but every path to the op still resolves
/// and adds no error of its own.
pub(crate) fn broken_entry(kernel: &Kernel) -> TokenStream {
    let root = kernel.root.at(Span::mixed_site());
    let broken: String = kernel.item.signature.ident.unraw().to_string().chars().take(name::LIMIT).collect();
    let broken = c_string(&broken);
    let (launch, source) = (kernel.own("launch", Span::call_site()), source(kernel));
    declare(
        kernel,
        quote! {
            fn #launch(_: &#root::Q7) -> #root::Result<()> {
                loop {}
            }
            #root::Op::new(#broken, #source, &[], #root::Form::Returning, #root::Option::None, #launch)
        },
    )
}

/// The name as C has it; no name of a function has a zero in it, and one an author gives is checked.
fn c_string(name: &str) -> Literal {
    Literal::c_string(&CString::new(name.replace('\0', "")).unwrap_or_default())
}

/// The static around a value: where the function is, there is its entry, and as visible.
fn declare(kernel: &Kernel, value: TokenStream) -> TokenStream {
    let root = kernel.root.at(Span::mixed_site());
    let Item { attributes, visibility, signature } = &kernel.item;
    let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    let entry = entry::entry_name(&signature.ident);
    // An `allow` that is not needed would still break a crate that forbids the lint.
    let deprecated = attributes.iter().any(|attribute| attribute.path().is_ident("deprecated"));
    let allow = deprecated.then(|| quote!(#[allow(deprecated)]));
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #allow
        #visibility static #entry: #root::Op = { #value };
    }
}

/// The line of the function. The compiler counts `line!` at the outermost macro, so its tokens must look like the
/// author's own; the macro's hygiene would give the line of the attribute.
fn source(kernel: &Kernel) -> TokenStream {
    let place = kernel.item.signature.ident.span();
    let root = kernel.root.at(place);
    quote_spanned!(place=> #root::Source { file: #root::core::file!(), line: #root::core::line!() })
}
