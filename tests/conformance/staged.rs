//! The kernels of the suite that stage.

use neuron_device::prelude::*;
use neuron_device::{CopyMethod, Dataram, Element, NxAddr, Tcm, TensorSpec, WINDOW_BYTES};

/// Elements of [`across_an_edge`]'s output: whatever the address, a window edge is in it, more than 1 MiB from its start.
pub(crate) const EDGE_BYTES: u32 = 18 << 20;

/// Bytes from one core's place to the next one's.
pub(crate) const PLACE: u64 = 64 << 10;

/// Sizes of copies, the largest first, so that each lies in the middle of those before.
pub(crate) fn sizes() -> impl Iterator<Item = u32> {
    let around = |power: u32| (-1_i32..=1).rev().map(move |by| (1_u32 << power).saturating_add_signed(by));
    let large = (7..14).rev().flat_map(around);
    [Tcm::BYTES, Tcm::BYTES - 1, Tcm::BYTES - 7].into_iter().chain(large).chain((0..=65).rev())
}

/// Where in HBM, counted from the middle of its place, and where in TCM a copy lies that is number `number` of its size.
pub(crate) fn lies(bytes: u32, number: u64) -> (i64, u32) {
    let before = i64::from(bytes.div_ceil(2).next_multiple_of(8));
    let local = (number as u32 * 3 + bytes) % 8;
    (number as i64 - before, local.min(Tcm::BYTES - bytes))
}

/// What no copy may touch.
static UNTOUCHED: [u8; Tcm::BYTES as usize] = [0xEE; Tcm::BYTES as usize];

/// What copies are made of: no piece of it is like another one nearby.
static PATTERN: [u8; Tcm::BYTES as usize + 256] = {
    let (mut bytes, mut at) = ([0; Tcm::BYTES as usize + 256], 0_usize);
    while at < bytes.len() {
        bytes[at] = (at * 3 + at / 251) as u8;
        at += 1;
    }
    bytes
};

/// The bytes of a copy.
pub(crate) fn values(bytes: u32, number: u64) -> &'static [u8] {
    &PATTERN[((bytes * 7 + number as u32 * 31) % 256) as usize..][..bytes as usize]
}

fn method_of(method: i32) -> Result<CopyMethod> {
    CopyMethod::try_from(method as u32).map_err(|_| Error::message("no such method").about("method"))
}

/// Copies of [`sizes`] from TCM to HBM and back, at eight alignments, those of core 0 across a window edge. The first
/// elements of the output say where that is.
#[custom_op(shape = edge_shape)]
pub(crate) fn across_an_edge(q7: &Q7, x: &Tensor, method: i32, out: &mut Tensor) -> Result<()> {
    assert_eq!(x.numel(), 1);
    q7.set_memcpy_method(method_of(method)?);
    let start = out.storage().get();
    let edge = (start + (1 << 20)).next_multiple_of(WINDOW_BYTES) - start;
    if q7.get_cpu_id() == 0 {
        let head = out.elements_mut::<u8>(q7)?;
        (0..4_u64).zip((edge as u32).to_le_bytes()).for_each(|(at, byte)| head.set(at, byte));
    }
    let middle = edge - u64::from(q7.get_cpu_id()) * PLACE;
    let pointer = out.q7_data_ptr::<u8>()?;
    let mut tile = q7.tcm_malloc::<u8>(Tcm::BYTES)?.filled_with(0);
    assert_eq!(tile.addr(), Dataram::BASE);
    for bytes in sizes() {
        for number in 0..8 {
            let (from_middle, local) = lies(bytes, number);
            let hbm =
                pointer.add(middle.wrapping_add_signed(from_middle)).ok_or(Error::message("beyond HBM"))?;
            let nx = NxAddr::new(tile.addr().get() + local);
            let range = local as usize..(local + bytes) as usize;
            tile[range.clone()].copy_from_slice(values(bytes, number));
            // SAFETY: `sizes` and `lies` keep the copy in the tile, and in this core's place of `out`; nothing is under way,
            // and no slice of the tile is used meanwhile.
            unsafe { q7.neuron_memcpy(hbm, nx, bytes)? };
            tile.copy_from_slice(&UNTOUCHED);
            // SAFETY: as above.
            unsafe { q7.neuron_memcpy(nx, hbm, bytes)? };
            let (before, rest) = tile.split_at(range.start);
            let (copied, behind) = rest.split_at(range.len());
            if copied != values(bytes, number) {
                return Err(Error::message("a copy brought other bytes"));
            }
            if [before, behind].iter().any(|rest| **rest != UNTOUCHED[..rest.len()]) {
                return Err(Error::message("a copy touched its neighbours"));
            }
        }
    }
    Ok(())
}

fn edge_shape(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::U8, &[EDGE_BYTES])
}

/// Elements of a tile of [`counted`]: with it, three streams have a buffer.
pub(crate) const TILE: u32 = 100;

/// A copy of x by tiles; then five streams side by side over the same share, and a column staged.
#[custom_op]
pub(crate) fn counted(q7: &Q7, x: &Tensor, method: i32, out: &mut Tensor) -> Result<()> {
    q7.set_memcpy_method(method_of(method)?);
    let share = q7.partition_flat(x.numel());
    let mut buffer = q7.tcm_malloc::<i32>(TILE)?;
    let mut sum = 0_i32;
    for tile in share.tiles(TILE) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        sum = values.iter().fold(sum, |sum, &v| sum.wrapping_add(v));
        out.tcm_to_tensor(q7, tile.offset, values)?;
    }
    let mut streams = [x, x, x, x, x].map(|x| x.read_stream_accessor::<i32>(q7, share).ok());
    for stream in streams.iter_mut().flatten() {
        if stream.fold(0_i32, |sum, v| sum.wrapping_add(v)) != sum {
            return Err(Error::message("a stream gave other elements"));
        }
    }
    drop(streams);
    let column = x.slice(0, share.start() as u32, share.end() as u32, 2)?;
    let len = column.numel().min(TILE.into()) as u32;
    let staged = column.strided_to_tcm(q7, Span { offset: 0, len }, &mut buffer)?;
    let sum = staged.iter().fold(0_i32, |sum, &v| sum.wrapping_add(v));
    let elements = column.elements::<i32>(q7)?;
    if (0..len.into()).fold(0_i32, |sum, i| sum.wrapping_add(elements.get(i))) != sum {
        return Err(Error::message("a column gave other elements"));
    }
    Ok(())
}

/// The share of x, shifted by a stream that reads and one that writes, through views with an offset: all but the first
/// element of x, to all but the last of the output, and then the last from the first.
#[custom_op]
pub(crate) fn rotated(q7: &Q7, x: &Tensor, method: i32, out: &mut Tensor) -> Result<()> {
    q7.set_memcpy_method(method_of(method)?);
    match_dtype!(x, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => rotate::<T>(q7, x, out))
}

fn rotate<T: Element>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let len = x.numel() as u32;
    let behind = x.narrow(0, 1, len - 1)?;
    let share = q7.partition_flat(behind.numel());
    let mut src = behind.read_stream_accessor::<T>(q7, share)?;
    let mut dst = out.write_stream_accessor::<T>(q7, share)?;
    dst.write_from(src.by_ref().take(3));
    if src.remaining() > 0 {
        dst.write(src.read());
    }
    while let Some(chunk) = src.next_chunk() {
        dst.write_map(chunk, |v| v);
    }
    drop(dst);
    if q7.get_cpu_id() + 1 == q7.get_cpu_count() {
        let first = x.read_stream_accessor::<T>(q7, ..1)?.next();
        let mut last = out.write_stream_accessor::<T>(q7, u64::from(len) - 1..)?;
        last.write_from(first);
    }
    Ok(())
}

/// x + 1, two tiles on their way at a time in each direction.
#[custom_op]
pub(crate) fn in_flight(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut tiles = q7.partition_flat(x.numel()).tiles(256).peekable();
    let Some(first) = tiles.next() else { return Ok(()) };
    let mut coming = x.tensor_to_tcm_async(q7, first, q7.tcm_malloc::<i32>(256)?)?;
    let (mut at, mut spare) = (first.offset, vec![q7.tcm_malloc::<i32>(256)?, q7.tcm_malloc::<i32>(256)?]);
    let mut going = None;
    loop {
        let next = match (tiles.next(), spare.pop()) {
            (Some(tile), Some(buffer)) => Some((x.tensor_to_tcm_async(q7, tile, buffer)?, tile.offset)),
            (Some(_), None) => return Err(Error::message("no buffer came back")),
            (None, _) => None,
        };
        let mut values = coming.wait();
        values.iter_mut().for_each(|v| *v += 1);
        if let Some(gone) = going.replace(out.tcm_to_tensor_async(q7, at, values)?) {
            spare.push(neuron_device::Pending::wait(gone).into_buf());
        }
        match next {
            Some((pending, offset)) => (coming, at) = (pending, offset),
            None => break,
        }
    }
    if let Some(gone) = going {
        gone.wait();
    }
    Ok(())
}

/// A transposed copy of [rows, columns]: each core's columns, staged a descriptor an element, written as rows.
#[custom_op(shape = transposed)]
pub(crate) fn transposed_by_dma(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let columns = x.transpose(0, 1)?;
    let rows = x.size(0);
    let mut buffer = q7.tcm_malloc::<i32>(rows.max(1))?;
    for column in q7.partition(x.size(1)) {
        let span = Span { offset: u64::from(column) * u64::from(rows), len: rows };
        let values = columns.strided_to_tcm(q7, span, &mut buffer)?;
        out.tcm_to_tensor(q7, span.offset, values)?;
    }
    Ok(())
}

fn transposed(inputs: &[TensorSpec]) -> Result<TensorSpec> {
    let sizes = inputs[0].sizes();
    TensorSpec::new(inputs[0].dtype(), &[sizes[1], sizes[0]])
}
