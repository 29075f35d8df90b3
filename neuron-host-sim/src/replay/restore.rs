//! From a kept launch to a simulator in the state before it.

use std::sync::{Arc, PoisonError};

use neuron_device::{Dtype, Error, HbmAddr, Layout, Library, Op, Scalar, match_dtype};

use super::error::ReplayError;
use super::kept::{Argument, BITS, Kept, Pages, Storage, Tensor};
use crate::allow::Rule;
use crate::arg::Arg;
use crate::bitmap::{Bitmap, NONE, PAGE};
use crate::core::dataram::DmaTiming;
use crate::fault::FaultKind;
use crate::hbm::allocation::Allocation;
use crate::hbm::initialised::Initialised;
use crate::simulator::Simulator;
use crate::tensor::hbm::HbmTensor;

/// A simulator as it was before a launch.
#[derive(Debug)]
pub(super) struct Restored {
    pub(super) sim: Simulator,
    pub(super) output: HbmTensor,
    pub(super) arguments: Vec<Given>,
}

/// An argument of the launch.
#[derive(Debug)]
pub(super) enum Given {
    Tensor(HbmTensor),
    Value(Scalar),
}

impl<'g> From<&'g Given> for Arg<'g> {
    fn from(given: &'g Given) -> Self {
        match given {
            Given::Tensor(tensor) => Arg::Hbm(tensor),
            Given::Value(value) => Arg::Scalar(*value),
        }
    }
}

impl Kept {
    /// The op, from the library it was named by, or else from the file it was in.
    pub(super) fn op(&self, libraries: &[&'static Library]) -> Result<&'static Op, ReplayError> {
        let named = libraries
            .iter()
            .filter(|library| self.library.as_deref().is_none_or(|name| name == library.name()));
        let mut found = named.filter_map(|library| library.op(&self.op)).peekable();
        let first = found.peek().copied();
        found.find(|op| op.source().file == self.file).or(first).ok_or_else(|| ReplayError::UnknownOp {
            op: self.op.clone(),
            file: self.file.clone(),
            known: libraries
                .iter()
                .flat_map(|library| library.ops())
                .map(|op| op.name().to_owned())
                .collect(),
        })
    }

    /// The simulator, with everything at the addresses it had.
    pub(super) fn restore(&self) -> Result<Restored, ReplayError> {
        let setting = &self.setting;
        let mut builder = Simulator::builder()
            .cores(setting.cores)
            .scratch(setting.scratch)
            .tcm(setting.tcm)
            .dma_timing(if setting.copies_at_wait { DmaTiming::AtWait } else { DmaTiming::AtOnce })
            .profile(setting.profile)
            .what_if(setting.what_if)
            .stack(setting.stack)
            .console(setting.console)
            .patience(setting.patience)
            .host_threads(1);
        if setting.constant_cpu_count {
            builder = builder.constant_cpu_count();
        }
        for name in &setting.without {
            builder = builder.without(kind(name)?);
        }
        let mut sim = builder.build()?;
        for meant in &setting.allowed {
            sim.allowed.push(Rule::new(kind(&meant.kind)?, &meant.argument, &meant.reason));
        }
        let storages = self.storages.iter().map(|storage| place(&sim, storage));
        let storages = storages.collect::<Result<Vec<_>, _>>()?;
        let given = |argument: &Argument| match argument {
            Argument::Tensor(described) => tensor(described, &storages).map(Given::Tensor),
            Argument::Value { dtype, bytes } => value(dtype, bytes).map(Given::Value),
        };
        let arguments = self.arguments.iter().map(given).collect::<Result<_, _>>()?;
        Ok(Restored { output: tensor(&self.output, &storages)?, arguments, sim })
    }
}

fn wrong(reason: String) -> ReplayError {
    ReplayError::Contents(reason)
}

fn kind(name: &str) -> Result<FaultKind, ReplayError> {
    let known = FaultKind::ALL.into_iter().find(|kind| kind.name() == name);
    known.ok_or_else(|| wrong(format!("there is no kind of fault `{name}`")))
}

fn dtype(name: &str) -> Result<Dtype, ReplayError> {
    let known = Dtype::ALL.into_iter().find(|dtype| dtype.name() == name);
    known.ok_or_else(|| wrong(format!("there is no dtype `{name}`")))
}

/// A storage where it was, with what it held.
fn place(sim: &Simulator, storage: &Storage) -> Result<Arc<Allocation>, ReplayError> {
    let (start, bytes) = (storage.start, storage.bytes);
    let initialised = match &storage.initialised {
        None => Initialised::All,
        Some(pages) => Initialised::Some(bitmap(pages, start)),
    };
    let placed = Allocation::at(&sim.hbm, HbmAddr::new(start), bytes, initialised);
    let placed = placed.ok_or_else(|| {
        wrong(format!(
            "there are no {bytes} free bytes at {start:#x}: the host it was saved on may have given more"
        ))
    })?;
    let _idle = sim.hbm.in_use.write().unwrap_or_else(PoisonError::into_inner);
    let pages = storage.pages.numbers().zip(storage.pages.data.chunks_exact(PAGE as usize));
    for (page, held) in pages {
        let left = bytes.saturating_sub(page * PAGE).min(PAGE) as usize;
        sim.hbm.write(HbmAddr::new(start + page * PAGE), &held[..left]);
    }
    Ok(placed)
}

fn bitmap(pages: &Pages, start: u64) -> Bitmap {
    let mut bitmap = Bitmap::default();
    for (page, held) in pages.numbers().zip(pages.data.chunks_exact(BITS)) {
        let mut bits = NONE;
        for (word, bytes) in bits.iter_mut().zip(held.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        bitmap.insert_bits(start / PAGE + page, &bits);
    }
    bitmap
}

fn tensor(described: &Tensor, storages: &[Arc<Allocation>]) -> Result<HbmTensor, ReplayError> {
    let dtype = dtype(&described.dtype)?;
    let storage = storages.get(described.storage);
    let storage = storage.ok_or_else(|| wrong(format!("there is no storage {}", described.storage)))?;
    let range = storage.range();
    let elems = (range.end - range.start) / dtype.size();
    let layout = Layout::strided(&described.sizes, &described.strides, described.offset);
    let layout = layout.map_err(|error| wrong(error.to_string()))?;
    if layout.extent() > elems {
        let extent = layout.extent();
        return Err(wrong(format!("a tensor reaches {extent} elements into a storage of {elems}")));
    }
    Ok(HbmTensor::new(Arc::clone(storage), elems, dtype, layout))
}

fn value(name: &str, bytes: &[u8]) -> Result<Scalar, ReplayError> {
    let read = match_dtype!(dtype(name)?, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        Ok::<_, Error>(bytemuck::try_pod_read_unaligned::<T>(bytes).ok().map(Scalar::from))
    });
    read.ok().flatten().ok_or_else(|| wrong(format!("{} bytes are no value of type {name}", bytes.len())))
}
