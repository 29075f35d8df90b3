use std::string::ToString;
use std::vec::Vec;

use super::change::Change;
use super::launches::{Launch, launches};
use super::seen::Checked;
use super::trace::{CoreTrace, Memory, Traces};
use super::*;

#[test]
fn mutants_by_line() {
    let expected = [Mutant { site: 3, operator: 1 }, Mutant { site: 12, operator: 4 }];
    assert_eq!(parse("3 1\n12 4\n").unwrap(), expected);
    assert_eq!(parse("3\n").unwrap_err().to_string(), "`3` is no mutant");
}

/// Nothing here is changed, so no launch reaches a site.
#[test]
fn a_tree_without_sites() {
    let mut told = Vec::new();
    inject(&[Mutant { site: 1, operator: 2 }], Some("scale"), &mut told).unwrap();
    assert_eq!(String::from_utf8(told).unwrap(), "1\t2\t0\t\t\t\n");
    let error = inject(&[], Some("no such op"), &mut Vec::new()).unwrap_err().to_string();
    assert_eq!(error, "the tables have no launch of an op called no such op");
}

/// The tables' launches are clean by both accounts, which know nothing of each other.
#[test]
fn launches_are_clean_and_of_every_op() {
    let (mut checked, mut memory) = (Checked::new().unwrap(), Memory::new());
    let launches = launches(&mut checked, &mut memory, None).unwrap();
    let ops: BTreeSet<&str> = launches.iter().map(|launch| launch.trial.op.name()).collect();
    let missing = crate::kernels::libraries().flat_map(|library| library.ops()).map(|op| op.name());
    let missing: Vec<&str> = missing.filter(|name| !ops.contains(name)).collect();
    let staged = |launch: &&Launch| launch.trial.op.name() == "vector_add_staged";
    let copies = |launch: &Launch| launch.traces.cores[0].accesses;
    let most = launches.iter().filter(staged).map(copies).max().unwrap();
    assert!(most > 3 * 1024, "{most} elements copied, which is no more than two tiles of each tensor");
    // Wrong on purpose, and those that always refuse.
    assert_eq!(missing, ["buggy_relu", "refuse", "refuse_result"]);
}

fn core(faults: u64, touched: &[(u64, bool)]) -> CoreTrace {
    let fingerprint =
        touched.iter().fold(faults, |print, &(byte, written)| 31 * print + 2 * byte + u64::from(written));
    CoreTrace { faults, fingerprint, touched: touched.iter().copied().collect(), ..CoreTrace::default() }
}

/// An output of the bytes 10 and 11.
fn traces(cores: [CoreTrace; 2], output: [u8; 2]) -> Traces {
    Traces { cores: cores.into(), output: output.into(), place: 10..12 }
}

fn change(with: Traces) -> Vec<&'static str> {
    let without = traces([core(0, &[(0, false), (10, true)]), core(0, &[(1, false), (11, true)])], [1, 2]);
    let mut change = Change::default();
    change.add(&without, &without);
    assert_eq!(change, Change::default());
    change.add(&without, &with);
    change.words().into_iter().collect()
}

#[test]
fn what_a_mutant_changes() {
    let first = || core(0, &[(0, false), (10, true)]);
    let second = || core(0, &[(1, false), (11, true)]);
    assert_eq!(change(traces([first(), second()], [1, 3])), ["values"]);
    let other = core(0, &[(0, false), (11, true)]);
    assert_eq!(change(traces([first(), other], [1, 2])), ["accesses"]);
    let outside = core(1, &[(11, true)]);
    assert_eq!(change(traces([first(), outside], [1, 2])), ["accesses", "address"]);
    let nothing = core(0, &[(1, false)]);
    assert_eq!(change(traces([first(), nothing], [1, 0])), ["accesses", "coverage", "values"]);
    let both = core(0, &[(1, false), (10, true), (11, true)]);
    assert_eq!(change(traces([first(), both], [1, 2])), ["accesses", "order"]);
    let reads = core(0, &[(10, false), (11, true)]);
    assert_eq!(change(traces([first(), reads], [1, 2])), ["accesses", "order"]);
    let ended = CoreTrace { failed: true, ..second() };
    assert_eq!(change(traces([first(), ended], [1, 2])), ["end"]);
    let unwritten = CoreTrace { unwritten: 1, ..second() };
    assert_eq!(change(traces([first(), unwritten], [1, 2])), ["uninitialised"]);
    let left = CoreTrace { pending: 1, ..second() };
    assert_eq!(change(traces([first(), left], [1, 2])), ["pending"]);
}
