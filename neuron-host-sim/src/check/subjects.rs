//! The tensors a launch knows, and which of them an address belongs to.

use neuron_device::{Access, Dtype, HbmAddr, Layout, Site};

use super::place::index_of;
use crate::fault::{Described, Nearest};

/// What a tensor is to the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Argument,
    Output,
    /// On the scratch of this core.
    Scratch(u32),
}

/// A tensor of the launch.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// Its name in the kernel's signature.
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) storage: HbmAddr,
    /// Bytes of the storage, which a view shares.
    pub(crate) bytes: u64,
    pub(crate) dtype: Dtype,
    pub(crate) layout: Layout,
    /// The line that made it, if it is known.
    pub(crate) allocated: Option<Site>,
}

impl Subject {
    pub(crate) fn described(&self) -> Described {
        Described {
            dtype: self.dtype,
            sizes: self.layout.sizes().to_vec(),
            strides: self.layout.strides().to_vec(),
        }
    }

    /// Is the byte at `addr` in its storage?
    pub(crate) fn holds(&self, addr: u64) -> bool {
        addr.wrapping_sub(self.storage.get()) < self.bytes
    }

    /// The flat index of the element the byte at `addr` is part of.
    pub(crate) fn element(&self, addr: u64) -> Option<u64> {
        let offset = addr.checked_sub(self.storage.get())? / self.dtype.size();
        index_of(&self.layout, offset)
    }

    /// The address of the first byte of the element with this flat index.
    pub(crate) fn address(&self, index: u64) -> u64 {
        let offset = self.layout.offset_of_flat(index);
        self.storage.get().wrapping_add(offset.wrapping_mul(self.dtype.size()))
    }

    /// The index of the element there, a number a dimension; if no element is, the offset in the storage.
    pub(crate) fn words(&self, addr: u64) -> String {
        match self.element(addr) {
            Some(index) => format!("{:?}", super::place::coordinates(&self.layout, index)),
            None => {
                let offset = (addr - self.storage.get()) / self.dtype.size();
                format!("storage[{offset}]")
            }
        }
    }
}

/// All tensors of a launch.
#[derive(Debug, Default)]
pub(crate) struct Subjects(Vec<Subject>);

impl Subjects {
    pub(crate) fn new(all: Vec<Subject>) -> Self {
        Self(all)
    }

    pub(crate) fn extend(&mut self, more: impl Iterator<Item = Subject>) {
        self.0.extend(more);
    }

    /// The tensor an access of a core at `addr` is of: one that has an element there rather than one whose storage has
    /// only a gap there; of several the output, if it is written, or else an argument.
    pub(crate) fn at(&self, addr: u64, access: Access) -> Option<&Subject> {
        let rank = |subject: &Subject| {
            let fits = (subject.role == Role::Output) == (access == Access::Write);
            (subject.element(addr).is_none(), !fits)
        };
        self.0.iter().filter(|subject| subject.holds(addr)).min_by_key(|subject| rank(subject))
    }

    /// The launch's output.
    pub(crate) fn output(&self) -> Option<&Subject> {
        self.0.iter().find(|subject| subject.role == Role::Output)
    }

    /// The tensor of this name that an accessor was opened on.
    pub(crate) fn named(&self, name: &str) -> Option<&Subject> {
        self.0.iter().find(|subject| subject.name == name)
    }

    /// The tensor other than `own` that has an element at `addr`, and how far that is beyond the end of `own`.
    pub(crate) fn other_at(&self, own: &Subject, addr: u64, access: Access) -> Option<Nearest> {
        let others = || self.0.iter().filter(|subject| subject.name != own.name || subject.role != own.role);
        let preferred = others().filter(|subject| subject.element(addr).is_some());
        let found =
            preferred.min_by_key(|subject| (subject.role == Role::Output) != (access == Access::Write))?;
        let end = own.storage.get() + own.layout.extent() * own.dtype.size();
        Some(Nearest { argument: found.name, first: found.words(addr), beyond: addr.saturating_sub(end) })
    }
}
