//! What `match_dtype!` finds when types are known: a subject without a dtype, and a block that gives no `Result`.

use neuron_device::prelude::*;

fn no_dtype(n: u64) -> Result<usize> {
    match_dtype!(n, f32 | bf16 as T => Ok(size_of::<T>()))
}

fn no_result(x: &Tensor) -> Result<usize> {
    match_dtype!(x, f32 | bf16 as T => size_of::<T>())
}

fn main() {}
