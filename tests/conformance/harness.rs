//! What the suite asks of a platform: run an op on several cores, and say what came out.

use neuron_device::{Counters, Dtype, Layout, Op, Scalar};
use neuron_host_sim::HostTensor;

/// An argument of a launch.
#[derive(Clone, Debug)]
pub(crate) enum Given<'a> {
    Tensor(&'a HostTensor),
    Value(Scalar),
}

impl<'a> From<&'a HostTensor> for Given<'a> {
    fn from(tensor: &'a HostTensor) -> Self {
        Self::Tensor(tensor)
    }
}

macro_rules! values {
    ($($type:ty),*) => {$(
        impl From<$type> for Given<'_> {
            fn from(value: $type) -> Self {
                Self::Value(value.into())
            }
        }
    )*};
}
values!(i32, f32, i64);

/// What the output is to be: dtype, elements of storage (zero before the launch), layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) dtype: Dtype,
    pub(crate) storage: u64,
    pub(crate) layout: Layout,
}

impl Wanted {
    /// A contiguous output.
    pub(crate) fn contiguous(dtype: Dtype, sizes: &[u32]) -> Self {
        let layout = Layout::contiguous(sizes).unwrap();
        Self { dtype, storage: layout.numel(), layout }
    }
}

/// What came out.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The output's whole storage, as a tensor of one dimension.
    pub(crate) storage: HostTensor,
    /// The output itself.
    pub(crate) output: HostTensor,
    /// How each core's work ended: `Err` holds the error's or the panic's text.
    pub(crate) cores: Vec<Result<(), String>>,
    /// What each core counted.
    pub(crate) counters: Vec<Counters>,
}

impl Ran {
    /// The output's values, every core having returned.
    #[track_caller]
    pub(crate) fn values<T: neuron_device::Element>(&self) -> Vec<T> {
        assert!(self.cores.iter().all(Result::is_ok), "{:?}", self.cores);
        self.output.to_vec().unwrap()
    }

    /// The text with which every core failed alike.
    #[track_caller]
    pub(crate) fn failure(&self) -> &str {
        let first = self.cores[0].as_ref().unwrap_err();
        assert!(self.cores.iter().all(|core| core.as_ref() == Err(first)), "{:?}", self.cores);
        first
    }
}

/// A platform, ready to run ops on its cores.
pub(crate) trait Harness {
    /// As many cores as this.
    fn new(cores: u32) -> Self;
    /// How many there are.
    fn cores(&self) -> u32;
    /// One launch.
    fn run(&mut self, op: &'static Op, arguments: &[Given<'_>], wanted: Wanted) -> Ran;
}
