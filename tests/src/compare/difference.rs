//! Whether two replies are equal, and where they are not.

use std::format;
use std::string::String;

use neuron_device::{Counters, Dtype, bf16, f16};

use crate::reply::{CoreEnd, Reply};

/// How much has to be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Outputs, errors, loads and stores: what no platform may change.
    Results,
    /// Those, the use of windows, and every run: what no processor may change over the same addresses.
    Everything,
}

/// The first difference, in words; NaNs are equal to each other, as their sign and payload differ by processor.
pub fn difference(dtype: Dtype, expected: &Reply, found: &Reply, strictness: Strictness) -> Option<String> {
    let (Reply::Ran { cores, answer }, Reply::Ran { cores: found_cores, answer: found_answer }) =
        (expected, found)
    else {
        return (expected != found).then(|| format!("{} instead of {}", kind(found), kind(expected)));
    };
    if cores.len() != found_cores.len() {
        return Some(format!("{} cores instead of {}", found_cores.len(), cores.len()));
    }
    let mut ends = (0..).zip(cores.iter().zip(found_cores));
    ends.find_map(|(core, (expected, found))| end(core, expected, found, strictness))
        .or_else(|| elements(dtype, answer, found_answer))
}

fn kind(reply: &Reply) -> String {
    match reply {
        Reply::Ran { .. } => "a run".into(),
        Reply::Refused(reason) => format!("a refusal ({reason})"),
    }
}

fn end(core: u32, expected: &CoreEnd, found: &CoreEnd, strictness: Strictness) -> Option<String> {
    if expected.error != found.error {
        let words = |end: &CoreEnd| end.error.clone().unwrap_or_else(|| "no error".into());
        return Some(format!("core {core}: {:?} instead of {:?}", words(found), words(expected)));
    }
    let results = |counters: Counters| (counters.loads, counters.stores);
    if results(expected.counters) != results(found.counters) {
        let ((loads, stores), (found_loads, found_stores)) =
            (results(expected.counters), results(found.counters));
        return Some(format!(
            "core {core}: {found_loads} loads and {found_stores} stores instead of {loads} and {stores}"
        ));
    }
    if strictness == Strictness::Results {
        return None;
    }
    if expected.counters.windows != found.counters.windows {
        return Some(format!(
            "core {core}: windows {:?} instead of {:?}",
            found.counters.windows, expected.counters.windows
        ));
    }
    (expected.fingerprint != found.fingerprint)
        .then(|| format!("core {core}: its observer was told other runs"))
}

fn elements(dtype: Dtype, expected: &[u8], found: &[u8]) -> Option<String> {
    if expected.len() != found.len() {
        return Some(format!("{} bytes of output instead of {}", found.len(), expected.len()));
    }
    let size = dtype.size() as usize;
    let mut pairs = expected.chunks(size).zip(found.chunks(size)).enumerate();
    let differs = |a: &[u8], b: &[u8]| a != b && !(is_nan(dtype, a) && is_nan(dtype, b));
    let (at, (a, b)) = pairs.clone().find(|(_, (a, b))| differs(a, b))?;
    let count = pairs.by_ref().filter(|(_, (a, b))| differs(a, b)).count();
    let bits = |bytes: &[u8]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
    Some(format!(
        "{count} elements of {dtype} differ, the first at {at} of the storage: {} instead of {}",
        bits(b),
        bits(a)
    ))
}

fn is_nan(dtype: Dtype, element: &[u8]) -> bool {
    match (dtype, element) {
        (Dtype::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]).is_nan(),
        (Dtype::F16, &[a, b]) => f16::from_le_bytes([a, b]).is_nan(),
        (Dtype::BF16, &[a, b]) => bf16::from_le_bytes([a, b]).is_nan(),
        _ => false,
    }
}
