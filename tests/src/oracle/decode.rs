//! From bytes to a program: any bytes are one.

use std::vec;
use std::vec::Vec;

use bytemuck::Zeroable;
use neuron_device::Dtype;

use super::program::{
    Act, Form, HANDLES, LOCALS, OUTPUT, OWN, Program, RESULT, SCRIPT, Start, Step, Storage, TENSORS, View,
    Way,
};

/// Bytes that are used up; after the last come zeros.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn take(&mut self) -> u32 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                (*first).into()
            }
            None => 0,
        }
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number below `end`, which is at least 1; 0 once the bytes are used up.
    fn below(&mut self, end: u32) -> u32 {
        if end <= 256 { self.take() % end } else { (self.take() << 8 | self.take()) % end }
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.below(count) == count - 1
    }

    fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    fn sizes(&mut self, most: usize) -> Vec<u32> {
        let rank = self.choose(&[1, 2, 2, 1, 3, 2, 4, 1, 3, 0]).min(most);
        if rank == 1 && self.one_in(24) {
            // Of several pages.
            return vec![600 + self.below(600)];
        }
        (0..rank)
            .map(|_| if self.one_in(30) { 0 } else { 1 + self.below(if rank == 1 { 24 } else { 5 }) })
            .collect()
    }

    /// A layout with a place for every element, or one that repeats some.
    fn view(&mut self, storage: usize, sizes: Vec<u32>, repeats: bool) -> View {
        let mut order: Vec<usize> = (0..sizes.len()).rev().collect();
        if self.one_in(3) {
            order.rotate_left(self.below(sizes.len().max(1) as u32) as usize % sizes.len().max(1));
        }
        let mut strides = vec![0; sizes.len()];
        let mut stride = if self.one_in(5) { 2 } else { 1 };
        for dim in order {
            strides[dim] = stride;
            stride *= u64::from(sizes[dim].max(1));
            stride += if self.one_in(6) { u64::from(self.below(3)) } else { 0 };
        }
        if repeats && self.one_in(10) && !sizes.is_empty() {
            strides[self.below(sizes.len() as u32) as usize] = 0;
        }
        let offset = if self.one_in(3) { self.below(12).into() } else { 0 };
        View { storage, sizes, strides, offset }
    }
}

/// What a core has at a place of the program, as far as it shapes what comes next.
struct Ahead {
    /// Sizes of the tensors.
    tensors: [Option<Vec<u32>>; TENSORS],
    handles: [Option<(Vec<u32>, bool)>; HANDLES],
    /// Local addresses that were given.
    locals: Vec<i32>,
}

/// The program these bytes are.
pub fn decode(bytes: &[u8]) -> Program {
    let mut bytes = Bytes(bytes);
    let cores = bytes.choose(&[8, 2, 3, 8]);
    let form =
        bytes.choose(&[Form::InPlace, Form::InPlace, Form::Returning, Form::ReturningTurned, Form::InPlace]);
    let mut storages: Vec<Storage> = (0..4).map(|_| storage(&mut bytes)).collect();
    let argument = |bytes: &mut Bytes<'_>, most: u32| {
        let (storage, sizes) = (bytes.below(most) as usize, bytes.sizes(4));
        bytes.view(storage, sizes, true)
    };
    let x = argument(&mut bytes, 1);
    let (y, z) = (argument(&mut bytes, 2), argument(&mut bytes, 3));
    storages[3].dtype = storages[0].dtype;
    let output = match bytes.below(4) {
        0 | 1 => None,
        2 if form == Form::InPlace => Some(bytes.view(0, x.sizes.clone(), false)),
        _ => Some(bytes.view(3, x.sizes.clone(), false)),
    };
    for view in [&x, &y, &z].into_iter().chain(&output) {
        let storage = &mut storages[view.storage];
        storage.elems = storage.elems.max(view.extent() as u32);
    }
    for storage in &mut storages {
        if let Start::Part(part) = &mut storage.start {
            *part %= storage.elems + 1;
        }
    }
    let mut program = Program { cores, form, storages, arguments: [x, y, z], output, launches: Vec::new() };
    let launches = if bytes.one_in(4) { 2 } else { 1 };
    let is_careful = bytes.one_in(5);
    for _ in 0..launches {
        let mut steps = Vec::new();
        for core in 0..cores {
            program_core(&mut bytes, &program, is_careful, core, &mut steps);
        }
        program.launches.push(steps);
    }
    program
}

fn storage(bytes: &mut Bytes<'_>) -> Storage {
    let dtype = bytes.choose(&Dtype::ALL);
    let start = match bytes.below(6) {
        0..=2 => Start::Values,
        3 => Start::Zeros,
        4 => Start::Empty,
        _ => Start::Part(bytes.below(64)),
    };
    Storage { dtype, elems: 1 + bytes.below(12), start, apart: !bytes.one_in(4) }
}

fn program_core(
    bytes: &mut Bytes<'_>,
    program: &Program,
    is_careful: bool,
    core: u32,
    steps: &mut Vec<Step>,
) {
    let mut ahead =
        Ahead { tensors: [const { None }; TENSORS], handles: [const { None }; HANDLES], locals: Vec::new() };
    for (place, view) in ahead.tensors.iter_mut().zip(&program.arguments) {
        *place = Some(view.sizes.clone());
    }
    ahead.tensors[SCRIPT] = Some(vec![40]);
    let result = if program.form == Form::InPlace { OUTPUT } else { RESULT };
    ahead.tensors[result] = Some(program.arguments[0].sizes.clone());
    if is_careful {
        share(program, core, result, steps);
        if !bytes.one_in(8) {
            return;
        }
    }
    let count = if bytes.is_empty() { 0 } else { bytes.below(14) };
    for nth in 0..count {
        let act = if nth == 0 { Act::Open } else { act(bytes) };
        let mut step =
            Step { core: core as i32, line: bytes.below(4) as i32, act: act as i32, ..Step::zeroed() };
        step.count = 1;
        step.step = 1;
        fill(bytes, act, &mut step, &mut ahead, result);
        if matches!(act, Act::LoadLocal | Act::StoreLocal) && bytes.one_in(3) {
            // Others are translated first, so that the window is mapped elsewhere if they are in enough places.
            let first = bytes.below(6) as i32;
            let handle = (step.handle + 1) % LOCALS as i32;
            let other = |nth| Step { tensor: (first + nth) % 6, act: Act::Translate as i32, handle, ..step };
            steps.extend((0..5).map(|nth| Step { index: [0; 4], ..other(nth) }));
        }
        steps.push(step);
    }
}

/// Copies a core's share of `x` to the output, as a kernel that is right does.
fn share(program: &Program, core: u32, result: usize, steps: &mut Vec<Step>) {
    let numel: u32 = program.arguments[0].sizes.iter().product();
    let at = |core: u32| (numel * core / program.cores) as i32;
    let step = Step { core: core as i32, count: 1, step: 1, ..Step::zeroed() };
    let open = Step { act: Act::Open as i32, ..step };
    steps.push(Step { value: Way::Elements as i32, ..open });
    steps.push(Step { value: Way::ElementsMut as i32, tensor: result as i32, handle: 1, ..open });
    let index = [at(core), 0, 0, 0];
    let count = at(core + 1) - at(core);
    steps.push(Step { act: Act::Copy as i32, handle: 1, index, count, ..step });
}

fn act(bytes: &mut Bytes<'_>) -> Act {
    match bytes.below(40) {
        0..=6 => Act::Open,
        7..=11 => Act::Read,
        12..=18 => Act::Write,
        19..=21 => Act::Copy,
        22 => Act::Make,
        23 => Act::Slice,
        24 | 25 => Act::LoadPointer,
        26 => Act::StorePointer,
        27 => Act::LoadBare,
        28 => Act::StoreBare,
        31 if bytes.one_in(3) => Act::LoadNull,
        31 if bytes.one_in(2) => Act::TranslateNothing,
        29..=33 => Act::Translate,
        34..=36 => Act::LoadLocal,
        37 | 38 => Act::StoreLocal,
        _ if bytes.one_in(12) => Act::Fail,
        _ => Act::Write,
    }
}

fn fill(bytes: &mut Bytes<'_>, act: Act, step: &mut Step, ahead: &mut Ahead, result: usize) {
    step.value = bytes.below(200) as i32 - 20;
    match act {
        Act::Open => {
            step.tensor = open_which(bytes, result) as i32;
            step.handle = bytes.below(HANDLES as u32) as i32;
            let way = bytes.below(4);
            // What can be written is mostly opened for that.
            let way = if step.tensor >= OUTPUT as i32 {
                bytes.choose(&[1, 3, 1, way])
            } else {
                bytes.choose(&[0, 2, 0, way])
            };
            step.value = way as i32;
            let sizes = ahead.tensors[step.tensor as usize].clone();
            ahead.handles[step.handle as usize] =
                sizes.map(|sizes| (sizes, Way::ALL[way as usize].is_flat()));
        }
        Act::Read | Act::Write | Act::Copy => {
            step.handle = bytes.below(HANDLES as u32) as i32;
            step.other = match act {
                Act::Copy => bytes.below(HANDLES as u32) as i32,
                _ => i32::from(bytes.one_in(3)),
            };
            // Mostly one that is open.
            let open: Vec<i32> =
                (0..).zip(&ahead.handles).filter(|(_, open)| open.is_some()).map(|(at, _)| at).collect();
            if !open.is_empty() {
                step.handle = bytes.choose(&open);
            }
            if let Some((sizes, is_flat)) = &ahead.handles[step.handle as usize] {
                index(bytes, step, sizes, *is_flat);
            }
        }
        Act::Make => {
            step.tensor = (OWN + bytes.below(3) as usize) as i32;
            step.value = bytes.below(8) as i32;
            let sizes = bytes.sizes(3);
            step.axis = sizes.len() as i32;
            for (place, &size) in step.index.iter_mut().zip(&sizes) {
                *place = size as i32;
            }
            ahead.tensors[step.tensor as usize] = Some(sizes);
        }
        Act::Slice => {
            step.other = open_which(bytes, result) as i32;
            step.tensor = (OWN + bytes.below(3) as usize) as i32;
            step.step = 1 + bytes.below(3) as i32;
            let Some(sizes) = ahead.tensors[step.other as usize].clone().filter(|sizes| !sizes.is_empty())
            else {
                return;
            };
            step.axis = bytes.below(sizes.len() as u32) as i32;
            let size = sizes[step.axis as usize];
            let start = bytes.below(size + 1);
            let end = start + bytes.below(size - start + 1);
            step.index = [start as i32, end as i32, 0, 0];
            let mut sizes = sizes;
            sizes[step.axis as usize] = (end - start).div_ceil(step.step as u32);
            ahead.tensors[step.tensor as usize] = Some(sizes);
        }
        Act::LoadPointer | Act::StorePointer => {
            step.tensor = open_which(bytes, result) as i32;
            step.other = i32::from(bytes.one_in(3));
            step.index[0] =
                if bytes.one_in(6) { bytes.below(40) as i32 - 20 } else { bytes.below(10) as i32 };
            repeat(bytes, step);
        }
        Act::LoadBare | Act::StoreBare => {
            step.tensor = open_which(bytes, result) as i32;
            step.other = i32::from(bytes.one_in(3));
            step.axis = bytes.below(8) as i32;
            let size = Step::dtype(step.axis).size() as i32;
            step.index[0] =
                if bytes.one_in(4) { bytes.below(90) as i32 - 30 } else { size * bytes.below(8) as i32 };
            repeat(bytes, step);
            step.step *= size;
        }
        Act::LoadNull | Act::Fail => {}
        Act::Translate => {
            step.tensor = open_which(bytes, result) as i32;
            step.handle = bytes.below(LOCALS as u32) as i32;
            step.index[0] = 8 * bytes.below(6) as i32;
            ahead.locals.push(step.handle);
        }
        Act::TranslateNothing => {
            step.handle = bytes.below(LOCALS as u32) as i32;
            // In one of a few windows.
            step.index[0] = ((bytes.below(4) << 24) + 8 * bytes.below(100)) as i32;
            ahead.locals.push(step.handle);
        }
        Act::LoadLocal | Act::StoreLocal => {
            // Mostly one that was given.
            step.handle = if ahead.locals.is_empty() || bytes.one_in(10) {
                bytes.below(LOCALS as u32) as i32
            } else {
                bytes.choose(&ahead.locals)
            };
            step.other = i32::from(bytes.one_in(3));
            step.axis = bytes.below(8) as i32;
            let size = Step::dtype(step.axis).size() as i32;
            step.index[0] =
                if bytes.one_in(8) { bytes.below(60) as i32 - 20 } else { size * bytes.below(4) as i32 };
            repeat(bytes, step);
            step.step *= size;
        }
    }
}

/// A tensor, the output more often than others.
fn open_which(bytes: &mut Bytes<'_>, result: usize) -> usize {
    match bytes.below(12) {
        0..=3 => result,
        4 | 5 => 0,
        6 => 1,
        7 => 2,
        8 if bytes.one_in(4) => SCRIPT,
        8 => 0,
        other => OWN + (other - 9) as usize,
    }
}

/// An index that is mostly inside.
fn index(bytes: &mut Bytes<'_>, step: &mut Step, sizes: &[u32], is_flat: bool) {
    let numel = sizes.iter().product();
    let of_dims = if is_flat { vec![numel] } else { sizes.to_vec() };
    for (place, &size) in step.index.iter_mut().zip(&of_dims) {
        *place = if bytes.one_in(14) { bytes.below(size + 4) } else { bytes.below(size.max(1)) } as i32;
    }
    step.axis = bytes.below(of_dims.len().max(1) as u32) as i32;
    repeat(bytes, step);
    let size = of_dims.get(step.axis as usize).copied().unwrap_or(1);
    if bytes.one_in(6) {
        // All of a dimension, so that some programs are right.
        step.index[step.axis as usize] = 0;
        (step.step, step.count) = (1, size as i32);
    } else if !bytes.one_in(10) {
        // And mostly no further.
        let start = step.index[step.axis as usize];
        let left = if step.step < 0 { start } else { size as i32 - 1 - start };
        step.count = step.count.min(1 + left.max(0) / step.step.abs().max(1));
    }
}

fn repeat(bytes: &mut Bytes<'_>, step: &mut Step) {
    if bytes.one_in(3) {
        step.count = 1 + bytes.below(9) as i32;
        step.step = bytes.choose(&[1, 1, 2, -1, 0, 3]);
    }
}
