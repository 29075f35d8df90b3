//! Bulk copies between a tensor's worth of memory and a tile, both ways, beside memcpy: one tile after the other, so that
//! what is outside the tile comes from further away than the tile does.
//!
//! With `RUSTFLAGS="--cfg neuron_atomic_copies"` it measures the copies by atomic words.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use neuron_device::bulk;

/// Bytes of the tensor: a million f32.
const TENSOR: usize = 4 << 20;

/// Bytes of the tiles: small ones, the pool, and the whole of a core's memory.
const TILES: [usize; 5] = [64, 512, 4 << 10, 16 << 10, 64 << 10];

type Copy = unsafe fn(*const u8, *mut u8, usize);

/// Each with whether it reads the tensor.
const COPIES: [(&str, Copy, bool); 4] = [
    ("memcpy-in", std::ptr::copy_nonoverlapping, true),
    ("from-shared", bulk::copy_from_shared, true),
    ("memcpy-out", std::ptr::copy_nonoverlapping, false),
    ("to-shared", bulk::copy_to_shared, false),
];

fn copies(criterion: &mut Criterion) {
    // Words, so that both begin as tensors and tiles do; a byte of each is written, for its page to be there.
    let (mut tensor, mut tile) = (vec![1_u64; TENSOR / 8], vec![2_u64; (64 << 10) / 8]);
    let (tensor, tile) = (tensor.as_mut_ptr().cast::<u8>(), tile.as_mut_ptr().cast::<u8>());
    let mut group = criterion.benchmark_group("bulk");
    group.sampling_mode(SamplingMode::Flat);
    for bytes in TILES {
        group.throughput(Throughput::Bytes(bytes as u64));
        for (name, copy, inward) in COPIES {
            let mut at = 0;
            group.bench_function(BenchmarkId::new(name, bytes), |bencher| {
                bencher.iter(|| {
                    let there = tensor.wrapping_add(at);
                    at = (at + bytes) % TENSOR;
                    let (from, to) = if inward { (there, tile) } else { (tile, there) };
                    // SAFETY: `TENSOR` is a multiple of every tile, so `bytes` bytes are at both, and no other thread knows them.
                    unsafe { copy(black_box(from), black_box(to), bytes) }
                });
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300));
    targets = copies
}
criterion_main!(benches);
