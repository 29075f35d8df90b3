//! Every op of the examples against what torch answers: `data/OP.safetensors`, written by `generate.py`.
//!
//! No torch is needed here. What an op may differ by is in [`tolerance`]; a NaN is as good as another.

mod cases;
mod compare;
mod layouts;
mod tolerance;

use std::collections::BTreeMap;
use std::path::Path;

use neuron_device::{Dtype, Element, Op, match_dtype};
use neuron_examples::{LIBRARIES, STAGED};
use neuron_host_sim::{HostTensor, Simulator};

use crate::cases::Case;
use crate::compare::difference;
use crate::layouts::LAYOUTS;
use crate::tolerance::tolerance;

/// Ops that have no golden values: their mistakes are what they are for.
const WITHOUT: [&str; 1] = ["buggy_relu"];

fn ops() -> impl Iterator<Item = &'static Op> {
    LIBRARIES.iter().flat_map(|library| library.ops()).copied()
}

/// The name of an op's file: the ways of computing one thing are compared with one answer.
fn file(op: &Op) -> &'static str {
    let ways = ["_staged", "_streamed", "_tiled"];
    ways.iter().find_map(|way| op.name().strip_suffix(way)).unwrap_or(op.name())
}

/// What an op can take: all layouts, or those without gaps alone.
fn layouts(op: &'static Op) -> [fn(&HostTensor) -> HostTensor; 3] {
    let any = op.name() == "transpose_tiled" || !STAGED.ops().iter().any(|staged| std::ptr::eq(*staged, op));
    if any { LAYOUTS } else { [HostTensor::clone; 3] }
}

fn data() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/data")
}

/// Every op, every case of torch's, the inputs laid out in several ways, on 1, 3 and 8 cores.
#[test]
fn torch_answers_the_same() {
    let mut wrong = Vec::new();
    let mut compared = BTreeMap::<&str, usize>::new();
    for op in ops().filter(|op| !WITHOUT.contains(&op.name())) {
        let cases = cases::read(&data().join(file(op)).with_extension("safetensors"));
        assert!(!cases.is_empty(), "no case of {}", op.name());
        for case in &cases {
            for (cores, layout) in [1, 3, 8].into_iter().zip(layouts(op)) {
                let found = run(op, case, cores, layout);
                *compared.entry(op.name()).or_default() += 1;
                let difference = found
                    .and_then(|found| difference(&found, &case.out, tolerance(file(op), case.out.dtype())));
                if let Err(difference) = difference {
                    wrong.push(format!("{} of {} on {cores} cores: {difference}", op.name(), case.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    println!("{compared:?}");
}

/// F22: no case compares what torch does not define, a float cast to an integer type that does not reach it.
#[test]
fn f22_floats_out_of_range_are_not_compared() {
    let cases = cases::read(&data().join("cast.safetensors"));
    let mut seen = 0;
    for case in cases.iter().filter(|case| !case.out.dtype().is_float()) {
        let (x, bits) = (case.input("x"), 8 * case.out.dtype().size() as i32);
        let values = match_dtype!(x.dtype(), f32 | f16 | bf16 as T => {
            Ok::<_, neuron_device::Error>(x.to_vec::<T>().unwrap().iter().map(|v| v.cast::<f32>()).collect::<Vec<_>>())
        });
        let (low, high) = match case.out.dtype() {
            Dtype::U8 => (0.0, 256.0),
            _ => (-2.0_f32.powi(bits - 1), 2.0_f32.powi(bits - 1)),
        };
        for value in values.into_iter().flatten() {
            assert!(low <= value.trunc() && value.trunc() < high, "{value:e} in {}", case.name);
            seen += 1;
        }
    }
    assert!(seen > 500, "{seen} floats are cast");
}

/// What the op makes of the case.
fn run(
    op: &'static Op,
    case: &Case,
    cores: u32,
    layout: fn(&HostTensor) -> HostTensor,
) -> Result<HostTensor, String> {
    let mut simulator = Simulator::builder().cores(cores).build().map_err(|error| error.to_string())?;
    let arguments = case.arguments(op, layout);
    let report = simulator.launch(op, &arguments.as_args()).map_err(|error| error.to_string())?;
    if report.is_clean() { Ok(report.output().to_host()) } else { Err(report.to_string()) }
}

/// No file is left behind by an op that is gone, and no op is without a file by mistake.
#[test]
fn every_op_has_its_file_and_every_file_its_op() {
    let mut files: Vec<String> = std::fs::read_dir(data())
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    let mut named: Vec<&str> = ops().filter(|op| !WITHOUT.contains(&op.name())).map(file).collect();
    named.sort_unstable();
    named.dedup();
    assert_eq!(files, named);
}
