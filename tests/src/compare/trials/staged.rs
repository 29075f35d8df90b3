//! The examples that go through TCM: over every layout, of which they take those without gaps, and over sizes around a
//! tile.

use std::format;
use std::string::String;
use std::vec::Vec;

use neuron_device::Dtype;
use neuron_examples::{STAGED, sum};

use super::super::laid::Laid;
use super::super::shape::{Shape, shapes};
use super::super::trial::{Trial, Value};
use super::trial;

/// Longer than a tile, of elements or of rows, or as long.
const MATRICES: [[u32; 2]; 9] =
    [[2, 1024], [3, 1025], [1, 4103], [9, 2500], [700, 3], [3, 700], [100, 150], [64, 64], [8, 1]];

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let long = [1023, 8 * 512, 8 * 1024 + 1, 3 * 8 * 1024 + 5].map(|numel| Shape::dense(&[numel]));
    for (seed, shape) in (2000..).zip(shapes().into_iter().chain(long)) {
        for dtype in Dtype::ALL {
            let x = Value::from(Laid::input(dtype, &shape, seed));
            let label = label(dtype, &shape);
            for name in ["relu_staged", "relu_streamed"] {
                trials.push(trial(&STAGED, name, &label, [x.clone()], Laid::output(dtype, &shape)));
            }
            let sums = if dtype.is_float() { Dtype::F32 } else { Dtype::I64 };
            trials.push(trial(&STAGED, "sum", &label, [x], Laid::dense_output(sums, &[sum::PARTS])));
        }
        let [x, y] = [0, 1].map(|nth| Laid::input(Dtype::F32, &shape, 10 * seed + nth).into());
        let (label, out) = (label(Dtype::F32, &shape), Laid::output(Dtype::F32, &shape));
        trials.push(trial(&STAGED, "vector_add_staged", label, [x, y, 0.1_f32.into()], out));
    }
    let matrices = MATRICES.iter().map(|sizes| Shape::dense(sizes));
    for (seed, shape) in (3000..).zip(shapes().into_iter().chain(matrices)) {
        let &[rows, columns] = shape.layout.sizes() else { continue };
        for dtype in Dtype::ALL {
            let x = Laid::input(dtype, &shape, seed).into();
            let turned = Laid::dense_output(dtype, &[columns, rows]);
            let name = format!("{dtype} {}", shape.label);
            trials.push(trial(&STAGED, "transpose_tiled", name, [x], turned));
        }
        for dtype in Dtype::ALL.into_iter().filter(|dtype| dtype.is_float()) {
            let x = Value::from(Laid::input(dtype, &shape, seed));
            let (label, out) = (label(dtype, &shape), Laid::output(dtype, &shape));
            trials.push(trial(&STAGED, "softmax_staged", &label, [x.clone()], out.clone()));
            let row = Shape::dense(&[columns]);
            let [weight, bias] = [1, 2].map(|nth| Laid::input(dtype, &row, 100 * seed + nth).into());
            trials.push(trial(&STAGED, "layer_norm_staged", label, [x, weight, bias, 1e-5_f32.into()], out));
        }
    }
    trials.extend(refusals());
    trials
}

/// What is wrong with a layout that has gaps comes first in its label.
fn label(dtype: Dtype, shape: &Shape) -> String {
    let of = if shape.layout.is_contiguous() { "" } else { "of " };
    format!("{of}{dtype} {}", shape.label)
}

fn refusals() -> Vec<Trial> {
    let of = |dtype, sizes: &[u32]| Value::from(Laid::input(dtype, &Shape::dense(sizes), 1));
    let turned = shapes()
        .into_iter()
        .find(|shape| shape.label.starts_with("transposed"))
        .expect("a shape of the table");
    let sizes = turned.layout.sizes();
    let (x, out) = (of(Dtype::F32, sizes), Laid::dense_output(Dtype::F32, sizes));
    let mut trials = Vec::new();
    for (label, y) in [
        ("with y transposed", Laid::input(Dtype::F32, &turned, 2).into()),
        ("with y of i32", of(Dtype::I32, sizes)),
        ("with y of other sizes", of(Dtype::F32, &[63])),
    ] {
        trials.push(trial(&STAGED, "vector_add_staged", label, [x.clone(), y, 2.0_f32.into()], out.clone()));
    }
    let scattered = Laid::output(Dtype::F32, &turned);
    for name in ["relu_staged", "relu_streamed", "softmax_staged"] {
        trials.push(trial(&STAGED, name, "with out transposed", [x.clone()], scattered.clone()));
    }
    let added = [x.clone(), x.clone(), 2.0_f32.into()];
    trials.push(trial(&STAGED, "vector_add_staged", "with out transposed", added, scattered));
    let vector = of(Dtype::F32, &[7]);
    trials.push(trial(&STAGED, "softmax_staged", "of [7]", [vector], Laid::dense_output(Dtype::F32, &[7])));
    let row = of(Dtype::F32, &sizes[1..]);
    for (label, weight, bias) in [
        ("with weight of other sizes", of(Dtype::F32, &[4]), row.clone()),
        ("with bias of f16", row.clone(), of(Dtype::F16, &sizes[1..])),
    ] {
        let arguments = [x.clone(), weight, bias, 0.0_f32.into()];
        trials.push(trial(&STAGED, "layer_norm_staged", label, arguments, out.clone()));
    }
    trials
}
