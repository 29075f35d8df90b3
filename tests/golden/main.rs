//! Every op of the examples against what torch answers: `data/OP.safetensors`, written by `generate.py`.
//!
//! No torch is needed here. What an op may differ by is in [`tolerance`]; a NaN is as good as another.

mod cases;
mod compare;
mod layouts;
mod tolerance;

use std::collections::BTreeMap;
use std::path::Path;

use neuron_device::Op;
use neuron_examples::LIBRARIES;
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

fn data() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/data")
}

/// Every op, every case of torch's, the inputs laid out in several ways, on 1, 3 and 8 cores.
#[test]
fn torch_answers_the_same() {
    let mut wrong = Vec::new();
    let mut compared = BTreeMap::<&str, usize>::new();
    for op in ops().filter(|op| !WITHOUT.contains(&op.name())) {
        let cases = cases::read(&data().join(op.name()).with_extension("safetensors"));
        assert!(!cases.is_empty(), "no case of {}", op.name());
        for case in &cases {
            for (cores, layout) in [1, 3, 8].into_iter().zip(LAYOUTS) {
                let found = run(op, case, cores, layout);
                *compared.entry(op.name()).or_default() += 1;
                let difference = found
                    .and_then(|found| difference(&found, &case.out, tolerance(op.name(), case.out.dtype())));
                if let Err(difference) = difference {
                    wrong.push(format!("{} of {} on {cores} cores: {difference}", op.name(), case.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    println!("{compared:?}");
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
    let mut named: Vec<&str> = ops().map(Op::name).filter(|name| !WITHOUT.contains(name)).collect();
    named.sort_unstable();
    assert_eq!(files, named);
}
