//! What the oracle knows of a tensor.

use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

use neuron_device::{Access, Dtype};

/// What a tensor is to a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Argument,
    Output,
    /// Made by this core.
    Scratch(u32),
}

/// A tensor.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) role: Role,
    pub(super) storage: u64,
    pub(super) storage_bytes: u64,
    pub(super) dtype: Dtype,
    pub(super) sizes: Vec<u32>,
    pub(super) strides: Vec<u64>,
    pub(super) offset: u64,
    /// The line that made it.
    pub(super) line: i32,
}

impl Known {
    pub(super) fn size(&self) -> u64 {
        self.dtype.size()
    }

    pub(super) fn numel(&self) -> u64 {
        self.sizes.iter().map(|&size| u64::from(size)).product()
    }

    /// Do its elements lie one after the other, in row-major order?
    pub(super) fn is_contiguous(&self) -> bool {
        let mut expected = 1;
        self.is_empty()
            || self.sizes.iter().zip(&self.strides).rev().all(|(&size, &stride)| {
                let fits = size == 1 || stride == expected;
                expected *= u64::from(size);
                fits
            })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sizes.contains(&0)
    }

    /// Is the byte in its storage?
    pub(super) fn holds(&self, addr: u64) -> bool {
        (self.storage..self.storage + self.storage_bytes).contains(&addr)
    }

    /// The place of this index, whether or not there is an element, in elements from the storage's start.
    pub(super) fn place(&self, index: &[u64]) -> u64 {
        let reach = |(&at, &stride): (&u64, &u64)| at.wrapping_mul(stride);
        index.iter().zip(&self.strides).map(reach).fold(self.offset, u64::wrapping_add)
    }

    pub(super) fn addr(&self, index: &[u64]) -> u64 {
        self.storage.wrapping_add(self.place(index).wrapping_mul(self.size()))
    }

    /// One number a dimension, of a flat index; beyond the last element the first dimension goes on.
    pub(super) fn coordinates(&self, flat: u64) -> Vec<u64> {
        let mut rest = flat;
        let mut at = vec![0; self.sizes.len()];
        for dim in (1..self.sizes.len()).rev() {
            let size = u64::from(self.sizes[dim].max(1));
            at[dim] = rest % size;
            rest /= size;
        }
        if let Some(first) = at.first_mut() {
            *first = rest;
        }
        at
    }

    /// The address of a flat index.
    pub(super) fn flat_addr(&self, flat: u64) -> u64 {
        if self.sizes.is_empty() {
            return self.storage.wrapping_add(self.offset.wrapping_add(flat).wrapping_mul(self.size()));
        }
        self.addr(&self.coordinates(flat))
    }

    /// Behind its last element, in elements from the storage's start; 0 if it has none.
    pub(super) fn extent(&self) -> u64 {
        (0..self.numel()).map(|flat| self.place(&self.coordinates(flat)) + 1).max().unwrap_or(0)
    }

    /// The first address and the one behind the last.
    pub(super) fn reach(&self) -> [u64; 2] {
        [self.offset, self.extent()].map(|elems| self.storage + elems * self.size())
    }

    /// The lowest flat index of the element that has this byte.
    pub(super) fn element(&self, addr: u64) -> Option<u64> {
        let has = |&flat: &u64| {
            let start = self.flat_addr(flat);
            (start..start + self.size()).contains(&addr)
        };
        if self.holds(addr) { (0..self.numel()).find(has) } else { None }
    }

    /// The index of the element there, or the distance from the storage's start.
    pub(super) fn words(&self, addr: u64) -> String {
        match self.element(addr) {
            Some(flat) => format!("{:?}", self.coordinates(flat)),
            None => {
                let bytes = addr.wrapping_sub(self.storage) as i64;
                format!("storage[{}]", bytes.div_euclid(self.size() as i64))
            }
        }
    }

    /// Does it come before another tensor of the same memory, where the access is this one? The output is what is written.
    fn fits(&self, access: Access) -> bool {
        (self.role == Role::Output) == (access == Access::Write)
    }
}

/// The first of these tensors that has an element there; if none has, the first whose storage holds it; in either case
/// one that fits the access if there is one.
pub(super) fn owner<'k>(
    tensors: impl Iterator<Item = &'k Known> + Clone,
    addr: u64,
    access: Access,
) -> Option<&'k Known> {
    best(tensors.filter(|tensor| tensor.holds(addr)), addr, access)
}

/// As [`owner`], of tensors that need not hold the address.
pub(super) fn best<'k>(
    tensors: impl Iterator<Item = &'k Known> + Clone,
    addr: u64,
    access: Access,
) -> Option<&'k Known> {
    let mut with_element = tensors.clone().filter(|tensor| tensor.element(addr).is_some());
    let fitting = with_element.clone().find(|tensor| tensor.fits(access));
    fitting
        .or_else(|| with_element.next())
        .or_else(|| tensors.clone().find(|tensor| tensor.fits(access)).or_else(|| tensors.clone().next()))
}
