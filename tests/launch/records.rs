//! Records as they are: what a core says of each wrong field, and what the host says before.

use neuron_device::prelude::*;
use neuron_device::{ArgDescriptor, ArgRecord, Layout, ViewExtension, WireDtype};
use neuron_host_sim::{Arg, HbmTensor, HostTensor, LaunchError, Outcome, Report, Simulator, Verdict, args};

use crate::{ramp, simulator, the};

#[custom_op(shape = eight)]
fn sum(q7: &Q7, x: &Tensor, alpha: Scalar, times: i64, out: &mut Tensor) -> Result<()> {
    let alpha = alpha.checked_to::<f32>().map_err(|error| error.about("alpha"))?;
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let sum: f32 = (0..src.numel()).map(|i| src.get(i)).sum();
    dst.set(q7.get_cpu_id().into(), sum * alpha * times as f32);
    Ok(())
}

fn eight(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::F32, &[8])
}

/// Two rows of three, 0 to 5.
fn rows(sim: &mut Simulator) -> HbmTensor {
    sim.upload(&ramp(&[2, 3])).unwrap()
}

/// The record of `x`, with this done to its bytes.
fn changed(x: &HbmTensor, change: impl FnOnce(&mut [u8; 48])) -> ArgDescriptor {
    let mut bytes = *x.descriptor().unwrap().record.as_bytes();
    change(&mut bytes);
    ArgDescriptor { record: ArgRecord::from_bytes(&bytes), view: None }
}

/// What every core says.
fn error(report: &Report) -> String {
    let texts: Vec<String> = report
        .cores()
        .iter()
        .map(|core| match &core.outcome {
            Outcome::Failed(error) => error.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
    // At a line of the author's.
    assert!(texts[0].contains(&format!(" (at {}:", file!())), "{}", texts[0]);
    texts[0].clone()
}

#[test]
fn a_good_record_is_as_good_as_a_tensor() {
    let mut sim = simulator();
    let x = rows(&mut sim);
    let record = x.descriptor().unwrap();
    for record in [record, ArgDescriptor { view: None, ..record }] {
        let report = sim.launch(op!(sum), &args![record, 2.0f32, 3i64]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [90.0; 8]);
    }
}

/// Each wrong field, on the cores: where it is and what it holds.
#[test]
fn a_core_names_each_wrong_field() {
    let mut sim = simulator();
    let x = rows(&mut sim);
    let word = |at: usize, value: u32| {
        move |bytes: &mut [u8; 48]| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes())
    };
    let byte = |at: usize, value: u8| changed(&x, |bytes| bytes[at] = value);
    let in_sbuf = |addr| {
        changed(&x, |bytes| {
            bytes[0] = 1;
            word(24, addr)(bytes);
            word(28, 6)(bytes);
            word(32, 1)(bytes);
            word(36, 6)(bytes);
        })
    };
    let table = [
        (byte(0, 0), "location INVALID (0) at byte 0"),
        (
            byte(0, 3),
            "location 3 at byte 0 is neither HBM (2) nor SBUF (1), and a core reaches nothing else: PSUM",
        ),
        (byte(1, 1), "shape_type 1 OUT_OF_LINE, on which the machine aborts, at byte 1"),
        (byte(1, 9), "shape_type 9 at byte 1"),
        (
            byte(2, WireDtype::Fp32r as u8),
            "dtype FP32R (11) at byte 2 does not cross to a core: torch has no",
        ),
        (byte(2, 77), "dtype code 77 at byte 2 does not exist"),
        (byte(14, 5), "size 5 at byte 14 follows a size of 0"),
        (changed(&x, |bytes| bytes[8..12].fill(0)), "the first size, at byte 8, is 0"),
        (byte(24, 2), "at byte 24 is not a multiple of the element size, 4 bytes"),
        (byte(32, 5), "num_elem 5 at byte 32 is not the product of the dimensions, 6"),
        (
            changed(&x, |bytes| bytes[24..32].copy_from_slice(&(u64::MAX - 7).to_le_bytes())),
            "byte 24, runs past the 64-bit address space",
        ),
        (
            in_sbuf(0x0008_0000),
            "0x00080000 at byte 24 is in dataram, where tensors are staged (0x80000), and a tensor in SBUF",
        ),
        (in_sbuf(0x8400_0000), "0x84000000 at byte 24 is in the window onto hbm_scratch (0x84000000)"),
        (
            in_sbuf(0x0200_0000),
            "0x02000000 at byte 24 is in the firmware's data (0x2000000), which no op reaches",
        ),
        (in_sbuf(0x817F_FFF0), "24 bytes at local address 0x817ffff0, byte 24, leave SBUF, the first 24 MiB"),
    ];
    for (record, expected) in table {
        let report = sim.launch(op!(sum), &args![record, 2.0f32, 3i64]).unwrap();
        let said = error(&report);
        assert!(said.starts_with("`x` ") && said.contains(expected), "{said}\ninstead of\n{expected}");
    }
}

#[test]
fn an_extension_that_does_not_fit_its_record_is_refused() {
    let mut sim = simulator();
    let x = rows(&mut sim);
    let good = x.descriptor().unwrap();
    let view = ViewExtension::new(x.layout(), 6);
    let table = [
        (ViewExtension { rank: 9, ..view }, "has a bad record: 9 dimensions: a tensor has at most 8"),
        (
            ViewExtension { rank: 1, ..view },
            "size 3 of dimension 1 is not the one its view extension of rank 1",
        ),
        (ViewExtension { storage_elems: 5, ..view }, "the view reaches 6 elements into a storage of 5"),
        (ViewExtension { offset: u64::MAX, ..view }, "has a bad record"),
        (ViewExtension { storage_elems: u64::MAX, ..view }, "runs past the 64-bit address space"),
    ];
    for (view, expected) in table {
        let record = ArgDescriptor { view: Some(view), ..good };
        let said = error(&sim.launch(op!(sum), &args![record, 2.0f32, 3i64]).unwrap());
        assert!(said.contains(expected), "{said}\ninstead of\n{expected}");
    }
}

/// A value by its record: its type is kept by a `Scalar`, and is not looked at by a plain one.
#[test]
fn values_by_their_records() {
    let mut sim = simulator();
    let x = rows(&mut sim);
    let one = |sim: &mut Simulator, value: HostTensor| sim.upload(&value).unwrap();
    let (half, three) = (
        one(&mut sim, HostTensor::from_slice(&[1], &[bf16::from_f32(0.5)]).unwrap()),
        one(&mut sim, HostTensor::scalar(3i64)),
    );
    let record = |tensor: &HbmTensor| Arg::Record(tensor.descriptor().unwrap());
    let report = sim.launch(op!(sum), &[(&x).into(), record(&half), record(&three)]).unwrap();
    report.assert_clean();
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [22.5; 8]);

    // The bits of 1.0f32 and the zeros behind them, as an i64.
    let pair = one(&mut sim, HostTensor::from_slice(&[2], &[1.0f32, 0.0]).unwrap());
    let single = ArgDescriptor { view: None, ..pair.narrow(0, 0, 1).unwrap().descriptor().unwrap() };
    let report = sim.launch(op!(sum), &[(&x).into(), record(&half), Arg::Record(single)]).unwrap();
    let fault = the(&report, Verdict::OtherValue);
    assert_eq!((fault.argument, &*fault.first, fault.count), ("times", "[0] of f32, read as i64", 8));
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [7.5 * 0x3F80_0000 as f32; 8]);
    assert!(matches!(report.to_replay(), Err(neuron_host_sim::replay::NotKept::Records)));

    // Where no i64 can be.
    let second = pair.narrow(0, 1, 1).unwrap();
    let said = error(&sim.launch(op!(sum), &[(&x).into(), record(&half), record(&second)]).unwrap());
    assert!(said.starts_with("`times` has a bad record: address ") && said.contains("8 bytes"), "{said}");

    // More than one element is no value.
    let said = error(&sim.launch(op!(sum), &[(&x).into(), record(&pair), 1i64.into()]).unwrap());
    assert!(said.starts_with("`alpha` has sizes [2], but must have [1]"), "{said}");
    let nan = one(&mut sim, HostTensor::scalar(1i8));
    let said = error(&sim.launch(op!(sum), &[record(&nan), record(&nan), 1i64.into()]).unwrap());
    assert!(said.starts_with("`x` has dtype i8, but the access asks for f32"), "{said}");
}

#[test]
fn records_count_as_arguments() {
    let mut sim = simulator();
    let x = rows(&mut sim);
    let record = x.descriptor().unwrap();
    let error = sim.launch(op!(sum), &args![record]).unwrap_err();
    assert!(matches!(error, LaunchError::ArgumentCount { wanted: 3, passed: 1, .. }), "{error}");
}

/// A record may point anywhere: at what is no memory, or at memory of others, which is read and changes nothing.
#[test]
fn wild_addresses_are_faults_and_nothing_worse() {
    let mut sim = simulator();
    let layout = Layout::contiguous(&[2, 3]).unwrap();
    for addr in [0, 0x10, 1 << 32, 0x10_0000_0000, u64::MAX - 0xFFF] {
        let addr = neuron_device::HbmAddr::new(addr);
        let record = ArgRecord::new(addr, Dtype::F32, &layout).unwrap();
        let report =
            sim.launch(op!(sum), &args![ArgDescriptor { record, view: None }, 2.0f32, 3i64]).unwrap();
        assert_eq!(report.output().sizes(), [8]);
    }
}

/// The first element of `x`, by a copy of all of it.
#[custom_op(shape = eight)]
fn staged(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f32>(6)?;
    let first = x.tensor_to_tcm(q7, Span { offset: 0, len: 6 }, &mut buffer)?[0];
    out.elements_mut::<f32>(q7)?.set(q7.get_cpu_id().into(), first);
    Ok(())
}

/// What a copy meets where there is no memory is said, and nothing is read there to say it: the second run of a core, which
/// looks at every access, comes out as the first.
#[test]
fn a_copy_from_where_there_is_no_memory_is_a_fault() {
    let mut sim = simulator();
    let layout = Layout::contiguous(&[2, 3]).unwrap();
    for addr in [0, 0x40, u64::MAX - 0xFFF] {
        let record = ArgRecord::new(neuron_device::HbmAddr::new(addr), Dtype::F32, &layout).unwrap();
        let report = sim.launch(op!(staged), &args![ArgDescriptor { record, view: None }]).unwrap();
        assert!(report.cores().iter().all(|core| core.outcome == Outcome::Returned), "{report}");
        assert!(report.faults().iter().any(|fault| fault.verdict == Verdict::NoMemory), "{report}");
    }
}

/// The table of docs/abi.md.
#[test]
fn the_table_of_dtypes_is_the_gate() {
    let page = include_str!("../../docs/abi.md");
    let rows: Vec<&str> =
        page.lines().filter(|line| line.starts_with("| ") && line.contains(" | ")).collect();
    for wire in WireDtype::ALL {
        let code = wire as u8;
        let row = match (wire.crosses(), wire.refusal()) {
            (Some(dtype), _) => {
                let (torch, number) = (dtype.torch_name(), dtype.torch_scalar_type());
                format!("| {code} | {} | {dtype} | {torch} ({number}) | |", wire.name())
            }
            (None, why) => format!("| {code} | {} | – | – | {} |", wire.name(), why.unwrap_or_default()),
        };
        assert!(rows.contains(&&*row), "{row}");
    }
}

/// `cargo xtask abi dtype CODE` runs this program: 0 for a code that crosses, 1 for one that does not, 2 for what is none.
#[test]
fn the_program_that_is_asked_for_a_code_says_what_the_gate_says() {
    let asked = |words: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_abi")).args(words).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    for code in 0..=16u8 {
        let (status, said) = asked(&["dtype", &code.to_string()]);
        assert_eq!(status, i32::from(WireDtype::gate(code).is_err()), "{said}");
        let name = WireDtype::from_code(code).map_or("does not exist", WireDtype::name);
        assert!(said.contains(name) && said.contains(&code.to_string()), "{said}");
    }
    assert_eq!(
        asked(&["dtype", "0x0a"]),
        (0, "dtype FP32 (10) crosses as f32, 32 bits; torch Float (6)\n".to_owned())
    );
    for wrong in [&["dtype"][..], &["dtype", "256"], &["dtype", "-1"], &["dtype", "f32"], &["code", "1"], &[]]
    {
        assert_eq!(asked(wrong).0, 2, "{wrong:?}");
    }
}
