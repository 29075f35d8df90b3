//! Staging: TCM, streams and copies, in the simulator.

mod own;

use neuron_device::{CopyCounters, Dtype, Element, Op, Scalar, op, prelude::*};
use neuron_examples::{EXAMPLES, PLACES, ROWS, STAGED, sum};
use neuron_host_sim::{Arg, DmaTiming, HostTensor, Simulator, args};

use crate::{ramp, simulator};

/// Simulators of 1, 2, 7 and 8 cores, in both timings of the DMA engine, checked or not.
fn simulators() -> impl Iterator<Item = Simulator> {
    let timings = [DmaTiming::AtOnce, DmaTiming::AtWait];
    let settings = timings.into_iter().flat_map(|timing| [(timing, false), (timing, true)]);
    settings.flat_map(|(timing, unchecked)| {
        [1, 2, 7, 8].map(|cores| {
            let builder = Simulator::builder().cores(cores).dma_timing(timing).host_threads(1);
            if unchecked { builder.unchecked() } else { builder }.build().unwrap()
        })
    })
}

/// An op and the one whose bits it must give.
struct Pair {
    staged: &'static Op,
    like: &'static Op,
}

fn pair(name: &str) -> Pair {
    let base = ["_staged", "_streamed", "_tiled"].iter().find_map(|way| name.strip_suffix(way)).unwrap();
    let mut libraries = [&EXAMPLES, &ROWS, &PLACES].into_iter();
    let like = libraries.find_map(|library| library.op(base)).unwrap();
    Pair { staged: STAGED.op(name).unwrap(), like }
}

/// Values of both signs, some of them equal; no two neighbours.
fn values(dtype: Dtype, sizes: &[u32], seed: u32) -> HostTensor {
    let numel = sizes.iter().product::<u32>();
    let number = |i: u32| (((i + seed) * 7) % 23) as f32 - 11.0;
    match_dtype!(dtype, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let values: Vec<T> = (0..numel).map(|i| number(i).cast::<T>()).collect();
        Ok::<_, Error>(HostTensor::from_slice(sizes, &values).unwrap())
    })
    .unwrap()
}

impl Pair {
    /// Launch both: the bits must be the same, and the staged op's report clean. What that one copied.
    #[track_caller]
    fn compare(&self, sim: &mut Simulator, arguments: &[Arg<'_>]) -> CopyCounters {
        let report = sim.launch(self.staged, arguments).unwrap();
        report.assert_clean();
        let wanted = sim.launch(self.like, arguments).unwrap().output().to_host();
        let found = report.output().to_host();
        let name = self.staged.name();
        assert_eq!(found.sizes(), wanted.sizes(), "{name}");
        assert!(found.to_bytes() == wanted.to_bytes(), "{name} of {:?} on {} cores", found, sim.cores());
        report.total().copies
    }
}

/// D30, S10, S21: sizes around a tile, every dtype, 1 to 8 cores, both DMA timings, checked or not.
#[test]
fn d30_sizes_around_a_tile() {
    let [staged, streamed, added] = ["relu_staged", "relu_streamed", "vector_add_staged"].map(pair);
    for mut sim in simulators() {
        for numel in [0, 1, 1023, 1024, 1025, 2048, 2049, 3 * 1024 + 5] {
            for dtype in Dtype::ALL {
                let x = values(dtype, &[numel], numel);
                staged.compare(&mut sim, &args![&x]);
                streamed.compare(&mut sim, &args![&x]);
            }
            for numel in [numel, numel / 2, 8 * numel] {
                let (x, y) = (values(Dtype::F32, &[numel], 1), values(Dtype::F32, &[numel], 2));
                added.compare(&mut sim, &args![&x, &y, 0.1_f32]);
            }
        }
    }
}

/// D30: rows that are shorter than a tile, as long, and longer.
#[test]
fn d30_rows_around_a_tile() {
    let [softmax, layer_norm] = ["softmax_staged", "layer_norm_staged"].map(pair);
    for mut sim in simulators() {
        for sizes in [[3, 0], [0, 4], [1, 1], [9, 7], [200, 10], [2, 1023], [3, 1024], [2, 1025], [1, 2060]] {
            for dtype in [Dtype::F32, Dtype::F16, Dtype::BF16] {
                let x = values(dtype, &sizes, sizes[0]);
                softmax.compare(&mut sim, &args![&x]);
                let [weight, bias] = [1, 2].map(|seed| values(dtype, &sizes[1..], seed));
                layer_norm.compare(&mut sim, &args![&x, &weight, &bias, 1e-5_f32]);
            }
        }
    }
}

/// F05, F06: rows longer than a tile with a NaN or an infinity in one tile or another, or with nothing else.
#[test]
fn f05_f06_special_values_in_long_rows() {
    const LEN: usize = 2500;
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let with = |rest: f32, places: &[(usize, f32)]| {
        let mut row = [rest; LEN];
        places.iter().for_each(|&(at, value)| row[at] = value);
        row
    };
    let rows = [
        (with(1.0, &[(0, nan)]), [nan; LEN]),
        (with(1.0, &[(LEN - 1, nan)]), [nan; LEN]),
        (with(1.0, &[(1500, inf)]), [nan; LEN]),
        (with(-inf, &[]), [nan; LEN]),
        (with(-inf, &[(7, 0.0), (2400, 0.0)]), with(0.0, &[(7, 0.5), (2400, 0.5)])),
        (with(-1000.0, &[(1100, 1000.0)]), with(0.0, &[(1100, 1.0)])),
    ];
    let [x, wanted] = [0, 1]
        .map(|side| rows.iter().flat_map(|row| if side == 0 { row.0 } else { row.1 }).collect::<Vec<f32>>());
    let x = HostTensor::from_slice(&[rows.len() as u32, LEN as u32], &x).unwrap();
    for mut sim in simulators() {
        let report = sim.launch(STAGED.op("softmax_staged").unwrap(), &args![&x]).unwrap();
        report.assert_clean();
        let found = report.output().to_host().to_vec::<f32>().unwrap();
        let same = |(a, b): (&f32, &f32)| a == b || (a.is_nan() && b.is_nan());
        assert!(found.iter().zip(&wanted).all(same));
    }
}

/// D30: matrices that are no whole number of tiles, narrow and flat ones, transposed already or not.
#[test]
fn d30_tiles_of_a_matrix() {
    let transpose = pair("transpose_tiled");
    for mut sim in simulators().filter(|sim| sim.cores() != 7) {
        for sizes in [[0, 4], [4, 0], [1, 1], [45, 45], [46, 91], [700, 3], [3, 700], [1, 2100], [2100, 1]] {
            for dtype in [Dtype::F32, Dtype::I8, Dtype::BF16, Dtype::I64] {
                let x = values(dtype, &sizes, sizes[1]);
                transpose.compare(&mut sim, &args![&x]);
                transpose.compare(&mut sim, &args![&x.transpose(0, 1).unwrap()]);
            }
        }
    }
}

/// As few descriptors as the shape of a tile allows.
#[test]
fn a_transposition_takes_few_descriptors() {
    let transpose = pair("transpose_tiled");
    let mut sim = simulator();
    // Rows and columns, whole tiles of f32, descriptors of a whole tile.
    for (sizes, tiles, of_each) in
        [([45, 45], 1, 2), ([90, 450], 20, 90), ([2048, 1], 1, 2), ([4096, 2], 4, 3), ([2, 4096], 4, 3)]
    {
        let copies = transpose.compare(&mut sim, &args![&values(Dtype::F32, &sizes, 0)]);
        assert_eq!((copies.dma_calls, copies.descriptors), (2 * tiles, tiles * of_each), "{sizes:?}");
    }
}

/// S21, and what the host is left to do: eight parts, and the same bits on any number of cores.
#[test]
fn s21_a_sum_does_not_depend_on_the_number_of_cores() {
    for dtype in Dtype::ALL {
        for numel in [0, 1, 7, 8, 9, 1000, 8 * 1024 + 3, 40_001] {
            let x = values(dtype, &[numel], 3);
            let mut seen: Option<Vec<u8>> = None;
            for mut sim in simulators() {
                let report = sim.launch(op!(sum::sum), &args![&x]).unwrap();
                report.assert_clean();
                let bytes = report.output().to_host().to_bytes();
                assert_eq!(*seen.get_or_insert_with(|| bytes.clone()), bytes, "{dtype} {numel}");
            }
            let parts = HostTensor::from_bytes(
                if dtype.is_float() { Dtype::F32 } else { Dtype::I64 },
                &[8],
                &seen.unwrap(),
            );
            let wanted: i64 = (0..numel).map(|i| number_of(&x, i as usize)).sum();
            let found = if dtype.is_float() {
                parts.unwrap().to_vec::<f32>().unwrap().iter().sum::<f32>() as i64
            } else {
                parts.unwrap().to_vec::<i64>().unwrap().iter().sum()
            };
            assert_eq!(found, wanted, "{dtype} {numel}");
        }
    }
}

/// F13, F20: halves are added in f32 and integers in i64, and the host rounds once.
#[test]
fn f13_f20_the_host_adds_wide_sums() {
    let parts = |x: &HostTensor| simulator().launch(op!(sum::sum), &args![x]).unwrap().output().to_host();
    let x = HostTensor::from_slice(&[20_000], &[bf16::from_f32(0.5); 20_000]).unwrap();
    let sum = parts(&x).to_vec::<f32>().unwrap().iter().sum::<f32>();
    assert_eq!(sum.cast::<bf16>(), bf16::from_f32(9984.0));
    let x = HostTensor::from_slice(&[4096], &[f16::ONE; 4096]).unwrap();
    assert_eq!(parts(&x).to_vec::<f32>().unwrap().iter().sum::<f32>(), 4096.0);
    let x = HostTensor::from_slice(&[3], &[i32::MAX; 3]).unwrap();
    assert_eq!(parts(&x).to_vec::<i64>().unwrap().iter().sum::<i64>(), 6_442_450_941);
}

/// An element that is an integer.
fn number_of(x: &HostTensor, at: usize) -> i64 {
    let size = x.dtype().size() as usize;
    match_dtype!(x.dtype(), f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        let one = HostTensor::from_bytes(x.dtype(), &[1], &x.to_bytes()[at * size..][..size]).unwrap();
        Ok::<_, Error>(one.to_vec::<T>().unwrap()[0].cast::<i64>())
    })
    .unwrap()
}

/// L20: nothing is transferred for a tensor without elements.
#[test]
fn l20_no_copy_of_nothing() {
    for mut sim in simulators() {
        for sizes in [&[0][..], &[0, 4], &[4, 0]] {
            let x = values(Dtype::F32, sizes, 0);
            let row = values(Dtype::F32, &[sizes[sizes.len() - 1]], 0);
            let unit = Scalar::from(1.0_f32);
            let mut launches: Vec<(&str, Vec<Arg<'_>>)> = vec![
                ("relu_staged", args![&x].into()),
                ("relu_streamed", args![&x].into()),
                ("vector_add_staged", args![&x, &x, unit].into()),
                ("sum", args![&x].into()),
            ];
            if sizes.len() == 2 {
                launches.push(("softmax_staged", args![&x].into()));
                launches.push(("layer_norm_staged", args![&x, &row, &row, unit].into()));
                launches.push(("transpose_tiled", args![&x].into()));
            }
            for (name, arguments) in launches {
                let report = sim.launch(STAGED.op(name).unwrap(), &arguments).unwrap();
                report.assert_clean();
                let copies = report.total().copies;
                // The sum of nothing is 0, eight times.
                let (calls, bytes) = if name == "sum" { (sim.cores().into(), 8 * 4) } else { (0, 0) };
                assert_eq!((copies.dma_calls, copies.descriptors), (calls, calls), "{name} {sizes:?}");
                assert_eq!((copies.bytes_in, copies.bytes_out), (0, bytes), "{name} {sizes:?}");
                // Its values alone.
                assert!(report.total().translations() <= sim.cores().into(), "{name} {sizes:?}");
            }
        }
    }
}

/// The text of an error that every core returned.
#[track_caller]
fn refused(op: &'static Op, arguments: &[Arg<'_>]) -> String {
    let report = simulator().launch(op, arguments).unwrap();
    assert!(report.faults().is_empty() && report.total().copies.bytes() == 0, "{report}");
    report.to_string()
}

/// L01, L04: what sweeps through storage refuses a permuted tensor, with its name, sizes and strides.
#[test]
fn l01_l04_copies_and_streams_refuse_what_has_gaps() {
    let turned = ramp(&[2, 3]).transpose(0, 1).unwrap();
    let permuted = ramp(&[2, 3, 4]).permute(&[2, 0, 1]).unwrap();
    for (x, view) in [
        (&turned, "(its sizes are [3, 2], its strides [1, 3])"),
        (&permuted, "(its sizes are [4, 2, 3], its strides [1, 12, 4])"),
    ] {
        let dense = ramp(x.sizes());
        for text in [
            refused(STAGED.op("relu_staged").unwrap(), &args![x]),
            refused(STAGED.op("relu_streamed").unwrap(), &args![x]),
            refused(STAGED.op("vector_add_staged").unwrap(), &args![x, &dense, 1.0_f32]),
            refused(STAGED.op("sum").unwrap(), &args![x]),
        ] {
            assert!(text.contains("`x`") && text.contains(view), "{text}");
        }
        let text = refused(STAGED.op("vector_add_staged").unwrap(), &args![&dense, x, 1.0_f32]);
        assert!(text.contains("`y`") && text.contains(view), "{text}");
    }
}

/// L01, L04: asked for by its name, storage order is had; over a like output that is right for a function of each element.
#[test]
fn l01_l04_storage_order_on_purpose() {
    let turned = ramp(&[2, 3]).transpose(0, 1).unwrap();
    let permuted = ramp(&[20, 30, 4]).permute(&[2, 0, 1]).unwrap();
    for mut sim in simulators() {
        for x in [&turned, &permuted] {
            let wanted: Vec<f32> = x.to_vec::<f32>().unwrap().iter().map(|v| -v).collect();
            for by_streams in [0, 1] {
                let zeros = vec![0.0_f32; x.numel() as usize];
                let storage =
                    sim.upload(&HostTensor::from_slice(&[zeros.len() as u32], &zeros).unwrap()).unwrap();
                let strides: Vec<i64> = x.layout().strides().iter().map(|&stride| stride as i64).collect();
                let out = storage.as_strided(x.sizes(), &strides, 0).unwrap();
                let negated = op!(own::negated_in_storage_order);
                let report = sim.launch_into(negated, &args![x, by_streams], &out).unwrap();
                report.assert_clean();
                assert_eq!(out.to_host().to_vec::<f32>().unwrap(), wanted, "{by_streams}");
            }
        }
    }
}

/// L12: one row stands for four, and no more than it is there; each time it is a piece.
#[test]
fn l12_stride_0_is_staged() {
    for mut sim in simulators().filter(|sim| sim.cores() == 1) {
        for (x, descriptors) in [
            (ramp(&[1, 3]).expand(&[4, 3]).unwrap(), 6 + 3),
            (HostTensor::scalar(2.5_f32).expand(&[5]).unwrap(), 5 + 1),
        ] {
            assert!(x.storage_elems() <= 3);
            let report = sim.launch(op!(own::strided), &args![&x]).unwrap();
            report.assert_clean();
            assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), x.to_vec::<f32>().unwrap());
            let copies = report.total().copies;
            assert_eq!((copies.bytes_in, copies.bytes_out), (4 * x.numel(), 4 * x.numel()));
            assert_eq!(copies.descriptors, descriptors, "{report}");
        }
    }
}

/// N05: a tile taken for another shape holds the same elements, where they were.
#[test]
fn n05_a_tile_of_another_shape() {
    for mut sim in simulators() {
        let report = sim.launch(op!(own::as_cube), &args![&ramp(&[24])]).unwrap();
        report.assert_clean();
        let out = report.output().to_host();
        assert_eq!(out.sizes(), [2, 3, 4]);
        assert_eq!(out.to_vec::<f32>().unwrap(), ramp(&[24]).to_vec::<f32>().unwrap());
    }
}

/// S14: blocks of TCM whose lives are one within the other, and a slice of the outer one.
#[test]
fn s14_lives_within_lives() {
    let x: Vec<i32> = (0..12 * 8).map(|i| i * i % 37).collect();
    let wanted: Vec<i32> = (0..x.len()).map(|at| x[at] + if at % 12 < 4 { x[at + 8] } else { 0 }).collect();
    for mut sim in simulators().filter(|sim| 8 % sim.cores() == 0) {
        let report =
            sim.launch(op!(own::nested), &args![&HostTensor::from_slice(&[96], &x).unwrap()]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().to_host().to_vec::<i32>().unwrap(), wanted);
    }
}
