//! What kernels have in common that compute each element from those at the same place: helpers of an author may be
//! generic, where ops may not.

use neuron_device::prelude::*;

/// Write `function` of each element of `x`, each core its share.
///
/// # Errors
/// The dtypes are not `T`'s and `R`'s, or the sizes differ.
pub(crate) fn map<T: Element, R: Element>(
    q7: &Q7,
    x: &Tensor,
    out: &mut Tensor,
    function: impl Fn(T) -> R,
) -> Result<()> {
    out.expect_sizes(x.sizes())?;
    let (src, dst) = (x.elements::<T>(q7)?, out.elements_mut::<R>(q7)?);
    for i in q7.partition_flat(src.numel()) {
        dst.set(i, function(src.get(i)));
    }
    Ok(())
}

/// Write `function` of each pair of elements of `x` and `y`, each core its share. A smaller tensor is expanded first,
/// by who launches: see [`Tensor::expand`].
///
/// # Errors
/// The dtypes are not `T`'s and `R`'s, or the sizes differ.
pub(crate) fn zip<T: Element, R: Element>(
    q7: &Q7,
    x: &Tensor,
    y: &Tensor,
    out: &mut Tensor,
    function: impl Fn(T, T) -> R,
) -> Result<()> {
    try_zip(q7, x, y, out, |a, b| Ok(function(a, b)))
}

/// As [`zip`], until `function` has no answer.
///
/// # Errors
/// As `zip`; and the function's own, with which this core ends and the others go on.
pub(crate) fn try_zip<T: Element, R: Element>(
    q7: &Q7,
    x: &Tensor,
    y: &Tensor,
    out: &mut Tensor,
    function: impl Fn(T, T) -> Result<R>,
) -> Result<()> {
    y.expect_dtype(x.dtype())?;
    y.expect_sizes(x.sizes())?;
    out.expect_sizes(x.sizes())?;
    let (xs, ys, dst) = (x.elements::<T>(q7)?, y.elements::<T>(q7)?, out.elements_mut::<R>(q7)?);
    for i in q7.partition_flat(xs.numel()) {
        dst.set(i, function(xs.get(i), ys.get(i))?);
    }
    Ok(())
}

/// Ok if `x` can take this value as a number of its own dtype: no float for a tensor of integers.
///
/// # Errors
/// It cannot; the error names the value.
pub(crate) fn expect_whole(value: Scalar, name: &'static str, x: &Tensor) -> Result<()> {
    if value.dtype().is_float() && !x.dtype().is_float() {
        return Err(Error::message(
            "is a float, and the tensor holds integers: pass an integer, or cast the tensor",
        )
        .about(name));
    }
    Ok(())
}
