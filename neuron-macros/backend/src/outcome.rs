//! What an op's function returns, as far as its tokens tell.

use syn::{ReturnType, Signature, Type};

use crate::errors::Errors;
use crate::glance::{bare, first_inside, foreign_scalar, is, is_scalar, segment};
use crate::messages;

/// Reports a return type that fits neither form. An unknown name is left to the sealed traits.
pub(crate) fn check(signature: &Signature, has_destination: bool, errors: &mut Errors) {
    let ReturnType::Type(_, ty) = &signature.output else {
        let message = if has_destination { messages::RETURN_IN_PLACE } else { messages::NO_DESTINATION };
        return errors.report(&signature.ident, message);
    };
    if let Some(message) = mistake(ty, has_destination) {
        errors.report(ty, message);
    }
}

fn mistake(ty: &Type, has_destination: bool) -> Option<&'static str> {
    let unit = |ty: &Type| matches!(bare(ty), Type::Tuple(tuple) if tuple.elems.is_empty());
    let nothing = if has_destination { messages::RETURN_IN_PLACE } else { messages::NO_DESTINATION };
    if unit(ty) {
        return Some(nothing);
    }
    if is(ty, "Tensor") {
        return Some(if has_destination { messages::TWO_RESULTS } else { messages::RETURN_BARE_TENSOR });
    }
    let Some(result) = segment(ty).filter(|segment| segment.ident == "Result") else {
        return value(ty);
    };
    // `Result` alone may be an author's alias.
    let inside = first_inside(result)?;
    match () {
        () if unit(inside) => (!has_destination).then_some(messages::NO_DESTINATION),
        () if is(inside, "Tensor") => has_destination.then_some(messages::TWO_RESULTS),
        () => value(inside),
    }
}

/// What is wrong with a result that is neither nothing nor a tensor.
fn value(ty: &Type) -> Option<&'static str> {
    match bare(ty) {
        Type::Tuple(_) | Type::Array(_) => Some(messages::RETURN_SEVERAL),
        Type::ImplTrait(_) | Type::TraitObject(_) | Type::FnPtr(_) | Type::Ptr(_) | Type::Never(_) => {
            Some(messages::RETURN_VALUE)
        }
        ty if is(ty, "Option") => Some(messages::RETURN_OPTION),
        ty if is(ty, "Vec") => Some(messages::RETURN_SEVERAL),
        ty if is_scalar(ty) || foreign_scalar(ty).is_some() => Some(messages::RETURN_VALUE),
        _ => None,
    }
}
