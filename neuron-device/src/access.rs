//! How a kernel reaches tensors.

pub(crate) mod accessor;
pub(crate) mod elements;
pub(crate) mod factory;
pub(crate) mod ptr;
pub(crate) mod tensor;
