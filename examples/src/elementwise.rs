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
    y.expect_sizes(x.sizes())?;
    out.expect_sizes(x.sizes())?;
    let (xs, ys, dst) = (x.elements::<T>(q7)?, y.elements::<T>(q7)?, out.elements_mut::<R>(q7)?);
    for i in q7.partition_flat(xs.numel()) {
        dst.set(i, function(xs.get(i), ys.get(i)));
    }
    Ok(())
}
