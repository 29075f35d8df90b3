//! The function behind a table entry: set up, the k-th argument from the k-th record, kernel, return, clean up.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{ReturnType, Type};

use crate::expansion::Kernel;
use crate::glance::bare;
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
        let place = Place::of(ty);
        let value = kernel.own(&index.to_string(), place.end);
        match parameter.role {
            Role::Argument => {
                let argument = kernel_argument(kernel, ty);
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
                let form = kernel_destination(kernel, ty);
                let lent = place.call(quote_spanned!(place.start=> &mut #value));
                passed.extend(quote_spanned!(place.end=> , #form::lend #lent));
            }
        }
    }

    // Without a core nothing is expanded; the checks have said why.
    let Some(core) = &kernel.parameters.core else { return TokenStream::new() };
    let (place, form) = (Place::of(core), sealed(kernel, core, "KernelCore", quote!(<'_>)));
    let q7_at_type = kernel.own("q7", place.end);
    let lent = place.call(quote!(#q7_at_type));
    let lent = quote_spanned!(place.end=> #form::lend #lent);
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

/// The sealed trait of arguments at a parameter's type.
pub(crate) fn kernel_argument(kernel: &Kernel, ty: &Type) -> TokenStream {
    sealed(kernel, ty, "KernelArgument", quote!(<'_>))
}

/// That of destinations, at the type behind the `&mut`: asked about the reference, the compiler would propose a second
/// `&mut` instead of saying what is right.
fn kernel_destination(kernel: &Kernel, ty: &Type) -> TokenStream {
    let written = match bare(ty) {
        Type::Reference(reference) => &reference.elem,
        ty => ty,
    };
    sealed(kernel, written, "KernelDestination", TokenStream::new())
}

/// A sealed trait at a parameter's type. An expression that begins with it, and ends where the type does, is told wrong
/// at just that type, once.
fn sealed(kernel: &Kernel, ty: &Type, form: &str, lifetime: TokenStream) -> TokenStream {
    let place = Place::of(ty).start;
    let (root, form) = (kernel.root.at(place), Ident::new(form, place));
    quote_spanned!(place=> <#ty as #root::#form #lifetime>)
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
