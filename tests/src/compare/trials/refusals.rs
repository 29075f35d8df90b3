//! Launches whose cores return errors: the texts must be the same, and so must what was written before.

use std::format;
use std::vec::Vec;

use neuron_device::Dtype;
use neuron_examples::EXAMPLES;

use super::super::laid::Laid;
use super::super::shape::Shape;
use super::super::trial::{Trial, Value};
use super::trial;
use crate::kernels::refusals::{RESULT_WAYS, WAYS as REFUSALS};
use crate::kernels::{ELEMENTS, SHARES, WAYS};

pub(super) fn trials() -> Vec<Trial> {
    let shape = Shape::dense(&[4, 6]);
    let of = |dtype, shape: &Shape| Value::from(Laid::input(dtype, shape, 1));
    let (x, out) = (of(Dtype::F32, &shape), Laid::output(Dtype::F32, &shape));
    let mut trials = Vec::new();
    for way in 0..REFUSALS {
        let label = format!("error {way}");
        trials.push(trial(&SHARES, "refuse", label, [x.clone(), way.into()], out.clone()));
    }
    for way in 0..RESULT_WAYS {
        let label = format!("error {way}");
        trials.push(trial(&SHARES, "refuse_result", label, [x.clone(), way.into()], out.clone()));
    }

    let other = of(Dtype::I32, &shape);
    let other_out = Laid::output(Dtype::I32, &shape);
    for name in ["relu", "buggy_relu"] {
        trials.push(trial(&EXAMPLES, name, "of i32", [other.clone()], other_out.clone()));
    }
    trials.push(trial(&EXAMPLES, "scale", "of i32", [other.clone(), 2.0_f32.into()], other_out.clone()));
    let mixed = [x.clone(), other.clone(), 2.0_f32.into()];
    trials.push(trial(&EXAMPLES, "vector_add", "with y of i32", mixed, out.clone()));
    let unequal = [x.clone(), of(Dtype::F32, &Shape::dense(&[4, 5])), 2.0_f32.into()];
    trials.push(trial(&EXAMPLES, "vector_add", "with y of other sizes", unequal, out.clone()));
    for name in ["relu_ranked", "turned"] {
        trials.push(trial(&WAYS, name, "of rank 2", [x.clone()], out.clone()));
    }
    let crossed = [7.into(), other, 6.into()];
    trials.push(trial(&ELEMENTS, "clamp", "between 7 and 6", crossed, other_out));

    // One element more than the scratch holds.
    let large = Shape::dense(&[(super::super::setting::SCRATCH_BYTES / 4 + 1) as u32]);
    let arguments = [of(Dtype::F32, &large), 2.0_f32.into()];
    trials.push(trial(&EXAMPLES, "scale", "beyond the scratch", arguments, Laid::output(Dtype::F32, &large)));
    trials
}
