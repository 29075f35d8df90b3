//! Ops that do what the examples do not: every dtype, every function of `math`, every accessor, views made in the kernel, shares of every kind,
//! more windows than registers, and every error a kernel can meet.

pub mod dtypes;
pub mod factories;
pub mod giants;
pub mod mathematics;
pub mod packed;
pub mod ranks;
pub mod refusals;
pub mod shares;
pub mod values;
pub mod windows;

use neuron_device::{Library, neuron_library};

neuron_library! {
    /// Ops on the elements of one tensor, of any dtype.
    pub ELEMENTS: "elements" = [
        dtypes::copy, dtypes::negate, values::weigh, packed::pack
    ]
}

neuron_library! {
    /// Mathematics and arithmetic.
    pub MATHEMATICS: "mathematics" = [
        mathematics::unary, mathematics::binary, mathematics::fused, mathematics::arithmetic
    ]
}

neuron_library! {
    /// Ops that reach their elements by unusual ways.
    pub WAYS: "ways" = [
        ranks::relu_ranked, ranks::row_sum, ranks::turned, ranks::comb, ranks::prefix_sum,
        windows::blend, windows::backwards, giants::last
    ]
}

neuron_library! {
    /// Ops that share out their work in different ways, and ops that refuse it.
    pub SHARES: "shares" = [
        shares::tiles, shares::rounds, shares::ceiling, shares::whole_tiles, shares::who,
        refusals::refuse, refusals::refuse_result
    ]
}

neuron_library! {
    /// Ops that make tensors of one value.
    pub FACTORIES: "factories" = [
        factories::full, factories::zeros_and_ones, factories::eye, factories::full_in_a_corner
    ]
}

/// The libraries of every op that is compared, the examples' first.
pub fn libraries() -> impl Iterator<Item = &'static Library> {
    neuron_examples::LIBRARIES.iter().copied().chain([&ELEMENTS, &MATHEMATICS, &WAYS, &SHARES, &FACTORIES])
}
