//! ReLU over a million elements: a native loop, and kernels on eight simulated cores, all on one thread.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use neuron_device::{Dtype, Op, op};
use neuron_host_sim::{HbmTensor, HostTensor, Simulator, args};

const ELEMENTS: u32 = 1 << 20;

/// Waves of four thousand elements: half of them negative, and a processor that guesses signs guesses right. The native
/// loop has a branch, the kernels none, and with signs at random it would be measured at eight times its time.
fn values() -> Vec<f32> {
    (0..ELEMENTS).map(|index| (index % 4096) as f32 - 2047.5).collect()
}

/// What an accessor is measured against: every element is loaded by itself, at an index that is checked.
fn native(x: &[f32], out: &mut [f32]) {
    for i in 0..black_box(ELEMENTS as usize) {
        let v = black_box(x[i]);
        out[i] = if v < 0.0 { 0.0 } else { v };
    }
}

/// A simulator with the tensors of a launch in its HBM.
fn resident(checked: bool, values: &[f32]) -> (Simulator, HbmTensor, HbmTensor) {
    let builder = Simulator::builder().host_threads(1);
    let built = if checked { builder.build() } else { builder.unchecked().build() };
    let mut simulator = built.expect("this host has memory for a simulator");
    let x = HostTensor::from_slice(&[ELEMENTS], values).expect("as many values as elements");
    let x = simulator.upload(&x).expect("HBM has room");
    let out = simulator.zeros(Dtype::F32, &[ELEMENTS]).expect("HBM has room");
    (simulator, x, out)
}

fn relu(criterion: &mut Criterion) {
    let values = values();
    let mut expected = vec![0.0; values.len()];
    let mut group = criterion.benchmark_group("relu");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(ELEMENTS.into()));
    group.bench_function("native", |bencher| bencher.iter(|| native(black_box(&values), &mut expected)));

    let kernels: [(&str, &'static Op); 2] = [
        ("elements", op!(neuron_examples::relu::relu)),
        ("accessor", op!(neuron_tests::kernels::ranks::relu_ranked)),
    ];
    for (name, kernel) in kernels {
        for (mode, checked) in [("unchecked", false), ("checked", true)] {
            let (mut simulator, x, out) = resident(checked, &values);
            let mut launch = || simulator.launch_into(kernel, &args![&x], &out).expect("the launch is right");
            group.bench_function(BenchmarkId::new(name, mode), |bencher| bencher.iter(&mut launch));
            launch().assert_clean();
            let result = out.to_host().to_vec::<f32>().expect("an output of f32");
            assert_eq!(result, expected, "{name}, {mode}");
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    targets = relu
}
criterion_main!(benches);
