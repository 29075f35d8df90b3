//! What somebody who watches a core is told.

use super::fault::Access;
use crate::policy::counters::Counters;
use crate::words::addr::HbmAddr;
use crate::words::error::Site;

/// A run of accesses at evenly spaced addresses from one line of source: how a core reports what it touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Read or write.
    pub access: Access,
    /// Address of the first element.
    pub start: HbmAddr,
    /// Bytes from one element to the next; negative when the kernel walks backwards, 0 when it stays.
    pub step: i64,
    /// How many accesses.
    pub count: u64,
    /// Bytes of an element.
    pub bytes: u64,
    /// The author's line.
    pub site: Site,
}

/// Watches one core. A platform that hands one out learns what the kernel does without slowing its accesses: they
/// are told as coalesced runs, at the latest when the op ends.
pub trait Observer {
    /// Does this observer want [`run`](Self::run)s? Asked once, when the core starts.
    fn wants_runs(&self) -> bool;

    /// The kernel opened an accessor of `access` on the tensor called `argument`, whose storage begins at `storage`.
    fn opened(&mut self, argument: &'static str, storage: HbmAddr, access: Access, site: Site);

    /// The kernel accessed memory.
    fn run(&mut self, run: &Run);

    /// The op is over, by return or by panic; every run was told.
    fn retired(&mut self, counters: &Counters);
}
