//! Custom operators, each a page that teaches one thing.
//!
//! | page | what it teaches |
//! |---|---|
//! | [`relu`] | the smallest kernel: share out, read, write; one body for every dtype |
//! | [`vector_add`] | several inputs and a value |
//! | [`scale`] | returning a tensor instead of writing to a destination |
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
//! | [`transpose`] | a view is another way to count, a copy moves the elements; a shape function |
//! | [`gather`] | positions that come as data are checked before they are used |
//! | [`row_sum`] | a sum is kept in a wider type than the elements have |
//! | [`cumsum`] | a scan: what a core found so far stays in its registers |
//! | [`argmax`] | a comparison must say what it thinks of NaN |
//! | [`top_k`] | a few values in an array on the stack; ops that are instances of one generic function |
//! | [`softmax`] | passes over a row, of which only the last one rounds |
//! | [`layer_norm`] | tensors of different rank in one kernel |
//! | [`relu_staged`] | a sweep by tiles: copy in, compute in fast memory, copy out |
//! | [`relu_streamed`] | the same by streams, whose buffers are somebody else's care |
//! | [`vector_add_staged`] | two buffers for one tensor: copies go on while the core adds |
//! | [`softmax_staged`] | several rows at once, and a row that is longer than a tile |
//! | [`layer_norm_staged`] | what every row needs is copied once |
//! | [`transpose_tiled`] | pieces of any view, and how few of them do |
//! | [`sum`] | partial sums, and the host adds them up |
//! | [`buggy_relu`] | a published mistake, and what the simulator says about it |
//!
//! The same source, unchanged, runs in the simulator and on a 32-bit core.

#![no_std]
#![forbid(unsafe_code)]

pub mod add;
pub mod argmax;
pub mod bitwise;
pub mod buggy_relu;
pub mod cast;
pub mod clamp;
pub mod compare;
pub mod cumsum;
pub mod div;
mod elementwise;
pub mod gather;
pub mod gelu;
pub mod layer_norm;
pub mod layer_norm_staged;
pub mod maximum;
pub mod mul;
pub mod relu;
pub mod relu_staged;
pub mod relu_streamed;
pub mod row_sum;
mod rows;
pub mod scale;
pub mod silu;
pub mod softmax;
pub mod softmax_staged;
pub mod sum;
pub mod top_k;
pub mod transpose;
pub mod transpose_tiled;
pub mod vector_add;
pub mod vector_add_staged;
pub mod r#where;

use neuron_device::{Library, neuron_library};

neuron_library! {
    /// The ops to read first.
    pub EXAMPLES: "examples" = [relu::relu, vector_add::vector_add, scale::scale, buggy_relu::buggy_relu]
}

neuron_library! {
    /// Ops that go through a matrix row by row.
    pub ROWS: "rows" = [
        row_sum::row_sum, cumsum::cumsum, argmax::argmax, top_k::top_1, top_k::top_4, top_k::top_8, softmax::softmax,
        layer_norm::layer_norm
    ]
}

neuron_library! {
    /// Ops that move elements to other places and compute nothing.
    pub PLACES: "places" = [transpose::transpose, gather::gather]
}

neuron_library! {
    /// Sweeps that go through the core's own memory.
    pub STAGED: "staged" = [
        relu_staged::relu_staged, relu_streamed::relu_streamed, vector_add_staged::vector_add_staged,
        softmax_staged::softmax_staged, layer_norm_staged::layer_norm_staged, transpose_tiled::transpose_tiled, sum::sum
    ]
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
pub static LIBRARIES: &[&Library] =
    &[&EXAMPLES, &POINTWISE, &ARITHMETIC, &BITWISE, &MASKS, &ROWS, &PLACES, &STAGED];
