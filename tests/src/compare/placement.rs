//! From a trial to a case: where in the flat memory everything lies.

use std::vec::Vec;

use anyhow::{Context, Result, ensure};
use neuron_device::{
    ArgDescriptor, CoreImage, Dtype, FlatPlatform, HbmAddr, Layout, ViewExtension, WINDOW_BYTES,
};

use super::laid::Laid;
use super::setting::{SCRATCH_BYTES, Setting};
use super::trial::{Trial, Value};
use crate::case::{Case, Piece};
use crate::flat::MEMORY_BYTES;

/// Storages begin at multiples of this, as allocations on a machine do.
const ALIGN: u64 = 64;
/// Window edges in the memory.
const EDGES: u64 = 4;

/// Hands out places in the memory.
struct Places {
    on_edges: bool,
    /// Where the next one goes that lies on no edge.
    next: u64,
    /// The end of the last one on each edge; 0 if there is none.
    ends: [u64; EDGES as usize],
    count: usize,
}

impl Places {
    fn new(setting: &Setting) -> Self {
        let next = SCRATCH_BYTES * u64::from(setting.cores);
        Self { on_edges: setting.on_edges, next, ends: [0; _], count: 0 }
    }

    /// Room for a tensor's storage. On edges, the first at an edge has it in its middle, the next follow.
    fn tensor(&mut self, bytes: u64) -> u64 {
        if !self.on_edges {
            return self.value(bytes);
        }
        let nth = self.count % self.ends.len();
        self.count += 1;
        let to_edge = WINDOW_BYTES - FlatPlatform::BASE.window_offset() + WINDOW_BYTES * nth as u64;
        // Half of it below the edge, an element whole on either side.
        let start = match self.ends[nth] {
            0 => to_edge - bytes / 2 / 8 * 8,
            end => end.next_multiple_of(ALIGN),
        };
        self.ends[nth] = start + bytes;
        start
    }

    /// Room for a value's one element.
    fn value(&mut self, bytes: u64) -> u64 {
        let start = self.next;
        self.next = (start + bytes.max(1)).next_multiple_of(ALIGN);
        start
    }
}

/// The case that runs `trial` in `setting` as launch number `stamp`.
///
/// # Errors
/// A trial that does not fit the memory or the form of a case.
pub fn place(trial: &Trial, setting: &Setting, stamp: u64) -> Result<Vec<u8>> {
    let mut places = Places::new(setting);
    let mut pieces: Vec<(u64, &[u8])> = Vec::new();
    let mut arguments = heapless::Vec::new();
    let values: Vec<[u8; 8]> = trial.arguments.iter().map(value_bytes).collect();
    let put = |tensor: &Laid, places: &mut Places| {
        let at = places.tensor(tensor.bytes().len() as u64);
        tensor.descriptor(hbm(at), setting.records_alone).map(|descriptor| (at, descriptor))
    };
    for (value, bytes) in trial.arguments.iter().zip(&values) {
        let descriptor = match value {
            Value::Tensor(tensor) => {
                let (at, descriptor) = put(tensor, &mut places)?;
                pieces.push((at, tensor.bytes()));
                descriptor
            }
            Value::Scalar(scalar) => {
                let at = places.value(8);
                let bytes = &bytes[..scalar.dtype().size() as usize];
                pieces.push((at, bytes));
                value_descriptor(at, scalar.dtype(), setting.records_alone)?
            }
        };
        arguments.push(descriptor).ok().context("an op takes at most 10 arguments")?;
    }
    let (at, destination) = put(&trial.output, &mut places)?;
    pieces.push((at, trial.output.bytes()));
    ensure!(
        pieces.iter().all(|(at, bytes)| at + bytes.len() as u64 <= MEMORY_BYTES),
        "too large for the memory"
    );
    let pieces: Vec<Piece<'_>> = pieces.into_iter().map(|(offset, bytes)| Piece { offset, bytes }).collect();
    let mut case = Vec::new();
    Case {
        library: trial.library.name(),
        op: trial.op.name(),
        cores: setting.cores,
        stamp,
        observed: setting.observed,
        first_image: CoreImage::FIRST.get(),
        scratch_start: 0,
        scratch_each: SCRATCH_BYTES,
        arguments,
        destination,
        pieces: heapless::Vec::from_slice(&pieces).ok().context("more pieces than a case has")?,
        answer: at..at + trial.output.bytes().len() as u64,
    }
    .encode(&mut case);
    Ok(case)
}

/// HBM address of a byte of the memory.
fn hbm(offset: u64) -> HbmAddr {
    HbmAddr::new(FlatPlatform::BASE.get() + offset)
}

fn value_bytes(value: &Value) -> [u8; 8] {
    match value {
        Value::Tensor(_) => [0; 8],
        Value::Scalar(scalar) => scalar.to_bytes().0,
    }
}

/// A value travels as a tensor of one element.
fn value_descriptor(at: u64, dtype: Dtype, record_alone: bool) -> Result<ArgDescriptor> {
    let layout = Layout::contiguous(&[1])?;
    let record = neuron_device::ArgRecord::new(hbm(at), dtype, &layout)?;
    Ok(ArgDescriptor { record, view: (!record_alone).then(|| ViewExtension::new(&layout, 1)) })
}
