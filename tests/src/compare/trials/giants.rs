//! Tensors of which the last elements alone are in memory: what leads there has more than 31 or 32 bits.

use std::vec::Vec;

use neuron_device::{Dtype, Layout};

use super::super::laid::Laid;
use super::super::trial::Trial;
use super::trial;
use crate::kernels::WAYS;

/// A dtype, sizes, strides and an offset.
type Giant = (&'static str, Dtype, &'static [u32], &'static [u64], u64);

pub(super) fn trials() -> Vec<Trial> {
    let giants: [Giant; 9] = [
        ("small", Dtype::F32, &[3, 4], &[4, 1], 0),
        ("of an index above i32", Dtype::F32, &[239_675, 8960], &[8960, 1], 0),
        ("of almost 2^32 elements", Dtype::U8, &[65535, 65535], &[65535, 1], 0),
        ("transposed", Dtype::U8, &[65535, 65535], &[1, 65535], 0),
        ("of as many elements as a record counts", Dtype::U8, &[65537, 65535], &[65535, 1], 0),
        ("of one dimension", Dtype::U8, &[u32::MAX], &[1], 0),
        ("with rows 8 GiB apart, far in", Dtype::U8, &[2, 5], &[(1 << 33) + 3, 1], (1 << 32) - 100),
        ("of 8-byte elements beyond 4 GiB", Dtype::I64, &[(1 << 29) + 9], &[1], 0),
        ("with 8-byte elements 4 GiB apart", Dtype::I64, &[2, 3], &[(1 << 29) + 1, 1 << 29], 7),
    ];
    let made = giants.into_iter().zip(1..).map(|((label, dtype, sizes, strides, offset), seed)| {
        let layout = Layout::strided(sizes, strides, offset).expect("a table's view is a tensor's");
        let x = Laid::end_of(dtype, layout, seed);
        trial(&WAYS, "last", label, [x.into()], Laid::dense_output(Dtype::I64, &[12]))
    });
    made.collect()
}
