//! The examples, with the inputs they are compared on a 32-bit core with.

use neuron_host_sim::Simulator;
use neuron_tests::compare::{Trial, Value, trials};

use super::super::launch::{Argument, Given, Launch, launch};

/// Its mistakes are what it is for.
const FAULTY: &str = "buggy_relu";
/// Trials of an op, at most.
const OF_EACH: usize = 5;
/// Elements of a tensor, at most: the suite is run often.
const ELEMENTS: u64 = 5000;

pub(super) fn launches() -> Vec<Launch> {
    let all = trials();
    let ops = neuron_examples::LIBRARIES.iter().flat_map(|library| library.ops()).copied();
    ops.filter(|op| op.name() != FAULTY)
        .flat_map(|op| {
            let its: Vec<&Trial> =
                all.iter().filter(|trial| std::ptr::eq(trial.op, op) && is_ordinary(trial)).collect();
            assert!(!its.is_empty(), "no trial of {}", op.name());
            let step = its.len().div_ceil(OF_EACH);
            its.into_iter().step_by(step).map(of).collect::<Vec<_>>()
        })
        .collect()
}

/// Is it small, and does the op accept its arguments?
fn is_ordinary(trial: &Trial) -> bool {
    let fits = |value: &Value| match value {
        Value::Tensor(tensor) => tensor.bytes().len() as u64 / tensor.dtype().size() <= ELEMENTS,
        Value::Scalar(_) => true,
    };
    // What an op refuses is labelled by what is wrong with it.
    let refused = ["of ", "with ", "at ", "beyond "].iter().any(|word| trial.label.starts_with(word));
    trial.arguments.iter().all(fits) && !refused
}

fn of(trial: &Trial) -> Launch {
    let (arguments, output) = (trial.arguments.clone(), trial.output.clone());
    let given = move |sim: &mut Simulator| {
        let argument = |value: &Value| match value {
            Value::Tensor(tensor) => Argument::Host(tensor.to_host().unwrap()),
            Value::Scalar(scalar) => Argument::Value(*scalar),
        };
        let arguments = arguments.iter().map(argument).collect();
        Given { arguments, output: Some(sim.upload(&output.to_host().unwrap()).unwrap()) }
    };
    launch(trial.op, given).labelled(trial.label.as_str())
}
