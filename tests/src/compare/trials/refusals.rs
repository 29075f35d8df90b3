//! Launches whose cores return errors: the texts must be the same, and so must what was written before.

use std::format;
use std::vec::Vec;

use neuron_device::Dtype;
use neuron_examples::{ARITHMETIC, BITWISE, EXAMPLES, MASKS, POINTWISE};

use super::super::laid::Laid;
use super::super::shape::Shape;
use super::super::trial::{Trial, Value};
use super::trial;
use crate::kernels::refusals::{RESULT_WAYS, WAYS as REFUSALS};
use crate::kernels::{SHARES, WAYS};

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
    trials.push(trial(&EXAMPLES, "buggy_relu", "of i32", [other.clone()], other_out.clone()));
    trials.push(trial(&EXAMPLES, "scale", "of i32", [other.clone(), 2.0_f32.into()], other_out));
    let mixed = [x.clone(), other, 2.0_f32.into()];
    trials.push(trial(&EXAMPLES, "vector_add", "with y of i32", mixed, out.clone()));
    let unequal = [x.clone(), of(Dtype::F32, &Shape::dense(&[4, 5])), 2.0_f32.into()];
    trials.push(trial(&EXAMPLES, "vector_add", "with y of other sizes", unequal, out.clone()));
    trials.extend(elementwise(&shape));
    for name in ["relu_ranked", "turned"] {
        trials.push(trial(&WAYS, name, "of rank 2", [x.clone()], out.clone()));
    }

    // One element more than the scratch holds.
    let large = Shape::dense(&[(super::super::setting::SCRATCH_BYTES / 4 + 1) as u32]);
    let arguments = [of(Dtype::F32, &large), 2.0_f32.into()];
    trials.push(trial(&EXAMPLES, "scale", "beyond the scratch", arguments, Laid::output(Dtype::F32, &large)));
    trials
}

/// What the ops that go element by element cannot take.
fn elementwise(shape: &Shape) -> [Trial; 10] {
    let tensor = |dtype, shape: &Shape| Value::from(Laid::input(dtype, shape, 1));
    let of = |dtype| tensor(dtype, shape);
    let out = |dtype| Laid::output(dtype, shape);
    let (f32s, i32s, i8s) = (Dtype::F32, Dtype::I32, Dtype::I8);
    let narrow = tensor(f32s, &Shape::dense(&[4, 5]));
    [
        trial(&POINTWISE, "gelu", "of i32", [of(i32s)], out(i32s)),
        trial(&BITWISE, "bitwise_and", "of f32", [of(f32s), of(f32s)], out(f32s)),
        trial(&ARITHMETIC, "add", "with y of i32", [of(f32s), of(i32s), 1.into()], out(f32s)),
        trial(&ARITHMETIC, "mul", "with y of other sizes", [of(f32s), narrow.clone()], out(f32s)),
        trial(&ARITHMETIC, "add", "of i8 by 0.5", [of(i8s), of(i8s), 0.5_f32.into()], out(i8s)),
        trial(&POINTWISE, "clamp", "of i32 to 7.0", [of(i32s), 1.into(), 7.0_f32.into()], out(i32s)),
        // The first values are special ones, a 0 among them: one core ends.
        trial(&ARITHMETIC, "floor_divide", "by 0", [of(i32s), of(i32s)], out(i32s)),
        trial(&MASKS, "where", "by f32", [of(f32s), of(f32s), of(f32s)], out(f32s)),
        trial(&MASKS, "where", "of f32 and i8", [of(Dtype::U8), of(f32s), of(i8s)], out(f32s)),
        trial(
            &MASKS,
            "where",
            "of other sizes",
            [of(Dtype::U8), narrow.clone(), narrow],
            Laid::output(f32s, &Shape::dense(&[4, 5])),
        ),
    ]
}
