//! [`Summary`]: how many cases of each op were right.

use std::fmt;
use std::format;
use std::string::String;
use std::vec::Vec;

use neuron_device::Op;

use super::Prepared;
use crate::kernels::libraries;

/// The outcome of every case, by op.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    passed: Vec<&'static Op>,
    failures: Vec<Failure>,
}

/// A case that was not right.
#[derive(Clone, Debug)]
pub struct Failure {
    op: &'static Op,
    /// Op, arguments and setting.
    pub case: String,
    /// What is wrong.
    pub difference: String,
}

impl Summary {
    pub(super) fn note(&mut self, prepared: &Prepared<'_>, difference: Option<String>) {
        let op = prepared.trial.op;
        match difference {
            None => self.passed.push(op),
            Some(difference) => {
                let case = format!("{}, {}", prepared.trial.name(), prepared.setting.label);
                self.failures.push(Failure { op, case, difference });
            }
        }
    }

    /// Cases that were right.
    pub fn passed(&self) -> usize {
        self.passed.len()
    }

    /// Cases that were not.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Ops that no case runs: each is a hole in the tables.
    pub fn forgotten(&self) -> Vec<&'static Op> {
        ops().filter(|op| self.counts(op) == (0, 0)).collect()
    }

    fn counts(&self, op: &'static Op) -> (usize, usize) {
        let is = |other: &'static Op| std::ptr::eq(other, op);
        let failed = self.failures.iter().filter(|failure| is(failure.op)).count();
        (self.passed.iter().filter(|other| is(other)).count(), failed)
    }
}

fn ops() -> impl Iterator<Item = &'static Op> {
    libraries().flat_map(|library| library.ops()).copied()
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "FAILED {}\n  {}", failure.case, failure.difference)?;
        }
        let width = ops().map(|op| op.name().len()).max().unwrap_or(0);
        writeln!(f, "  {:<width$} {:>5}  result", "op", "cases")?;
        for op in ops() {
            let (passed, failed) = self.counts(op);
            let result = match (passed, failed) {
                (0, 0) => "FAILED: no case in tests/src/compare/trials".into(),
                (_, 0) => "equal".into(),
                (_, failed) => format!("FAILED: {failed} differ"),
            };
            writeln!(f, "  {:<width$} {:>5}  {result}", op.name(), passed + failed)?;
        }
        write!(f, "{} passed, {} failed", self.passed(), self.failures.len() + self.forgotten().len())
    }
}
