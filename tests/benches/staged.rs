//! What goes through tiles in fast memory: ReLU over a million elements, and softmax over the rows of a matrix. By hand on the
//! host, and by kernels on eight simulated cores, all on one thread.

mod resident;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use neuron_device::op;
use neuron_device::prelude::*;
use neuron_host_sim::HostTensor;
use resident::Resident;

const ELEMENTS: u32 = 1 << 20;

/// Elements of a tile.
const TILE: usize = 1024;

/// Copy in, compute where it is fast, copy out: what staging is measured against.
fn native_tiles(x: &[f32], out: &mut [f32]) {
    let mut tile = [0.0; TILE];
    for (from, to) in x.chunks(TILE).zip(out.chunks_mut(TILE)) {
        let tile = &mut tile[..from.len()];
        tile.copy_from_slice(black_box(from));
        for v in black_box(&mut *tile) {
            *v = if *v < 0.0 { 0.0 } else { *v };
        }
        to.copy_from_slice(black_box(tile));
    }
}

/// What an iterator is measured against: every element is loaded by itself.
fn native_elements(x: &[f32], out: &mut [f32]) {
    for i in 0..black_box(ELEMENTS as usize) {
        let v = black_box(x[i]);
        out[i] = if v < 0.0 { 0.0 } else { v };
    }
}

/// A stream as an iterator, and one that is written element by element.
#[custom_op]
fn relu_iterated(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let src = x.read_stream_accessor::<f32>(q7, share)?;
    let mut dst = out.write_stream_accessor::<f32>(q7, share)?;
    for v in src {
        dst.write(if v < 0.0 { 0.0 } else { v });
    }
    Ok(())
}

fn staged(criterion: &mut Criterion) {
    let values: Vec<f32> = (0..ELEMENTS).map(|index| (index % 4096) as f32 - 2047.5).collect();
    let mut expected = vec![0.0; values.len()];
    native_tiles(&values, &mut expected);
    let mut group = criterion.benchmark_group("staged");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(ELEMENTS.into()));
    group.bench_function("native-elements", |bencher| {
        bencher.iter(|| native_elements(black_box(&values), &mut expected))
    });
    group.bench_function("native-tiles", |bencher| {
        bencher.iter(|| native_tiles(black_box(&values), &mut expected))
    });
    let x = HostTensor::from_slice(&[ELEMENTS], &values).expect("as many values as elements");
    let mut bench = |name, op| Resident::new(op, x.clone()).bench(&mut group, name, &expected);
    bench("tiles", op!(neuron_examples::relu_staged::relu_staged));
    bench("chunks", op!(neuron_examples::relu_streamed::relu_streamed));
    bench("iterator", op!(relu_iterated));
    group.finish();
}

/// Rows and columns of the matrix.
const SIDE: usize = 1024;

/// Each row in passes over a place of its own, with the `exp` of kernels.
fn native_softmax(x: &[f32], out: &mut [f32]) {
    let mut powers = [0.0; SIDE];
    for (row, results) in x.chunks(SIDE).zip(out.chunks_mut(SIDE)) {
        let row = black_box(row);
        let largest = row.iter().copied().fold(f32::NEG_INFINITY, math::max);
        powers.iter_mut().zip(row).for_each(|(power, v)| *power = math::exp(*v - largest));
        let sum: f32 = powers.iter().sum();
        results.iter_mut().zip(&powers).for_each(|(result, power)| *result = power / sum);
    }
}

fn softmax(criterion: &mut Criterion) {
    let values: Vec<f32> = (0..SIDE * SIDE).map(|index| (index * 7 % 4096) as f32 / 512.0 - 4.0).collect();
    let mut expected = vec![0.0; values.len()];
    native_softmax(&values, &mut expected);
    let mut group = criterion.benchmark_group("softmax");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Elements(values.len() as u64));
    group.bench_function("native", |bencher| {
        bencher.iter(|| native_softmax(black_box(&values), &mut expected))
    });
    let x = HostTensor::from_slice(&[SIDE as u32; 2], &values).expect("as many values as elements");
    let kernel = op!(neuron_examples::softmax_staged::softmax_staged);
    Resident::new(kernel, x).bench(&mut group, "staged", &expected);
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    targets = staged, softmax
}
criterion_main!(benches);
