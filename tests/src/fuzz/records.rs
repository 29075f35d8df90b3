//! Argument records of any bytes, launched on the simulator and, however many there are, on flat memory.

use std::format;
use std::vec::Vec;

use neuron_device::{
    ArgDescriptor, ArgRecord, Dtype, Error, ErrorKind, Fault, FlatPlatform, HbmAddr, Layout, MAX_ARGUMENTS,
    MAX_RANK, Op, Q7, SbufAddresses, ViewExtension, op,
};
use neuron_host_sim::{Arg, HbmTensor, HostTensor, Outcome, Profile, Simulator};

use super::probe;

/// Every wrong field, and what else becomes of records.
pub(super) const ARMS: &[&str] = &[
    "Location",
    "ShapeType",
    "Dtype",
    "RankZero",
    "AfterTheLast",
    "Count",
    "Misaligned",
    "Extension",
    "Extent",
    "Product",
    "Layout",
    "AddressSpace",
    "NotSbuf",
    "NoPartitions",
    "Blocks",
    "NoArgument",
    "Shape",
    "OtherValue",
    "NoMemory",
    "fine",
];

/// Words of flat memory, and of SBUF beside it.
const WORDS: usize = 512;

/// What records are launched on: in both profiles, as the first byte says.
#[derive(Debug)]
pub struct Records {
    simulated: [Simulated; 2],
    memory: Vec<u64>,
    sbuf: Vec<u64>,
}

/// A simulator of one profile.
#[derive(Debug)]
struct Simulated {
    sim: Simulator,
    /// A real tensor, at which records may point.
    real: HbmTensor,
    output: HbmTensor,
}

impl Simulated {
    fn new(profile: Profile) -> Self {
        let builder = Simulator::builder().cores(1).host_threads(1).scratch(1 << 16).profile(profile);
        let mut sim = builder.build().expect("a simulator");
        let real = HostTensor::from_slice(&[64], &[1i64; 64]).expect("64 elements");
        let real = sim.upload(&real).expect("room");
        let output = sim.zeros(Dtype::I64, &[8]).expect("room");
        Self { sim, real, output }
    }
}

impl Default for Records {
    fn default() -> Self {
        let simulated = [Profile::Observed, Profile::Documented].map(Simulated::new);
        Self { simulated, memory: std::vec![1; WORDS], sbuf: std::vec![1; WORDS] }
    }
}

impl Records {
    /// The arms these bytes reach.
    ///
    /// # Panics
    /// A core that panics, or a record on which the two platforms do not agree.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<&'static str> {
        let (op, mut bytes) = (op!(probe::probe), bytes.iter().copied());
        let first = bytes.next().unwrap_or(0);
        let (count, documented) = (usize::from(first & 0x7F) % (MAX_ARGUMENTS + 1), first >> 7);
        let read: Vec<Read> = (0..count).map(|_| Read::from(&mut bytes)).collect();
        let flat = self.on_flat_memory(op, documented, &read);
        let mut arms = match &flat {
            Ok(faults) => arms_of(faults),
            Err(error) => std::vec![arm_of(error)],
        };
        if count == op.parameters().len() {
            let told = self.on_the_simulator(op, documented, &read);
            // Addresses are other ones, and nothing else is.
            let same = told.as_ref().err().map(kind) == flat.as_ref().err().map(kind);
            assert!(same, "the simulator: {told:?}, flat memory: {flat:?}");
            arms.extend(told.err().map(|error| arm_of(&error)));
        }
        arms
    }

    fn on_the_simulator(&mut self, op: &'static Op, documented: u8, read: &[Read]) -> Result<(), Error> {
        let Simulated { sim, real, output } = &mut self.simulated[usize::from(documented)];
        let base = real.storage();
        let arguments: Vec<Arg<'_>> = read.iter().map(|read| Arg::Record(read.at(base))).collect();
        let report = sim.launch_into(op, &arguments, output).expect("records are not looked at");
        match &report.cores()[0].outcome {
            Outcome::Returned => Ok(()),
            Outcome::Failed(error) => Err(*error),
            other => panic!("{other:?}\n{report}"),
        }
    }

    fn on_flat_memory(
        &mut self,
        op: &'static Op,
        documented: u8,
        read: &[Read],
    ) -> Result<Vec<Fault>, Error> {
        let addresses = if documented == 1 { SbufAddresses::Offsets } else { SbufAddresses::Local };
        let eight = Layout::contiguous(&[8]).expect("eight elements");
        let out = FlatPlatform::BASE.checked_add(8 * (WORDS as u64 - 8)).expect("an address");
        let record = ArgRecord::new(out, Dtype::I64, &eight).expect("a record");
        let mut tcm = neuron_device::Tcm::new();
        let mut core = FlatPlatform::new(0, 1, &mut self.memory)
            .with_tcm(&mut tcm)
            .with_sbuf(&mut self.sbuf, addresses)
            .with_faults_kept()
            .with_destination(ArgDescriptor { record, view: None });
        for read in read {
            core = core.with_argument(read.at(FlatPlatform::BASE));
        }
        Q7::enter(&mut core, |q7| op.launch(q7))?;
        Ok(core.faults().to_vec())
    }
}

/// A record as the bytes have it.
struct Read {
    record: [u8; 48],
    view: Option<ViewExtension>,
    /// Is its address counted from a real tensor?
    real: bool,
}

impl Read {
    /// The next one; bytes that are not there are 0.
    fn from(bytes: &mut impl Iterator<Item = u8>) -> Self {
        let mut next = || bytes.next().unwrap_or(0);
        let how = next();
        let record = [(); 48].map(|()| next());
        let view = (how & 1 != 0).then(|| {
            let rank = next();
            // Small numbers, but for the last byte, which may make one of any size.
            let mut number = || match (next(), next()) {
                (low, 0) => u64::from(low),
                (low, high) => u64::from(low) << (high % 64) | u64::from(high >> 6 == 3),
            };
            let sizes = [(); MAX_RANK].map(|()| number() as u32);
            let strides = [(); MAX_RANK].map(|()| number());
            ViewExtension { rank, sizes, strides, offset: number(), storage_elems: number() }
        });
        Self { record, view, real: how & 2 != 0 }
    }

    /// The descriptor, where real tensors begin at `base`.
    fn at(&self, base: HbmAddr) -> ArgDescriptor {
        let mut bytes = self.record;
        // Of one in SBUF these bytes are more than the address.
        if self.real && bytes[0] == 2 {
            let offset = u64::from(u16::from_le_bytes([bytes[24], bytes[25]]) & 0xFF);
            bytes[24..32].copy_from_slice(&(base.get() + offset).to_le_bytes());
        }
        ArgDescriptor { record: ArgRecord::from_bytes(&bytes), view: self.view }
    }
}

/// What an error is of, without numbers.
fn kind(error: &Error) -> (&'static str, Option<&'static str>) {
    (arm_of(error), error.argument())
}

fn arm_of(error: &Error) -> &'static str {
    let said = match error.kind() {
        ErrorKind::Record(error) => format!("{error:?}"),
        kind => format!("{kind:?}"),
    };
    named(&said)
}

fn arms_of(faults: &[Fault]) -> Vec<&'static str> {
    if faults.is_empty() {
        std::vec!["fine"]
    } else {
        faults.iter().map(|fault| named(&format!("{fault:?}"))).collect()
    }
}

/// The arm something is of, by the name it has.
fn named(said: &str) -> &'static str {
    let word = said.split(|c: char| !c.is_alphanumeric()).next().unwrap_or(said);
    let arm = ARMS.iter().find(|arm| **arm == word);
    arm.copied().unwrap_or_else(|| panic!("an arm without a name: {said}"))
}
