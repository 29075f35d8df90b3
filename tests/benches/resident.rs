//! A launch whose tensors are in HBM already, so that measuring it measures the kernel.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId};
use neuron_device::{Element, Op};
use neuron_host_sim::{HbmTensor, HostTensor, Simulator, args};

/// An op over one input, on eight cores of one host thread.
pub(crate) struct Resident {
    pub(crate) op: &'static Op,
    pub(crate) input: HostTensor,
    /// What is made of the input in HBM.
    pub(crate) view: fn(&HbmTensor) -> HbmTensor,
    /// Sizes of the output, which has the input's dtype.
    pub(crate) output: Vec<u32>,
}

impl Resident {
    /// An op over a tensor as it is, with an output like it.
    pub(crate) fn new(op: &'static Op, input: HostTensor) -> Self {
        let output = input.sizes().to_vec();
        Self { op, input, view: HbmTensor::clone, output }
    }

    /// Measure `name/unchecked` and `name/checked`; both must be clean and give `expected`.
    pub(crate) fn bench<T: Element>(
        &self,
        group: &mut BenchmarkGroup<'_, WallTime>,
        name: &str,
        expected: &[T],
    ) {
        for (mode, checked) in [("unchecked", false), ("checked", true)] {
            let builder = Simulator::builder().host_threads(1);
            let built = if checked { builder.build() } else { builder.unchecked().build() };
            let mut simulator = built.expect("this host has memory for a simulator");
            let x = (self.view)(&simulator.upload(&self.input).expect("HBM has room"));
            let out = simulator.zeros(self.input.dtype(), &self.output).expect("HBM has room");
            let mut launch =
                || simulator.launch_into(self.op, &args![&x], &out).expect("the launch is right");
            group.bench_function(BenchmarkId::new(name, mode), |bencher| bencher.iter(&mut launch));
            launch().assert_clean();
            let result = out.to_host().to_vec::<T>().expect("an output of the input's dtype");
            assert!(result == expected, "{name}, {mode}: not what the native loop gave");
        }
    }
}
