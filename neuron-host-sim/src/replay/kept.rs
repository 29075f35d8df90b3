//! What a launch needs to run again, as it was before the launch.

use std::ops::ControlFlow;
use std::sync::Arc;

use neuron_device::{Op, Scalar};
use serde::{Deserialize, Serialize};

use super::error::NotKept;
use crate::arg::Arg;
use crate::bitmap::PAGE;
use crate::core::stack::StackSettings;
use crate::hbm::Hbm;
use crate::hbm::allocation::Allocation;
use crate::marshal::Marshalled;
use crate::profile::Profile;
use crate::subjects::{Role, Subject};
use crate::what_if::WhatIf;

/// The most bytes that are kept of one launch: 256 MiB.
pub(crate) const MOST: u64 = 256 << 20;
/// Bytes that say which bytes of a page hold a value, a bit each.
pub(super) const BITS: usize = PAGE as usize / 8;

/// A launch, ready to be saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The library the op was named by, if it was.
    pub(super) library: Option<String>,
    pub(super) op: String,
    /// The file the op is in.
    pub(super) file: String,
    pub(super) setting: Setting,
    pub(super) arguments: Vec<Argument>,
    pub(super) output: Tensor,
    pub(super) storages: Vec<Storage>,
}

/// What the simulator was like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setting {
    pub(crate) cores: u32,
    /// Bytes a core.
    pub(crate) scratch: u64,
    /// Bytes of TCM a core.
    pub(crate) tcm: u32,
    /// Are copies made at the wait?
    pub(crate) copies_at_wait: bool,
    #[serde(default)]
    pub(crate) profile: Profile,
    /// Is `get_cpu_count()` 8 whatever the cores are?
    #[serde(default)]
    pub(crate) constant_cpu_count: bool,
    #[serde(default)]
    pub(crate) what_if: WhatIf,
    #[serde(default)]
    pub(crate) stack: StackSettings,
    /// Bytes of a core's queue of printed text.
    #[serde(default)]
    pub(crate) console: u32,
    /// Accesses without progress.
    pub(crate) patience: u64,
    /// The kinds of faults that were not looked for.
    pub(crate) without: Vec<String>,
    pub(crate) allowed: Vec<Meant>,
}

/// Faults that are meant: kind, argument, reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Meant {
    pub(crate) kind: String,
    pub(crate) argument: String,
    pub(crate) reason: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Argument {
    Tensor(Tensor),
    /// The value's dtype and its bytes.
    Value {
        dtype: String,
        bytes: Vec<u8>,
    },
}

/// A view of a storage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tensor {
    /// Which of the storages.
    pub(super) storage: usize,
    pub(super) dtype: String,
    pub(super) sizes: Vec<u32>,
    /// In elements, as is the offset.
    pub(super) strides: Vec<u64>,
    pub(super) offset: u64,
}

/// A part of HBM that tensors of the launch lie in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Storage {
    pub(super) start: u64,
    pub(super) bytes: u64,
    /// Its pages that hold something else than zeros.
    pub(super) pages: Pages,
    /// Which of its bytes hold a value: for each of these pages a bit a byte; `None` if all do.
    pub(super) initialised: Option<Pages>,
}

/// Some pages of a storage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Pages {
    /// Which ones: the first of some that follow one another, counted from the storage's start, and how many they are.
    pub(super) runs: Vec<(u64, u64)>,
    /// What belongs to each, one after the other; beside the header in a file.
    #[serde(skip)]
    pub(super) data: Vec<u8>,
}

impl Pages {
    fn push(&mut self, page: u64, data: &[u8]) {
        match self.runs.last_mut() {
            Some((first, count)) if *first + *count == page => *count += 1,
            _ => self.runs.push((page, 1)),
        }
        self.data.extend_from_slice(data);
    }

    /// Each page's number, counted from the storage's start.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.runs.iter().flat_map(|&(first, count)| first..first.saturating_add(count))
    }
}

impl Kept {
    /// Keep a launch whose output, and whatever else the cores wrote, everybody still sees as it was before. The caller holds
    /// `in_use`.
    pub(crate) fn take(
        hbm: &Hbm,
        (library, op): (Option<&str>, &'static Op),
        setting: Setting,
        arguments: &[Arg<'_>],
        marshalled: &Marshalled,
    ) -> Result<Arc<Self>, NotKept> {
        if arguments.iter().any(|argument| matches!(argument, Arg::Record(_))) {
            return Err(NotKept::Records);
        }
        let storage_of = |subject: &Subject| {
            let starts = |owner: &Arc<Allocation>| owner.start() == subject.storage;
            marshalled.allocations.iter().position(starts).expect("a launch holds what its tensors lie in")
        };
        let tensor = |subject: &Subject| Tensor {
            storage: storage_of(subject),
            dtype: subject.dtype.name().to_owned(),
            sizes: subject.layout.sizes().to_vec(),
            strides: subject.layout.strides().to_vec(),
            offset: subject.layout.offset(),
        };
        let mut subjects = marshalled.subjects.iter();
        let argument = |argument: &Arg<'_>| match argument {
            Arg::Scalar(scalar) => value(*scalar),
            _ => Argument::Tensor(tensor(subjects.next().expect("each tensor passed is a subject"))),
        };
        let arguments = arguments.iter().map(argument).collect();
        let output = marshalled.subjects.iter().find(|subject| subject.role == Role::Output);
        let mut room = MOST;
        let storages = marshalled.allocations.iter().map(|owner| storage(hbm, owner, &mut room));
        Ok(Arc::new(Self {
            library: library.map(str::to_owned),
            op: op.name().to_owned(),
            file: op.source().file.to_owned(),
            setting,
            arguments,
            output: tensor(output.expect("every launch has an output")),
            storages: storages.collect::<Result<_, _>>()?,
        }))
    }
}

fn value(scalar: Scalar) -> Argument {
    let (bytes, len) = scalar.to_bytes();
    Argument::Value { dtype: scalar.dtype().name().to_owned(), bytes: bytes[..len].to_vec() }
}

/// What `owner` holds, if it fits into `room`, which gets smaller by it.
fn storage(hbm: &Hbm, owner: &Allocation, room: &mut u64) -> Result<Storage, NotKept> {
    let range = owner.range();
    let first = range.start / PAGE;
    let mut take = |bytes: u64| {
        let left = room.checked_sub(bytes).ok_or(NotKept::TooLarge { most: MOST });
        left.map(|left| *room = left)
    };
    let mut pages = Pages::default();
    let mut fits = Ok(());
    let whole = range.start..range.end.next_multiple_of(PAGE);
    let read = hbm.each_page(whole, |page, bytes| {
        fits = take(PAGE);
        if fits.is_err() {
            return ControlFlow::Break(());
        }
        pages.push(page - first, bytes);
        ControlFlow::Continue(())
    });
    fits?;
    read.map_err(|error| NotKept::Host(error.to_string()))?;
    let known = owner.initialised();
    let initialised = known.some().map(|bitmap| {
        let mut pages = Pages::default();
        for page in bitmap.numbers() {
            take(BITS as u64)?;
            let bits = bitmap.page(page).expect("a page of the bitmap");
            let bytes: Vec<u8> = bits.iter().flat_map(|word| word.to_le_bytes()).collect();
            pages.push(page - first, &bytes);
        }
        Ok::<_, NotKept>(pages)
    });
    let bytes = range.end - range.start;
    Ok(Storage { start: range.start, bytes, pages, initialised: initialised.transpose()? })
}

#[cfg(test)]
mod tests;
