//! The matrix of `docs/machine.md`, section 6, whole: what may be opened while a stream is open on the same storage, by each
//! policy, whichever views of the storage the two are opened on.

use neuron_device::prelude::*;
use neuron_device::{CoherencyPolicy, Handle};
use neuron_host_sim::{FaultKind, Outcome, Severity, Simulator, Verdict, args};

const POLICIES: [CoherencyPolicy; 3] =
    [CoherencyPolicy::Coherent, CoherencyPolicy::IncoherentVerbose, CoherencyPolicy::IncoherentQuiet];

/// Ways to open a tensor, by number.
const WAYS: [Handle; 4] = [Handle::Accessor, Handle::Accessor, Handle::ReadStream, Handle::WriteStream];
const WRITING: [bool; 4] = [false, true, false, true];

/// What the second is opened on, by number: the tensor of the first, a view of it, another argument of its storage, a tensor
/// that has its own.
const PLACES: usize = 4;
const ANOTHER_ARGUMENT: usize = 2;
const ANOTHER_STORAGE: usize = 3;

trait Held {}

impl<T> Held for T {}

fn open<'a>(q7: &'a Q7, tensor: &'a mut Tensor, way: i32) -> Result<Box<dyn Held + 'a>> {
    Ok(match way {
        0 => Box::new(tensor.elements::<f32>(q7)?),
        1 => Box::new(tensor.elements_mut::<f32>(q7)?),
        2 => Box::new(tensor.read_stream_accessor::<f32>(q7, ..)?),
        _ => Box::new(tensor.write_stream_accessor::<f32>(q7, ..)?),
    })
}

/// Opens the output by one way, and while that is open a tensor by another.
#[custom_op]
fn two_ways(
    q7: &Q7,
    x: &Tensor,
    first: i32,
    second: i32,
    place: i32,
    policy: i32,
    out: &mut Tensor,
) -> Result<()> {
    let mut other = match place as usize {
        ANOTHER_ARGUMENT => x.clone(),
        ANOTHER_STORAGE => {
            let mut scratch = q7.empty(Dtype::F32, &[8])?;
            scratch.write_stream_accessor::<f32>(q7, ..)?.write_from([1.0; 8]);
            scratch
        }
        0 => out.clone(),
        _ => out.narrow(0, 2, 3)?,
    };
    q7.set_coherency_policy(POLICIES[policy as usize]);
    let opened = open(q7, out, first)?;
    drop(open(q7, &mut other, second)?);
    drop(opened);
    // What is closed is in nobody's way.
    q7.set_coherency_policy(CoherencyPolicy::Coherent);
    open(q7, &mut other, second).map(drop)
}

#[test]
fn every_two_ways_by_every_policy() {
    for cores in [1, 8] {
        for unchecked in [false, true] {
            let builder = Simulator::builder().cores(cores).without(FaultKind::Coverage);
            let mut sim = if unchecked { builder.unchecked() } else { builder }.build().unwrap();
            let all = sim.zeros(Dtype::F32, &[16]).unwrap();
            let (x, out) = (all.narrow(0, 0, 8).unwrap(), all.narrow(0, 8, 8).unwrap());
            for (first, second) in (2..4).flat_map(|first| (0..4).map(move |second| (first, second))) {
                for place in 0..PLACES {
                    if place == ANOTHER_ARGUMENT && WRITING[second] {
                        continue; // An argument is read only.
                    }
                    for (number, policy) in (0..).zip(POLICIES) {
                        let what = format!(
                            "{:?} beside {:?} at {place}, {policy:?}, {cores} cores, unchecked: {unchecked}",
                            WAYS[second], WAYS[first]
                        );
                        let arguments = args![&x, first as i32, second as i32, place as i32, number];
                        let report = sim.launch_into(op!(two_ways), &arguments, &out).unwrap();
                        let readers = WAYS[first] == Handle::ReadStream && WAYS[second] == Handle::ReadStream;
                        let meets = !readers && place != ANOTHER_STORAGE;
                        let refused = meets && policy == CoherencyPolicy::Coherent;
                        for core in report.cores() {
                            match &core.outcome {
                                Outcome::Returned => assert!(!refused, "{what}"),
                                Outcome::Failed(error) => {
                                    let words = format!(
                                        "cannot be opened by {} while {} is open on the same storage, since {}:",
                                        WAYS[second],
                                        WAYS[first],
                                        file!()
                                    );
                                    assert!(refused && error.to_string().contains(&words), "{what}: {error}");
                                    let name = if place == ANOTHER_ARGUMENT { "x" } else { "out" };
                                    assert_eq!(error.argument(), Some(name), "{what}");
                                }
                                outcome => panic!("{what}: {outcome:?}"),
                            }
                        }
                        let warned = meets && policy == CoherencyPolicy::IncoherentVerbose && !unchecked;
                        let told: Vec<_> = report
                            .faults()
                            .iter()
                            .map(|fault| (fault.verdict, fault.severity, fault.count))
                            .collect();
                        let warning = (Verdict::OpenedBeside, Severity::Warning, u64::from(cores));
                        assert_eq!(told, if warned { vec![warning] } else { vec![] }, "{what}: {report}");
                    }
                }
            }
        }
    }
}
