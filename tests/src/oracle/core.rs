//! One core, step by step.

mod raw;

use std::collections::BTreeMap;
use std::format;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use neuron_device::{Access, Dtype, HbmAddr};
use neuron_host_sim::{Part, Verdict};

use super::finding::Finding;
use super::kernel::{RESULT_LINE, SCRIPT_LINE};
use super::known::{Known, Role, best};
use super::pieces::Pieces;
use super::program::{
    Act, Form, HANDLES, LOCALS, OUTPUT, RESULT, SCRIPT, STEP_NUMBERS, Step, TENSORS, UNGIVEN, Way,
};
use super::windows::Windows;
use super::world::World;

/// An access that happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) access: Access,
    pub(super) addr: u64,
    pub(super) bytes: u64,
    pub(super) line: i32,
}

/// A core, and what it did so far.
#[derive(Debug)]
pub(super) struct Core<'w> {
    pub(super) id: u32,
    world: &'w World,
    tensors: [Option<Known>; TENSORS],
    handles: [Option<(Known, Way)>; HANDLES],
    locals: [u32; LOCALS],
    last: u64,
    scratch_used: u64,
    /// What it wrote of what it returns.
    pub(super) pieces: Pieces,
    /// The line on whose behalf the result is copied back.
    result_line: i32,
    pub(super) windows: Windows,
    /// What it wrote, which no other core sees.
    pub(super) own: BTreeMap<u64, u8>,
    pub(super) events: Vec<Event>,
    pub(super) findings: Vec<Finding>,
    pub(super) made: Vec<Known>,
    /// The lines that opened the output for writing.
    pub(super) openings: Vec<i32>,
    pub(super) loads: u64,
    pub(super) stores: u64,
    pub(super) failed: bool,
}

/// Whether a step is the core's last.
type Goes = Result<(), Failed>;

/// The core returned an error.
pub(super) struct Failed;

impl<'w> Core<'w> {
    pub(super) fn new(id: u32, world: &'w World) -> Self {
        let mut tensors = [const { None }; TENSORS];
        for (place, known) in tensors.iter_mut().zip(&world.passed) {
            *place = Some(known.clone());
        }
        if world.form != Form::InPlace {
            tensors[OUTPUT] = None;
        }
        Self {
            id,
            world,
            tensors,
            handles: [const { None }; HANDLES],
            locals: [UNGIVEN; LOCALS],
            last: 0,
            scratch_used: 0,
            pieces: Pieces::default(),
            result_line: RESULT_LINE,
            windows: Windows::default(),
            own: BTreeMap::new(),
            events: Vec::new(),
            findings: Vec::new(),
            made: Vec::new(),
            openings: Vec::new(),
            loads: 0,
            stores: 0,
            failed: false,
        }
    }

    /// The whole op.
    pub(super) fn run(&mut self) {
        let steps = self.read_script();
        if self.world.form != Form::InPlace {
            self.make_result();
        }
        self.failed = steps.iter().try_for_each(|step| self.act(step)).is_err();
        if self.world.form != Form::InPlace && !self.failed {
            self.copy_back();
        }
    }

    fn read_script(&mut self) -> Vec<Step> {
        let start = self.world.passed[SCRIPT].storage;
        let id = self.id as i32;
        let mut read = |at: i32| self.load(start + 4 * at as u64, 4, SCRIPT_LINE) as i32;
        read(0);
        let (from, to) = (read(1 + id), read(2 + id));
        let numbers: Vec<i32> =
            (from..to).map(|at| self.load(start + 4 * at as u64, 4, SCRIPT_LINE) as i32).collect();
        let step = |numbers: &[i32]| {
            let numbers: [i32; STEP_NUMBERS] = numbers.try_into().expect("whole steps");
            bytemuck::cast(numbers)
        };
        numbers.chunks(STEP_NUMBERS).map(step).collect()
    }

    fn make_result(&mut self) {
        let x = self.world.passed[0].clone();
        if self.world.form == Form::ReturningTurned {
            let turned: Vec<u32> = x.sizes.iter().rev().copied().collect();
            let mut made = self.make(x.dtype, &turned, RESULT_LINE);
            made.sizes.reverse();
            made.strides.reverse();
            self.tensors[RESULT] = Some(made);
        } else {
            self.tensors[RESULT] = Some(self.make(x.dtype, &x.sizes, RESULT_LINE));
        }
    }

    /// A tensor on the scratch: each at the next multiple of 64.
    fn make(&mut self, dtype: Dtype, sizes: &[u32], line: i32) -> Known {
        let mut strides = vec![1; sizes.len()];
        for dim in (0..sizes.len().saturating_sub(1)).rev() {
            strides[dim] = strides[dim + 1] * u64::from(sizes[dim + 1].max(1));
        }
        let bytes = sizes.iter().map(|&size| u64::from(size)).product::<u64>() * dtype.size();
        let storage = (self.world.scratch[self.id as usize] + self.scratch_used).next_multiple_of(64);
        self.scratch_used = storage + bytes.max(1) - self.world.scratch[self.id as usize];
        let made = Known {
            name: "scratch",
            role: Role::Scratch(self.id),
            storage,
            storage_bytes: bytes,
            dtype,
            sizes: sizes.to_vec(),
            strides,
            offset: 0,
            line,
        };
        self.made.push(made.clone());
        made
    }

    fn act(&mut self, step: &Step) -> Goes {
        let tensor = self.tensors[step.tensor as usize].clone();
        match step.act() {
            Act::Fail => return Err(Failed),
            Act::Open => {
                self.handles[step.handle as usize] = tensor.and_then(|tensor| self.open(tensor, step));
            }
            Act::Make => {
                let sizes = step.index.map(|size| size as u32);
                let made = self.make(Step::dtype(step.value), &sizes[..step.axis as usize], step.line);
                self.tensors[step.tensor as usize] = Some(made);
            }
            Act::Slice => self.slice(step),
            Act::Read | Act::Write | Act::Copy => (0..step.count).for_each(|nth| self.by_handle(step, nth)),
            Act::LoadNull => {
                let found = Finding::new(Verdict::NullPointer, Access::Read, &[(Part::Read, step.line)]);
                self.find(Finding { first: "null".into(), ..found });
                self.last = poison(Dtype::I32);
            }
            Act::Translate => {
                if let Some(tensor) = tensor {
                    let addr = tensor.storage.wrapping_add_signed(step.index[0].into());
                    self.locals[step.handle as usize] = self.translate(addr, step.line);
                }
            }
            Act::TranslateNothing => {
                self.locals[step.handle as usize] = self.translate(step.index[0] as u64, step.line);
            }
            Act::LoadPointer | Act::StorePointer => {
                if let Some(tensor) = tensor {
                    (0..step.count).for_each(|nth| self.by_pointer(step, nth, &tensor));
                }
            }
            Act::LoadBare | Act::StoreBare => {
                if let Some(tensor) = tensor {
                    (0..step.count).for_each(|nth| self.by_bare_pointer(step, nth, &tensor));
                }
            }
            Act::LoadLocal | Act::StoreLocal => (0..step.count).for_each(|nth| self.by_local(step, nth)),
        }
        Ok(())
    }

    fn open(&mut self, tensor: Known, step: &Step) -> Option<(Known, Way)> {
        let way = step.way();
        if !way.is_flat() && tensor.sizes.is_empty() || way.writes() && tensor.role == Role::Argument {
            return None;
        }
        if way.writes() {
            self.opened(&tensor, step.line);
        }
        Some((tensor, way))
    }

    /// It was opened for writing.
    fn opened(&mut self, tensor: &Known, line: i32) {
        if tensor.storage == self.world.output().storage {
            self.openings.push(line);
        }
        if self.made.first().is_some_and(|result| result.storage == tensor.storage) {
            self.result_line = line;
        }
    }

    fn slice(&mut self, step: &Step) {
        let (axis, [start, end, ..]) = (step.axis as usize, step.index.map(|index| index as u32));
        let Some(mut view) = self.tensors[step.other as usize].clone() else { return };
        if axis < view.sizes.len() && start <= end && end <= view.sizes[axis] {
            view.offset += u64::from(start) * view.strides[axis];
            view.sizes[axis] = (end - start).div_ceil(step.step as u32);
            view.strides[axis] *= step.step as u64;
            self.tensors[step.tensor as usize] = Some(view);
        }
    }

    /// What an access writes, after its read.
    fn written(&self, step: &Step, nth: i32) -> u64 {
        if step.other != 0 { self.last } else { (i64::from(step.value) + i64::from(nth)) as u64 }
    }

    fn by_handle(&mut self, step: &Step, nth: i32) {
        let mut index = step.index;
        index[step.axis as usize] += nth * step.step;
        let index = index.map(|index| u64::from(index as u32));
        let (reads, writes) = match step.act() {
            Act::Read => (Some(step.handle), None),
            Act::Write => (None, Some(step.handle)),
            _ => (Some(step.other), Some(step.handle)),
        };
        let of = |handle: i32| self.handles[handle as usize].clone();
        let (reads, writes) = (reads.and_then(of), writes.and_then(of));
        if let Some((tensor, way)) = reads {
            self.last = match self.inside(&tensor, way, index, Access::Read, step.line) {
                Some(addr) => self.load(addr, tensor.size(), step.line),
                None => poison(tensor.dtype),
            };
        }
        if let Some((tensor, way)) = writes.filter(|(_, way)| way.writes()) {
            let to = if step.act() == Act::Copy { self.last } else { self.written(step, nth) };
            if let Some(addr) = self.inside(&tensor, way, index, Access::Write, step.line) {
                self.store(addr, tensor.size(), to, step.line);
            }
        }
    }

    /// The address of an element, if there is one with this index.
    fn inside(
        &mut self,
        tensor: &Known,
        way: Way,
        index: [u64; 4],
        access: Access,
        line: i32,
    ) -> Option<u64> {
        let (is_inside, addr, past_a_dimension, first) = if way.is_flat() {
            (index[0] < tensor.numel(), tensor.flat_addr(index[0]), false, format!("[{}]", index[0]))
        } else {
            let index = &index[..tensor.sizes.len()];
            let is_inside = index.iter().zip(&tensor.sizes).all(|(&at, &size)| at < size.into());
            let past_a_dimension = tensor.place(index) < tensor.extent();
            (is_inside, tensor.addr(index), past_a_dimension, format!("{index:?}"))
        };
        if is_inside {
            return Some(addr);
        }
        let nearest = if past_a_dimension { None } else { self.other_at(tensor, addr, access) };
        let verdict = match (past_a_dimension, &nearest) {
            (true, _) => Verdict::PastADimension,
            (_, Some(_)) => Verdict::InAnotherTensor,
            _ => Verdict::PastTheEnd,
        };
        self.find(Finding {
            argument: tensor.name.into(),
            tensor: Some((tensor.dtype, tensor.sizes.clone())),
            first,
            address: Some(addr),
            nearest,
            ..Finding::new(verdict, access, &[(part(access), line)])
        });
        None
    }

    /// Every tensor this core knows.
    fn all(&self) -> impl Iterator<Item = &Known> + Clone {
        self.world.passed.iter().chain(&self.made)
    }

    /// The tensor beside `own` that has an element there, and which.
    fn other_at(&self, own: &Known, addr: u64, access: Access) -> Option<(String, String)> {
        let is_other = |tensor: &&Known| (tensor.name, tensor.storage) != (own.name, own.storage);
        let has = |tensor: &&Known| tensor.element(addr).is_some();
        let found = best(self.all().filter(is_other).filter(has), addr, access)?;
        Some((found.name.into(), found.words(addr)))
    }

    fn translate(&mut self, addr: u64, line: i32) -> u32 {
        let local = self.windows.translate(addr, line);
        if !self.world.hbm.contains(&addr) {
            let found = Finding::new(Verdict::NoMemory, Access::Read, &[(Part::Translated, line)]);
            self.find(Finding { first: HbmAddr::new(addr).to_string(), address: Some(addr), ..found });
        }
        local
    }

    fn find(&mut self, finding: Finding) {
        self.findings.push(Finding { cores: vec![self.id], ..finding });
    }

    fn load(&mut self, addr: u64, bytes: u64, line: i32) -> u64 {
        self.windows.reach(addr, line);
        self.load_mapped(addr, bytes, line)
    }

    fn load_mapped(&mut self, addr: u64, bytes: u64, line: i32) -> u64 {
        self.loads += 1;
        self.read(addr, bytes, line)
    }

    fn read(&mut self, addr: u64, bytes: u64, line: i32) -> u64 {
        self.events.push(Event { access: Access::Read, addr, bytes, line });
        let byte = |at: u64| self.own.get(&at).or_else(|| self.world.memory.get(&at)).copied().unwrap_or(0);
        (0..bytes).map(|nth| u64::from(byte(addr + nth)) << (8 * nth)).sum()
    }

    fn store(&mut self, addr: u64, bytes: u64, value: u64, line: i32) {
        self.windows.reach(addr, line);
        self.store_mapped(addr, bytes, value, line);
    }

    fn store_mapped(&mut self, addr: u64, bytes: u64, value: u64, line: i32) {
        self.stores += 1;
        self.write(addr, bytes, value, line);
    }

    fn write(&mut self, addr: u64, bytes: u64, value: u64, line: i32) {
        self.events.push(Event { access: Access::Write, addr, bytes, line });
        for nth in 0..bytes {
            self.own.insert(addr + nth, (value >> (8 * nth)) as u8);
        }
        if self.world.form != Form::InPlace && self.made[0].holds(addr) {
            self.pieces.insert(addr, bytes);
        }
    }

    /// Copy to the output what was written of the result: by way of TCM, of which a script takes none, or, where elements do
    /// not lie one after the other, by windows.
    fn copy_back(&mut self) {
        let (line, from) = (self.result_line, self.tensors[RESULT].clone().expect("was made first"));
        let output = self.world.output().clone();
        self.opened(&output, line);
        let staged = from.is_contiguous() && output.is_contiguous();
        for flat in 0..from.numel() {
            let addr = from.flat_addr(flat);
            let to = output.flat_addr(flat);
            if self.pieces.has(addr) && staged {
                let value = self.read(addr, from.size(), line);
                self.write(to, from.size(), value, line);
            } else if self.pieces.has(addr) {
                let value = self.load(addr, from.size(), line);
                self.store(to, from.size(), value, line);
            }
        }
    }
}

fn part(access: Access) -> Part {
    if access == Access::Write { Part::Written } else { Part::Read }
}

/// The bits a read gives that must not be.
fn poison(dtype: Dtype) -> u64 {
    match dtype {
        Dtype::I8 | Dtype::U8 => 0xA5,
        Dtype::I16 => 0xA5A5,
        Dtype::F16 => 0x7DA5,
        Dtype::BF16 => 0x7FA5,
        Dtype::I32 => 0xA5A5_A5A5,
        Dtype::F32 => 0x7FA5_A5A5,
        Dtype::I64 => 0xA5A5_A5A5_A5A5_A5A5,
    }
}
