//! A launch as bytes: what the host sends to the program on the 32-bit core.

mod bytes;
#[cfg(test)]
mod tests;

use core::fmt;
use core::ops::Range;

use heapless::Vec;
use neuron_device::{ArgDescriptor, ArgRecord, MAX_ARGUMENTS, MAX_RANK, ViewExtension};

pub use self::bytes::Sink;
pub(crate) use self::bytes::{Reader, put_text};

/// First word of a case, so that a stream out of step is noticed.
const MAGIC: u32 = 0x3243_514E;

/// Pieces of memory a case may fill: every argument's storage and the output's.
pub const MAX_PIECES: usize = MAX_ARGUMENTS + 1;

/// One launch on the cores of a [flat](crate::flat) memory.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// Name of the op's library.
    pub library: &'a str,
    /// Name of the op in it.
    pub op: &'a str,
    /// How many cores run it, one after the other.
    pub cores: u32,
    /// The launch's number.
    pub stamp: u64,
    /// Does an observer watch, who wants to be told of every run?
    pub observed: bool,
    /// Where the code of core 0 is linked; those of the next cores are 2 MiB apart.
    pub first_image: u32,
    /// First byte of the memory that is scratch: the cores' parts, one after the other.
    pub scratch_start: u64,
    /// Bytes of scratch a core has.
    pub scratch_each: u64,
    /// The arguments' descriptors, in order.
    pub arguments: Vec<ArgDescriptor, MAX_ARGUMENTS>,
    /// The output's.
    pub destination: ArgDescriptor,
    /// What is in memory before the launch; the rest is zero.
    pub pieces: Vec<Piece<'a>, MAX_PIECES>,
    /// The bytes of memory to send back.
    pub answer: Range<u64>,
}

/// Bytes at a place in memory.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Where they begin, counted from the memory's first byte.
    pub offset: u64,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// Why bytes are no case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseError {
    /// The first word is another.
    Magic(u32),
    /// They end inside this field.
    Short(&'static str),
    /// They go on after the last field.
    Long(usize),
    /// This field holds what it cannot hold.
    Value(&'static str),
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic(word) => {
                write!(
                    f,
                    "the case begins with {word:#010x} instead of {MAGIC:#010x}: host and image are of different builds"
                )
            }
            Self::Short(field) => write!(f, "the case ends inside its {field}"),
            Self::Long(bytes) => write!(f, "{bytes} bytes follow the end of the case"),
            Self::Value(field) => write!(f, "the case's {field} cannot be"),
        }
    }
}

impl core::error::Error for CaseError {}

impl<'a> Case<'a> {
    /// Write the case.
    pub fn encode(&self, to: &mut impl Sink) {
        to.put(&MAGIC.to_le_bytes());
        put_text(to, self.library);
        put_text(to, self.op);
        to.put(&self.cores.to_le_bytes());
        to.put(&self.stamp.to_le_bytes());
        to.put(&[u8::from(self.observed)]);
        to.put(&self.first_image.to_le_bytes());
        to.put(&self.scratch_start.to_le_bytes());
        to.put(&self.scratch_each.to_le_bytes());
        to.put(&[self.arguments.len() as u8]);
        self.arguments.iter().for_each(|argument| put_descriptor(to, argument));
        put_descriptor(to, &self.destination);
        to.put(&[self.pieces.len() as u8]);
        for piece in &self.pieces {
            to.put(&piece.offset.to_le_bytes());
            to.put(&(piece.bytes.len() as u32).to_le_bytes());
            to.put(piece.bytes);
        }
        to.put(&self.answer.start.to_le_bytes());
        to.put(&self.answer.end.to_le_bytes());
    }

    /// Read the case these bytes are, all of them. It borrows the contents of the pieces.
    ///
    /// # Errors
    /// Bytes that are no case. A case that does not fit a memory is found when it is run.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, CaseError> {
        let mut from = Reader::new(bytes);
        let magic = from.u32("first word")?;
        if magic != MAGIC {
            return Err(CaseError::Magic(magic));
        }
        let library = from.text("library name")?;
        let op = from.text("op name")?;
        let cores = from.u32("number of cores")?;
        if !(1..=8).contains(&cores) {
            return Err(CaseError::Value("number of cores"));
        }
        let stamp = from.u64("stamp")?;
        let observed = from.flag("observer flag")?;
        let first_image = from.u32("first image")?;
        let scratch_start = from.u64("scratch start")?;
        let scratch_each = from.u64("scratch size")?;
        let mut arguments = Vec::new();
        for _ in 0..from.u8("number of arguments")? {
            let argument = descriptor(&mut from)?;
            arguments.push(argument).map_err(|_| CaseError::Value("number of arguments"))?;
        }
        let destination = descriptor(&mut from)?;
        let mut pieces = Vec::new();
        for _ in 0..from.u8("number of pieces")? {
            let offset = from.u64("piece's offset")?;
            let len = from.u32("piece's length")?;
            let piece = Piece { offset, bytes: from.take(len as usize, "piece")? };
            pieces.push(piece).map_err(|_| CaseError::Value("number of pieces"))?;
        }
        let answer = from.u64("answer's start")?..from.u64("answer's end")?;
        from.finish()?;
        Ok(Self {
            library,
            op,
            cores,
            stamp,
            observed,
            first_image,
            scratch_start,
            scratch_each,
            arguments,
            destination,
            pieces,
            answer,
        })
    }
}

fn put_descriptor(to: &mut impl Sink, descriptor: &ArgDescriptor) {
    to.put(descriptor.record.as_bytes());
    to.put(&[u8::from(descriptor.view.is_some())]);
    if let Some(view) = &descriptor.view {
        to.put(&[view.rank]);
        view.sizes.iter().for_each(|size| to.put(&size.to_le_bytes()));
        view.strides.iter().for_each(|stride| to.put(&stride.to_le_bytes()));
        to.put(&view.offset.to_le_bytes());
        to.put(&view.storage_elems.to_le_bytes());
    }
}

/// A descriptor, whatever it says: to judge that is the op's part, and one of the things compared.
fn descriptor(from: &mut Reader<'_>) -> Result<ArgDescriptor, CaseError> {
    let record = ArgRecord::from_bytes(from.array("argument record")?);
    if !from.flag("view flag")? {
        return Ok(ArgDescriptor { record, view: None });
    }
    let rank = from.u8("view's rank")?;
    let (mut sizes, mut strides) = ([0; MAX_RANK], [0; MAX_RANK]);
    for size in &mut sizes {
        *size = from.u32("view's sizes")?;
    }
    for stride in &mut strides {
        *stride = from.u64("view's strides")?;
    }
    let (offset, storage_elems) = (from.u64("view's offset")?, from.u64("view's storage")?);
    Ok(ArgDescriptor { record, view: Some(ViewExtension { rank, sizes, strides, offset, storage_elems }) })
}
