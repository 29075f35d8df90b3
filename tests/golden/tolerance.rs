//! By how much an op's answer may differ from torch's.

use neuron_device::Dtype;

/// The farthest two floats may be apart: in steps from one number of their dtype to the next. Integers, infinities and
/// what is NaN must be the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ulps(pub(crate) u32);

/// Ops that compute a function torch approximates in another way, or that add up in another order, with the dtypes in
/// which that shows and the most they were seen to differ by. Everything else gives torch's bits.
const APPROXIMATE: [(&str, Dtype, Ulps); 2] =
    [("softmax", Dtype::F32, Ulps(5)), ("layer_norm", Dtype::F32, Ulps(2))];

pub(crate) fn tolerance(op: &str, dtype: Dtype) -> Ulps {
    let mut matching = APPROXIMATE.iter().filter(|(name, of, _)| (*name, *of) == (op, dtype));
    matching.next().map_or(Ulps(0), |&(.., tolerance)| tolerance)
}
