//! What a kernel did that a chip would not survive, or would not notice.

use core::fmt;

use crate::words::addr::{HbmAddr, NxAddr};
use crate::words::dtype::Dtype;
use crate::words::error::{Site, Sizes};
use crate::words::heap::{FreeError, HeapName};
use crate::words::layout::MAX_RANK;

/// Which way an access goes.
///
/// ```
/// use neuron_device::Access;
/// let told = |access: Access, count| format!("{count} {}s", access.name());
/// assert_eq!([told(Access::Read, 3), told(Access::Write, 2)], ["3 reads", "2 writes"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// From HBM to the core.
    Read,
    /// From the core to HBM.
    Write,
}

impl Access {
    /// `"read"` or `"write"`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// The index of an access, as the author wrote it: in elements, whatever the layout.
///
/// ```
/// use neuron_device::Index;
/// // As text it is what `get` and `set` were given.
/// assert_eq!(format!("{:?}", Index::Flat(17)), "[17]");
/// assert_eq!(format!("{:?}", Index::dims([2, 0])), "[2, 0]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// The flat logical index of `elements`.
    Flat(u64),
    /// One index a dimension, of an accessor of this rank.
    Dims {
        /// How many there are.
        rank: u8,
        /// The indices; those from `rank` on are 0.
        at: [u32; MAX_RANK],
    },
}

impl Index {
    /// The index of an accessor of rank `N`.
    ///
    /// # Panics
    /// If `N` is above 8, which no accessor's is.
    pub fn dims<const N: usize>(index: [u32; N]) -> Self {
        let mut at = [0; MAX_RANK];
        at[..N].copy_from_slice(&index);
        Self::Dims { rank: N as u8, at }
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat(index) => write!(f, "[{index}]"),
            Self::Dims { rank, at } => write!(f, "{:?}", &at[..usize::from(*rank)]),
        }
    }
}

/// Where an out-of-bounds access would have landed.
///
/// ```
/// use neuron_device::Verdict;
/// # use neuron_device::{Fault, FlatPlatform, HbmAddr, prelude::*};
/// # let mut memory = [0; 64];
/// let mut core = FlatPlatform::new(0, 1, &mut memory).with_faults_kept();
/// Q7::enter(&mut core, |q7| {
///     let x = q7.empty(Dtype::I32, &[2, 3])?;
///     let cells = x.accessor::<i32, 2>(q7)?;
///     cells.get([0, 5]); // where [1, 2] is: the chip reads another element
///     cells.get([2, 0]); // behind [1, 2]: the chip reads whatever is there
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// let verdicts: Vec<_> = core.faults().iter().map(|fault| match fault {
///     Fault::OutOfBounds(fault) => fault.verdict,
///     _ => unreachable!(),
/// }).collect();
/// assert_eq!(verdicts, [Verdict::PastADimension, Verdict::PastTheEnd]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Beyond the tensor's last element.
    PastTheEnd,
    /// Beyond a dimension, but still between the tensor's first and last element.
    PastADimension,
}

/// An access outside its tensor. A read yields [`POISON`](crate::Element::POISON), a write is dropped.
///
/// ```
/// use neuron_device::Access;
/// # use neuron_device::{Fault, FlatPlatform, HbmAddr, prelude::*};
/// # let mut memory = [0; 64];
/// let mut core = FlatPlatform::new(0, 1, &mut memory).with_faults_kept();
/// Q7::enter(&mut core, |q7| {
///     let mut x = q7.empty(Dtype::I32, &[4])?;
///     x.elements_mut::<i32>(q7)?.set(4, 7);
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// let [Fault::OutOfBounds(fault)] = *core.faults() else { unreachable!() };
/// assert_eq!((fault.access, fault.argument), (Access::Write, "scratch"));
/// assert_eq!(format!("{:?} of {:?}", fault.index, fault.sizes), "[4] of [4]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfBounds {
    /// Read or write.
    pub access: Access,
    /// The tensor's name in the kernel's signature; `"scratch"` for a tensor the kernel made.
    pub argument: &'static str,
    /// Where the tensor's storage begins: it tells tensors of one name apart.
    pub storage: HbmAddr,
    /// Element type.
    pub dtype: Dtype,
    /// The tensor's sizes, in elements.
    pub sizes: Sizes,
    /// The index asked for.
    pub index: Index,
    /// Where it would have landed.
    pub verdict: Verdict,
    /// How many elements, one after the other from `index`: 1, but for copies.
    pub count: u64,
    /// By a copy, or element by element?
    pub copied: bool,
    /// The address it would have had; sums beyond the 64-bit space wrap.
    pub addr: HbmAddr,
    /// The author's line.
    pub site: Site,
}

/// One fault of a kernel. There is one path for all: [`Platform::fault`](crate::Platform::fault).
///
/// ```
/// # use neuron_device::{Fault, FlatPlatform, HbmAddr, prelude::*};
/// # let mut memory = [0; 64];
/// let mut core = FlatPlatform::new(0, 1, &mut memory).with_faults_kept();
/// Q7::enter(&mut core, |q7| q7.translate(HbmAddr::new(0x40)));
/// let Fault::NoMemory { addr, .. } = core.faults()[0] else { unreachable!() };
/// assert_eq!(addr, HbmAddr::new(0x40));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// An access outside its tensor.
    OutOfBounds(OutOfBounds),
    /// A translation of an address at which there is no memory.
    NoMemory {
        /// The address.
        addr: HbmAddr,
        /// The author's line.
        site: Site,
    },
    /// An access through a pointer at an address that is no multiple of the element's size.
    Misaligned {
        /// Read or write.
        access: Access,
        /// The address, of the local or of the HBM space.
        addr: u64,
        /// Bytes of the element.
        bytes: u64,
        /// The author's line.
        site: Site,
    },
    /// An access through the null pointer.
    NullPointer {
        /// Read or write.
        access: Access,
        /// The author's line.
        site: Site,
    },
    /// An access at a local address where no window of this core shows HBM.
    NoWindow {
        /// Read or write.
        access: Access,
        /// The address.
        local: NxAddr,
        /// The author's line.
        site: Site,
    },
    /// A copy whose local side is not dataram: the DMA engine reaches nothing else of the core
    /// (`docs/machine.md`, section 7). Nothing is copied.
    NotInDataram {
        /// Read is a copy from HBM, write one to HBM.
        access: Access,
        /// The local address.
        local: NxAddr,
        /// Bytes of the copy.
        bytes: u64,
        /// The author's line.
        site: Site,
    },
    /// A copy, or an access at a local address, that is in dataram but not, or not all, in the core's TCM pool. Nothing is
    /// copied.
    OutsideTcm {
        /// Read is a copy from HBM, or a load; write one to HBM, or a store.
        access: Access,
        /// The local address.
        local: NxAddr,
        /// Bytes of the copy or of the element.
        bytes: u64,
        /// Bytes of the pool.
        pool: u32,
        /// The author's line.
        site: Site,
    },
    /// A wait for an asynchronous copy that was never begun.
    NoSuchCopy {
        /// The number.
        copy: u64,
        /// The author's line.
        site: Site,
    },
    /// A stream that was read or written past its end, or after it was closed.
    StreamEnded {
        /// Read or write.
        access: Access,
        /// The tensor's name in the kernel's signature.
        argument: &'static str,
        /// Where the tensor's storage begins.
        storage: HbmAddr,
        /// Elements of the stream.
        len: u64,
        /// Was it closed, or at its end?
        closed: bool,
        /// The line that opened it.
        opened: Site,
        /// The author's line.
        site: Site,
    },
    /// Something was given back to a heap that is none of its blocks.
    BadFree {
        /// Which heap.
        heap: HeapName,
        /// The address that was given back, of the local space for TCM and of the HBM space for HBM scratch.
        addr: u64,
        /// What is there.
        error: FreeError,
        /// The author's line.
        site: Site,
    },
    /// An argument of one plain type whose record says another. The kernel gets the bytes there as they are.
    OtherValue {
        /// Its name in the kernel's signature.
        argument: &'static str,
        /// The type the kernel takes.
        wanted: Dtype,
        /// The record's.
        found: Dtype,
        /// Where it is.
        addr: HbmAddr,
        /// The author's line.
        site: Site,
    },
    /// A returned tensor was written in more pieces than a core can remember.
    TooManyRuns {
        /// What reports call the output: `"result"`.
        argument: &'static str,
        /// Pieces a core remembers.
        limit: usize,
        /// The author's line of the write that was one too many.
        site: Site,
    },
}
