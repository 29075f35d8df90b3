//! Ops that take a tensor of one rank only.

use std::vec::Vec;

use neuron_device::Dtype;

use super::super::laid::Laid;
use super::super::shape::shapes;
use super::super::trial::Trial;
use super::trial;
use crate::kernels::WAYS;

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (seed, shape) in (0..).zip(shapes()) {
        let x = |dtype| Laid::input(dtype, &shape, seed).into();
        let out = |dtype| Laid::output(dtype, &shape);
        let (label, sizes) = (&shape.label, shape.layout.sizes());
        match shape.rank() {
            1 => trials.push(trial(&WAYS, "relu_ranked", label, [x(Dtype::F32)], out(Dtype::F32))),
            2 => {
                let sums = Laid::dense_output(Dtype::F32, &sizes[..1]);
                trials.push(trial(&WAYS, "row_sum", label, [x(Dtype::F32)], sums));
                trials.push(trial(&WAYS, "comb", label, [x(Dtype::F32)], out(Dtype::F32)));
                trials.push(trial(&WAYS, "prefix_sum", label, [x(Dtype::F32)], out(Dtype::F32)));
            }
            3 => trials.push(trial(&WAYS, "turned", label, [x(Dtype::I32)], out(Dtype::I32))),
            _ => {}
        }
    }
    trials
}
