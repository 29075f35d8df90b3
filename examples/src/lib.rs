//! Custom operators, each a page that teaches one thing.
//!
//! | page | what it teaches |
//! |---|---|
//! | [`relu`] | the smallest kernel: share out, read, write; one body for every dtype |
//! | [`vector_add`] | several inputs and a value |
//! | [`scale`] | returning a tensor instead of writing to a destination |
//! | [`buggy_relu`] | a published mistake, and what the simulator says about it |
//! | [`mul`] | one line: with a helper for the walk, a kernel is its formula |
//! | [`gelu`] | a formula: functions from `math`, in f32 whatever the tensor holds |
//! | [`silu`] | the ends of the range, where a step of the formula overflows |
//! | [`clamp`] | values for a tensor of any dtype |
//! | [`add`] | several steps, rounded once |
//! | [`div`] | an error that depends on the data; an output of another dtype |
//! | [`maximum`] | NaN is kept |
//! | [`bitwise`] | some dtypes only |
//! | [`compare`] | answers of another dtype than the questions |
//! | [`where`](where/index.html) | tensors of different dtypes in one kernel |
//! | [`cast`] | two dtypes at once |
//!
//! The same source, unchanged, runs in the simulator and on a 32-bit core.

#![no_std]
#![forbid(unsafe_code)]

pub mod add;
pub mod bitwise;
pub mod buggy_relu;
pub mod cast;
pub mod clamp;
pub mod compare;
pub mod div;
mod elementwise;
pub mod gelu;
pub mod maximum;
pub mod mul;
pub mod relu;
pub mod scale;
pub mod silu;
pub mod vector_add;
pub mod r#where;

use neuron_device::{Library, neuron_library};

neuron_library! {
    /// The ops to read first.
    pub EXAMPLES: "examples" = [relu::relu, vector_add::vector_add, scale::scale, buggy_relu::buggy_relu]
}

neuron_library! {
    /// Functions of each element.
    pub POINTWISE: "pointwise" = [gelu::gelu, gelu::gelu_tanh, silu::silu, clamp::clamp, cast::cast]
}

neuron_library! {
    /// Arithmetic with each two elements.
    pub ARITHMETIC: "arithmetic" = [
        add::add, add::sub, mul::mul, div::div, div::floor_divide, div::trunc_divide, maximum::maximum, maximum::minimum
    ]
}

neuron_library! {
    /// The bits of integers.
    pub BITWISE: "bitwise" = [
        bitwise::bitwise_and, bitwise::bitwise_or, bitwise::bitwise_xor, bitwise::bitwise_not,
        bitwise::bitwise_left_shift, bitwise::bitwise_right_shift
    ]
}

neuron_library! {
    /// Masks, and what to do with them.
    pub MASKS: "masks" = [
        compare::eq, compare::ne, compare::lt, compare::le, compare::gt, compare::ge, r#where::r#where
    ]
}

/// Every op of this package.
pub static LIBRARIES: &[&Library] = &[&EXAMPLES, &POINTWISE, &ARITHMETIC, &BITWISE, &MASKS];
