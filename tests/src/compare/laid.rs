//! [`Laid`]: a tensor of a trial, its storage's bytes and how it lies in them.

use std::vec;
use std::vec::Vec;

use anyhow::Result;
use neuron_device::{ArgDescriptor, ArgRecord, Dtype, HbmAddr, Layout, ViewExtension};
use neuron_host_sim::{HbmTensor, HostTensor, Simulator};

use super::shape::Shape;
use super::values::values;

/// What is in an output before it is written, and stays where the output has gaps.
const BLANK: u8 = 0x5A;

/// A tensor: dtype, the bytes of its storage, layout.
#[derive(Clone, Debug)]
pub struct Laid {
    dtype: Dtype,
    /// Elements of storage before `bytes`, which nothing reads and no memory has.
    ahead: u64,
    bytes: Vec<u8>,
    layout: Layout,
}

impl Laid {
    /// An input with values from the sequence number `seed`, special ones first.
    pub fn input(dtype: Dtype, shape: &Shape, seed: u64) -> Self {
        Self { dtype, ahead: 0, bytes: values(dtype, shape.elems, seed), layout: shape.layout }
    }

    /// An input of which the last elements of storage alone are there.
    pub(super) fn end_of(dtype: Dtype, layout: Layout, seed: u64) -> Self {
        let there = layout.extent().min(12);
        Self { dtype, ahead: layout.extent() - there, bytes: values(dtype, there, seed), layout }
    }

    /// An input with these bytes as its storage.
    pub(super) fn of(dtype: Dtype, shape: &Shape, bytes: &[u8]) -> Self {
        Self { dtype, ahead: 0, bytes: bytes.into(), layout: shape.layout }
    }

    /// One u8 for each element, any of three.
    pub(super) fn to_mask(&self) -> Self {
        let elements = self.bytes.chunks_exact(self.dtype.size() as usize);
        Self {
            dtype: Dtype::U8,
            ahead: self.ahead,
            bytes: elements.map(|element| element[0] % 3).collect(),
            layout: self.layout,
        }
    }

    /// The same with 1 for each integer 0, so that it divides.
    pub(super) fn without_zeros(mut self) -> Self {
        if !self.dtype.is_float() {
            for element in self.bytes.chunks_exact_mut(self.dtype.size() as usize) {
                element[0] |= u8::from(element.iter().all(|&byte| byte == 0));
            }
        }
        self
    }

    /// An output that lies as an input does, or without gaps where two of that input's elements are one.
    pub fn output(dtype: Dtype, like: &Shape) -> Self {
        if like.layout.overlaps_itself() {
            return Self::dense_output(dtype, like.layout.sizes());
        }
        Self {
            dtype,
            ahead: 0,
            bytes: vec![BLANK; (like.elems * dtype.size()) as usize],
            layout: like.layout,
        }
    }

    /// An output without gaps.
    ///
    /// # Panics
    /// If no tensor has these sizes.
    pub fn dense_output(dtype: Dtype, sizes: &[u32]) -> Self {
        let layout = Layout::contiguous(sizes).expect("a table's sizes are a tensor's");
        Self { dtype, ahead: 0, bytes: vec![BLANK; (layout.numel() * dtype.size()) as usize], layout }
    }

    /// Element type.
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// The storage, or as much of its end as is there.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Elements of storage.
    pub fn elems(&self) -> u64 {
        self.ahead + self.there()
    }

    /// Elements of storage that are there.
    fn there(&self) -> u64 {
        self.bytes.len() as u64 / self.dtype.size()
    }

    /// The tensor for the simulator.
    ///
    /// # Errors
    /// A storage or layout it refuses.
    pub fn to_host(&self) -> Result<HostTensor> {
        let storage = self.storage_there()?;
        Ok(storage.as_strided(self.layout.sizes(), &self.strides()?, self.layout.offset())?)
    }

    /// The tensor in the simulator's HBM, where what is not there takes no memory.
    ///
    /// # Errors
    /// A storage or layout it refuses.
    pub fn to_hbm(&self, simulator: &mut Simulator) -> Result<HbmTensor> {
        // Storage in pieces of 2^20 elements, as no dimension counts them all.
        let pieces = u32::try_from(self.elems().div_ceil(1 << 20))?;
        let storage = simulator.zeros(self.dtype, &[pieces, 1 << 20])?;
        storage.as_strided(&[self.there() as u32], &[1], self.ahead)?.copy_from(&self.storage_there()?)?;
        Ok(storage.as_strided(self.layout.sizes(), &self.strides()?, self.layout.offset())?)
    }

    /// Is a part of the storage not there?
    pub fn is_partial(&self) -> bool {
        self.ahead > 0
    }

    fn storage_there(&self) -> Result<HostTensor> {
        Ok(HostTensor::from_bytes(self.dtype, &[u32::try_from(self.there())?], &self.bytes)?)
    }

    fn strides(&self) -> Result<Vec<i64>> {
        Ok(self.layout.strides().iter().map(|&stride| i64::try_from(stride)).collect::<Result<_, _>>()?)
    }

    /// Its description with what is there of its storage at `at`: the record alone if that can say everything and is
    /// `preferred`.
    ///
    /// # Errors
    /// A tensor the record cannot hold.
    pub fn descriptor(&self, at: HbmAddr, record_preferred: bool) -> Result<ArgDescriptor> {
        let storage = HbmAddr::new(at.get() - self.ahead * self.dtype.size());
        let record = ArgRecord::new(storage, self.dtype, &self.layout)?;
        let whole = self.layout.is_contiguous()
            && self.layout.rank() > 0
            && self.layout.numel() > 0
            && self.layout.numel() == self.elems();
        let view = ViewExtension::new(&self.layout, self.elems());
        Ok(ArgDescriptor { record, view: (!(record_preferred && whole)).then_some(view) })
    }
}
