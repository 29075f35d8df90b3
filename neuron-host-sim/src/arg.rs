//! What a launch passes to a kernel.

use neuron_device::{ArgDescriptor, Dtype, Scalar, bf16, f16};

use crate::tensor::hbm::HbmTensor;
use crate::tensor::host::HostTensor;

/// One argument of a launch. [`args!`](crate::args) makes a list of them.
///
/// ```
/// use neuron_device::Scalar;
/// use neuron_host_sim::{Arg, HostTensor};
/// let x = HostTensor::scalar(1.0f32);
/// let [Arg::Host(tensor), Arg::Scalar(value)] = [Arg::from(&x), Arg::from(7i64)] else { unreachable!() };
/// assert_eq!((tensor.numel(), value), (1, Scalar::from(7i64)));
/// ```
///
/// `f64` does not cross to a core:
///
/// ```compile_fail
/// let argument = neuron_host_sim::Arg::from(2.5f64);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Arg<'a> {
    /// A tensor in the host's memory: copied to HBM for this launch, once for all views of one storage.
    Host(&'a HostTensor),
    /// A tensor that is in HBM, or in SBUF, already.
    Hbm(&'a HbmTensor),
    /// A value, which the cores fetch from HBM. It must have the type the op takes; none is converted.
    Scalar(Scalar),
    /// A record as it is, which the host does not look at: the core that pulls it does, as of any other. It stands for a
    /// tensor or a value, and its bytes may be anything; the op's shape function does not see it.
    Record(ArgDescriptor),
}

impl Arg<'_> {
    /// What a message calls it.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Host(tensor) => format!("a tensor of {}", tensor.dtype()),
            Self::Hbm(tensor) => format!("a tensor of {}", tensor.dtype()),
            Self::Scalar(scalar) => format!("a value of type {}", scalar.dtype()),
            Self::Record(_) => "a record".to_owned(),
        }
    }

    /// The dtype of a value.
    pub(crate) fn value_dtype(&self) -> Option<Dtype> {
        match self {
            Self::Scalar(scalar) => Some(scalar.dtype()),
            _ => None,
        }
    }
}

impl<'a> From<&'a HostTensor> for Arg<'a> {
    fn from(tensor: &'a HostTensor) -> Self {
        Self::Host(tensor)
    }
}

impl<'a> From<&'a HbmTensor> for Arg<'a> {
    fn from(tensor: &'a HbmTensor) -> Self {
        Self::Hbm(tensor)
    }
}

impl From<ArgDescriptor> for Arg<'_> {
    fn from(descriptor: ArgDescriptor) -> Self {
        Self::Record(descriptor)
    }
}

impl From<Scalar> for Arg<'_> {
    fn from(scalar: Scalar) -> Self {
        Self::Scalar(scalar)
    }
}

macro_rules! values {
    ($($type:ty),*) => {$(
        impl From<$type> for Arg<'_> {
            fn from(value: $type) -> Self {
                Self::Scalar(value.into())
            }
        }
    )*};
}
values!(i8, u8, i16, i32, i64, f16, bf16, f32);

/// A list of arguments: `args![&x, &y, 0.5f32]`.
///
/// ```
/// use neuron_host_sim::{HostTensor, args};
/// let x = HostTensor::scalar(1.0f32);
/// assert_eq!(args![&x, 2.5f32].len(), 2);
/// ```
#[macro_export]
macro_rules! args {
    ($($argument:expr),* $(,)?) => {
        [$($crate::Arg::from($argument)),*]
    };
}
