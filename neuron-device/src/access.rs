//! How a kernel reaches tensors: element by element, or staged through TCM.

pub(crate) mod accessor;
pub(crate) mod copy;
pub(crate) mod elements;
pub(crate) mod factory;
pub(crate) mod memcpy;
pub(crate) mod pending;
pub(crate) mod ptr;
pub(crate) mod stream;
pub(crate) mod strided;
pub(crate) mod tcm;
pub(crate) mod tensor;
