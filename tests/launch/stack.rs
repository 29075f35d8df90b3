//! Kernels on stacks of their own: which one, how deep, and what happens at its end (`docs/machine.md`, section 10).

use std::hint::black_box;

use neuron_device::prelude::*;
use neuron_device::{Error, Parameter, ParameterKind, StackKind};
use neuron_host_sim::{
    Arg, DEFAULT_HOST_STACK_BYTES, FaultKind, HostTensor, Outcome, Part, Report, Severity, Simulator,
    SimulatorBuilder, StackSettings, Verdict, args,
};

/// Is a kernel switched on this host?
const SWITCHED: bool = cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")));

/// A stack of a megabyte, for what is not to overflow.
const LARGE: StackSettings = StackSettings { local: 1 << 20, most: 4 << 20, host_bytes: 2 };

/// Host bytes of a stack for byte, so that an array is as large on it as it is.
fn exact(local: u32) -> StackSettings {
    StackSettings { local, host_bytes: 1, ..StackSettings::default() }
}

/// Writes to an array of `N` bytes, and returns one of them.
#[inline(never)]
fn array<const N: usize>(at: u64) -> u8 {
    let mut bytes = [at as u8; N];
    black_box(&mut bytes)[at as usize % N] += 1;
    bytes[at as usize % N]
}

/// Copies; cores whose first element is not 0 need an array of 64 KiB first, and say what came after it.
#[custom_op]
fn hungry(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
    for i in q7.partition_flat(x.numel()) {
        dst.set(i, src.get(i));
        if src.get(i) != 0 {
            black_box(array::<65536>(i));
            dst.set(i, -1);
        }
    }
    Ok(())
}

/// Calls itself for ever.
#[custom_op]
fn endless(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    #[inline(never)]
    fn deeper(q7: &Q7, x: &Tensor, depth: u64) -> Result<f32> {
        let below = if black_box(depth) == u64::MAX { 0.0 } else { deeper(q7, x, depth + 1)? };
        Ok(below + x.elements::<f32>(q7)?.get(black_box(depth) % x.numel()))
    }
    out.elements_mut::<f32>(q7)?.set(0, deeper(q7, x, 0)?);
    Ok(())
}

/// Has an array of 5 KiB.
#[custom_op]
fn five_kib(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let byte = array::<5120>(x.numel());
    let dst = out.elements_mut::<i32>(q7)?;
    q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, byte.into()));
    Ok(())
}

#[custom_op(stack_size = 200_000)]
fn deep(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    black_box(array::<65536>(x.numel()));
    let dst = out.elements_mut::<i32>(q7)?;
    q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, 7));
    Ok(())
}

fn machine(stack: StackSettings) -> SimulatorBuilder {
    Simulator::builder().stack(stack)
}

/// Eight elements, one for each core, of which these are 1.
fn marked(cores: &[usize]) -> HostTensor {
    let values: Vec<i32> = (0..8).map(|core| cores.contains(&core).into()).collect();
    HostTensor::from_slice(&[8], &values).unwrap()
}

fn overflowed(report: &Report) -> Vec<u32> {
    report
        .cores()
        .iter()
        .filter(|core| core.outcome == Outcome::StackOverflow)
        .map(|core| core.core)
        .collect()
}

/// D25: an array that is larger than the stack.
#[test]
fn d25_an_array_larger_than_the_stack_stops_the_core_there_and_then() {
    if !SWITCHED {
        return;
    }
    for builder in [machine(exact(20_000)), machine(exact(20_000)).unchecked()] {
        for threads in [1, 3, 8] {
            let mut sim = builder.host_threads(threads).build().unwrap();
            let report = sim.launch(op!(hungry), &args![&marked(&[2, 5])]).unwrap();
            assert_eq!(overflowed(&report), [2, 5], "{report}");
            let [fault] = report.faults() else { panic!("{report}") };
            assert_eq!((fault.verdict, fault.kind()), (Verdict::StackOverflow, FaultKind::Stack));
            assert_eq!((fault.severity, &fault.cores[..]), (Severity::Error, &[2, 5][..]));
            let stack = fault.stack.unwrap();
            assert_eq!((stack.kind, stack.limit), (StackKind::Local, 20_000));
            assert!(0 < stack.used && stack.used <= 20_000, "{stack:?}");
            assert_eq!((fault.lines[0].part, fault.lines[0].site.file()), (Part::StackAsked, file!()));
            // Nothing came after it.
            let output = report.output().to_host().to_vec::<i32>().unwrap();
            assert!(output.iter().all(|&value| value != -1), "{output:?}");
            let text = format!("{report:#}");
            assert!(text.contains("cores 2, 5 stopped: its stack overflowed"), "{text}");
            assert!(
                text.contains("the core's own stack overflowed: it has 20000 bytes, and was written "),
                "{text}"
            );
            assert_eq!(report.to_json()["faults"][0]["stack"]["limit"], 20_000);
            // The simulator is as good as new.
            sim.launch(op!(hungry), &args![&marked(&[])]).unwrap().assert_clean();
        }
    }
}

/// D25, with the numbers of the row: 5 KiB on a stack of 4196 bytes.
#[test]
fn d25_five_kib_on_a_stack_of_4196_bytes() {
    if !SWITCHED {
        return;
    }
    for builder in [machine(exact(4196)), machine(exact(1000))] {
        let report = builder.build().unwrap().launch(op!(five_kib), &args![&marked(&[])]).unwrap();
        assert_eq!(overflowed(&report), (0..8).collect::<Vec<_>>());
        let stack = report.faults()[0].stack.unwrap();
        // Of 1000 bytes fewer are left than the op asks for: it has 4196 in HBM.
        let kind = if stack.kind == StackKind::Hbm { "the stack in HBM" } else { "the core's own stack" };
        let text =
            format!("{kind} overflowed: it has 4196 bytes, and was written {} bytes down before", stack.used);
        assert!(format!("{report:#}").contains(&text) && stack.limit == 4196, "{report}");
    }
    machine(exact(64 << 10))
        .build()
        .unwrap()
        .launch(op!(five_kib), &args![&marked(&[])])
        .unwrap()
        .assert_clean();
}

#[test]
fn recursion_without_an_end_stops_every_core_again_and_again() {
    if !SWITCHED {
        return;
    }
    let x = HostTensor::zeros(Dtype::F32, &[8]).unwrap();
    for settings in [StackSettings::default(), LARGE, exact(1000), exact(0)] {
        let mut sim = machine(settings).build().unwrap();
        for _ in 0..20 {
            let report = sim.launch(op!(endless), &args![&x]).unwrap();
            assert_eq!(overflowed(&report), (0..8).collect::<Vec<_>>(), "{report}");
            assert!(report.output().to_host().to_vec::<f32>().unwrap().iter().all(|&value| value == 0.0));
            // It was at the end of its stack, but for a frame.
            let stack = report.faults()[0].stack.unwrap();
            assert!(stack.used + 2000 > stack.limit, "{stack:?}");
        }
    }
}

/// What one core wrote before it was stopped is not seen by the next launch.
#[test]
fn what_a_stopped_core_wrote_is_forgotten() {
    if !SWITCHED {
        return;
    }
    let mut sim = machine(exact(20_000)).cores(1).build().unwrap();
    let (x, out) = (sim.upload(&marked(&[7])).unwrap(), sim.zeros(Dtype::I32, &[8]).unwrap());
    let report = sim.launch_into(op!(hungry), &args![&x], &out).unwrap();
    assert_eq!(overflowed(&report), [0]);
    assert_eq!(out.to_host().to_vec::<i32>().unwrap(), [0; 8]);
    let y = HostTensor::from_slice(&[8], &[0i32; 8]).unwrap();
    sim.launch_into(op!(hungry), &args![&y], &out).unwrap().assert_clean();
    assert_eq!(out.to_host().to_vec::<i32>().unwrap(), [0; 8]);
}

/// Cores that share memory put back what a stopped one wrote, and run apart.
#[test]
fn a_large_output_is_put_back() {
    if !SWITCHED {
        return;
    }
    let mut values = vec![0_i32; 1 << 16];
    values[(1 << 16) - 1] = 1;
    let x = HostTensor::from_slice(&[1 << 16], &values).unwrap();
    let mut sim = machine(exact(20_000)).build().unwrap();
    let out = sim.upload(&HostTensor::from_slice(&[1 << 16], &vec![5_i32; 1 << 16]).unwrap()).unwrap();
    let report = sim.launch_into(op!(hungry), &args![&x], &out).unwrap();
    assert_eq!(overflowed(&report), [7]);
    // Of the last core's share nothing is kept.
    let expected: Vec<i32> = (0..1 << 16).map(|i| if i < 7 << 13 { 0 } else { 5 }).collect();
    assert_eq!(out.to_host().to_vec::<i32>().unwrap(), expected);
}

#[test]
fn moods_and_replays_meet_the_overflow_too() {
    if !SWITCHED {
        return;
    }
    neuron_library!(STACKS: "stacks" = [hungry]);
    let mut sim = machine(exact(20_000)).build().unwrap();
    let report = sim.moods().launch((&STACKS, "hungry"), &args![&marked(&[3])]).unwrap();
    assert_eq!(overflowed(&report), [3]);
    // What the output lacks depends on no mood.
    assert_eq!(report.faults().len(), 1, "{report}");
    let report = sim.launch((&STACKS, "hungry"), &args![&marked(&[3])]).unwrap();
    let replay = report.to_replay().unwrap();
    let stop = replay.run(&[&STACKS], Some(3), &"end".parse().unwrap());
    let text = stop.map_or_else(|error| error.to_string(), |stop| stop.to_string());
    assert!(text.contains("its stack overflowed"), "{text}");
}

#[test]
fn an_op_that_asks_for_more_than_is_left_gets_a_stack_in_hbm() {
    let x = marked(&[]);
    for threads in [1, 8] {
        let mut sim = machine(exact(8192)).host_threads(threads).build().unwrap();
        let report = sim.launch(op!(deep), &args![&x]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().to_host().to_vec::<i32>().unwrap(), [7; 8]);
        let stacks = report.stacks();
        assert!(
            stacks.len() == 8 && stacks.iter().all(|of| (of.kind, of.limit) == (StackKind::Hbm, 200_000))
        );
        assert!(!SWITCHED || stacks.iter().all(|of| (65_536..200_000).contains(&of.used)), "{stacks:?}");
        let text = format!("{report:#}");
        assert!(text.contains("core 7 stack: ") && text.contains(" of 200000 bytes, hbm\n"), "{text}");
        // It does not switch where enough is left.
        let mut sim = machine(exact(200_000)).build().unwrap();
        let report = sim.launch(op!(deep), &args![&x]).unwrap();
        assert_eq!(report.stacks()[0].kind, StackKind::Local);
    }
}

#[test]
fn no_room_and_too_much_are_errors_of_every_core() {
    let x = marked(&[]);
    let failed = |builder: SimulatorBuilder| {
        let mut sim = builder.build().unwrap();
        let report = sim.launch(op!(deep), &args![&x]).unwrap();
        let error = |outcome: &Outcome| match outcome {
            Outcome::Failed(error) => *error,
            outcome => panic!("{outcome:?}"),
        };
        let errors: Vec<Error> = report.cores().iter().map(|core| error(&core.outcome)).collect();
        assert_eq!((errors.len(), errors[0].site().file()), (8, file!()));
        assert!(report.stacks().is_empty());
        errors[0].to_string()
    };
    let small = failed(machine(exact(8192)).scratch(64 << 10));
    assert!(small.starts_with("`stack` needs 200128 bytes at a multiple of 64 in"), "{small}");
    let few = failed(machine(StackSettings { most: 100_000, ..exact(8192) }));
    assert!(few.starts_with("`stack` asks for 200000 bytes, but an op may ask for 1 to 100000"), "{few}");
}

/// A mark does not go down while the same op is launched, and another op begins anew.
#[test]
fn the_high_water_mark_is_of_one_op() {
    if !SWITCHED {
        return;
    }
    let mut sim = machine(LARGE).cores(1).build().unwrap();
    let mut used = |op, marked: &[usize]| -> u32 {
        let x = self::marked(marked);
        sim.launch(op, &args![&x]).unwrap().stacks()[0].used
    };
    let shallow = used(op!(hungry), &[]);
    assert!(shallow < 16 << 10, "{shallow}");
    let high = used(op!(hungry), &[1]);
    assert!(high >= 32 << 10, "{high}");
    assert_eq!(used(op!(hungry), &[]), high);
    used(op!(deep), &[]);
    assert_eq!(used(op!(hungry), &[]), shallow);
}

/// A panic's message, hook and backtrace take the host more stack than any kernel has, and are not the kernel's.
#[test]
fn a_panic_on_a_small_stack_is_a_panic() {
    #[custom_op]
    fn fussy(q7: &Q7, x: &Tensor, _out: &mut Tensor) -> Result<()> {
        assert!(x.numel() > 8, "core {} is not content with {} elements", q7.get_cpu_id(), x.numel());
        Ok(())
    }
    let mut sim = machine(exact(16 << 10)).build().unwrap();
    for _ in 0..3 {
        let report = sim.launch(op!(fussy), &args![&marked(&[])]).unwrap();
        for core in report.cores() {
            let text = format!("core {} is not content with 8 elements", core.core);
            assert_eq!(core.outcome, Outcome::Panicked(text));
        }
    }
}

/// A kernel on one simulator launches on another.
#[test]
fn a_launch_within_a_launch() {
    #[custom_op(stack_size = 150_000)]
    fn outer(_q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
        let mut inner = Simulator::builder().host_threads(1).stack(exact(20_000)).build().unwrap();
        let report = inner.launch(op!(hungry), &args![&marked(&[4])]).unwrap();
        assert!(!SWITCHED || overflowed(&report) == [4]);
        let _ = (x, out);
        Ok(())
    }
    let settings = StackSettings { host_bytes: 8, ..StackSettings::default() };
    let mut sim = machine(settings).host_threads(2).without(FaultKind::Coverage).build().unwrap();
    sim.launch(op!(outer), &args![&marked(&[])]).unwrap().assert_clean();
}

#[test]
fn what_cannot_be_is_refused() {
    for (settings, text) in [
        (
            StackSettings { host_bytes: 0, ..LARGE },
            "0 bytes of the host's stack for a byte of the device's: give 1 to 64",
        ),
        (StackSettings { host_bytes: 65, ..LARGE }, "65 bytes of the host's stack"),
        (StackSettings { local: (4 << 20) + 1, ..LARGE }, "a stack of 4194305 bytes: it has at most 4194304"),
        (StackSettings { most: u32::MAX, ..LARGE }, "a stack of 4294967295 bytes"),
    ] {
        let error = machine(settings).build().unwrap_err().to_string();
        assert!(error.starts_with(text), "{error}");
    }
    assert_eq!(StackSettings::default().host_bytes, DEFAULT_HOST_STACK_BYTES);
}

/// No example comes near the end of its stack, in any build: a byte of the device's stands for enough of the host's.
#[test]
fn the_examples_leave_half_of_it() {
    let mut told = Vec::new();
    for op in neuron_examples::LIBRARIES.iter().flat_map(|library| library.ops().iter().copied()) {
        for dtype in [Dtype::F32, Dtype::I32] {
            let x = HostTensor::zeros(dtype, &[64, 64]).unwrap();
            let argument = |parameter: &Parameter| match parameter.kind {
                ParameterKind::Tensor => Arg::from(&x),
                ParameterKind::Value(Dtype::I32) => Arg::from(2_i32),
                ParameterKind::Value(Dtype::I64) => Arg::from(2_i64),
                ParameterKind::Value(_) | ParameterKind::Scalar => Arg::from(2.0_f32),
            };
            let arguments: Vec<Arg<'_>> = op.parameters().iter().map(argument).collect();
            // One that does not serve the dtype says so, and uses little.
            if let Ok(report) = Simulator::new().unwrap().launch(op, &arguments) {
                assert!(overflowed(&report).is_empty(), "{report}");
                let most = report.stacks().iter().max_by_key(|stack| stack.used).unwrap();
                told.push((most.used, most.limit, op.name(), dtype));
            }
        }
    }
    told.sort_unstable_by_key(|(used, ..)| std::cmp::Reverse(*used));
    assert!(told.len() > 40 && told.iter().all(|(used, limit, ..)| 2 * used <= *limit), "{told:?}");
}
