//! Tensors as the host holds them: in its own memory, or in simulated HBM.

pub(crate) mod hbm;
pub(crate) mod host;
pub(crate) mod npy;
mod views;
