//! The examples that go row by row or move elements: over every matrix of the tables, and over what they refuse.

use std::format;
use std::vec::Vec;

use neuron_device::{Dtype, Element};
use neuron_examples::{PLACES, ROWS};

use super::super::laid::Laid;
use super::super::shape::{Shape, shapes};
use super::super::trial::{Trial, Value};
use super::trial;

/// The ops that find the largest, and how many each finds.
const LARGEST: [(&str, u32); 3] = [("top_1", 1), ("top_4", 4), ("top_8", 8)];

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (seed, shape) in (0..).zip(shapes()) {
        let &[rows, columns] = shape.layout.sizes() else { continue };
        for dtype in Dtype::ALL {
            let x = Value::from(Laid::input(dtype, &shape, seed));
            let label = format!("{dtype} {}", shape.label);
            let sum = if dtype.is_float() { dtype } else { Dtype::I64 };
            let sums = Laid::dense_output(sum, &[rows]);
            trials.push(trial(&ROWS, "row_sum", &label, [x.clone()], sums));
            trials.push(trial(&ROWS, "cumsum", &label, [x.clone()], Laid::output(sum, &shape)));
            let largest = Laid::dense_output(Dtype::I64, &[rows]);
            trials.push(trial(&ROWS, "argmax", &label, [x.clone()], largest));
            for (name, count) in LARGEST.into_iter().filter(|(_, count)| *count <= columns) {
                let largest = Laid::dense_output(Dtype::I64, &[rows, count]);
                trials.push(trial(&ROWS, name, &label, [x.clone()], largest));
            }
            let turned = Laid::dense_output(dtype, &[columns, rows]);
            trials.push(trial(&PLACES, "transpose", &label, [x.clone()], turned));
            // Each dtype of an index is tried with each dtype of `x`, over one shape or another.
            let index = if (seed + dtype.size()) % 2 == 0 {
                index(&shape, |place| (place % u64::from(columns)) as i32)
            } else {
                index(&shape, |place| (place * 7 % u64::from(columns)) as i64)
            };
            let out = Laid::output(dtype, &shape);
            trials.push(trial(&PLACES, "gather", &label, [x, index], out));
        }
        for dtype in Dtype::ALL.into_iter().filter(|dtype| dtype.is_float()) {
            let x = Value::from(Laid::input(dtype, &shape, seed));
            let label = format!("{dtype} {}", shape.label);
            let out = Laid::output(dtype, &shape);
            trials.push(trial(&ROWS, "softmax", &label, [x.clone()], out.clone()));
            let row = Shape::dense(&[columns]);
            let [weight, bias] = [1, 2].map(|nth| Laid::input(dtype, &row, 100 * seed + nth).into());
            trials.push(trial(&ROWS, "layer_norm", &label, [x, weight, bias, 1e-5_f32.into()], out));
        }
    }
    trials.extend(refusals());
    trials
}

/// A tensor of indices that lies as `shape` does.
fn index<T: Element>(shape: &Shape, of: impl Fn(u64) -> T) -> Value {
    let values: Vec<T> = (0..shape.elems).map(of).collect();
    Laid::of(T::DTYPE, shape, bytemuck::cast_slice(&values)).into()
}

/// Ranks, sizes, dtypes and indices that do not fit, as far as no shape function refuses them before a core runs.
fn refusals() -> Vec<Trial> {
    let mut trials = Vec::new();
    let of = |dtype, sizes: &[u32]| Value::from(Laid::input(dtype, &Shape::dense(sizes), 1));
    let out = |dtype, sizes: &[u32]| Laid::dense_output(dtype, sizes);
    for sizes in [&[][..], &[7], &[2, 3, 4]] {
        let x = of(Dtype::F32, sizes);
        trials.push(trial(&ROWS, "softmax", format!("of {sizes:?}"), [x], out(Dtype::F32, sizes)));
    }
    trials.push(trial(&ROWS, "softmax", "of i32", [of(Dtype::I32, &[3, 5])], out(Dtype::I32, &[3, 5])));
    let matrix = of(Dtype::F32, &[3, 5]);
    for (label, weight, bias) in [
        ("with weight [4]", of(Dtype::F32, &[4]), of(Dtype::F32, &[5])),
        ("with bias [4]", of(Dtype::F32, &[5]), of(Dtype::F32, &[4])),
        ("with bias of f16", of(Dtype::F32, &[5]), of(Dtype::F16, &[5])),
    ] {
        let arguments = [matrix.clone(), weight, bias, 0.0_f32.into()];
        trials.push(trial(&ROWS, "layer_norm", label, arguments, out(Dtype::F32, &[3, 5])));
    }
    let shape = Shape::dense(&[3, 2]);
    for (label, index) in [
        ("at 5 and below 0", index(&shape, |place| [0_i64, 5, 4, -1, 0, i64::MIN][place as usize])),
        ("at any i32", index(&shape, |place| [0, i32::MAX, 4, 1, i32::MIN, 0][place as usize])),
        ("beyond 32 bits", index(&shape, |place| [0, 1, 2, 3, 4, (1_i64 << 32) + 1][place as usize])),
        ("at f32", of(Dtype::F32, &[3, 2])),
    ] {
        trials.push(trial(&PLACES, "gather", label, [matrix.clone(), index], out(Dtype::F32, &[3, 2])));
    }
    trials
}
