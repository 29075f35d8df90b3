//! [`Shape`]: a layout and the storage it lies in.

use std::format;
use std::string::String;
use std::vec::Vec;

use neuron_device::Layout;

/// Sizes, strides and offset in a storage of some elements.
#[derive(Clone, Debug)]
pub struct Shape {
    /// What a failure calls it.
    pub label: String,
    /// Elements of storage.
    pub elems: u64,
    /// How the tensor lies in it.
    pub layout: Layout,
}

impl Shape {
    /// Sizes without gaps.
    pub(super) fn dense(sizes: &[u32]) -> Self {
        let layout = Layout::contiguous(sizes).expect("a table's sizes are a tensor's");
        Self { label: format!("{sizes:?}"), elems: layout.numel(), layout }
    }

    /// A view into a storage of `elems` elements.
    fn view(label: &str, elems: u64, sizes: &[u32], strides: &[u64], offset: u64) -> Self {
        let layout = Layout::strided(sizes, strides, offset).expect("a table's view is a tensor's");
        assert!(layout.extent() <= elems, "{label} leaves its storage");
        Self { label: format!("{label} {sizes:?}"), elems, layout }
    }

    /// How many dimensions it has.
    pub(super) fn rank(&self) -> usize {
        self.layout.rank()
    }
}

/// Without dimensions, empty, around the number of cores, around a cache line, long; then views of every kind.
pub(super) fn shapes() -> Vec<Shape> {
    let dense: [&[u32]; 21] = [
        &[],
        &[0],
        &[1],
        &[7],
        &[8],
        &[9],
        &[17],
        &[65],
        &[4103],
        &[4096],
        &[3, 0, 2],
        &[0, 4],
        &[3, 5],
        &[63, 65],
        &[2, 3, 4],
        &[9, 1, 7],
        &[1, 2, 1, 3, 1, 2, 1, 2],
        &[2; 8],
        &[1; 8],
        &[0, 2, 2, 2, 2, 2, 2, 2],
        &[2, 2, 2, 2, 2, 2, 2, 0],
    ];
    let views = [
        Shape::view("transposed", 63, &[9, 7], &[1, 9], 0),
        Shape::view("every third from the second", 100, &[33], &[3], 1),
        Shape::view("one element far in", 4096, &[], &[], 4095),
        Shape::view("columns of a wider matrix", 17 * 12, &[17, 5], &[12, 1], 4),
        Shape::view("turned over", 2 * 3 * 4, &[4, 3, 2], &[1, 4, 12], 0),
        Shape::view("a block of a block", 6 * 7 * 8, &[3, 3, 3], &[56, 16, 2], 61),
        Shape::view("one row repeated", 5, &[4, 5], &[0, 1], 0),
        Shape::view("one element repeated", 3, &[19], &[0], 2),
        Shape::view("empty slice", 10, &[0], &[1], 10),
        Shape::view("size 1 of odd strides", 9, &[1, 2, 1, 3, 1], &[0, 3, 999, 1, i64::MAX as u64], 2),
        Shape::view("size 1 of a stride beyond 4 GiB", 7, &[3, 1], &[2, 1 << 40], 1),
        Shape::view("empty of odd strides", 1, &[3, 0, 2], &[i64::MAX as u64, 0, 999], 0),
    ];
    dense.into_iter().map(Shape::dense).chain(views).collect()
}
