//! What a stream keeps elements in.

use super::super::tcm::TcmBuf;
use super::super::tensor::Tensor;
use crate::core::q7::Q7;
use crate::port::fault::Access;
use crate::port::observe::Staged;
use crate::words::element::Element;
use crate::words::error::{ErrorKind, Result, Site};
use crate::words::handle::{CoherencyPolicy, Handle};

/// Bytes of a stream's buffer (`docs/machine.md`, section 6).
const BYTES: u32 = 4096;

/// The buffer of a stream: 4 KiB of TCM, or where there is no room for that, one element.
#[derive(Debug)]
pub(super) enum Buffer<'a, T: Element> {
    Tcm(TcmBuf<'a, T>),
    One(T),
}

impl<'a, T: Element> Buffer<'a, T> {
    pub(super) fn new(q7: &'a Q7, site: Site) -> Self {
        match q7.tcm_malloc_from(BYTES / size_of::<T>() as u32, site) {
            Ok(buffer) => Self::Tcm(buffer),
            Err(_) => {
                q7.staging.count(|counters| counters.unbuffered_streams += 1);
                Self::One(T::POISON)
            }
        }
    }

    pub(super) const fn capacity(&self) -> u32 {
        match self {
            Self::Tcm(buffer) => buffer.len(),
            Self::One(_) => 1,
        }
    }
}

/// The part of a tensor's storage a stream goes through, and what it is open as.
#[derive(Debug)]
pub(super) struct Opened<'a> {
    pub(super) q7: &'a Q7,
    pub(super) handle: Handle,
    pub(super) storage: u64,
    /// Is it known to the coherency rules?
    claims: bool,
    pub(super) site: Site,
    /// The first element it goes through, in storage order, and how many.
    first: u64,
    pub(super) len: u64,
}

impl<'a> Opened<'a> {
    /// Open a stream on elements `start..end` of `tensor`, counted in storage order.
    #[track_caller]
    pub(super) fn new<T: Element>(
        q7: &'a Q7,
        tensor: &Tensor,
        access: Access,
        (start, end): (u64, u64),
        site: Site,
    ) -> Result<Self> {
        let handle = if access == Access::Read { Handle::ReadStream } else { Handle::WriteStream };
        tensor.open::<T>(q7, access, handle, site)?;
        let numel = tensor.swept();
        if start > end || end > numel {
            return Err(tensor.error(ErrorKind::NoSuchRange { start, end, numel }));
        }
        let storage = tensor.storage().get();
        // Of no elements there is nothing to be incoherent about, and another tensor may begin where they would.
        let claims = tensor.numel() > 0;
        if claims && q7.staging.coherency.borrow_mut().open(storage, handle, site).is_err() {
            return Err(tensor.error(ErrorKind::TooManyStreams { limit: crate::policy::coherency::STORAGES }));
        }
        Ok(Self { q7, handle, storage, claims, site, first: start, len: end - start })
    }

    /// Say what it was given to buffer with.
    pub(super) fn tell(&self, tensor: &Tensor, access: Access, capacity: u32) {
        if self.q7.is_watched() {
            let (argument, storage, site) = (tensor.name(), tensor.storage(), self.site);
            let policy = self.q7.staging.policy.get();
            let part = tensor.run(access, self.first, self.len, site);
            let (start, bytes) = (part.start, part.bytes);
            let event =
                Staged::StreamOpened { argument, storage, access, start, bytes, capacity, policy, site };
            self.q7.observer(|observer| observer.staged(&event));
        }
    }

    /// Close it, once.
    pub(super) fn close(&self) {
        self.q7.tell_all();
        if self.claims {
            self.q7.staging.coherency.borrow_mut().close(self.storage, self.handle);
        }
        if self.q7.is_watched() {
            let storage = crate::words::addr::HbmAddr::new(self.storage);
            let event = Staged::StreamClosed { storage, opened: self.site };
            self.q7.observer(|observer| observer.staged(&event));
        }
    }
}

impl Q7 {
    /// What to do from here on where two handles of one storage do not get along: refuse, warn, or go on
    /// (`docs/machine.md`, section 6).
    ///
    /// ```
    /// use neuron_device::{prelude::*, CoherencyPolicy, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let x = q7.empty(Dtype::F32, &[4])?;
    ///     let _stream = x.read_stream_accessor::<f32>(q7, ..)?;
    ///     assert!(x.elements::<f32>(q7).is_err());
    ///     q7.set_coherency_policy(CoherencyPolicy::IncoherentQuiet);
    ///     assert!(x.elements::<f32>(q7).is_ok());
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    pub fn set_coherency_policy(&self, policy: CoherencyPolicy) {
        if self.is_watched() {
            self.tell_all();
            self.observer(|observer| observer.staged(&Staged::PolicySet { policy }));
        }
        self.staging.policy.set(policy);
    }

    /// May `tensor` be opened by `handle` beside what is open on its storage?
    #[track_caller]
    pub(crate) fn expect_coherent(&self, tensor: &Tensor, handle: Handle, site: Site) -> Result<()> {
        if tensor.numel() == 0 {
            return Ok(());
        }
        let conflict = self.staging.coherency.borrow().conflict(tensor.storage().get(), handle);
        let Some(conflict) = conflict else { return Ok(()) };
        match self.staging.policy.get() {
            CoherencyPolicy::Coherent => Err(tensor.error(ErrorKind::Incoherent {
                opening: handle,
                open: conflict.open,
                opened: conflict.opened,
            })),
            CoherencyPolicy::IncoherentQuiet => Ok(()),
            CoherencyPolicy::IncoherentVerbose => {
                let event = Staged::Incoherent {
                    argument: tensor.name(),
                    storage: tensor.storage(),
                    opening: handle,
                    open: conflict.open,
                    opened: conflict.opened,
                    site,
                };
                self.observer(|observer| observer.staged(&event));
                Ok(())
            }
        }
    }
}
