//! What an op's function may be, its parameters apart.

use quote::ToTokens;
use syn::{Attribute, GenericParam, Safety};

use crate::errors::Errors;
use crate::item::Item;
use crate::messages;

/// Whether `item` has `#[custom_op]` a second time, which comes to its own expansion after this one.
pub(crate) fn is_twice(item: &Item) -> bool {
    item.attributes.iter().any(is_custom_op)
}

fn is_custom_op(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "custom_op")
}

/// Reports every attribute, qualifier and generic parameter that an op cannot have.
pub(crate) fn check(item: &Item, errors: &mut Errors) {
    for attribute in item.attributes.iter().filter(|attribute| is_custom_op(attribute)) {
        errors.report(attribute, messages::TWICE);
    }
    let signature = &item.signature;
    if let Some(token) = signature.constness {
        errors.report(token, messages::CONST);
    }
    if let Some(token) = signature.asyncness {
        errors.report(token, messages::ASYNC);
    }
    if !matches!(signature.safety, Safety::Default) {
        errors.report(signature.safety.to_token_stream(), messages::UNSAFE);
    }
    if let Some(abi) = &signature.abi {
        errors.report(abi, messages::EXTERN);
    }
    for parameter in &signature.generics.params {
        let message = match parameter {
            GenericParam::Lifetime(_) => messages::GENERIC_LIFETIME,
            GenericParam::Const(_) => messages::GENERIC_CONST,
            _ => messages::GENERIC_TYPE,
        };
        errors.report(parameter, message);
    }
    if let Some(clause) = &signature.generics.where_clause {
        errors.report(clause, messages::WHERE);
    }
    if let Some(variadic) = &signature.variadic {
        errors.report(variadic.dots, messages::VARIADIC);
    }
}
