//! What a type looks like as it is written; the names are hints for a message, never proof of a type.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// The scalar types that an argument may have.
const SCALARS: [&str; 4] = ["Scalar", "i32", "i64", "f32"];

/// The names of the standard library that authors reach for, and that do not cross.
const FOREIGN_SCALARS: [&str; 16] = [
    "usize", "isize", "i8", "u8", "i16", "u16", "u32", "u64", "i128", "u128", "f16", "bf16", "f64", "f128",
    "bool", "char",
];

/// The type inside the invisible delimiters of a `macro_rules!` fragment, and inside parentheses.
pub(crate) fn bare(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            _ => return ty,
        }
    }
}

/// The last segment of a path: `Result<()>` of `core::result::Result<()>`.
pub(crate) fn segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// The name of the last segment.
pub(crate) fn name(ty: &Type) -> Option<String> {
    segment(ty).map(|segment| segment.ident.to_string())
}

/// Whether a path ends in `name`.
pub(crate) fn is(ty: &Type, name: &str) -> bool {
    segment(ty).is_some_and(|segment| segment.ident == name)
}

/// Whether it is written as one of the accepted scalars.
pub(crate) fn is_scalar(ty: &Type) -> bool {
    SCALARS.iter().any(|scalar| is(ty, scalar))
}

/// The name of a scalar type that does not cross.
pub(crate) fn foreign_scalar(ty: &Type) -> Option<String> {
    name(ty).filter(|name| FOREIGN_SCALARS.contains(&name.as_str()))
}

/// Whether it is written `&Q7`, `&mut Q7` or `Q7`.
pub(crate) fn is_core(ty: &Type) -> bool {
    match bare(ty) {
        Type::Reference(reference) => is(&reference.elem, "Q7"),
        ty => is(ty, "Q7"),
    }
}

/// The first type between the angle brackets: `()` of `Result<()>`.
pub(crate) fn first_inside(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(inside) = &segment.arguments else { return None };
    inside.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
