//! [`Trial`]: an op and what it is launched with.

use std::format;
use std::string::String;
use std::vec::Vec;

use neuron_device::{Library, Op, Scalar};

use super::laid::Laid;

/// One argument.
#[derive(Clone, Debug)]
pub enum Value {
    /// A tensor.
    Tensor(Laid),
    /// A value.
    Scalar(Scalar),
}

/// An op, its arguments, and its output as it is before the launch.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The op's library.
    pub library: &'static Library,
    /// The op.
    pub op: &'static Op,
    /// What a failure calls the arguments.
    pub label: String,
    /// In the order of the signature.
    pub arguments: Vec<Value>,
    /// The output.
    pub output: Laid,
    /// Is one core the only number of cores with which the op is right?
    pub one_core: bool,
}

impl Trial {
    /// Op and arguments.
    pub fn name(&self) -> String {
        format!("{} {}", self.op.name(), self.label)
    }

    /// May it run on so many cores?
    pub fn allows(&self, cores: u32) -> bool {
        cores == 1 || !self.one_core
    }
}

impl From<Laid> for Value {
    fn from(tensor: Laid) -> Self {
        Self::Tensor(tensor)
    }
}

macro_rules! values {
    ($($type:ty),*) => {$(
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Self::Scalar(value.into())
            }
        }
    )*};
}
values!(i32, i64, f32, Scalar);
