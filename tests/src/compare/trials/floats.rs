//! Ops element by element over f32: the examples, and those that differ from them in who does what.

use std::format;
use std::vec::Vec;

use neuron_device::Dtype;
use neuron_examples::EXAMPLES;

use super::super::laid::Laid;
use super::super::shape::{Shape, shapes};
use super::super::trial::{Trial, Value};
use super::trial;
use crate::kernels::{SHARES, WAYS};

/// Factors with something special about each.
const FACTORS: [f32; 7] =
    [0.5, -1.0, 0.0, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE, f32::from_bits(0x8000_0001)];

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (seed, shape) in (0..).zip(shapes()) {
        let x = |nth: u64| Value::from(Laid::input(Dtype::F32, &shape, 10 * seed + nth));
        let out = Laid::output(Dtype::F32, &shape);
        let factor = FACTORS[seed as usize % FACTORS.len()];
        let label = &shape.label;
        trials.push(trial(&EXAMPLES, "relu", label, [x(0)], out.clone()));
        let scaled = format!("{label} times {factor:e}");
        trials.push(trial(&EXAMPLES, "vector_add", &scaled, [x(1), x(2), factor.into()], out.clone()));
        trials.push(trial(&EXAMPLES, "scale", &scaled, [x(3), factor.into()], out.clone()));
        let buggy = trial(&EXAMPLES, "buggy_relu", label, [x(4)], out.clone());
        // Where the cores do not divide the elements it reads and writes past the end, which ends a flat platform.
        trials.push(Trial { one_core: shape.layout.numel() % 8 != 0, ..buggy });
        trials.push(trial(&WAYS, "blend", label, (0..5).map(x).collect::<Vec<_>>(), out.clone()));
        trials.push(trial(&SHARES, "ceiling", label, [x(5)], out.clone()));
        trials.push(trial(&SHARES, "whole_tiles", label, [x(6)], out));
    }
    for (nth, factor) in (0..).zip(FACTORS) {
        let shape = Shape::dense(&[40, 25]);
        let x = |seed: u64| Value::from(Laid::input(Dtype::F32, &shape, 1000 + 10 * nth + seed));
        let (label, out) = (format!("[40, 25] times {factor:e}"), Laid::output(Dtype::F32, &shape));
        trials.push(trial(&EXAMPLES, "vector_add", &label, [x(0), x(1), factor.into()], out.clone()));
        trials.push(trial(&EXAMPLES, "scale", &label, [x(2), factor.into()], out));
    }
    trials
}
