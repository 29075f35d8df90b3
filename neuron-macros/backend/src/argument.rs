//! The type of one argument, as far as its tokens tell.

use syn::{GenericArgument, Lifetime, PathArguments, Type, TypeReference};

use crate::glance::{bare, foreign_scalar, is, is_scalar, name, segment};
use crate::messages;

/// What is wrong with a type, and whether at all of it or at a lifetime alone.
pub(crate) enum Mistake<'a> {
    Type(String),
    Lifetime(&'a Lifetime),
}

/// What is wrong with `ty` as the type of an argument. A name we do not know is nothing wrong: the sealed trait tells.
pub(crate) fn mistake(ty: &Type) -> Option<Mistake<'_>> {
    if let Some(lifetime) = named_lifetime(ty) {
        return Some(Mistake::Lifetime(lifetime));
    }
    let message = match bare(ty) {
        Type::Reference(reference) => behind_reference(reference),
        ty => by_value(ty),
    };
    message.map(Mistake::Type)
}

fn behind_reference(reference: &TypeReference) -> Option<String> {
    let inner = bare(&reference.elem);
    let scalar = if is_scalar(inner) { name(inner) } else { foreign_scalar(inner) };
    if let Some(scalar) = scalar {
        let mutable = reference.mutability.is_some();
        return by_value(inner).or_else(|| Some(messages::scalar_reference(&scalar, mutable)));
    }
    match inner {
        Type::Path(_) if is(inner, "str") => Some(messages::STRING.into()),
        Type::Path(_) if is(inner, "Tensor") || is(inner, "Q7") => None,
        Type::Reference(_) => Some(messages::NESTED.into()),
        Type::Macro(_) => None,
        _ => by_value(inner),
    }
}

fn by_value(ty: &Type) -> Option<String> {
    let message = match bare(ty) {
        Type::Array(_) | Type::Slice(_) => messages::SLICE,
        Type::Ptr(_) => messages::POINTER,
        Type::Tuple(_) => messages::TUPLE,
        Type::FnPtr(_) | Type::ImplTrait(_) | Type::TraitObject(_) => messages::CODE,
        Type::Infer(_) | Type::Never(_) => messages::INFERRED,
        path @ Type::Path(_) => {
            if let Some(scalar) = foreign_scalar(path) {
                return Some(messages::scalar(&scalar));
            }
            match name(path).as_deref() {
                Some("Tensor") => messages::TENSOR_BY_VALUE,
                Some("Vec") => messages::SLICE,
                Some("String" | "str") => messages::STRING,
                Some("Option") => messages::OPTIONAL,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(message.into())
}

/// A lifetime with a name in `&'a Tensor` or `View<'a>`; `'_` is the usual way to name none.
fn named_lifetime(ty: &Type) -> Option<&Lifetime> {
    let named = |lifetime: &Lifetime| lifetime.ident != "_";
    match bare(ty) {
        Type::Reference(reference) => match &reference.lifetime {
            Some(lifetime) if named(lifetime) => Some(lifetime),
            _ => named_lifetime(&reference.elem),
        },
        ty => {
            let PathArguments::AngleBracketed(inside) = &segment(ty)?.arguments else { return None };
            inside.args.iter().find_map(|argument| match argument {
                GenericArgument::Lifetime(lifetime) if named(lifetime) => Some(lifetime),
                _ => None,
            })
        }
    }
}
