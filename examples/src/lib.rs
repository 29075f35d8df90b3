//! Custom operators, each a page that teaches one thing.
//!
//! | page | what it teaches |
//! |---|---|
//! | [`relu`] | the smallest kernel: share out, read, write; one body for every dtype |
//! | [`vector_add`] | several inputs and a value |
//! | [`scale`] | returning a tensor instead of writing to a destination |
//! | [`transpose`] | a view is another way to count, a copy moves the elements; a shape function |
//! | [`gather`] | positions that come as data are checked before they are used |
//! | [`row_sum`] | a sum is kept in a wider type than the elements have |
//! | [`cumsum`] | a scan: what a core found so far stays in its registers |
//! | [`argmax`] | a comparison must say what it thinks of NaN |
//! | [`top_k`] | a few values in an array on the stack; ops that are instances of one generic function |
//! | [`softmax`] | passes over a row, of which only the last one rounds |
//! | [`layer_norm`] | tensors of different rank in one kernel |
//! | [`buggy_relu`] | a published mistake, and what the simulator says about it |
//!
//! The same source, unchanged, runs in the simulator and on a 32-bit core.

#![no_std]
#![forbid(unsafe_code)]

pub mod argmax;
pub mod buggy_relu;
pub mod cumsum;
mod elementwise;
pub mod gather;
pub mod layer_norm;
pub mod relu;
pub mod row_sum;
mod rows;
pub mod scale;
pub mod softmax;
pub mod top_k;
pub mod transpose;
pub mod vector_add;

neuron_device::neuron_library! {
    /// The ops to read first.
    pub EXAMPLES: "examples" = [relu::relu, vector_add::vector_add, scale::scale, buggy_relu::buggy_relu]
}

neuron_device::neuron_library! {
    /// Ops that go through a matrix row by row.
    pub ROWS: "rows" = [
        row_sum::row_sum, cumsum::cumsum, argmax::argmax, top_k::top_1, top_k::top_4, top_k::top_8, softmax::softmax,
        layer_norm::layer_norm
    ]
}

neuron_device::neuron_library! {
    /// Ops that move elements to other places and compute nothing.
    pub PLACES: "places" = [transpose::transpose, gather::gather]
}

/// Every op of this package.
pub static LIBRARIES: &[&neuron_device::Library] = &[&EXAMPLES, &ROWS, &PLACES];
