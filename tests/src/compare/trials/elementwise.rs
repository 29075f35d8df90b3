//! The examples' ops that go element by element, over every dtype: in each layout one dtype, of each dtype every special
//! value with every one.

use std::format;
use std::vec::Vec;

use neuron_device::{Dtype, Library, Scalar, bf16, f16};
use neuron_examples::{ARITHMETIC, BITWISE, EXAMPLES, MASKS, POINTWISE};

use super::super::laid::Laid;
use super::super::shape::{Shape, shapes};
use super::super::trial::{Trial, Value};
use super::super::values::pairs;
use super::trial;

const FLOATS: &[Dtype] = &[Dtype::F32, Dtype::F16, Dtype::BF16];
const INTEGERS: &[Dtype] = &[Dtype::I8, Dtype::U8, Dtype::I16, Dtype::I32, Dtype::I64];

/// Library and name.
type Named = (&'static Library, &'static str);

/// Ops of one tensor.
const UNARY: [(Named, &[Dtype]); 4] = [
    ((&POINTWISE, "gelu"), FLOATS),
    ((&POINTWISE, "gelu_tanh"), FLOATS),
    ((&POINTWISE, "silu"), FLOATS),
    ((&BITWISE, "bitwise_not"), INTEGERS),
];

/// Ops of two tensors and no values, whose output is like them.
const BINARY: [(Named, &[Dtype]); 11] = [
    ((&ARITHMETIC, "mul"), &Dtype::ALL),
    ((&ARITHMETIC, "floor_divide"), &Dtype::ALL),
    ((&ARITHMETIC, "trunc_divide"), &Dtype::ALL),
    ((&ARITHMETIC, "maximum"), &Dtype::ALL),
    ((&ARITHMETIC, "minimum"), &Dtype::ALL),
    ((&ARITHMETIC, "div"), FLOATS),
    ((&BITWISE, "bitwise_and"), INTEGERS),
    ((&BITWISE, "bitwise_or"), INTEGERS),
    ((&BITWISE, "bitwise_xor"), INTEGERS),
    ((&BITWISE, "bitwise_left_shift"), INTEGERS),
    ((&BITWISE, "bitwise_right_shift"), INTEGERS),
];

/// Ops of two tensors whose output has this dtype.
const ANSWERS: [(Named, &[Dtype], Dtype); 7] = [
    ((&ARITHMETIC, "div"), INTEGERS, Dtype::F32),
    ((&MASKS, "eq"), &Dtype::ALL, Dtype::U8),
    ((&MASKS, "ne"), &Dtype::ALL, Dtype::U8),
    ((&MASKS, "lt"), &Dtype::ALL, Dtype::U8),
    ((&MASKS, "le"), &Dtype::ALL, Dtype::U8),
    ((&MASKS, "gt"), &Dtype::ALL, Dtype::U8),
    ((&MASKS, "ge"), &Dtype::ALL, Dtype::U8),
];

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (named, dtypes) in UNARY {
        trials.extend(each(named, dtypes, None, |[x, ..]| Vec::from([x.into()])));
    }
    for (named, dtypes) in BINARY {
        trials.extend(each(named, dtypes, None, |[x, y, _]| [x, y.without_zeros()].map(Value::from).into()));
    }
    for (named, dtypes, out) in ANSWERS {
        trials.extend(each(named, dtypes, Some(out), |[x, y, _]| [x, y].map(Value::from).into()));
    }
    trials.extend(each((&MASKS, "where"), &Dtype::ALL, None, |[x, y, z]| {
        [z.to_mask(), x, y].map(Value::from).into()
    }));
    for dtype in Dtype::ALL {
        trials.push(over_pairs((&EXAMPLES, "relu"), dtype, None, |[x, ..]| Vec::from([x.into()])));
    }
    for alpha in [Scalar::from(-3_i32), 0.1_f32.into(), f16::from_f32(-0.7).into(), bf16::NAN.into()] {
        let dtypes = if alpha.dtype().is_float() { FLOATS } else { &Dtype::ALL };
        for &dtype in dtypes {
            for name in ["add", "sub"] {
                let weighted = |[x, y, _]: [Laid; 3]| Vec::from([x.into(), y.into(), alpha.into()]);
                trials.push(over_pairs((&ARITHMETIC, name), dtype, None, weighted));
            }
        }
    }
    for name in ["add", "sub"] {
        let weighted = |[x, y, _]: [Laid; 3]| Vec::from([x.into(), y.into(), Value::from(2)]);
        trials.extend(in_layouts((&ARITHMETIC, name), &Dtype::ALL, None, weighted));
    }
    let bounds: [(Scalar, Scalar); 4] = [
        ((-5_i32).into(), 100_i64.into()),
        (7_u8.into(), (-6_i8).into()),
        (i64::MIN.into(), (1_i64 << 31).into()),
        (0.5_f32.into(), f32::NAN.into()),
    ];
    for (min, max) in bounds {
        let dtypes = if min.dtype().is_float() { FLOATS } else { &Dtype::ALL };
        for &dtype in dtypes {
            let clamped = |[x, ..]: [Laid; 3]| Vec::from([x.into(), min.into(), max.into()]);
            trials.push(over_pairs((&POINTWISE, "clamp"), dtype, None, clamped));
        }
    }
    let clamped = |[x, ..]: [Laid; 3]| Vec::from([x.into(), Value::from(-1), Value::from(50)]);
    trials.extend(in_layouts((&POINTWISE, "clamp"), &Dtype::ALL, None, clamped));
    trials.extend(cast());
    trials
}

/// In every layout and over every dtype.
fn each(
    named: Named,
    dtypes: &[Dtype],
    out: Option<Dtype>,
    arguments: impl Fn([Laid; 3]) -> Vec<Value> + Copy,
) -> Vec<Trial> {
    let mut trials = in_layouts(named, dtypes, out, arguments);
    trials.extend(dtypes.iter().map(|&dtype| over_pairs(named, dtype, out, arguments)));
    trials
}

/// One trial in each layout, the dtypes taking turns; the output is like the first tensor or has the dtype `out`.
fn in_layouts(
    (library, name): Named,
    dtypes: &[Dtype],
    out: Option<Dtype>,
    arguments: impl Fn([Laid; 3]) -> Vec<Value>,
) -> Vec<Trial> {
    let dtypes = dtypes.iter().cycle();
    let laid = (0..).zip(shapes()).zip(dtypes).map(|((seed, shape), &dtype)| {
        let tensors = [0, 1, 2].map(|nth| Laid::input(dtype, &shape, 10 * seed + nth));
        let label = format!("{dtype} {}", shape.label);
        trial(library, name, label, arguments(tensors), Laid::output(out.unwrap_or(dtype), &shape))
    });
    laid.collect()
}

/// Over tensors in which every special value meets every one.
fn over_pairs(
    (library, name): Named,
    dtype: Dtype,
    out: Option<Dtype>,
    arguments: impl Fn([Laid; 3]) -> Vec<Value>,
) -> Trial {
    let tensors = pairs(dtype);
    let shape = Shape::dense(&[(tensors[0].len() as u64 / dtype.size()) as u32]);
    let arguments = arguments(tensors.map(|bytes| Laid::of(dtype, &shape, &bytes)));
    let values = arguments.iter().filter_map(|argument| match argument {
        Value::Scalar(value) => Some(format!(" {} {value}", value.dtype())),
        Value::Tensor(_) => None,
    });
    let label = format!("{dtype} pairs{}", values.collect::<Vec<_>>().concat());
    trial(library, name, label, arguments, Laid::output(out.unwrap_or(dtype), &shape))
}

/// From every dtype to every one, over enough values to meet every kind of rounding, and in every layout.
fn cast() -> Vec<Trial> {
    let mut trials = Vec::new();
    let like = |to| Value::from(Laid::input(to, &Shape::dense(&[0]), 0));
    for (from, to) in Dtype::ALL.into_iter().flat_map(|from| Dtype::ALL.map(|to| (from, to))) {
        let shape = Shape::dense(&[4103]);
        let x = Laid::input(from, &shape, 77);
        let (label, out) = (format!("{from} to {to} {}", shape.label), Laid::output(to, &shape));
        trials.push(trial(&POINTWISE, "cast", label, [x.into(), like(to)], out));
    }
    trials.extend(in_layouts((&POINTWISE, "cast"), &Dtype::ALL, Some(Dtype::F32), |[x, ..]| {
        Vec::from([x.into(), like(Dtype::F32)])
    }));
    trials
}
