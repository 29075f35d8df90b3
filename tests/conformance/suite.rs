//! The cases: what every platform must do alike.

use neuron_device::{Dtype, Element, Layout, Scalar, bf16, f16, op};
use neuron_examples::{EXAMPLES, PLACES, ROWS, STAGED, sum};
use neuron_host_sim::HostTensor;

pub(crate) use crate::factories::*;
use crate::harness::{Given, Harness, Ran, Wanted};
use crate::kernels;
pub(crate) use crate::staging::*;

fn counting(sizes: &[u32]) -> HostTensor {
    let numel: u32 = sizes.iter().product();
    HostTensor::from_slice(sizes, &(0..numel as i32).collect::<Vec<_>>()).unwrap()
}

fn like(x: &HostTensor) -> Wanted {
    Wanted::contiguous(x.dtype(), x.sizes())
}

pub(crate) fn every_core_knows_its_number(harness: &mut impl Harness) {
    let cores = harness.cores() as i32;
    let x = counting(&[cores as u32, 3]);
    let ran = harness.run(op!(kernels::identity), &[(&x).into()], like(&x));
    let expected: Vec<i32> = (0..cores).flat_map(|core| [core, cores, 3 * cores]).collect();
    assert_eq!(ran.values::<i32>(), expected);
}

pub(crate) fn shares_cover_each_element_once(harness: &mut impl Harness) {
    let cores = harness.cores();
    for n in [0, 1, 7, 8, 9, 17, 64, 65] {
        let x = counting(&[n]);
        let ran = harness.run(op!(kernels::shares), &[(&x).into()], like(&x));
        assert_eq!(ran.values::<i32>(), vec![2; n as usize], "{n} elements");
        let ran = harness.run(op!(kernels::whole_tiles), &[(&x).into()], like(&x));
        let expected: Vec<i32> = (0..n).map(|i| (n - i / 4 * 4).min(4) as i32).collect();
        assert_eq!(ran.values::<i32>(), expected, "{n} elements in tiles");
        let ran = harness.run(op!(kernels::ceiling), &[(&x).into()], like(&x));
        let share = n.div_ceil(cores);
        let expected: Vec<i32> = (0..n).map(|i| (n - i / share * share).min(share) as i32).collect();
        assert_eq!(ran.values::<i32>(), expected, "{n} elements by the ceiling split");
    }
}

fn copied<T: Element>(harness: &mut impl Harness, patterns: &[T]) {
    let x = HostTensor::from_slice(&[patterns.len() as u32], patterns).unwrap();
    let ran = harness.run(op!(kernels::copy), &[(&x).into()], like(&x));
    ran.values::<T>();
    assert_eq!(ran.output.to_bytes(), x.to_bytes(), "{}", T::DTYPE);
}

/// N13, S03, F11: every pattern comes through as it is, NaNs with their payload.
pub(crate) fn every_dtype_is_copied_bit_for_bit(harness: &mut impl Harness) {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    copied(harness, &all.iter().map(|&bits| bf16::from_bits(bits)).collect::<Vec<_>>());
    copied(harness, &all.iter().map(|&bits| f16::from_bits(bits)).collect::<Vec<_>>());
    copied(harness, &(0..=u8::MAX).collect::<Vec<_>>());
    copied(harness, &(i8::MIN..=i8::MAX).collect::<Vec<_>>());
    copied(harness, &[i16::MIN, -1, 0, 1, i16::MAX]);
    copied(harness, &[i32::MIN, -1, 0, 1, i32::MAX]);
    copied(harness, &[i64::MIN, -1, 0, 1, i64::MAX, 1 << 32]);
    copied(
        harness,
        &[0x7FC0_0000, 0x7F80_0001, 0xFFFF_FFFF, 0x8000_0000, 1, 0x7F80_0000].map(f32::from_bits),
    );
}

/// L01, L04, L05: permuted, sliced, offset and repeated inputs are read as they lie.
pub(crate) fn views_are_read_as_they_lie(harness: &mut impl Harness) {
    let base = counting(&[4, 6]);
    let views = [
        base.transpose(0, 1).unwrap(),
        base.slice(1, 1, 6, 2).unwrap(),
        base.slice(0, 3, 4, 1).unwrap().transpose(0, 1).unwrap(),
        base.as_strided(&[3, 4], &[0, 2], 5).unwrap(),
        base.as_strided(&[], &[], 23).unwrap(),
        base.as_strided(&[1, 5], &[999, 1], 2).unwrap(),
        counting(&[2, 3, 4]).transpose(0, 2).unwrap(),
    ];
    for view in views {
        let ran = harness.run(op!(kernels::copy), &[(&view).into()], like(&view));
        assert_eq!(ran.values::<i32>(), view.to_vec::<i32>().unwrap(), "{view:?}");
    }
}

/// L07: an output that is a view is written where it lies, and nothing else is.
pub(crate) fn views_are_written_as_they_lie(harness: &mut impl Harness) {
    let x = counting(&[2, 3]);
    for (strides, offset) in [([3, 1], 4), ([1, 2], 0), ([8, 2], 3), ([1, 5], 1)] {
        let layout = Layout::strided(&[2, 3], &strides, offset).unwrap();
        let wanted = Wanted { dtype: Dtype::I32, storage: 20, layout };
        let ran = harness.run(op!(kernels::copy), &[(&x).into()], wanted);
        assert_eq!(ran.values::<i32>(), [0, 1, 2, 3, 4, 5], "{layout:?}");
        let mut expected = [0; 20];
        (0..6).for_each(|i| expected[layout.offset_of_flat(i) as usize] = i as i32);
        assert_eq!(ran.storage.to_vec::<i32>().unwrap(), expected, "{layout:?}");
    }
}

pub(crate) fn ranks_one_to_three_by_accessor(harness: &mut impl Harness) {
    let cube = counting(&[5, 3, 4]);
    let inputs = [counting(&[9]), counting(&[5, 7]), counting(&[5, 7]).transpose(0, 1).unwrap()];
    for x in inputs.iter().chain([&cube, &cube.transpose(0, 2).unwrap(), &cube.slice(1, 0, 3, 2).unwrap()]) {
        let ran = harness.run(op!(kernels::copy_ranked), &[x.into()], like(x));
        assert_eq!(ran.values::<i32>(), x.to_vec::<i32>().unwrap(), "{x:?}");
    }
}

/// L20, L21: no dimensions is one element, an empty dimension none, wherever it is.
pub(crate) fn tensors_without_dimensions_or_elements(harness: &mut impl Harness) {
    for sizes in [&[][..], &[0], &[0, 4], &[4, 0], &[2, 0, 3], &[1, 1, 1, 1, 1, 1, 1, 1]] {
        let x = counting(sizes);
        let ran = harness.run(op!(kernels::copy), &[(&x).into()], like(&x));
        assert_eq!(ran.values::<i32>(), x.to_vec::<i32>().unwrap(), "{sizes:?}");
        assert_eq!(ran.output.sizes(), sizes);
    }
}

pub(crate) fn values_of_every_type_arrive(harness: &mut impl Harness) {
    let x = counting(&[3]);
    let (half, brain) = (f16::from_f32(1.5), bf16::from_f32(-2.0));
    let any = [
        Scalar::I8(-3),
        Scalar::U8(200),
        Scalar::I16(-300),
        Scalar::BF16(brain),
        Scalar::F16(half),
        Scalar::I32(i32::MIN),
        Scalar::F32(f32::INFINITY),
        Scalar::I64(i64::MIN + 1),
    ];
    for scalar in any {
        let given = [(-7i32).into(), (&x).into(), 2.5f32.into(), Given::Value(scalar), (1i64 << 40).into()];
        let ran = harness.run(op!(kernels::values), &given, Wanted::contiguous(Dtype::I64, &[6]));
        let (bytes, len) = scalar.to_bytes();
        let expected = [-7, i64::from(2.5f32.to_bits()), i64::from_le_bytes(bytes), len as i64, 1 << 40, 0];
        assert_eq!(ran.values::<i64>(), expected, "{scalar:?}");
    }
}

pub(crate) fn the_destination_may_stand_anywhere(harness: &mut impl Harness) {
    // `copy` has it first, `difference` in the middle, `values` last.
    assert_eq!(op!(kernels::copy).parameters().len(), 1);
    let names: Vec<_> =
        op!(kernels::difference).parameters().iter().map(|parameter| parameter.name).collect();
    assert_eq!(names, ["x", "y"]);
    let x = counting(&[10]);
    let ran = harness.run(op!(kernels::copy), &[(&x).into()], like(&x));
    assert_eq!(ran.values::<i32>(), x.to_vec::<i32>().unwrap());
    let y = HostTensor::from_slice(&[10], &[100; 10]).unwrap();
    let ran = harness.run(op!(kernels::difference), &[(&x).into(), (&y).into()], like(&x));
    assert_eq!(ran.values::<i32>(), (0..10).map(|v| v - 100).collect::<Vec<_>>());
}

pub(crate) fn returned_tensors_are_copied_back(harness: &mut impl Harness) {
    for n in [0, 1, 5, 8, 17, 1000] {
        let x = counting(&[n]);
        let ran = harness.run(op!(kernels::returned), &[(&x).into()], like(&x));
        assert_eq!(ran.values::<i32>(), (0..n as i32).map(|v| -v).collect::<Vec<_>>());
    }
}

/// A core's columns are separate pieces of storage; what other cores wrote is not overwritten.
pub(crate) fn returned_pieces_are_copied_back(harness: &mut impl Harness) {
    let x = counting(&[8, 11]);
    let transposed = x.transpose(0, 1).unwrap();
    let ran = harness.run(op!(kernels::returned_in_pieces), &[(&x).into()], like(&transposed));
    assert_eq!(ran.values::<i32>(), transposed.to_vec::<i32>().unwrap());
}

/// D18: a tensor that lies across a 16 MiB window edge.
pub(crate) fn a_window_edge_is_crossed(harness: &mut impl Harness) {
    // Whatever the address, a storage of 5 Mi elements of 4 bytes holds an edge, and so do these views.
    let x = counting(&[5 << 20]);
    let sparse = x.slice(0, 0, 5 << 20, 1 << 10).unwrap();
    let ran = harness.run(op!(kernels::copy), &[(&sparse).into()], like(&sparse));
    assert_eq!(ran.values::<i32>(), sparse.to_vec::<i32>().unwrap());
}

fn misused(harness: &mut impl Harness, how: i32) -> Ran {
    let x = counting(&[4, 6]);
    harness.run(op!(kernels::misuse), &[(&x).into(), how.into()], like(&x))
}

/// L22, F16: the error names the argument, what it is, what was asked, and the line.
pub(crate) fn wrong_dtype_and_rank_are_errors(harness: &mut impl Harness) {
    let table = [
        (0, "`x` has dtype i32, but the access asks for f32"),
        (1, "`x` has 2 dimensions [4, 6], but the accessor has 3"),
        (4, "`x` cannot be viewed so: slice 1..9 with step 1 of a dimension of size 4"),
        (9, "`out` has 2 dimensions [4, 6], but the accessor has 1"),
    ];
    for (how, text) in table {
        let ran = misused(harness, how);
        assert!(ran.failure().starts_with(text), "{}", ran.failure());
        assert!(ran.failure().contains("conformance/kernels.rs:"), "{}", ran.failure());
    }
}

/// L19: a view or a clone of an input is an input too.
pub(crate) fn inputs_cannot_be_written(harness: &mut impl Harness) {
    for how in [2, 3] {
        let ran = misused(harness, how);
        assert!(
            ran.failure().starts_with("`x` is an input (or a view or clone of one)"),
            "{}",
            ran.failure()
        );
    }
}

pub(crate) fn scratch_runs_out_with_an_error(harness: &mut impl Harness) {
    let ran = misused(harness, 5);
    assert!(ran.failure().starts_with("`scratch` needs 4294967296 bytes"), "{}", ran.failure());
    let ran = misused(harness, 6);
    assert!(ran.failure().contains("all 32 block descriptors are in use"), "{}", ran.failure());
}

pub(crate) fn kept_tensors_are_refused(harness: &mut impl Harness) {
    let x = counting(&[4]);
    harness.run(op!(kernels::keeps), &[(&x).into()], like(&x));
    let ran = harness.run(op!(kernels::keeps), &[(&x).into()], like(&x));
    let refused = ran.cores.iter().filter_map(|core| core.as_ref().err());
    let refused: Vec<_> =
        refused.filter(|text| text.starts_with("`x` belongs to an earlier launch")).collect();
    assert!(!refused.is_empty(), "{:?}", ran.cores);
}

pub(crate) fn errors_are_the_kernels_own(harness: &mut impl Harness) {
    let ran = misused(harness, 7);
    assert!(ran.failure().starts_with("`how`: the kernel's own words (at "), "{}", ran.failure());
}

/// One core's panic is its own; the platform works on.
pub(crate) fn panics_are_contained(harness: &mut impl Harness) {
    assert_eq!(misused(harness, 8).failure(), "on purpose");
    let x = counting(&[9]);
    let ran = harness.run(op!(kernels::copy), &[(&x).into()], like(&x));
    assert_eq!(ran.values::<i32>(), x.to_vec::<i32>().unwrap());
}

/// Whole tiles, parts of one, rows longer than one, and nothing at all: by copies, streams and copies under way.
pub(crate) fn staged_ops_give_the_bits_of_those_by_accessor(harness: &mut impl Harness) {
    for sizes in [[0, 4], [4, 0], [3, 5], [9, 1024], [2, 1025], [1, 3000], [300, 7]] {
        let numel: u32 = sizes.iter().product();
        let of = |sizes: &[u32], seed: u32| {
            let values = (0..numel.max(sizes[0])).map(|i| ((i + seed) * 37 % 101) as f32 / 8.0 - 6.0);
            HostTensor::from_slice(
                sizes,
                &values.take(sizes.iter().product::<u32>() as usize).collect::<Vec<_>>(),
            )
            .unwrap()
        };
        let (x, y) = (of(&sizes, 1), of(&sizes, 2));
        let (weight, bias) = (of(&sizes[1..], 3), of(&sizes[1..], 4));
        let (given, half) = (Given::from(&x), Given::from(0.5_f32));
        let (like, turned) = (like(&x), Wanted::contiguous(Dtype::F32, &[sizes[1], sizes[0]]));
        for (staged, base, arguments, wanted) in [
            ("relu_staged", EXAMPLES.op("relu"), vec![given.clone()], like),
            ("relu_streamed", EXAMPLES.op("relu"), vec![given.clone()], like),
            (
                "vector_add_staged",
                EXAMPLES.op("vector_add"),
                vec![given.clone(), (&y).into(), half.clone()],
                like,
            ),
            ("softmax_staged", ROWS.op("softmax"), vec![given.clone()], like),
            (
                "layer_norm_staged",
                ROWS.op("layer_norm"),
                vec![given.clone(), (&weight).into(), (&bias).into(), half],
                like,
            ),
            ("transpose_tiled", PLACES.op("transpose"), vec![given.clone()], turned),
        ] {
            let [found, expected] = [STAGED.op(staged), base].map(|op| {
                let ran = harness.run(op.unwrap(), &arguments, wanted);
                ran.values::<f32>();
                ran.storage.to_bytes()
            });
            assert!(found == expected, "{staged} of {sizes:?} on {} cores", harness.cores());
        }
        let parts = Wanted::contiguous(Dtype::F32, &[sum::PARTS]);
        let sum: f32 = harness.run(op!(sum::sum), &[given], parts).values::<f32>().iter().sum();
        // Eighths, of which f32 holds every sum exactly.
        assert_eq!(sum, x.to_vec::<f32>().unwrap().iter().sum::<f32>(), "{sizes:?}");
    }
}
