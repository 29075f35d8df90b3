//! [`Plan`]: what every core of a launch is given.

use std::sync::Arc;

use neuron_device::{ArgDescriptor, Entry, Op, SbufAddresses};

use super::dataram::DmaTiming;
use super::stack::StackSettings;
use crate::profile::Profile;
use crate::subjects::Subject;
use crate::watchdog::Running;
use crate::what_if::WhatIf;

/// What every core of a launch is given.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) op: &'static Op,
    /// The function behind it, as boot found it.
    pub(crate) entry: &'static Entry,
    pub(crate) stamp: u64,
    pub(crate) arguments: Vec<ArgDescriptor>,
    pub(crate) destination: ArgDescriptor,
    /// The tensors among them.
    pub(crate) subjects: Vec<Subject>,
    /// The names of those whose record, in SBUF, was passed as it is.
    pub(crate) sbuf_records: Vec<&'static str>,
    /// What the addresses of records in SBUF are.
    pub(crate) sbuf_addresses: SbufAddresses,
    /// What a byte of scratch holds before it is written; if it is not said, 0.
    pub(crate) poison: Option<u8>,
    /// How many accesses in a row a core may make to what it accessed before.
    pub(crate) patience: u64,
    /// Where tensors begin: a multiple of a window; below is scratch.
    pub(crate) tensors: u64,
    /// Do all cores see one memory, but for scratch, instead of each its own?
    pub(crate) together: bool,
    /// When DMA engines move bytes.
    pub(crate) dma: DmaTiming,
    pub(crate) profile: Profile,
    /// What kernels are told is the number of cores.
    pub(crate) cpu_count: u32,
    /// What is not as on the machine.
    pub(crate) what_if: WhatIf,
    /// What stacks are like.
    pub(crate) stack: StackSettings,
    /// Bytes of a core's queue of printed text; 0 if nothing is printed.
    pub(crate) console: u32,
    /// Is its time modelled?
    pub(crate) timed: bool,
    /// Which cores are in the middle of it.
    pub(crate) running: Arc<Running>,
}
