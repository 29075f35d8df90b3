//! The function behind a table entry: set up, the k-th argument from the k-th record, kernel, return, clean up.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{ReturnType, Type};

use crate::expansion::Kernel;
use crate::parameters::Role;
use crate::place::Place;

/// The wrapper of a kernel in which nothing is wrong.
///
/// A part that can fail, at compile time or in a launch, stands at the author's tokens that it fails on: there the
/// compiler points, and there an `Error` says it comes from.
pub(crate) fn wrapper(kernel: &Kernel) -> TokenStream {
    let function = &kernel.item.signature.ident;
    let own = |what: &str| kernel.own(what, Span::call_site());
    let (launch, q7, arguments, result) = (own("launch"), own("q7"), own("arguments"), own("result"));
    let root = kernel.root.at(Span::mixed_site());

    let mut held = TokenStream::new();
    let mut destination = TokenStream::new();
    let mut passed = TokenStream::new();
    for (index, parameter) in kernel.parameters.after_core.iter().enumerate() {
        let (name, ty) = (&parameter.name, &parameter.ty);
        let (place, argument) = (Place::of(ty), kernel_argument(kernel, ty));
        let value = kernel.own(&index.to_string(), place.end);
        match parameter.role {
            Role::Argument => {
                let from_record = place.call(quote!(&mut #arguments, #name));
                let lent = place.call(quote_spanned!(place.start=> &#value));
                held.extend(quote_spanned!(place.end=> let #value = #argument::pull #from_record?;));
                passed.extend(quote_spanned!(place.end=> , #argument::lend #lent));
            }
            Role::Destination => {
                let named = place.call(quote!(#name));
                destination.extend(quote_spanned! {place.end=>
                    let mut #value = #arguments.destination #named?;
                });
                passed.extend(quote_spanned!(place.start=> , &mut #value));
            }
        }
    }

    let core = kernel.parameters.core;
    let q7_at_type = kernel.own("q7", core.end);
    let lent = quote_spanned!(core.start=> &*#q7_at_type);
    // An op without arguments takes none.
    let mutable = kernel.parameters.arguments().next().map(|_| quote!(mut));
    let finished = finished(kernel, &arguments, &result);
    quote! {
        fn #launch(#q7: &#root::Q7) -> #root::Result<()> {
            let #mutable #arguments = #root::Arguments::setup(#q7)?;
            #held
            #destination
            let #result = #function(#lent #passed);
            #finished
        }
    }
}

/// The sealed trait at a parameter's type. An expression that begins with it, and ends where the type does, is told
/// wrong at just that type, once.
pub(crate) fn kernel_argument(kernel: &Kernel, ty: &Type) -> TokenStream {
    let place = Place::of(ty).start;
    let root = kernel.root.at(place);
    quote_spanned!(place=> <#ty as #root::KernelArgument<'_>>)
}

/// The end of the wrapper, at the author's return type: there the sealed traits of results speak.
fn finished(kernel: &Kernel, arguments: &Ident, result: &Ident) -> TokenStream {
    let (finish, form) = match kernel.parameters.destination() {
        Some(_) => (format_ident!("finish_in_place"), format_ident!("InPlaceResult")),
        None => (format_ident!("finish_returning"), format_ident!("ReturningResult")),
    };
    // Without a return type nothing is expanded; the checks have said why.
    let ReturnType::Type(_, ty) = &kernel.item.signature.output else { return TokenStream::new() };
    let place = Place::of(ty);
    let (root, result) = (kernel.root.at(place.start), place.call(quote!(#result)));
    let plain = quote_spanned!(place.start=> <#ty as #root::#form>::into_result #result);
    let finish_call = place.call(quote!(#arguments, #plain));
    quote_spanned!(place.start=> #root::#finish #finish_call)
}
