//! Ops over tensors of every dtype, and of integers.

use std::format;
use std::vec::Vec;

use neuron_device::{Dtype, Scalar, bf16, f16};

use super::super::laid::Laid;
use super::super::shape::{Shape, shapes};
use super::super::trial::{Trial, Value};
use super::trial;
use crate::kernels::{ELEMENTS, SHARES, WAYS};

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (seed, shape) in (0..).zip(shapes()) {
        for dtype in Dtype::ALL {
            let x = Value::from(Laid::input(dtype, &shape, seed));
            let (label, out) = (format!("{dtype} {}", shape.label), Laid::output(dtype, &shape));
            trials.push(trial(&ELEMENTS, "copy", &label, [x.clone()], out.clone()));
            trials.push(trial(&ELEMENTS, "negate", &label, [x.clone()], out));
            let like = Laid::input(Dtype::F32, &Shape::dense(&[0]), 0);
            let (label, out) = (format!("{label} to f32"), Laid::output(Dtype::F32, &shape));
            trials.push(trial(&ELEMENTS, "cast", label, [x, like.into()], out));
        }
        let integers = |dtype| Value::from(Laid::input(dtype, &shape, seed));
        let label = &shape.label;
        let out = |dtype| Laid::output(dtype, &shape);
        let clamped = [(-500).into(), integers(Dtype::I32), 600.into()];
        trials.push(trial(&ELEMENTS, "clamp", label, clamped, out(Dtype::I32)));
        trials.push(trial(&WAYS, "backwards", label, [integers(Dtype::I32)], out(Dtype::I32)));
        trials.push(trial(&SHARES, "tiles", label, [integers(Dtype::I32)], out(Dtype::I32)));
        trials.push(trial(&SHARES, "rounds", label, [integers(Dtype::I64)], out(Dtype::I64)));
        trials.push(trial(&SHARES, "who", label, [integers(Dtype::U8)], out(Dtype::I32)));
        let weighed = [integers(Dtype::I64), (-3_i64).into(), Scalar::from(seed as i16).into()];
        trials.push(trial(&ELEMENTS, "weigh", label, weighed, out(Dtype::I64)));
    }
    trials.extend(wide());
    trials.extend(cast());
    trials.extend(weighed());
    trials
}

/// Dimensions as wide as a record of eight has room for, and wider.
fn wide() -> impl Iterator<Item = Trial> {
    let sizes: [&[u32]; 5] =
        [&[65535], &[1, 1, 1, 65535, 1, 1, 1, 1], &[2, 65535], &[65536], &[1, 65537, 1, 1]];
    (900..).zip(sizes).map(|(seed, sizes)| {
        let shape = Shape::dense(sizes);
        let x = Laid::input(Dtype::U8, &shape, seed);
        trial(&ELEMENTS, "copy", &shape.label, [x.into()], Laid::output(Dtype::U8, &shape))
    })
}

/// From every dtype to every one, over enough values to meet every kind of rounding.
fn cast() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (shape, from) in
        [&[4103][..], &[3, 7]].into_iter().flat_map(|sizes| Dtype::ALL.map(|from| (sizes, from)))
    {
        let shape = Shape::dense(shape);
        for to in Dtype::ALL {
            let x = Laid::input(from, &shape, 77);
            let like = Laid::input(to, &Shape::dense(&[0]), 0);
            let label = format!("{from} to {to} {}", shape.label);
            trials.push(trial(&ELEMENTS, "cast", label, [x.into(), like.into()], Laid::output(to, &shape)));
        }
    }
    trials
}

/// A `Scalar` of every dtype.
fn weighed() -> impl Iterator<Item = Trial> {
    let weights: [Scalar; 10] = [
        (-5_i8).into(),
        200_u8.into(),
        (-30_000_i16).into(),
        bf16::from_f32(-12.5).into(),
        f16::from_f32(1234.5).into(),
        i32::MIN.into(),
        1.0e9_f32.into(),
        f32::NAN.into(),
        f32::NEG_INFINITY.into(),
        i64::MIN.into(),
    ];
    let shape = Shape::dense(&[33]);
    weights.into_iter().map(move |weight| {
        let x = Laid::input(Dtype::I64, &shape, 5);
        let label = format!("by {} {weight}", weight.dtype());
        let arguments = [x.into(), i64::MAX.into(), weight.into()];
        trial(&ELEMENTS, "weigh", label, arguments, Laid::output(Dtype::I64, &shape))
    })
}
