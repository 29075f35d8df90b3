//! [`Change`]: what a mutant changes, by the accesses of its cores.

use std::collections::BTreeSet;

use super::trace::{CoreTrace, Traces};

/// What is different, in any launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    /// A core left a tensor.
    pub(super) address: bool,
    /// A core accessed what another one wrote.
    pub(super) order: bool,
    /// Another part of the output was written.
    pub(super) coverage: bool,
    /// A core read of its scratch what it had not written.
    pub(super) uninitialised: bool,
    /// A core left a copy behind that it did not wait for.
    pub(super) pending: bool,
    /// A core ended with an error, a panic, or not at all.
    pub(super) end: bool,
    /// A core made other accesses, or made them in another order.
    pub(super) accesses: bool,
    /// The output holds something else.
    pub(super) values: bool,
}

impl Change {
    /// A launch without the mutant and with it.
    pub(super) fn add(&mut self, without: &Traces, with: &Traces) {
        let any = |of: fn(&CoreTrace) -> bool| with.cores.iter().any(of);
        self.address |= any(|core| core.faults > 0);
        self.uninitialised |= any(|core| core.unwritten > 0);
        self.pending |= any(|core| core.pending > 0);
        self.end |= any(|core| core.failed);
        self.order |= !with.shared().is_empty();
        self.coverage |= without.output_written() != with.output_written();
        self.values |= without.output != with.output;
        let pairs = || without.cores.iter().zip(&with.cores);
        self.accesses |= pairs().any(|(without, with)| without.fingerprint != with.fingerprint);
    }

    /// The names of all that is changed.
    pub(super) fn words(&self) -> BTreeSet<&'static str> {
        let all = [
            (self.address, "address"),
            (self.order, "order"),
            (self.coverage, "coverage"),
            (self.uninitialised, "uninitialised"),
            (self.pending, "pending"),
            (self.end, "end"),
            (self.accesses, "accesses"),
            (self.values, "values"),
        ];
        all.into_iter().filter_map(|(is, name)| is.then_some(name)).collect()
    }
}
