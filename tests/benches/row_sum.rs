//! Sums along the rows of a million elements: a native loop, and a kernel on eight simulated cores, all on one thread.

mod resident;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use neuron_device::op;
use neuron_host_sim::HostTensor;
use resident::Resident;

const ROWS: u32 = 1 << 10;
const COLUMNS: u32 = 1 << 10;

/// Every element is loaded by itself, at an index that is checked, and added to the sum of those before it.
fn native(x: &[f32], out: &mut [f32]) {
    let (rows, columns) = black_box((ROWS as usize, COLUMNS as usize));
    for row in 0..rows {
        let mut sum = 0.0;
        for column in 0..columns {
            sum += black_box(x[row * columns + column]);
        }
        out[row] = sum;
    }
}

fn row_sum(criterion: &mut Criterion) {
    let values: Vec<f32> = (0..ROWS * COLUMNS).map(|index| (index % 4096) as f32 - 2047.5).collect();
    let mut expected = vec![0.0; ROWS as usize];
    native(&values, &mut expected);
    let mut group = criterion.benchmark_group("row-sum");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements((ROWS * COLUMNS).into()));
    group.bench_function("native", |bencher| bencher.iter(|| native(black_box(&values), &mut expected)));
    let x = HostTensor::from_slice(&[ROWS, COLUMNS], &values).expect("as many values as elements");
    let kernel =
        Resident { output: vec![ROWS], ..Resident::new(op!(neuron_tests::kernels::ranks::row_sum), x) };
    kernel.bench(&mut group, "accessor", &expected);
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    targets = row_sum
}
criterion_main!(benches);
