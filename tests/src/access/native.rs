//! The same sweep in plain Rust, which is what a way is measured against.

use std::hint::black_box;
use std::vec;
use std::vec::Vec;

use neuron_device::Number;

/// A tensor's elements in the host's memory, and room for the result.
#[derive(Debug)]
pub(super) struct Native<T> {
    x: Vec<T>,
    stride: usize,
    out: Vec<T>,
}

impl<T: Number> Native<T> {
    /// `values` at a stride, in memory that is there: an element that was never written might lie on a page of zeros
    /// that all share.
    pub(super) fn new(values: &[T], stride: u32) -> Self {
        let stride = stride as usize;
        let mut x = vec![T::ZERO; values.len() * stride];
        x.iter_mut().step_by(stride).zip(values).for_each(|(to, value)| *to = *value);
        Self { x, stride, out: vec![T::ZERO; values.len()] }
    }

    /// Relu, as the compiler makes it: with vectors, where the elements lie side by side.
    pub(super) fn run(&mut self) {
        let relu = |v: T| if v < T::ZERO { T::ZERO } else { v };
        let (x, out) = (black_box(&self.x[..]), &mut self.out[..]);
        if self.stride == 1 {
            out.iter_mut().zip(x).for_each(|(to, value)| *to = relu(*value));
        } else {
            out.iter_mut().zip(x.iter().step_by(self.stride)).for_each(|(to, value)| *to = relu(*value));
        }
        black_box(&mut self.out);
    }

    /// What it made.
    pub(super) fn result(self) -> Vec<T> {
        self.out
    }
}
