//! Little-endian fields, written one after the other and read back with every length checked.

use super::CaseError;

/// Where bytes go: a vector on the host, the standard output on the 32-bit core.
pub trait Sink {
    /// Take these bytes.
    fn put(&mut self, bytes: &[u8]);

    /// Pass on what was kept back.
    fn flush(&mut self) {}
}

#[cfg(not(target_os = "none"))]
impl Sink for std::vec::Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// A text, after its length in 16 bits; what is longer is cut at that.
pub(crate) fn put_text(to: &mut impl Sink, text: &str) {
    let len = text.floor_char_boundary(usize::from(u16::MAX));
    to.put(&(len as u16).to_le_bytes());
    to.put(&text.as_bytes()[..len]);
}

/// Takes fields off the front of some bytes. `field` is what an error calls them.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn take(&mut self, len: usize, field: &'static str) -> Result<&'a [u8], CaseError> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(CaseError::Short(field))?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self, field: &'static str) -> Result<&'a [u8; N], CaseError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(CaseError::Short(field))?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn u8(&mut self, field: &'static str) -> Result<u8, CaseError> {
        self.array(field).map(|&[byte]| byte)
    }

    pub(crate) fn u16(&mut self, field: &'static str) -> Result<u16, CaseError> {
        self.array(field).map(|&bytes| u16::from_le_bytes(bytes))
    }

    pub(crate) fn u32(&mut self, field: &'static str) -> Result<u32, CaseError> {
        self.array(field).map(|&bytes| u32::from_le_bytes(bytes))
    }

    pub(crate) fn u64(&mut self, field: &'static str) -> Result<u64, CaseError> {
        self.array(field).map(|&bytes| u64::from_le_bytes(bytes))
    }

    /// A byte that is 0 or 1.
    pub(crate) fn flag(&mut self, field: &'static str) -> Result<bool, CaseError> {
        match self.u8(field)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(CaseError::Value(field)),
        }
    }

    /// What [`put_text`] wrote.
    pub(crate) fn text(&mut self, field: &'static str) -> Result<&'a str, CaseError> {
        let len = self.u16(field)?;
        let bytes = self.take(usize::from(len), field)?;
        core::str::from_utf8(bytes).map_err(|_| CaseError::Value(field))
    }

    /// What was not taken yet.
    #[cfg(not(target_os = "none"))]
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Nothing may be left.
    pub(crate) const fn finish(self) -> Result<(), CaseError> {
        match self.rest.len() {
            0 => Ok(()),
            more => Err(CaseError::Long(more)),
        }
    }
}
