//! The cases that stage: TCM, copies, streams.

use neuron_device::{CopyCounters, CopyMethod, Dtype, Element, Number, bf16, f16, op};
use neuron_examples::STAGED;
use neuron_host_sim::HostTensor;

use crate::harness::{Harness, Wanted};
use crate::staged;

const METHODS: [CopyMethod; 3] = [CopyMethod::CMemcpy, CopyMethod::VecMemcpy, CopyMethod::Dma];

fn counting(sizes: &[u32]) -> HostTensor {
    let numel: u32 = sizes.iter().product();
    HostTensor::from_slice(sizes, &(0..numel as i32).collect::<Vec<_>>()).unwrap()
}

fn like(x: &HostTensor) -> Wanted {
    Wanted::contiguous(x.dtype(), x.sizes())
}

fn relu_of<T: Element + Number>(harness: &mut impl Harness, numel: u32) {
    let values: Vec<T> = (0..numel).map(|i| (i as i32 * 7 % 23 - 11).cast::<T>()).collect();
    let x = HostTensor::from_slice(&[numel], &values).unwrap();
    let wanted: Vec<T> = values.iter().map(|&v| if v < T::ZERO { T::ZERO } else { v }).collect();
    for name in ["relu_staged", "relu_streamed"] {
        let ran = harness.run(STAGED.op(name).unwrap(), &[(&x).into()], like(&x));
        assert_eq!(ran.values::<T>(), wanted, "{name} of {numel}");
    }
}

/// D30: sizes around a tile and around a buffer, of every width.
pub(crate) fn staged_kernels_are_right_at_every_size(harness: &mut impl Harness) {
    for numel in [0, 1, 1023, 1025, 4097, 8 * 1024 + 3] {
        relu_of::<i8>(harness, numel);
        relu_of::<bf16>(harness, numel);
        relu_of::<f32>(harness, numel);
        relu_of::<i64>(harness, numel);
    }
}

/// D18: copies of every method cross a window edge, whatever their size and alignment, and leave their neighbours alone.
pub(crate) fn copies_cross_a_window_edge(harness: &mut impl Harness) {
    let x = HostTensor::zeros(Dtype::U8, &[1]).unwrap();
    for method in METHODS {
        let wanted = Wanted::contiguous(Dtype::U8, &[staged::EDGE_BYTES]);
        let ran = harness.run(op!(staged::across_an_edge), &[(&x).into(), (method as i32).into()], wanted);
        assert!(ran.cores.iter().all(Result::is_ok), "{:?}", ran.cores);
        let found = ran.output.to_bytes();
        let edge = u32::from_le_bytes(found[..4].try_into().unwrap());
        let mut model = vec![0; found.len()];
        model[..4].copy_from_slice(&edge.to_le_bytes());
        for core in 0..harness.cores() {
            let middle = u64::from(edge) - u64::from(core) * staged::PLACE;
            for bytes in staged::sizes() {
                for number in 0..8 {
                    let start = middle.wrapping_add_signed(staged::lies(bytes, number).0) as usize;
                    model[start..start + bytes as usize].copy_from_slice(staged::values(bytes, number));
                }
            }
        }
        let differs = || found.iter().zip(&model).position(|(a, b)| a != b);
        assert!(found[..] == model[..], "{method:?}: byte {:?} of {edge}", differs());
    }
}

/// What a core copies, loads and translates is counted alike, whoever watches.
pub(crate) fn copies_are_counted(harness: &mut impl Harness) {
    let cores = u64::from(harness.cores());
    for numel in [0_u32, 1, 5, 1000, 20_000] {
        let x = counting(&[numel]);
        for method in METHODS {
            let ran = harness.run(op!(staged::counted), &[(&x).into(), (method as i32).into()], like(&x));
            assert_eq!(ran.values::<i32>(), x.to_vec::<i32>().unwrap());
            for (core, counters) in (0..).zip(&ran.counters) {
                let numel = u64::from(numel);
                let share = numel / cores + u64::from(core < numel % cores);
                let tiles = share.div_ceil(staged::TILE.into());
                let refills = share.div_ceil(1024);
                let column = share.div_ceil(2).min(staged::TILE.into());
                let calls = 2 * tiles + 3 * refills + u64::from(column > 0);
                let pieces = 2 * tiles + 3 * refills + column;
                let by_dma = method == CopyMethod::Dma;
                let wanted = CopyCounters {
                    dma_calls: if by_dma { calls } else { 0 },
                    descriptors: if by_dma { pieces } else { 0 },
                    core_copies: if by_dma { 0 } else { calls },
                    // Of the three streams that have a buffer.
                    tcm_loads: 3 * share,
                    bytes_in: 4 * (share + 3 * share + column),
                    bytes_out: 4 * share,
                    unbuffered_streams: if share > 0 { 2 } else { 0 },
                    tcm_peak: if share > 0 { 448 + 3 * 4096 } else { 400 },
                    ..CopyCounters::NONE
                };
                assert_eq!(counters.copies, wanted, "core {core}, {numel} elements by {method:?}");
                // `method` is a load, and so is each element of two streams and of the column that is looked at.
                assert_eq!((counters.loads, counters.stores), (1 + 2 * share + column, 0));
                let own = if by_dma { 0 } else { pieces };
                assert_eq!(counters.translations(), counters.loads + own);
            }
        }
    }
}

fn rotated<T: Element + Number>(harness: &mut impl Harness, numel: u32) {
    let values: Vec<T> = (0..numel).map(|i| (i as i32 % 121).cast::<T>()).collect();
    let x = HostTensor::from_slice(&[numel], &values).unwrap();
    let mut wanted = values;
    wanted.rotate_left(1);
    for method in METHODS {
        let ran = harness.run(op!(staged::rotated), &[(&x).into(), (method as i32).into()], like(&x));
        assert_eq!(ran.values::<T>(), wanted, "{numel} of {} by {method:?}", T::DTYPE);
    }
}

pub(crate) fn streams_go_through_shares_of_views(harness: &mut impl Harness) {
    for numel in [1, 2, 9, 1026, 4097, 9000] {
        rotated::<u8>(harness, numel);
        rotated::<f16>(harness, numel);
        rotated::<i32>(harness, numel);
        rotated::<i64>(harness, numel);
    }
}

pub(crate) fn copies_under_way_arrive(harness: &mut impl Harness) {
    for numel in [0, 1, 256, 257, 5000, 20_000] {
        let x = counting(&[numel]);
        let ran = harness.run(op!(staged::in_flight), &[(&x).into()], like(&x));
        assert_eq!(ran.values::<i32>(), (1..=numel as i32).collect::<Vec<_>>());
    }
}

pub(crate) fn scattered_elements_are_staged(harness: &mut impl Harness) {
    for sizes in [[1, 1], [3, 40], [40, 3], [7, 8], [0, 4], [4, 0]] {
        let x = counting(&sizes);
        let transposed = x.transpose(0, 1).unwrap();
        let ran = harness.run(op!(staged::transposed_by_dma), &[(&x).into()], like(&transposed));
        assert_eq!(ran.values::<i32>(), transposed.to_vec::<i32>().unwrap(), "{sizes:?}");
        let descriptors: u64 = ran.counters.iter().map(|counters| counters.copies.descriptors).sum();
        let [rows, columns] = sizes.map(u64::from);
        assert_eq!(descriptors, if rows == 0 { 0 } else { columns * (rows + 1) });
    }
}
