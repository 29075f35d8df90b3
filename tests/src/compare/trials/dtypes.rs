//! Ops over tensors of every dtype, and of integers.

use std::format;
use std::vec::Vec;

use neuron_device::{Dtype, Scalar, bf16, f16};

use super::super::laid::Laid;
use super::super::shape::{Shape, shapes};
use super::super::trial::{Trial, Value};
use super::trial;
use crate::kernels::packed::{VALUE_BYTES, VALUES};
use crate::kernels::{ELEMENTS, SHARES, WAYS};

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (seed, shape) in (0..).zip(shapes()) {
        for dtype in Dtype::ALL {
            let x = Value::from(Laid::input(dtype, &shape, seed));
            let (label, out) = (format!("{dtype} {}", shape.label), Laid::output(dtype, &shape));
            trials.push(trial(&ELEMENTS, "copy", &label, [x.clone()], out.clone()));
            trials.push(trial(&ELEMENTS, "negate", &label, [x], out));
        }
        let integers = |dtype| Value::from(Laid::input(dtype, &shape, seed));
        let label = &shape.label;
        let out = |dtype| Laid::output(dtype, &shape);
        trials.push(trial(&WAYS, "backwards", label, [integers(Dtype::I32)], out(Dtype::I32)));
        trials.push(trial(&SHARES, "tiles", label, [integers(Dtype::I32)], out(Dtype::I32)));
        trials.push(trial(&SHARES, "rounds", label, [integers(Dtype::I64)], out(Dtype::I64)));
        trials.push(trial(&SHARES, "who", label, [integers(Dtype::U8)], out(Dtype::I32)));
        let weighed = [integers(Dtype::I64), (-3_i64).into(), Scalar::from(seed as i16).into()];
        trials.push(trial(&ELEMENTS, "weigh", label, weighed, out(Dtype::I64)));
    }
    trials.extend(wide());
    trials.extend(weighed());
    trials.extend(packed());
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

/// Three tensors and five values at once, of every dtype and shape in turn, handed back bit for bit.
fn packed() -> impl Iterator<Item = Trial> {
    let values: [Scalar; 8] = [
        (-5_i8).into(),
        200_u8.into(),
        (-30_000_i16).into(),
        bf16::NEG_INFINITY.into(),
        f16::MIN_POSITIVE_SUBNORMAL.into(),
        i32::MIN.into(),
        (-0.0_f32).into(),
        i64::MAX.into(),
    ];
    let shapes = shapes();
    (0..shapes.len()).map(move |nth| {
        let tensor = |turn: usize| {
            let dtype = Dtype::ALL[(nth + 3 * turn) % 8];
            Laid::input(dtype, &shapes[(nth + 5 * turn) % shapes.len()], (nth + turn) as u64)
        };
        let (a, b, c) = (tensor(0), tensor(1), tensor(2));
        let bytes: u64 = [(0, &a), (1, &b), (2, &c)]
            .map(|(turn, laid)| shapes[(nth + 5 * turn) % shapes.len()].layout.numel() * laid.dtype().size())
            .iter()
            .sum();
        let bytes = bytes + VALUES * VALUE_BYTES;
        let (s, t) = (values[nth % 8], values[(nth + 5) % 8]);
        let arguments: [Value; 8] = [
            a.into(),
            s.into(),
            b.into(),
            t.into(),
            (nth as i32 - 7).into(),
            f32::from_bits(0x7F80_0000 | nth as u32).into(),
            c.into(),
            (i64::MIN + nth as i64).into(),
        ];
        let output = Laid::dense_output(Dtype::U8, &[bytes as u32]);
        trial(&ELEMENTS, "pack", &shapes[nth].label, arguments, output)
    })
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
