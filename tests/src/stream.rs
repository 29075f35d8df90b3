//! Cases in, replies out, one after the other until the input ends.

use core::fmt;

use crate::case::Sink;
use crate::flat::play;
use crate::runtime::Runtime;

/// Where bytes come from.
pub trait Source {
    /// Put some of the next bytes to the front of `into` and say how many; 0 if there are no more.
    fn get(&mut self, into: &mut [u8]) -> usize;
}

/// Why a stream of cases cannot be followed any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It ends inside a case.
    Short,
    /// A case is longer than the buffer.
    Long(u32),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short => f.write_str("the input ends inside a case"),
            Self::Long(bytes) => write!(f, "a case of {bytes} bytes is longer than the buffer"),
        }
    }
}

impl core::error::Error for Broken {}

/// Write a case as [`serve`] reads it: its length in 32 bits, then its bytes.
pub fn put_case(to: &mut impl Sink, case: &[u8]) {
    to.put(&(case.len() as u32).to_le_bytes());
    to.put(case);
}

/// Play every case of `from`. Each reply is out before the next case begins: if one is a program's end, those before it
/// are known.
///
/// # Errors
/// The input is no stream of cases.
pub fn serve(
    from: &mut impl Source,
    to: &mut impl Sink,
    buffer: &mut [u8],
    memory: &mut [u64],
    runtime: &mut impl Runtime,
) -> Result<(), Broken> {
    loop {
        let mut len = [0; 4];
        match fill(from, &mut len) {
            0 => return Ok(()),
            4 => {}
            _ => return Err(Broken::Short),
        }
        let len = u32::from_le_bytes(len);
        let case = buffer.get_mut(..len as usize).ok_or(Broken::Long(len))?;
        if fill(from, case) < case.len() {
            return Err(Broken::Short);
        }
        play(case, memory, to, runtime);
        to.flush();
    }
}

/// Fill all of `into` unless the input ends before; how many bytes there were.
fn fill(from: &mut impl Source, into: &mut [u8]) -> usize {
    let mut filled = 0;
    while filled < into.len() {
        match from.get(&mut into[filled..]) {
            0 => break,
            more => filled += more,
        }
    }
    filled
}
