//! Public cases in both profiles (`docs/cases.md`).

use neuron_device::prelude::*;
use neuron_device::{ArgDescriptor, ArgRecord, WireDtype};
use neuron_examples::{buggy_relu, gather, mul, relu, relu_staged, vector_add};
use neuron_host_sim::{DEFAULT_TCM, HostTensor, Outcome, Profile, Rule, Severity, Verdict, args, replay};

use super::{ACCESSORS, both, copy_share, eight, of};
use crate::{kernels, ramp, the};

#[test]
fn n01_the_published_relu() {
    for n in [17, 64] {
        let [report, _] = both(op!(buggy_relu::buggy_relu), &args![&ramp(&[n])], &[]);
        assert_eq!(report.is_clean(), n == 64, "{report}");
    }
}

#[test]
fn n02_the_remainder_belongs_to_nobody() {
    let [_, report] = both(op!(kernels::floor_split), &args![&ramp(&[9])], &[ACCESSORS]);
    let fault = the(&report, Verdict::NeverWritten);
    assert_eq!((fault.count, fault.first.as_str()), (1, "[8]"), "{report}");
}

/// The error names accessor, cores and line, and points to TCM.
#[test]
fn n03_accessors_on_eight_cores() {
    let [report, documented] = both(op!(relu::relu), &args![&ramp(&[64])], &[ACCESSORS]);
    report.assert_clean();
    let [x, out] = documented.faults() else { panic!("{documented}") };
    for (fault, argument) in [(x, "x"), (out, "out")] {
        assert_eq!((fault.verdict, fault.severity), (Verdict::NotDocumented, Severity::Error));
        assert_eq!(
            (fault.argument, fault.count, &fault.cores[..]),
            (argument, 8, &[0, 1, 2, 3, 4, 5, 6, 7][..])
        );
        assert!(fault.lines[0].site.file().ends_with("examples/src/relu.rs"), "{fault}");
        for words in
            ["accessors-on-several-cores", "Documented profile", "tensor_to_tcm", "Profile::Observed"]
        {
            assert!(fault.to_string().contains(words), "no {words} in {fault}");
        }
    }
    // On one core they are defined, and staged the kernel is right under both.
    let x = ramp(&[64]);
    assert!(of(Profile::Observed, 1).launch(op!(relu::relu), &args![&x]).unwrap().is_clean());
    both(op!(relu_staged::relu_staged), &args![&x], &[])[1].assert_clean();
}

/// A tile of 24 taken for a cube, and written back.
#[custom_op]
fn as_cube(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(24)?;
    if q7.get_cpu_id() == 0 {
        let tile = x.tensor_to_tcm(q7, Span { offset: 0, len: 24 }, &mut buffer)?;
        let planes = tile.as_chunks::<12>().0;
        assert!(planes[1].as_chunks::<4>().0[2] == [20.0, 21.0, 22.0, 23.0]);
        out.tcm_to_tensor(q7, 0, tile)?;
    }
    Ok(())
}

/// The destination that was taken is the output, whatever is returned, and both profiles warn.
#[test]
fn n04_a_tensor_returned_beside_the_destination() {
    let rules = [ACCESSORS, Rule::FactoriesOnSeveralCores];
    for report in both(op!(kernels::takes_and_returns), &args![&ramp(&[4])], &rules) {
        assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [1.0; 4]);
        assert_eq!(the(&report, Verdict::ReturnIgnored).severity, Severity::Warning);
        assert!(report.to_string().contains("returned tensor ignored"), "{report}");
    }
}

#[test]
fn n05_a_tile_of_another_shape() {
    let [report, documented] = both(op!(as_cube), &args![&ramp(&[24])], &[]);
    documented.assert_clean();
    assert_eq!(report.output().to_host().to_bytes(), ramp(&[24]).to_bytes());
}

#[test]
fn n06_a_broadcast_multiply() {
    let b = HostTensor::from_slice(&[2, 3, 1], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let b = b.expand(&[2, 3, 4]).unwrap();
    assert_eq!(b.layout().strides(), [3, 1, 0]);
    let [report, _] = both(op!(mul::mul), &args![&ramp(&[2, 3, 4]), &b], &[ACCESSORS]);
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap()[23], 138.0);
}

#[test]
fn n07_a_shape_mismatch_names_the_argument() {
    let (x, y) = (ramp(&[2, 3]), ramp(&[3, 2]));
    let arguments = args![&x, &y, 1.0f32];
    let reports = both(op!(vector_add::vector_add), &arguments, &[Rule::ScalarTypes]);
    for report in reports {
        assert!(report.to_string().contains("`y` has sizes [3, 2], but must have [2, 3]"), "{report}");
    }
}

#[test]
fn n08_an_index_out_of_range_is_named() {
    let x = HostTensor::from_slice(&[8], &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap().expand(&[5, 8]).unwrap();
    let index = HostTensor::from_slice(&[5, 1], &[0_i64, 3, 7, 8, -1]).unwrap();
    for report in both(op!(gather::gather), &args![&x, &index], &[ACCESSORS, Rule::Integers64]) {
        assert!(report.to_string().contains("`index` holds 8 at [3, 0]"), "{report}");
        assert!(report.to_string().contains("`index` holds -1 at [4, 0]"), "{report}");
    }
}

/// A byte more than the pool has.
#[custom_op]
fn takes_too_much(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (x, out);
    let _kept = q7.tcm_malloc::<u8>(64)?;
    q7.tcm_malloc::<u8>(DEFAULT_TCM + 1).map(|_| ())
}

#[test]
fn n10_more_tcm_than_there_is() {
    for report in both(op!(takes_too_much), &args![&ramp(&[1])], &[]) {
        let Outcome::Failed(error) = &report.cores()[0].outcome else { panic!("{report}") };
        let error = error.to_string();
        for words in ["16385 bytes", "16320 of 16384", "1 block", file!()] {
            assert!(error.contains(words), "no `{words}` in {error}");
        }
    }
}

/// A record of a dtype that the gate refuses: by its reason, on the cores, before the kernel runs.
#[test]
fn n11_a_dtype_that_does_not_cross() {
    for profile in [Profile::Observed, Profile::Documented] {
        let mut sim = of(profile, 8);
        let x = sim.upload(&ramp(&[4])).unwrap();
        for code in 0..16 {
            let mut bytes = *x.descriptor().unwrap().record.as_bytes();
            bytes[2] = code;
            let record = ArgDescriptor { record: ArgRecord::from_bytes(&bytes), view: None };
            let report = sim.launch(op!(takes_any), &args![record]).unwrap();
            match (WireDtype::gate(code), &report.cores()[0].outcome) {
                (Ok(_), Outcome::Returned) => {}
                (Err(_), Outcome::Failed(error)) => {
                    let reason = WireDtype::from_code(code).and_then(WireDtype::refusal).unwrap();
                    assert!(error.to_string().contains(reason), "{code}: {error}");
                }
                (_, outcome) => panic!("{code}: {outcome:?}"),
            }
        }
    }
}

#[custom_op(shape = eight)]
fn takes_any(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(1)?;
    out.tcm_to_tensor(q7, q7.get_cpu_id().into(), buffer.write_from([x.numel() as f32]))
}

/// The code of a core, where a file of tensors or of a launch belongs: what it is, and what to do.
#[test]
fn n14_a_cores_image_given_to_the_host() {
    let file = std::env::temp_dir().join(format!("neuron-n14-{}.so", std::process::id()));
    let mut image = b"\x7fELF\x01\x01\x01".to_vec();
    image.resize(18, 0);
    image.extend(94_u16.to_le_bytes());
    std::fs::write(&file, &image).unwrap();
    let texts = [
        HostTensor::from_npy_file(&file).unwrap_err().to_string(),
        replay::Replay::open(&file).unwrap_err().to_string(),
    ];
    std::fs::remove_file(&file).unwrap();
    for text in texts {
        for words in
            ["a 32-bit ELF file for Xtensa", "the code of a core", "link the program with the library"]
        {
            assert!(text.contains(words), "no `{words}` in {text}");
        }
    }
}

#[test]
fn n13_bf16_goes_in_and_comes_out() {
    let x = HostTensor::from_slice(&[3], &[1.0, -2.5, f32::NAN].map(bf16::from_f32)).unwrap();
    let [report, documented] = both(op!(staged_copy), &args![&x], &[]);
    documented.assert_clean();
    assert_eq!(report.output().to_host().to_bytes(), x.to_bytes());
}

#[custom_op]
fn staged_copy(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    copy_share::<bf16>(q7, x, out)
}

/// Core 0 changes its input, every core copies its share by TCM.
#[custom_op]
fn writes_its_input(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() == 0 {
        // SAFETY: the pointer is to the first element of `x`, which has one and is in memory.
        unsafe { x.q7_data_ptr::<f32>()?.store(q7, 9.0) }
    }
    copy_share::<f32>(q7, x, out)
}

#[test]
fn l19_an_input_is_written_or_returned() {
    for report in both(op!(writes_its_input), &args![&ramp(&[8])], &[]) {
        let fault = the(&report, Verdict::InputWritten);
        assert_eq!((fault.argument, fault.first.as_str()), ("x", "[0]"), "{report}");
    }
    for report in both(op!(kernels::returns_input), &args![&ramp(&[8])], &[]) {
        assert!(report.to_string().contains("`x` was returned but was not made by this core"), "{report}");
    }
}

/// Goes on without the work it has no room for.
#[custom_op]
fn skips_its_work(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _all = q7.tcm_malloc::<u8>(DEFAULT_TCM)?;
    for tile in q7.partition_flat(x.numel()).tiles(8) {
        if let Ok(mut buffer) = q7.tcm_malloc::<f32>(8) {
            let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
            out.tcm_to_tensor(q7, tile.offset, values)?;
        }
    }
    Ok(())
}

#[test]
fn d24_skipped_work_shows() {
    for report in both(op!(skips_its_work), &args![&ramp(&[64])], &[]) {
        assert_eq!(the(&report, Verdict::NeverWritten).count, 64, "{report}");
    }
}

/// Five of four elements, and one after the end.
#[custom_op]
fn reads_on(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut src = x.read_stream_accessor::<f32>(q7, 0..4)?;
    let mut buffer = q7.tcm_malloc::<f32>(5)?;
    let five: [f32; 5] = std::array::from_fn(|_| src.read());
    src.close();
    src.read();
    if q7.get_cpu_id() == 0 {
        out.tcm_to_tensor(q7, 0, buffer.write_from(five))?;
    }
    Ok(())
}

#[test]
fn d28_past_the_end_and_after_close() {
    let x = ramp(&[5]);
    for report in both(op!(reads_on), &args![&x], &[ACCESSORS]) {
        assert_eq!(the(&report, Verdict::PastTheStream).count, 8, "{report}");
        assert_eq!(the(&report, Verdict::AfterClose).count, 8, "{report}");
    }
}
