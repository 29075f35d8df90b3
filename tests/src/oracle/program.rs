//! A program: tensors, and what each core does to them.

use std::fmt;
use std::vec;
use std::vec::Vec;

use bytemuck::{Pod, Zeroable};
use neuron_device::Dtype;

/// Tensors a core can name: the five of the launch, the one it returns, and three it makes.
pub(super) const TENSORS: usize = 9;
/// The script, which is a tensor as well.
pub(super) const SCRIPT: usize = 3;
/// The destination of the form in place.
pub(super) const OUTPUT: usize = 4;
/// What the returning form returns.
pub(super) const RESULT: usize = 5;
/// The first tensor a core makes itself.
pub(super) const OWN: usize = 6;
/// Accessors a core keeps.
pub(super) const HANDLES: usize = 6;
/// Local addresses a core keeps.
pub(super) const LOCALS: usize = 4;
/// What a core takes for a local address before it was given one: where its first window is.
pub(super) const UNGIVEN: u32 = 0x0700_1000;

/// How the op hands over its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Through a destination.
    InPlace,
    /// As a tensor on its scratch.
    Returning,
    /// As a view of a tensor on its scratch, the dimensions in the other order.
    ReturningTurned,
}

/// What a storage holds at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Values the host wrote.
    Values,
    /// Zeros.
    Zeros,
    /// Nothing.
    Empty,
    /// Values in so many elements, and then nothing.
    Part(u32),
}

/// Memory of one dtype.
#[derive(Clone, Debug)]
pub struct Storage {
    /// Element type.
    pub dtype: Dtype,
    /// How many elements.
    pub elems: u32,
    /// What it holds at first.
    pub start: Start,
    /// Is the next one in another window?
    pub apart: bool,
}

/// A tensor of a launch: some of a storage.
#[derive(Clone, Debug)]
pub struct View {
    /// Which storage.
    pub storage: usize,
    /// Size of each dimension, in elements.
    pub sizes: Vec<u32>,
    /// Stride of each dimension, in elements.
    pub strides: Vec<u64>,
    /// Elements from the storage's start to the first element.
    pub offset: u64,
}

impl View {
    /// Elements of storage it needs.
    pub fn extent(&self) -> u64 {
        if self.sizes.contains(&0) {
            return 0;
        }
        let reach = |(&size, &stride): (&u32, &u64)| u64::from(size - 1) * stride;
        self.offset + self.sizes.iter().zip(&self.strides).map(reach).sum::<u64>() + 1
    }
}

/// What a [`Step`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Open an accessor on `tensor` and keep it as `handle`; `value` is the [way](Way).
    Open,
    /// Read through `handle`.
    Read,
    /// Write through `handle`.
    Write,
    /// Read through `other`, and write that through `handle`.
    Copy,
    /// Make `tensor` on the scratch: dtype `value`, `axis` dimensions of the sizes in `index`.
    Make,
    /// Make `tensor` a view of `other`: of dimension `axis`, `index[0]..index[1]` by `step`.
    Slice,
    /// Read through the pointer of `tensor`, `index[0]` elements further.
    LoadPointer,
    /// Write through it.
    StorePointer,
    /// Read through a pointer to dtype `axis` of no tensor, `index[0]` bytes behind the start of `tensor`'s storage.
    LoadBare,
    /// Write through it.
    StoreBare,
    /// Read through the null pointer.
    LoadNull,
    /// Translate `index[0]` bytes behind the start of `tensor`'s storage, and keep the local address as `handle`.
    Translate,
    /// Translate an address where there is no memory.
    TranslateNothing,
    /// Read dtype `axis` at local address `handle`, `index[0]` bytes further.
    LoadLocal,
    /// Write there.
    StoreLocal,
    /// Return an error.
    Fail,
}

impl Act {
    /// Every one.
    pub const ALL: [Self; 16] = [
        Self::Open,
        Self::Read,
        Self::Write,
        Self::Copy,
        Self::Make,
        Self::Slice,
        Self::LoadPointer,
        Self::StorePointer,
        Self::LoadBare,
        Self::StoreBare,
        Self::LoadNull,
        Self::Translate,
        Self::TranslateNothing,
        Self::LoadLocal,
        Self::StoreLocal,
        Self::Fail,
    ];
}

/// How an accessor is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `elements`
    Elements,
    /// `elements_mut`
    ElementsMut,
    /// `accessor`
    Accessor,
    /// `accessor_mut`
    AccessorMut,
}

impl Way {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Elements, Self::ElementsMut, Self::Accessor, Self::AccessorMut];

    /// Does it write?
    pub const fn writes(self) -> bool {
        matches!(self, Self::ElementsMut | Self::AccessorMut)
    }

    /// Is its index flat?
    pub const fn is_flat(self) -> bool {
        matches!(self, Self::Elements | Self::ElementsMut)
    }
}

/// One thing a core does, as it stands in the script: all of it numbers. Accesses are made `count` times, and from one
/// to the next `index[axis]` (of pointers and local addresses `index[0]`) grows by `step`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Step {
    /// Which core.
    pub core: i32,
    /// Which of four lines of source.
    pub line: i32,
    /// Number of the [`Act`].
    pub act: i32,
    /// A tensor.
    pub tensor: i32,
    /// An accessor, or a local address.
    pub handle: i32,
    /// A second tensor or accessor; of a write: not 0 if it writes what was read last.
    pub other: i32,
    /// Index, sizes or distance.
    pub index: [i32; 4],
    /// A dimension, or a dtype.
    pub axis: i32,
    /// From one access to the next.
    pub step: i32,
    /// How many accesses.
    pub count: i32,
    /// What is written; one more from access to access.
    pub value: i32,
}

/// Numbers a step takes in a script.
pub(super) const STEP_NUMBERS: usize = size_of::<Step>() / size_of::<i32>();

impl Step {
    /// What it does.
    pub fn act(&self) -> Act {
        Act::ALL[self.act as usize]
    }

    /// How it opens an accessor.
    pub fn way(&self) -> Way {
        Way::ALL[self.value as usize]
    }

    /// The dtype with the number `number`.
    pub fn dtype(number: i32) -> Dtype {
        Dtype::ALL[number as usize]
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { core, line, tensor, handle, other, index, axis, step, count, value, .. } = self;
        write!(f, "core {core} line {line} {:?} tensor {tensor} handle {handle} other {other} ", self.act())?;
        write!(f, "index {index:?} axis {axis} step {step} count {count} value {value}")
    }
}

/// Launches one after the other, on the same tensors.
#[derive(Clone, Debug)]
pub struct Program {
    /// How many cores.
    pub cores: u32,
    /// How the op hands over its result.
    pub form: Form,
    /// What the tensors lie in.
    pub storages: Vec<Storage>,
    /// `x`, which the output is like, `y` and `z`.
    pub arguments: [View; 3],
    /// Where the output lies; a new one if it is not said.
    pub output: Option<View>,
    /// What the cores do, launch by launch.
    pub launches: Vec<Vec<Step>>,
}

impl Program {
    /// The script of a launch: how the result is turned, where each core's steps begin, and the steps.
    pub fn script(&self, launch: usize) -> Vec<i32> {
        let mut script = vec![0; 2 + self.cores as usize];
        script[0] = i32::from(self.form == Form::ReturningTurned);
        for core in 0..self.cores {
            script[1 + core as usize] = script.len() as i32;
            let steps = self.launches[launch].iter().filter(|step| step.core == core as i32);
            for step in steps {
                let numbers: [i32; STEP_NUMBERS] = bytemuck::cast(*step);
                script.extend(numbers);
            }
        }
        script[1 + self.cores as usize] = script.len() as i32;
        script
    }
}
