//! The parameter list of an op: the core, the arguments in their order, the destination among them.

use syn::ext::IdentExt;
use syn::{FnArg, Pat, PatType, Signature, Type};

use crate::argument::{self, Mistake};
use crate::errors::Errors;
use crate::glance::{bare, is, is_core, is_scalar};
use crate::messages;

/// How many argument records an op can have.
const MAX_ARGUMENTS: usize = 10;

/// What the wrapper passes to a kernel, in order.
pub(crate) struct Parameters {
    /// The core's type; `None` if there is none, which is a mistake.
    pub(crate) core: Option<Type>,
    pub(crate) after_core: Vec<Parameter>,
}

/// One parameter after the core.
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) role: Role,
}

/// What fills a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The next argument record.
    Argument,
    /// The output descriptor, which is no argument record.
    Destination,
}

impl Parameters {
    /// The parameter that is written to, in the in-place form.
    pub(crate) fn destination(&self) -> Option<&Parameter> {
        self.after_core.iter().find(|parameter| parameter.role == Role::Destination)
    }

    /// The parameters with a record, in the order of the records.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Parameter> {
        self.after_core.iter().filter(|parameter| parameter.role == Role::Argument)
    }
}

/// Checks every parameter of `signature`; `shaped` says whether the op has a shape function.
pub(crate) fn check(signature: &Signature, shaped: bool, errors: &mut Errors) -> Parameters {
    let mut typed = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) => errors.report(receiver, messages::METHOD),
            FnArg::Typed(parameter) => typed.push(parameter),
        }
    }

    let core = core(signature, &typed, errors);
    let mut parameters = Parameters { core: core.map(|core| (*core.ty).clone()), after_core: Vec::new() };
    // Where the core is missing, every parameter is taken for an argument, to judge those in the same build.
    for parameter in &typed[usize::from(core.is_some())..] {
        if is_core(&parameter.ty) {
            let message = if core.is_some() { messages::Q7_TWICE } else { messages::Q7_FIRST };
            errors.report(&parameter.ty, message);
            continue;
        }
        if is_written(&parameter.ty) && parameters.destination().is_some() {
            errors.report(&parameter.ty, messages::SECOND_DESTINATION);
            continue;
        }
        let checked = checked(parameter, errors);
        parameters.after_core.push(checked);
        if parameters.arguments().count() == MAX_ARGUMENTS + 1 && !is_written(&parameter.ty) {
            errors.report(parameter, messages::ARGUMENTS);
        }
    }
    if let Some(destination) = parameters.destination()
        && !shaped
        && parameters.arguments().all(|argument| is_scalar(&argument.ty))
    {
        errors.report(&destination.ty, messages::SHAPE_UNKNOWN);
    }
    parameters
}

/// The first parameter, if it is the core in whatever spelling; what is missing or wrong is reported.
fn core<'a>(signature: &Signature, typed: &[&'a PatType], errors: &mut Errors) -> Option<&'a PatType> {
    let Some(&first) = typed.first() else {
        // After a `self` the message about methods says it all.
        if signature.receiver().is_none() {
            errors.report_at(signature.paren_token.span.join(), messages::Q7_MISSING);
        }
        return None;
    };
    if is_core(&first.ty) {
        match bare(&first.ty) {
            Type::Reference(reference) if reference.mutability.is_none() => {
                if let Some(Mistake::Lifetime(lifetime)) = argument::mistake(&first.ty) {
                    errors.report(lifetime, messages::LIFETIME);
                }
            }
            _ => errors.report(&first.ty, messages::Q7_REFERENCE),
        }
    } else if typed.iter().any(|parameter| is_core(&parameter.ty)) {
        // The one further back is to move, which is told there.
        return None;
    } else if !may_be_core(&first.ty) {
        if signature.receiver().is_none() {
            errors.report(first, messages::Q7_MISSING);
        }
        return None;
    }
    // The kernel's core has no record, and nothing reports its name: `_` will do.
    if !matches!(&*first.pat, Pat::Wild(_)) {
        name(first, errors);
    }
    Some(first)
}

/// Whether a type may be `&Q7` under another name. If it is not, the compiler says so at that type.
fn may_be_core(ty: &Type) -> bool {
    matches!(bare(ty), Type::Reference(reference) if reference.mutability.is_none()
        && matches!(bare(&reference.elem), Type::Path(_))
        && !is(&reference.elem, "Tensor")
        && argument::mistake(ty).is_none())
}

fn checked(parameter: &PatType, errors: &mut Errors) -> Parameter {
    let name = name(parameter, errors);
    match argument::mistake(&parameter.ty) {
        Some(Mistake::Type(message)) => errors.report(&parameter.ty, message),
        Some(Mistake::Lifetime(lifetime)) => errors.report(lifetime, messages::LIFETIME),
        None => {}
    }
    // A `&mut` of another type is meant for the destination as well: one message about it is enough.
    let role = if is_written(&parameter.ty) { Role::Destination } else { Role::Argument };
    Parameter { name, ty: (*parameter.ty).clone(), role }
}

fn is_written(ty: &Type) -> bool {
    matches!(bare(ty), Type::Reference(reference) if reference.mutability.is_some())
}

/// A parameter's name, without the `r#` that only Rust needs.
fn name(parameter: &PatType, errors: &mut Errors) -> String {
    for attribute in &parameter.attrs {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
            errors.report(attribute, messages::CFG_ARGUMENT);
        }
    }
    match &*parameter.pat {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
            return pattern.ident.unraw().to_string();
        }
        Pat::Wild(_) => errors.report(&parameter.pat, messages::UNNAMED),
        _ => errors.report(&parameter.pat, messages::PATTERN),
    }
    String::new()
}
