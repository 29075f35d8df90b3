//! Every function of `math` and every operation of `Number`, over special values and dense samples.

use std::format;
use std::vec::Vec;

use neuron_device::Dtype;

use super::super::laid::Laid;
use super::super::shape::Shape;
use super::super::trial::{Trial, Value};
use super::super::values::{pairs, sweep};
use super::trial;
use crate::kernels::MATHEMATICS;
use crate::kernels::mathematics::{ARITHMETIC, BINARY, UNARY};

/// The dtypes `math` is for.
const FLOATS: [Dtype; 3] = [Dtype::F32, Dtype::F16, Dtype::BF16];

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for dtype in FLOATS {
        let (x, out) = flat(dtype, &sweep(dtype));
        for which in 0..UNARY {
            let label = format!("{which} of {dtype}");
            trials.push(trial(&MATHEMATICS, "unary", label, [x.clone(), which.into()], out.clone()));
        }
        let ([x, y, z], out) = three(dtype);
        for which in 0..BINARY {
            let arguments = [x.clone(), y.clone(), which.into()];
            trials.push(trial(&MATHEMATICS, "binary", format!("{which} of {dtype}"), arguments, out.clone()));
        }
        trials.push(trial(&MATHEMATICS, "fused", format!("{dtype}"), [x, y, z], out));
    }
    for dtype in Dtype::ALL {
        let ([x, y, _], out) = three(dtype);
        for which in 0..ARITHMETIC {
            let arguments = [x.clone(), y.clone(), which.into()];
            let label = format!("{which} of {dtype}");
            trials.push(trial(&MATHEMATICS, "arithmetic", label, arguments, out.clone()));
        }
    }
    // Every op that has dtypes it does not serve, or functions it does not know, says so in the same words.
    let (x, out) = flat(Dtype::I32, &[0; 12]);
    trials.push(trial(&MATHEMATICS, "unary", "of i32", [x.clone(), 0.into()], out.clone()));
    trials.push(trial(&MATHEMATICS, "arithmetic", "unknown", [x.clone(), x, ARITHMETIC.into()], out));
    trials
}

/// These bytes as a tensor of one dimension, and an output like it.
fn flat(dtype: Dtype, bytes: &[u8]) -> (Value, Laid) {
    let shape = Shape::dense(&[(bytes.len() as u64 / dtype.size()) as u32]);
    (Laid::of(dtype, &shape, bytes).into(), Laid::output(dtype, &shape))
}

/// Three tensors, in the first two of which every special value meets every one, and an output like them.
fn three(dtype: Dtype) -> ([Value; 3], Laid) {
    let [x, y, z] = pairs(dtype);
    let (x, out) = flat(dtype, &x);
    ([x, flat(dtype, &y).0, flat(dtype, &z).0], out)
}
