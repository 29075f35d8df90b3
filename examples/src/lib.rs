//! Custom operators, each a page that teaches one thing.
//!
//! | page | what it teaches |
//! |---|---|
//! | [`relu`] | the smallest kernel: share out, read, write; one body for every dtype |
//! | [`vector_add`] | several inputs and a value |
//! | [`scale`] | returning a tensor instead of writing to a destination |
//! | [`buggy_relu`] | a published mistake, and what the simulator says about it |
//!
//! The same source, unchanged, runs in the simulator and on a 32-bit core.

#![no_std]
#![forbid(unsafe_code)]

pub mod buggy_relu;
mod elementwise;
pub mod relu;
pub mod scale;
pub mod vector_add;

neuron_device::neuron_library! {
    /// The ops to read first.
    pub EXAMPLES: "examples" = [relu::relu, vector_add::vector_add, scale::scale, buggy_relu::buggy_relu]
}

/// Every op of this package.
pub static LIBRARIES: &[&neuron_device::Library] = &[&EXAMPLES];
