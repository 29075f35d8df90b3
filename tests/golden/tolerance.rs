//! By how much an op's answer may differ from torch's.

use neuron_device::Dtype;

/// The farthest two floats may be apart. Integers, infinities and what is NaN must be the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tolerance {
    /// Steps from one number of the dtype to the next, -0 and 0 being two.
    pub(crate) steps: u32,
    /// Or this difference, where steps are small because results are, and what they were computed from is not.
    pub(crate) or: f32,
}

const EXACT: Tolerance = Tolerance { steps: 0, or: 0.0 };

/// One bit of a number between 1 and 2, `1 + erf(x)` say: what is left of it near 0 is wrong by so much.
const BIT: f32 = f32::EPSILON;

/// Ops that compute a function torch approximates in another way, or that add up in another order, with the most they
/// were seen to differ by, by dtype. Every other op, and every other dtype of these, gives torch's bits.
const APPROXIMATE: [(&str, Dtype, Tolerance); 9] = [
    ("gelu", Dtype::F32, Tolerance { steps: 3, or: 3.93 * BIT }),
    ("gelu", Dtype::F16, Tolerance { steps: 1, or: BIT }),
    ("gelu", Dtype::BF16, Tolerance { steps: 1, or: 2.0 * BIT }),
    ("gelu_tanh", Dtype::F32, Tolerance { steps: 0, or: 1.29 * BIT }),
    ("gelu_tanh", Dtype::F16, Tolerance { steps: 0, or: 1.5 * BIT }),
    ("gelu_tanh", Dtype::BF16, Tolerance { steps: 0, or: 1.29 * BIT }),
    ("silu", Dtype::F32, Tolerance { steps: 2, or: 0.0 }),
    ("softmax", Dtype::F32, Tolerance { steps: 5, or: 0.0 }),
    ("layer_norm", Dtype::F32, Tolerance { steps: 2, or: 0.0 }),
];

pub(crate) fn tolerance(op: &str, dtype: Dtype) -> Tolerance {
    let of = APPROXIMATE.into_iter().find(|&(name, of, _)| (name, of) == (op, dtype));
    of.map_or(EXACT, |(.., tolerance)| tolerance)
}
