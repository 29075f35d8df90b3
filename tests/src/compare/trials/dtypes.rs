//! Ops over tensors of every dtype, and of integers.

use std::format;
use std::vec::Vec;

use neuron_device::{Dtype, Scalar, bf16, f16};

use super::super::laid::Laid;
use super::super::shape::{Shape, shapes};
use super::super::trial::{Trial, Value};
use super::super::values::Random;
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
    trials.extend(drawn());
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
        let tensor =
            |turn: usize| (Dtype::ALL[(nth + 3 * turn) % 8], &shapes[(nth + 5 * turn) % shapes.len()]);
        let tensors = [tensor(0), tensor(1), tensor(2)];
        let plain = (nth as i32 - 7, f32::from_bits(0x7F80_0000 | nth as u32), i64::MIN + nth as i64);
        pack(&shapes[nth].label, nth as u64, tensors, [values[nth % 8], values[(nth + 5) % 8]], plain)
    })
}

/// As many sets of three tensors and five values, drawn from all there are.
const SETS: u64 = 150;

/// The same, of any dtypes, shapes and bits.
fn drawn() -> impl Iterator<Item = Trial> {
    let shapes = shapes();
    (0..SETS).map(move |nth| {
        let mut random = Random::new(nth);
        let tensors = [(); 3].map(|()| {
            let (dtype, shape) = (random.next() % 8, random.next() % shapes.len() as u64);
            (Dtype::ALL[dtype as usize], &shapes[shape as usize])
        });
        let values = [(); 2].map(|()| value(Dtype::ALL[(random.next() % 8) as usize], random.next()));
        let plain = (random.next() as i32, f32::from_bits(random.next() as u32), random.next() as i64);
        pack(&format!("drawn {nth}"), random.next() >> 32, tensors, values, plain)
    })
}

/// A value of these bits.
fn value(dtype: Dtype, bits: u64) -> Scalar {
    match dtype {
        Dtype::I8 => (bits as i8).into(),
        Dtype::U8 => (bits as u8).into(),
        Dtype::I16 => (bits as i16).into(),
        Dtype::BF16 => bf16::from_bits(bits as u16).into(),
        Dtype::F16 => f16::from_bits(bits as u16).into(),
        Dtype::I32 => (bits as i32).into(),
        Dtype::F32 => f32::from_bits(bits as u32).into(),
        Dtype::I64 => (bits as i64).into(),
    }
}

/// These three tensors, of bits that follow from `seed`, and these five values.
fn pack(
    label: &str,
    seed: u64,
    tensors: [(Dtype, &Shape); 3],
    [s, t]: [Scalar; 2],
    (i, f, l): (i32, f32, i64),
) -> Trial {
    let bytes: u64 = tensors.iter().map(|(dtype, shape)| shape.layout.numel() * dtype.size()).sum();
    let mut turn = 0;
    let [a, b, c] = tensors.map(|(dtype, shape)| {
        turn += 1;
        Laid::input(dtype, shape, seed + turn - 1)
    });
    let arguments: [Value; 8] =
        [a.into(), s.into(), b.into(), t.into(), i.into(), f.into(), c.into(), l.into()];
    let output = Laid::dense_output(Dtype::U8, &[(bytes + VALUES * VALUE_BYTES) as u32]);
    trial(&ELEMENTS, "pack", label, arguments, output)
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
