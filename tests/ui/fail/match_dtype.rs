//! What `match_dtype!` does not take.

use neuron_device::prelude::*;

fn size_of_any(x: &Tensor) -> Result<usize> {
    match_dtype!(x, f32 | f64 as T => Ok(size_of::<T>()))
}

fn none(x: &Tensor) -> Result<usize> {
    match_dtype!(x, as T => Ok(size_of::<T>()))
}

fn unnamed(x: &Tensor) -> Result<usize> {
    match_dtype!(x, f32 | bf16 => Ok(2))
}

fn commas(x: &Tensor) -> Result<usize> {
    match_dtype!(x, f32, bf16 as T => Ok(size_of::<T>()))
}

fn no_block(x: &Tensor) -> Result<usize> {
    match_dtype!(x, f32 | bf16 as T)
}

fn nothing() -> Result<usize> {
    match_dtype!()
}

fn several(x: &Tensor) -> Result<usize> {
    match_dtype!(x, u32 | usize | float as T => Ok(size_of::<T>()))
}

fn main() {}
