//! ReLU over a million elements: a native loop, and kernels on eight simulated cores, all on one thread.

mod resident;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use neuron_device::{bf16, op};
use neuron_host_sim::HostTensor;
use resident::Resident;

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

/// Rows and columns of a tensor that is read by columns. No power of two apart, which a processor's cache punishes: that
/// would be measured, in the native loop as well.
const ROWS: u32 = 1000;
const COLUMNS: u32 = 1048;

/// Reads where the kernel over the transposed view reads, in the same order, and writes one element after the other.
fn native_transposed(x: &[f32], out: &mut [f32]) {
    let (rows, columns) = black_box((ROWS as usize, COLUMNS as usize));
    for column in 0..columns {
        for row in 0..rows {
            let v = black_box(x[row * columns + column]);
            out[column * rows + row] = if v < 0.0 { 0.0 } else { v };
        }
    }
}

fn relu(criterion: &mut Criterion) {
    let values = values();
    let mut expected = vec![0.0; values.len()];
    native(&values, &mut expected);
    let mut group = criterion.benchmark_group("relu");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(ELEMENTS.into()));
    group.bench_function("native", |bencher| bencher.iter(|| native(black_box(&values), &mut expected)));

    let x = HostTensor::from_slice(&[ELEMENTS], &values).expect("as many values as elements");
    let elements = op!(neuron_examples::relu::relu);
    Resident::new(elements, x.clone()).bench(&mut group, "elements", &expected);
    Resident::new(op!(neuron_tests::kernels::ranks::relu_ranked), x).bench(&mut group, "accessor", &expected);

    let halves = |values: &[f32]| values.iter().copied().map(bf16::from_f32).collect::<Vec<_>>();
    let x = HostTensor::from_slice(&[ELEMENTS], &halves(&values)).expect("as many values as elements");
    Resident::new(elements, x).bench(&mut group, "bf16", &halves(&expected));
    group.finish();
}

fn transposed(criterion: &mut Criterion) {
    let values = &values()[..(ROWS * COLUMNS) as usize];
    let mut expected = vec![0.0; values.len()];
    native_transposed(values, &mut expected);
    let mut group = criterion.benchmark_group("relu-transposed");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements((ROWS * COLUMNS).into()));
    group.bench_function("native", |bencher| {
        bencher.iter(|| native_transposed(black_box(values), &mut expected))
    });
    let x = HostTensor::from_slice(&[ROWS, COLUMNS], values).expect("as many values as elements");
    let kernel = Resident {
        view: |x| x.transpose(0, 1).expect("two dimensions"),
        output: vec![COLUMNS, ROWS],
        ..Resident::new(op!(neuron_examples::relu::relu), x)
    };
    kernel.bench(&mut group, "elements", &expected);
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    targets = relu, transposed
}
criterion_main!(benches);
