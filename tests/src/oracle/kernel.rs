//! The op that does what a script says.

use std::slice::IterMut;
use std::vec;
use std::vec::Vec;

use neuron_device::prelude::*;
use neuron_device::{Element, HbmAddr, NxAddr, Q7Ptr, match_dtype};

use super::handle::Handle;
use super::program::{Act, HANDLES, LOCALS, OUTPUT, RESULT, STEP_NUMBERS, Step, TENSORS, UNGIVEN};

/// Does what `script` says, to a destination.
#[custom_op(in_place)]
pub(super) fn scripted(
    q7: &Q7,
    x: &Tensor,
    y: &Tensor,
    z: &Tensor,
    script: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    let mut tensors = arguments(x, y, z, script);
    tensors[OUTPUT] = Some(out.clone());
    let (_, steps) = read_script(q7, script)?; // SCRIPT_LINE
    play(q7, tensors, &steps)
}

/// Does what `script` says, to a tensor like `x`, and returns it.
#[custom_op]
pub(super) fn scripted_returning(
    q7: &Q7,
    x: &Tensor,
    y: &Tensor,
    z: &Tensor,
    script: &Tensor,
) -> Result<Tensor> {
    let (turned, steps) = read_script(q7, script)?; // RETURNING_SCRIPT_LINE
    let result = make_result(q7, x, turned)?; // RESULT_LINE
    let mut tensors = arguments(x, y, z, script);
    tensors[RESULT] = Some(result.clone());
    play(q7, tensors, &steps)?;
    Ok(result)
}

/// Line by line, the number the oracle has for it: 0 to 3 are chosen by steps.
pub(super) fn number_of(line: u32) -> Option<i32> {
    const MARKS: [(&str, i32); 7] = [
        ("// LINE 0", 0),
        ("// LINE 1", 1),
        ("// LINE 2", 2),
        ("// LINE 3", 3),
        ("// SCRIPT_LINE", SCRIPT_LINE),
        ("// RETURNING_SCRIPT_LINE", SCRIPT_LINE),
        ("// RESULT_LINE", RESULT_LINE),
    ];
    let text = include_str!("kernel.rs").lines().nth(line as usize - 1)?;
    MARKS.iter().find(|(mark, _)| text.ends_with(mark)).map(|(_, number)| *number)
}

/// Number of the line that reads the script.
pub(super) const SCRIPT_LINE: i32 = 4;
/// Number of the line that makes what is returned.
pub(super) const RESULT_LINE: i32 = 5;

fn arguments(x: &Tensor, y: &Tensor, z: &Tensor, script: &Tensor) -> [Option<Tensor>; TENSORS] {
    let mut tensors = [const { None }; TENSORS];
    for (place, tensor) in tensors.iter_mut().zip([x, y, z, script]) {
        *place = Some(tensor.clone());
    }
    tensors
}

/// This core's part of the script. What it says is kept: steps may write to it.
#[track_caller]
fn read_script(q7: &Q7, script: &Tensor) -> Result<(bool, Vec<Step>)> {
    let script = script.elements::<i32>(q7)?;
    let core = u64::from(q7.get_cpu_id());
    let turned = script.get(0) != 0;
    let (mut at, end) = (script.get(1 + core) as u64, script.get(2 + core) as u64);
    let mut steps = Vec::new();
    while at < end {
        let mut numbers = [0; STEP_NUMBERS];
        for number in &mut numbers {
            *number = script.get(at);
            at += 1;
        }
        steps.push(bytemuck::cast(numbers));
    }
    Ok((turned, steps))
}

#[track_caller]
fn make_result(q7: &Q7, x: &Tensor, turned: bool) -> Result<Tensor> {
    if !turned {
        return q7.empty_like(x);
    }
    let sizes: Vec<u32> = x.sizes().iter().rev().copied().collect();
    let dims: Vec<usize> = (0..sizes.len()).rev().collect();
    q7.empty(x.dtype(), &sizes)?.permute(&dims)
}

fn play(q7: &Q7, tensors: [Option<Tensor>; TENSORS], steps: &[Step]) -> Result<()> {
    let opened = steps.iter().filter(|step| step.act() == Act::Open).count();
    let mut room = vec![None; opened];
    let mut player = Player {
        q7,
        tensors,
        room: room.iter_mut(),
        handles: [const { None }; HANDLES],
        locals: [NxAddr::new(UNGIVEN); LOCALS],
        last: 0,
    };
    steps.iter().try_for_each(|step| match step.line {
        0 => player.act(step), // LINE 0
        1 => player.act(step), // LINE 1
        2 => player.act(step), // LINE 2
        _ => player.act(step), // LINE 3
    })
}

/// What a core is in the middle of.
struct Player<'a> {
    q7: &'a Q7,
    tensors: [Option<Tensor>; TENSORS],
    /// Where tensors stay that accessors were opened on.
    room: IterMut<'a, Option<Tensor>>,
    handles: [Option<Handle<'a>>; HANDLES],
    locals: [NxAddr; LOCALS],
    /// The bits that were read last.
    last: u64,
}

/// The bits of an element, and back.
pub(super) fn bits<T: Element>(value: T) -> u64 {
    let mut bytes = [0; 8];
    bytes[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&value));
    u64::from_le_bytes(bytes)
}

pub(super) fn value<T: Element>(bits: u64) -> T {
    bytemuck::pod_read_unaligned(&bits.to_le_bytes()[..size_of::<T>()])
}

impl Player<'_> {
    /// One step, on behalf of the line that calls.
    #[track_caller]
    fn act(&mut self, step: &Step) -> Result<()> {
        let q7 = self.q7;
        match step.act() {
            Act::Open => self.open(step),
            Act::Fail => return Err(Error::message("was told to fail")),
            Act::Make => {
                let sizes = step.index.map(|size| size as u32);
                let made = q7.empty(Step::dtype(step.value), &sizes[..step.axis as usize])?;
                self.tensors[step.tensor as usize] = Some(made);
            }
            Act::Slice => {
                if let Some(of) = &self.tensors[step.other as usize]
                    && (step.axis as usize) < of.dim()
                {
                    let [start, end, ..] = step.index.map(|index| index as u32);
                    if let Ok(view) = of.slice(step.axis as usize, start, end, step.step as u32) {
                        self.tensors[step.tensor as usize] = Some(view);
                    }
                }
            }
            Act::Translate => {
                if let Some(tensor) = &self.tensors[step.tensor as usize] {
                    let addr = tensor.storage().get().wrapping_add_signed(step.index[0].into());
                    self.locals[step.handle as usize] = q7.translate(HbmAddr::new(addr));
                }
            }
            Act::TranslateNothing => {
                self.locals[step.handle as usize] = q7.translate(HbmAddr::new(step.index[0] as u64));
            }
            Act::LoadNull => {
                // SAFETY: a platform that watches, as the simulator does, makes a fault of it and nothing worse.
                self.last = bits(unsafe { Q7Ptr::<i32>::null().load(q7) });
            }
            // Not by a closure, which would have a line of its own.
            Act::Read | Act::Write | Act::Copy => {
                for nth in 0..step.count {
                    self.access(step, nth);
                }
            }
            Act::LoadPointer | Act::StorePointer => {
                if let Some(tensor) = &self.tensors[step.tensor as usize] {
                    let dtype = tensor.dtype();
                    self.raw(step, dtype)?;
                }
            }
            Act::LoadBare | Act::StoreBare | Act::LoadLocal | Act::StoreLocal => {
                self.raw(step, Step::dtype(step.axis))?;
            }
        }
        Ok(())
    }

    #[track_caller]
    fn open(&mut self, step: &Step) {
        let handle = &mut self.handles[step.handle as usize];
        *handle = None;
        if let (Some(tensor), Some(room)) = (&self.tensors[step.tensor as usize], self.room.next()) {
            *handle = Handle::open(self.q7, room.insert(tensor.clone()), step.way());
        }
    }

    #[track_caller]
    fn access(&mut self, step: &Step, nth: i32) {
        let mut index = step.index;
        index[step.axis as usize] += nth * step.step;
        let index = index.map(|index| index as u32);
        let written = match step.act() {
            Act::Copy => None,
            _ if step.other != 0 => None,
            _ => Some((i64::from(step.value) + i64::from(nth)) as u64),
        };
        let reads = match step.act() {
            Act::Read => Some(step.handle),
            Act::Copy => Some(step.other),
            _ => None,
        };
        if let Some(handle) = reads.and_then(|reads| self.handles[reads as usize].as_ref()) {
            self.last = handle.get(index);
        }
        if step.act() != Act::Read
            && let Some(handle) = &self.handles[step.handle as usize]
        {
            handle.set(index, written.unwrap_or(self.last));
        }
    }

    #[track_caller]
    fn raw(&mut self, step: &Step, dtype: Dtype) -> Result<()> {
        match_dtype!(dtype, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
            for nth in 0..step.count {
                self.raw_access::<T>(step, nth)?;
            }
            Ok(())
        })
    }

    #[track_caller]
    fn raw_access<T: Element>(&mut self, step: &Step, nth: i32) -> Result<()> {
        let q7 = self.q7;
        let distance = i64::from(step.index[0]) + i64::from(nth) * i64::from(step.step);
        let written =
            if step.other != 0 { self.last } else { (i64::from(step.value) + i64::from(nth)) as u64 };
        let pointer = match step.act() {
            Act::LoadLocal | Act::StoreLocal => {
                let local = self.locals[step.handle as usize].get().wrapping_add_signed(distance as i32);
                if step.act() == Act::LoadLocal {
                    // SAFETY: the simulator makes a fault of what no chip would survive, and nothing worse.
                    self.last = bits(unsafe { q7.load_nx::<T>(NxAddr::new(local)) });
                } else {
                    // SAFETY: as above.
                    unsafe { q7.store_nx::<T>(NxAddr::new(local), value(written)) };
                }
                return Ok(());
            }
            Act::LoadPointer | Act::StorePointer => {
                let Some(tensor) = &self.tensors[step.tensor as usize] else { return Ok(()) };
                let pointer = tensor.q7_data_ptr::<T>()?;
                if distance < 0 { pointer.sub(distance.unsigned_abs()) } else { pointer.add(distance as u64) }
            }
            _ => {
                let Some(tensor) = &self.tensors[step.tensor as usize] else { return Ok(()) };
                Some(Q7Ptr::<T>::new(HbmAddr::new(tensor.storage().get().wrapping_add_signed(distance))))
            }
        };
        // No arithmetic leads away from null.
        let pointer = pointer.unwrap_or(Q7Ptr::null());
        if matches!(step.act(), Act::LoadPointer | Act::LoadBare) {
            // SAFETY: as above.
            self.last = bits(unsafe { pointer.load(q7) });
        } else {
            // SAFETY: as above.
            unsafe { pointer.store(q7, value(written)) };
        }
        Ok(())
    }
}
