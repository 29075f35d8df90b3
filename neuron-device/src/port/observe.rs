//! What somebody who watches a core is told.

use super::fault::Access;
use crate::policy::counters::Counters;
use crate::words::addr::{HbmAddr, NxAddr};
use crate::words::dtype::Dtype;
use crate::words::error::Site;
use crate::words::handle::{CoherencyPolicy, Handle};
use crate::words::layout::Layout;
use crate::words::method::CopyMethod;
use crate::words::work::Work;

/// A run of accesses at evenly spaced addresses from one line of source: how a core reports what it touched.
///
/// ```
/// use neuron_device::{Access, HbmAddr, Run};
/// let site = std::panic::Location::caller();
/// // Every second of eight f32, from the last one backwards:
/// let run = Run { access: Access::Read, start: HbmAddr::new(28), step: -8, count: 4, bytes: 4, site };
/// let address = |access| run.start.get().wrapping_add_signed(access * run.step);
/// assert_eq!((0..4).map(address).collect::<Vec<_>>(), [28, 20, 12, 4]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// Read or write.
    pub access: Access,
    /// Address of the first element.
    pub start: HbmAddr,
    /// Bytes from one element to the next; negative when the kernel walks backwards, 0 when it stays. Of a
    /// single access it says nothing.
    pub step: i64,
    /// How many accesses, at least 1.
    pub count: u64,
    /// Bytes of an element.
    pub bytes: u64,
    /// The author's line.
    pub site: Site,
}

/// What an [`Observer`] wants to be told of the accesses.
///
/// ```
/// use neuron_device::Wants;
/// // Each wants what the one before wants, and more.
/// assert!(Wants::Nothing < Wants::Runs && Wants::Runs < Wants::EveryAccess);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wants {
    /// No access.
    Nothing,
    /// Runs, each when it is over: what costs little.
    Runs,
    /// Every access by itself, as a run of one, in the order of the program and before the next one is made. It costs
    /// several times as much.
    EveryAccess,
}

/// The way of an access that no tensor stands for.
///
/// ```
/// use neuron_device::{NxAddr, RawPath};
/// let path = RawPath::Local(NxAddr::new(0x0700_0040));
/// assert_ne!(path, RawPath::Pointer { context: 0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawPath {
    /// A [`Q7Ptr`](crate::Q7Ptr).
    Pointer {
        /// Which tensor it was derived from: [`Q7Ptr::context`](crate::Q7Ptr::context).
        context: u32,
    },
    /// A copy by way of a [`Q7Ptr`](crate::Q7Ptr): [`Q7::neuron_memcpy`](crate::Q7::neuron_memcpy). It is of any number of
    /// bytes, from any address on.
    Copy {
        /// As of a pointer.
        context: u32,
    },
    /// A local address: [`Q7::load_nx`](crate::Q7::load_nx), [`Q7::store_nx`](crate::Q7::store_nx).
    Local(NxAddr),
}

impl RawPath {
    /// The [context](crate::Q7Ptr::context) of pointers derived from the tensor of this name whose storage begins at
    /// `storage`, or from a view of it. Tensors of one name never share a context, and those of two names hardly ever; no
    /// tensor has context 0.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform, RawPath};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let x = q7.empty(Dtype::I32, &[4])?;
    ///     let third = x.q7_data_ptr::<i32>()?.add(2).unwrap();
    ///     assert_eq!(third.context(), RawPath::context(x.storage(), x.name()));
    ///     assert_ne!(third.context(), RawPath::context(x.storage(), "another"));
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    pub const fn context(storage: HbmAddr, name: &str) -> u32 {
        // FNV-1a, begun with the storage in units of 64 bytes, what every storage is a multiple of.
        const PRIME: u32 = 0x0100_0193;
        let mut context = (storage.get() >> 6) as u32;
        let mut rest = name.as_bytes();
        while let [byte, others @ ..] = rest {
            context = (context ^ *byte as u32).wrapping_mul(PRIME);
            rest = others;
        }
        if context == 0 { 1 } else { context }
    }
}

/// A copy between HBM and TCM.
///
/// ```
/// use neuron_device::{Access, Copied, CopyMethod, Dataram, HbmAddr, Run};
/// let site = std::panic::Location::caller();
/// // Three rows of 16 bytes, 64 bytes apart, come together in TCM:
/// let hbm = Run { access: Access::Read, start: HbmAddr::new(0), step: 64, count: 3, bytes: 16, site };
/// let (local, method) = (Dataram::BASE, CopyMethod::Dma);
/// let copy = Copied { hbm, local, element: 4, method, descriptors: 3, counted: false, pending: None };
/// assert_eq!(copy.bytes(), 48);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Copied {
    /// Its HBM side, as pieces of `bytes` bytes; read is a copy to TCM, write one from there. Addresses that
    /// cross no piece are in order.
    pub hbm: Run,
    /// Where its TCM side begins, which has no gaps.
    pub local: NxAddr,
    /// Bytes of an element.
    pub element: u64,
    /// Who copies.
    pub method: CopyMethod,
    /// DMA descriptor pairs; 0 if the core copies itself.
    pub descriptors: u64,
    /// Does the core count its accesses to these bytes in TCM, as it does those of the raw layer and of a read stream? Of
    /// the latter, but for those it [sweeps](Staged::Swept).
    pub counted: bool,
    /// The number of an asynchronous copy, which goes on until it is [awaited](Staged::Awaited).
    pub pending: Option<u64>,
}

impl Copied {
    /// Bytes in all.
    pub const fn bytes(&self) -> u64 {
        self.hbm.count * self.hbm.bytes
    }
}

/// What a kernel does with its TCM.
///
/// ```
/// use neuron_device::{Dataram, Staged};
/// let event = Staged::Filled { local: Dataram::BASE, bytes: 64 };
/// assert!(matches!(event, Staged::Filled { bytes: 64, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Staged {
    /// It was given a block.
    Allocated {
        /// Where it begins.
        local: NxAddr,
        /// Bytes.
        bytes: u64,
        /// The author's line.
        site: Site,
    },
    /// It gave the block back that begins there.
    Freed {
        /// Where it begins.
        local: NxAddr,
        /// The author's line; `None` if a buffer was dropped.
        site: Option<Site>,
    },
    /// The core wrote values there, or is about to: it was given a slice of them.
    Filled {
        /// Where they begin.
        local: NxAddr,
        /// Bytes.
        bytes: u64,
    },
    /// A copy.
    Copied(Copied),
    /// The kernel is given a slice of a read stream's buffer, whose accesses nobody counts.
    Swept {
        /// Where it begins.
        local: NxAddr,
        /// Bytes.
        bytes: u64,
        /// The line that opened the stream.
        site: Site,
    },
    /// The kernel declared what it computes.
    Computed(Work),
    /// The kernel is about to [fence](crate::Q7::fence).
    Fenced,
    /// An asynchronous copy, by its number, was waited for. Every run that began before was told.
    Awaited {
        /// Its number.
        copy: u64,
        /// The author's line.
        site: Site,
    },
    /// A stream was opened.
    StreamOpened {
        /// The tensor's name in the kernel's signature.
        argument: &'static str,
        /// Where its storage begins.
        storage: HbmAddr,
        /// A read stream or a write stream?
        access: Access,
        /// Where the first element it goes through is.
        start: HbmAddr,
        /// Bytes from there to the end of the last.
        bytes: u64,
        /// Elements its buffer holds.
        capacity: u32,
        /// What to do about accessors of the same storage.
        policy: CoherencyPolicy,
        /// The author's line.
        site: Site,
    },
    /// From here on, this is done where two handles of one storage do not get along. Every run that began before was told.
    PolicySet {
        /// Before an op sets one, it is [`CoherencyPolicy::Coherent`].
        policy: CoherencyPolicy,
    },
    /// A handle was opened beside one it should not meet, under
    /// [`CoherencyPolicy::IncoherentVerbose`](crate::CoherencyPolicy::IncoherentVerbose).
    Incoherent {
        /// The tensor's name in the kernel's signature.
        argument: &'static str,
        /// Where its storage begins.
        storage: HbmAddr,
        /// What was opened.
        opening: Handle,
        /// What was open.
        open: Handle,
        /// The line that opened that.
        opened: Site,
        /// The author's line.
        site: Site,
    },
    /// The stream opened by that line was closed.
    StreamClosed {
        /// Where its tensor's storage begins.
        storage: HbmAddr,
        /// The line that opened it.
        opened: Site,
    },
}

/// What became of an op's result, where that is not plain.
///
/// ```
/// use neuron_device::{HbmAddr, Returned};
/// let site = std::panic::Location::caller();
/// let ignored = Returned::Ignored { argument: "scratch", storage: HbmAddr::new(64), taken: site };
/// assert_ne!(ignored, Returned::Undefined);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Returned {
    /// What this core wrote of the tensor it returned, be it nothing, is copied to the output.
    Copied {
        /// Where the output's storage begins.
        output: HbmAddr,
        /// The author's line that wrote the tensor last, or made it.
        site: Site,
    },
    /// The kernel had taken the destination, and the tensor it returned, another one, is ignored.
    Ignored {
        /// The tensor's name in the kernel's signature; `"scratch"` for one the kernel made.
        argument: &'static str,
        /// Where its storage begins.
        storage: HbmAddr,
        /// The line that took the destination.
        taken: Site,
    },
    /// The op returned no tensor, and had not taken the destination.
    Undefined,
}

/// Watches one core. A platform that hands one out learns what the kernel does without slowing its accesses:
/// they are told as coalesced runs, at the latest when the op ends. A run is told when it is over, so runs of
/// different accessors do not come in the order of the accesses.
///
/// ```
/// use neuron_device::{Access, Counters, Observer, Run, Site, Wants};
/// # use neuron_device::{ArgDescriptor, Fault, FlatPlatform, HbmAddr, Layout, MappedWindow, NxAddr, Platform, RawPath, Staged, prelude::*};
/// # struct Traced<'m> { inner: FlatPlatform<'m>, runs: Vec<Run>, stores: u64 }
/// impl Observer for Traced<'_> {
///     fn wants(&self) -> Wants { Wants::Runs }
///     fn allocated(&mut self, _: HbmAddr, _: Dtype, _: &Layout, _: Site) {}
///     fn opened(&mut self, _: &'static str, _: HbmAddr, _: Access, _: Site) {}
///     // And some calls about memory and addresses a kernel takes into its own hands.
/// #     fn taken(&mut self, _: HbmAddr, _: u64, _: Site) {}
/// #     fn released(&mut self, _: HbmAddr, _: Site) {}
/// #     fn translated(&mut self, _: HbmAddr, _: NxAddr, _: Site) {}
/// #     fn remapped(&mut self, _: usize, _: HbmAddr, _: Site) {}
/// #     fn raw_access(&mut self, _: RawPath, _: Access, _: HbmAddr, _: u64, _: Site) -> bool { true }
/// #     fn raw_tcm_access(&mut self, _: Access, _: NxAddr, _: u64, _: Site) -> bool { true }
/// #     fn staged(&mut self, _: &Staged) {}
/// #     fn checkpoint(&mut self) {}
///     fn run(&mut self, run: &Run) { self.runs.push(*run) }
///     fn retired(&mut self, counters: &Counters) { self.stores = counters.stores }
/// }
/// # // SAFETY: windows are the inner platform's.
/// # unsafe impl Platform for Traced<'_> {
/// #     fn core_id(&self) -> u32 { self.inner.core_id() }
/// #     fn core_count(&self) -> u32 { self.inner.core_count() }
/// #     fn launch_stamp(&self) -> u64 { self.inner.launch_stamp() }
/// #     fn map_window(&mut self, record: usize, base: HbmAddr) -> Option<MappedWindow> {
/// #         self.inner.map_window(record, base)
/// #     }
/// #     fn fence(&mut self) { self.inner.fence() }
/// #     fn scratch(&self) -> (HbmAddr, u64) { Platform::scratch(&self.inner) }
/// #     fn argument(&self, position: usize) -> Option<ArgDescriptor> {
/// #         Platform::argument(&self.inner, position)
/// #     }
/// #     fn destination(&self) -> Option<ArgDescriptor> { Platform::destination(&self.inner) }
/// #     fn fault(&mut self, fault: &Fault) { self.inner.fault(fault) }
/// #     fn observer(&mut self) -> Option<&mut dyn Observer> { Some(self) }
/// # }
/// # let mut memory = [0; 64];
/// let mut core = Traced { inner: FlatPlatform::new(0, 1, &mut memory), runs: Vec::new(), stores: 0 };
/// # Q7::enter(&mut core, |q7| {
/// #     let mut x = q7.empty(Dtype::I32, &[20])?;
/// #     let cells = x.elements_mut::<i32>(q7)?;
/// // A kernel that writes 20 elements of i32, from one line:
/// (0..20).for_each(|i| cells.set(i, 1));
/// #     Ok(())
/// # })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// assert_eq!((core.runs.len(), core.runs[0].count, core.runs[0].step, core.stores), (1, 20, 4, 20));
/// ```
pub trait Observer {
    /// Which [`run`](Self::run)s does this observer want? Asked once, when the core starts. The other calls always
    /// come.
    fn wants(&self) -> Wants;

    /// Does it want to know how far the core is when something happens that takes time? Asked once, when the core starts.
    /// By default it does not.
    fn wants_progress(&self) -> bool {
        false
    }

    /// What the core counted so far, told right before [`remapped`](Self::remapped) and before a copy, a wait or declared
    /// compute is told as [`staged`](Self::staged), if that is [wanted](Self::wants_progress). Hits of windows are not up
    /// to date.
    fn progressed(&mut self, counters: &Counters) {
        let _ = counters;
    }

    /// The kernel made a tensor on the core's HBM scratch.
    fn allocated(&mut self, storage: HbmAddr, dtype: Dtype, layout: &Layout, site: Site);

    /// The kernel took a block of `bytes` bytes of the core's HBM scratch into its own hands.
    fn taken(&mut self, storage: HbmAddr, bytes: u64, site: Site);

    /// The kernel gave the block back that begins at `storage`. Every run was told that began before.
    fn released(&mut self, storage: HbmAddr, site: Site);

    /// The kernel opened an accessor of `access` on the tensor called `argument`, whose storage begins at `storage`.
    /// Every run was told that began before.
    fn opened(&mut self, argument: &'static str, storage: HbmAddr, access: Access, site: Site);

    /// [`Q7::translate`](crate::Q7::translate) gave `local` for `addr`.
    fn translated(&mut self, addr: HbmAddr, local: NxAddr, site: Site);

    /// The line `site` missed, so that dynamic window `record` shows the window of `addr` from now on, and no longer what
    /// it showed before.
    fn remapped(&mut self, record: usize, addr: HbmAddr, site: Site);

    /// The kernel is about to access the element of `bytes` bytes at `addr` by way of `path`. The answer is whether it
    /// may: if not, a read gives poison and a write is dropped, as after a fault. A chip never asks.
    fn raw_access(&mut self, path: RawPath, access: Access, addr: HbmAddr, bytes: u64, site: Site) -> bool;

    /// The kernel is about to access the element of `bytes` bytes at a local address in its TCM pool. The answer is whether
    /// it may, as of [`raw_access`](Self::raw_access).
    fn raw_tcm_access(&mut self, access: Access, local: NxAddr, bytes: u64, site: Site) -> bool;

    /// The kernel staged something, or made ready to; of a copy, before its first byte moves. Every run that began before
    /// was told.
    fn staged(&mut self, event: &Staged);

    /// The kernel accessed memory, as far as the observer [`wants`](Self::wants) to know; faults are no runs.
    fn run(&mut self, run: &Run);

    /// Runs were told, and the kernel is about to go on: an observer that unwinds here, or in
    /// [`raw_access`](Self::raw_access) or [`raw_tcm_access`](Self::raw_tcm_access), stops the core; in the other calls it must not. It comes after a run that was told in the middle of the op, and at the latest after every 2^20 accesses of a run
    /// that stays at one element.
    fn checkpoint(&mut self);

    /// What became of the op's result, told before the clean-up.
    fn returned(&mut self, returned: &Returned) {
        let _ = returned;
    }

    /// The op is over, by return or by panic, and every run was told. It may be called while a panic unwinds:
    /// a panic of its own would abort.
    fn retired(&mut self, counters: &Counters);
}
