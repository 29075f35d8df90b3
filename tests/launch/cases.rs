//! Public fault cases (`docs/cases.md`), each by its id, as far as a launch of this layer shows them.

use neuron_device::{Access, Dtype, Element, bf16, f16, op};
use neuron_host_sim::{HostTensor, LaunchError, Simulator, Verdict, args};

use crate::{found, kernels, ramp, simulator};

/// N01: the published multicore ReLU, at the lengths the issue names and at the small ones around eight.
#[test]
fn n01_the_last_core_starts_too_far() {
    for n in [1u64, 7, 8, 9, 17, 4096, 4103] {
        let x = ramp(&[n as u32]);
        let report = simulator().launch(op!(neuron_examples::buggy_relu::buggy_relu), &args![&x]).unwrap();
        // The last core has `last` elements instead of `n / 8`, and starts at 7 times that instead of 7 times this.
        let last = n - n / 8 * 7;
        let too_far = (8 * last).saturating_sub(n).min(last);
        let expected = match too_far {
            0 => vec![],
            _ => vec![
                (Verdict::PastTheEnd, "x", too_far),
                (Verdict::PastTheEnd, "out", too_far),
                (Verdict::NeverWritten, "out", too_far),
            ],
        };
        assert_eq!(found(&report), expected, "n = {n}\n{report}");
        assert!(report.faults().iter().take(2).all(|fault| fault.cores == [7]));
        // Those that wrote, and the one that wanted to.
        assert!(report.faults().iter().skip(2).all(|fault| fault.cores.last() == Some(&7)), "{report}");
    }
}

/// L30, M02: a write past the end of `a` neither lands in the tensor behind it nor passes.
#[test]
fn l30_a_stray_write_does_not_land_in_the_neighbour() {
    let mut sim = simulator();
    let both = sim.zeros(Dtype::F32, &[17]).unwrap();
    let (a, b) = (both.slice(0, 0, 8, 1).unwrap(), both.slice(0, 8, 16, 1).unwrap());
    let report = sim.launch_into(op!(kernels::column_too_far), &args![&ramp(&[2, 4])], &as_rows(&a)).unwrap();
    assert_eq!(report.faults().iter().filter(|fault| fault.access == Access::Write).count(), 2, "{report}");
    assert_eq!(b.to_host().to_vec::<f32>().unwrap(), [0.0; 8]);
}

fn as_rows(a: &neuron_host_sim::HbmTensor) -> neuron_host_sim::HbmTensor {
    a.as_strided(&[2, 4], &[4, 1], a.layout().offset()).unwrap()
}

/// L32: an index out of range is a fault with its index, not junk.
#[test]
fn l32_the_index_is_named() {
    let report = simulator().launch(op!(kernels::column_too_far), &args![&ramp(&[2, 5])]).unwrap();
    let read = &report.faults()[0];
    assert_eq!((read.access, read.first.as_str(), read.count), (Access::Read, "[0, 5]", 1), "{report}");
}

/// Of four faults of one line each, two are beyond the tensor and two beyond a dimension only.
#[test]
fn past_a_dimension_is_told_from_past_the_end() {
    let report = simulator().launch(op!(kernels::column_too_far), &args![&ramp(&[3, 4])]).unwrap();
    let mut seen: Vec<_> =
        report.faults().iter().map(|fault| (fault.verdict, fault.access, fault.count)).collect();
    seen.sort();
    let expected = [
        (Verdict::PastTheEnd, Access::Read, 1),
        (Verdict::PastTheEnd, Access::Write, 1),
        (Verdict::PastADimension, Access::Read, 2),
        (Verdict::PastADimension, Access::Write, 2),
    ];
    assert_eq!(seen, expected, "{report}");
}

/// N07, L22: a mismatch names the argument, and both shapes when there are two.
#[test]
fn n07_a_shape_mismatch_names_the_argument() {
    let (x, y) = (ramp(&[2, 3]), ramp(&[3, 2]));
    let report =
        simulator().launch(op!(neuron_examples::vector_add::vector_add), &args![&x, &y, 1.0f32]).unwrap();
    assert!(
        report
            .to_string()
            .contains("cores 0 to 7 returned an error: `y` has sizes [3, 2], but must have [2, 3]"),
        "{report}"
    );
}

/// L05: an element selected, without dimensions, is the one at its offset.
#[test]
fn l05_the_offset_of_a_selected_element_counts() {
    let s = HostTensor::from_slice(&[3], &[9f32, 2.0, 7.0]).unwrap();
    for (i, expected) in [36.0f32, 8.0, 28.0].into_iter().enumerate() {
        let x = s.select(0, i as u32).unwrap();
        let report = simulator().launch(op!(neuron_examples::scale::scale), &args![&x, 4.0f32]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().sizes(), [0u32; 0]);
        assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [expected]);
    }
}

/// L11: a column repeated, plus a transposed tensor.
#[test]
fn l11_expanded_plus_transposed() {
    let x = ramp(&[4, 1]).expand(&[4, 3]).unwrap();
    let y = ramp(&[3, 4]).transpose(0, 1).unwrap();
    let report =
        simulator().launch(op!(neuron_examples::vector_add::vector_add), &args![&x, &y, 1.0f32]).unwrap();
    report.assert_clean();
    let expected = [0.0, 4.0, 8.0, 2.0, 6.0, 10.0, 4.0, 8.0, 12.0, 6.0, 10.0, 14.0];
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), expected);
}

/// L12: an input of stride 0 is passed as it lies: one element of storage, none copied.
#[test]
fn l12_a_broadcast_is_not_copied() {
    let mut sim = simulator();
    let one = sim.upload(&HostTensor::scalar(2.5f32)).unwrap();
    let x = one.expand(&[100, 10]).unwrap();
    assert_eq!((x.storage_elems(), x.storage()), (1, one.storage()));
    let report = sim.launch(op!(neuron_examples::relu::relu), &args![&x]).unwrap();
    report.assert_clean();
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [2.5; 1000]);
}

/// L15: an output whose elements share a place is refused.
#[test]
fn l15_an_output_of_stride_0_is_refused() {
    let mut sim = simulator();
    let one = sim.zeros(Dtype::F32, &[1]).unwrap();
    let out = one.as_strided(&[3], &[0], 0).unwrap();
    let error = sim.launch_into(op!(neuron_examples::relu::relu), &args![&ramp(&[3])], &out).unwrap_err();
    assert_eq!(error, LaunchError::OutputOverlaps { op: "relu", strides: vec![0] });
}

/// L20, L21: empty tensors and tensors without dimensions, through the examples.
#[test]
fn l20_l21_nothing_and_one_value() {
    for sizes in [&[][..], &[0], &[0, 4], &[4, 0]] {
        let report = simulator().launch(op!(neuron_examples::relu::relu), &args![&ramp(sizes)]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().sizes(), sizes);
        let report =
            simulator().launch(op!(neuron_examples::scale::scale), &args![&ramp(sizes), 3.0f32]).unwrap();
        report.assert_clean();
    }
    let x = HostTensor::scalar(2.5f32);
    let report = simulator().launch(op!(neuron_examples::relu::relu), &args![&x]).unwrap();
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [2.5]);
}

/// L27: more elements than a record counts are refused, before any memory is used.
#[test]
fn l27_more_elements_than_32_bits_count() {
    let mut sim = simulator();
    let one = sim.zeros(Dtype::U8, &[1]).unwrap();
    let huge = one.as_strided(&[65535, 65535, 2], &[0, 0, 0], 0).unwrap();
    let error = sim.launch(op!(neuron_examples::relu::relu), &args![&huge]).unwrap_err();
    assert!(error.to_string().contains("8589672450 elements do not fit"), "{error}");
}

/// S10, S21: every number of cores gives the same output.
#[test]
fn s21_core_counts_agree() {
    let x = ramp(&[4103]);
    for cores in 1..=8 {
        let mut sim = Simulator::builder().cores(cores).build().unwrap();
        let report = sim.launch(op!(neuron_examples::relu::relu), &args![&x]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().to_host().to_bytes(), x.to_bytes(), "{cores} cores");
    }
}

/// D20: four regions in turn miss every time, three once each.
#[test]
fn d20_a_working_set_above_three_windows_thrashes() {
    let mut sim = simulator();
    // 64 MiB of zeros of which four pages are touched.
    let x = sim.zeros(Dtype::F32, &[16 << 20]).unwrap();
    for (regions, misses, evictions) in [(4, 64, 61), (3, 3, 0)] {
        let report = sim.launch(op!(kernels::four_regions), &args![&x, regions]).unwrap();
        report.assert_clean();
        // The value of `regions` lies in the first region too: its miss stands for that of the first read.
        let counters = report.cores()[5].counters;
        assert_eq!((counters.misses(), counters.evictions()), (misses, evictions), "{regions} regions");
    }
}

/// F01, F24: NaN, infinities and -0 through the examples, bit for bit.
#[test]
fn f01_relu_keeps_nan_and_minus_zero() {
    let x = [f32::NAN, -1.0, 0.0, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e-40, -1e-40];
    let x = HostTensor::from_slice(&[8], &x).unwrap();
    let report = simulator().launch(op!(neuron_examples::relu::relu), &args![&x]).unwrap();
    let bits: Vec<u32> =
        report.output().to_host().to_vec::<f32>().unwrap().iter().map(|v| v.to_bits()).collect();
    let expected = [f32::NAN, 0.0, 0.0, f32::INFINITY, 0.0, -0.0, 1e-40, 0.0].map(f32::to_bits);
    assert_eq!(bits, expected);
}

/// F16: two bytes are not read as four.
#[test]
fn f16_bf16_read_as_f32_is_an_error() {
    let x = HostTensor::from_slice(&[8], &[bf16::from_f32(1.14e-5); 8]).unwrap();
    // By copy and by accessor.
    for (op, sizes) in
        [(op!(neuron_examples::buggy_relu::buggy_relu), &[8][..]), (op!(kernels::half), &[8, 1])]
    {
        let report = simulator().launch(op, &args![&x.reshape(sizes).unwrap()]).unwrap();
        let text = "cores 0 to 7 returned an error: `x` has dtype bf16, but the access asks for f32";
        assert!(report.to_string().contains(text), "{report}");
        assert_eq!(report.total().loads, 0);
    }
}

/// F04: a comparison with NaN is false, so a mask says which way NaN goes by how it is written. (torch is no reference
/// here.)
fn masks<T: Element>() {
    let values = [f32::NAN, -1.0, -0.0, 0.0, 3.0, 6.0, 7.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let values: Vec<T> = values.map(f32::cast).to_vec();
    let x = HostTensor::from_slice(&[10], &values).unwrap();
    for (nan_passes, nan) in [(1, 1.0), (0, 0.0)] {
        let report = simulator().launch(op!(kernels::passes_between), &args![&x, nan_passes]).unwrap();
        report.assert_clean();
        let expected = [nan, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, nan];
        let expected: Vec<T> = expected.map(f32::cast).to_vec();
        let expected = HostTensor::from_slice(&[10], &expected).unwrap();
        assert_eq!(report.output().to_host().to_bytes(), expected.to_bytes(), "{}", T::DTYPE);
    }
}

#[test]
fn f04_nan_falls_where_the_mask_says() {
    masks::<f32>();
    masks::<f16>();
    masks::<bf16>();
}
