//! The tensors a launch knows, and which of them an address belongs to.

use neuron_device::{Access, Dtype, HbmAddr, Layout, RawPath, Site};

use crate::fault::{Described, Fault, Nearest};
use crate::hbm::map::is_in_sbuf;
use crate::place::{coordinates, index_of};

/// What a tensor is to the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Argument,
    Output,
    /// On the scratch of this core.
    Scratch(u32),
    /// There too, taken by hand: bytes that may be elements of any type.
    Block(u32),
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
    /// The line that gave it back.
    pub(crate) freed: Option<Site>,
}

impl Subject {
    pub(crate) fn described(&self) -> Described {
        Described {
            dtype: self.dtype,
            sizes: self.layout.sizes().to_vec(),
            strides: self.layout.strides().to_vec(),
            in_sbuf: is_in_sbuf(self.storage),
        }
    }

    /// Is the byte at `addr` in its storage?
    pub(crate) fn holds(&self, addr: u64) -> bool {
        addr.wrapping_sub(self.storage.get()) < self.bytes
    }

    /// Is there an element of so many bytes at `addr`?
    pub(crate) fn has_element(&self, addr: u64, bytes: u64) -> bool {
        match self.role {
            Role::Block(_) => self.holds(addr) && self.holds(addr.wrapping_add(bytes - 1)),
            _ => bytes == self.dtype.size() && self.element(addr).is_some(),
        }
    }

    /// The address of its first element, and that behind its last.
    pub(crate) fn reach(&self) -> [u64; 2] {
        let offset = |elems: u64| self.storage.get().wrapping_add(elems.wrapping_mul(self.dtype.size()));
        [offset(self.layout.offset()), offset(self.layout.extent())]
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

    /// The index of the element there, a number a dimension; if no element is, the offset from the storage's start, in
    /// elements.
    pub(crate) fn words(&self, addr: u64) -> String {
        match self.element(addr) {
            Some(index) => format!("{:?}", coordinates(&self.layout, index)),
            None => {
                let bytes = addr.wrapping_sub(self.storage.get()) as i64;
                format!("storage[{}]", bytes.div_euclid(self.dtype.size() as i64))
            }
        }
    }
}

impl Fault {
    /// The same, first at `addr`, which is of this tensor, or of none.
    pub(crate) fn at(self, subject: Option<&Subject>, addr: u64) -> Self {
        let address = Some(HbmAddr::new(addr));
        match subject {
            Some(subject) => Self {
                argument: subject.name,
                tensor: Some(subject.described()),
                first: subject.words(addr),
                flat: subject.element(addr),
                address,
                ..self
            },
            None => Self { first: HbmAddr::new(addr).to_string(), address, ..self },
        }
    }
}

/// The tensors of a launch, as one core knows them: the arguments and the output, and what it made itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subjects<'a> {
    pub(crate) passed: &'a [Subject],
    pub(crate) made: &'a [Subject],
}

impl<'a> Subjects<'a> {
    /// All of them. Of what was made in one place, the last comes first.
    fn iter(&self) -> impl Iterator<Item = &'a Subject> + use<'a> {
        self.passed.iter().chain(self.made.iter().rev())
    }

    /// The launch's output.
    pub(crate) fn output(&self) -> Option<&'a Subject> {
        self.iter().find(|subject| subject.role == Role::Output)
    }

    /// The tensor an access of a core at `addr` is of: one that has an element there rather than one whose storage has
    /// only a gap there; of several the output, if it is written, or else an argument. One that was given back is meant if
    /// there is no other.
    pub(crate) fn at(&self, addr: u64, access: Access) -> Option<&'a Subject> {
        let rank = |subject: &Subject| {
            let fits = (subject.role == Role::Output) == (access == Access::Write);
            (subject.freed.is_some(), subject.element(addr).is_none(), !fits)
        };
        self.iter().filter(|subject| subject.holds(addr)).min_by_key(|subject| rank(subject))
    }

    /// The tensor a pointer with this [context](neuron_device::Q7Ptr::context) was derived from.
    pub(crate) fn derived(&self, context: u32) -> Option<&'a Subject> {
        self.iter().find(|subject| RawPath::context(subject.storage, subject.name) == context)
    }

    /// The block that began here when it was given back.
    pub(crate) fn freed(&self, storage: u64) -> Option<&'a Subject> {
        self.iter().find(|subject| subject.freed.is_some() && subject.storage.get() == storage)
    }

    /// The tensor of this name and storage that an accessor was opened on.
    pub(crate) fn named(&self, name: &str, storage: HbmAddr) -> Option<&'a Subject> {
        self.iter().find(|subject| subject.name == name && subject.storage == storage)
    }

    /// Is an element of the output there?
    pub(crate) fn is_output(&self, addr: u64) -> bool {
        self.output().is_some_and(|output| output.element(addr).is_some())
    }

    /// The tensor other than `own` that has an element at `addr`, and how far that is beyond the end of `own`.
    pub(crate) fn other_at(&self, own: &Subject, addr: u64, access: Access) -> Option<Nearest> {
        let others = || self.iter().filter(|subject| !std::ptr::eq(*subject, own) && subject.freed.is_none());
        let preferred = others().filter(|subject| subject.element(addr).is_some());
        let found =
            preferred.min_by_key(|subject| (subject.role == Role::Output) != (access == Access::Write))?;
        let [start, end] = own.reach();
        let beyond =
            if addr < start { -(start.wrapping_sub(addr) as i64) } else { addr.wrapping_sub(end) as i64 };
        Some(Nearest { argument: found.name, first: found.words(addr), beyond })
    }
}
