//! Attributes on an op: `#[cfg]` governs the entry too, the others are the function's alone.

#![deny(missing_docs, non_upper_case_globals, deprecated, dead_code, unreachable_pub)]

use neuron_device::prelude::*;

/// Documented
/// in several lines.
#[custom_op]
#[inline]
#[must_use = "it is the result"]
#[deprecated = "kept for its caller"]
pub(crate) fn old(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[custom_op]
#[allow(unused_variables, clippy::needless_pass_by_value)]
fn lenient(q7: &Q7, x: &Tensor, #[allow(non_snake_case)] ALPHA: f32) -> Result<Tensor> {
    Ok(x.clone())
}

/// Not in any build: neither function nor entry, or one of the two definitions of this name would be one too many.
#[custom_op]
#[cfg(not(test))]
fn chosen(_q7: &Q7, missing: &Missing) -> Result<Tensor> {
    missing.missing()
}

#[custom_op]
#[cfg(not(doctest))]
#[cfg(test)]
fn chosen(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[cfg(not(test))]
#[custom_op]
fn chosen(nothing: &Nothing) {}

#[cfg_attr(test, custom_op(name = "by_condition"))]
fn conditional(_q7: &Q7, x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

neuron_library! {
    /// Documented by its author.
    #[cfg(test)]
    pub(crate) OPS: "ops" = [old, lenient, chosen, conditional]
}

#[test]
fn works() {
    let names: Vec<_> = OPS.ops().iter().map(|op| op.name()).collect();
    assert_eq!(names, ["old", "lenient", "chosen", "by_condition"]);
}
