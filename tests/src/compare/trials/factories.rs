//! Tensors of one value, of every dtype, around the sizes from which they are filled through TCM.

use std::format;
use std::vec::Vec;

use neuron_device::{Dtype, Scalar, bf16, f16};

use super::super::laid::Laid;
use super::super::shape::Shape;
use super::super::trial::{Trial, Value};
use super::trial;
use crate::kernels::FACTORIES;

/// None, one, fewer than are worth a copy, as many, and more than a block of TCM holds.
const SIZES: [&[u32]; 8] = [&[0], &[], &[5], &[6], &[7], &[2, 3, 4], &[4103], &[2, 2049]];

/// What a tensor is filled with; not every dtype holds all of them.
fn values() -> [Scalar; 10] {
    [
        (-1).into(),
        300.into(),
        i64::MAX.into(),
        70_000_i64.into(),
        2.7_f32.into(),
        (-0.5_f32).into(),
        f32::NAN.into(),
        f32::MAX.into(),
        bf16::from_f32(-127.5).into(),
        f16::INFINITY.into(),
    ]
}

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let of = |dtype, sizes: &[u32]| {
        let shape = Shape::dense(sizes);
        (Value::from(Laid::input(dtype, &shape, 7)), Laid::output(dtype, &shape))
    };
    for dtype in Dtype::ALL {
        for sizes in SIZES {
            let (x, out) = of(dtype, sizes);
            let label = format!("{dtype} {sizes:?}");
            trials.push(trial(&FACTORIES, "zeros_and_ones", &label, [x.clone()], out.clone()));
            trials.push(trial(&FACTORIES, "full", label, [x, 7.into()], out));
        }
        for value in values() {
            let (x, out) = of(dtype, &[9]);
            let label = format!("{dtype} of {} {value}", value.dtype());
            trials.push(trial(&FACTORIES, "full", label, [x, value.into()], out));
        }
        for sizes in [[0, 3], [3, 0], [1, 1], [2, 2], [2, 4], [5, 3], [40, 41]] {
            let (x, out) = of(dtype, &sizes);
            trials.push(trial(&FACTORIES, "eye", format!("{dtype} {sizes:?}"), [x], out));
        }
        for room in [0, 64, 192] {
            let (x, out) = of(dtype, &[100]);
            let label = format!("{dtype} with {room} bytes of TCM");
            trials.push(trial(&FACTORIES, "full_in_a_corner", label, [x, room.into()], out));
        }
    }
    trials
}
