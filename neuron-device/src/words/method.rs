//! [`CopyMethod`]: who moves the bytes of a copy.

use super::error::ErrorKind;

/// How [`neuron_memcpy`](crate::Q7::neuron_memcpy), and with it streams and staging, move bytes between HBM and TCM
/// (`docs/machine.md`, section 7). The numbers are the vendor's.
///
/// ```
/// use neuron_device::CopyMethod;
/// assert_eq!(CopyMethod::default(), CopyMethod::Dma);
/// assert_eq!(CopyMethod::try_from(1), Ok(CopyMethod::VecMemcpy));
/// // The vendor's setter takes 3, which is no method.
/// assert!(CopyMethod::try_from(3).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CopyMethod {
    /// The core copies word by word through its windows: `C_MEMCPY`.
    CMemcpy = 0,
    /// The core copies 128 bytes a step through its windows: `VEC_MEMCPY`.
    VecMemcpy = 1,
    /// The DMA engine copies: `DMA`.
    #[default]
    Dma = 2,
}

impl CopyMethod {
    /// The vendor's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CMemcpy => "C_MEMCPY",
            Self::VecMemcpy => "VEC_MEMCPY",
            Self::Dma => "DMA",
        }
    }
}

impl TryFrom<u32> for CopyMethod {
    type Error = ErrorKind;

    /// # Errors
    /// Any number above 2, of which the error says so.
    fn try_from(number: u32) -> Result<Self, ErrorKind> {
        match number {
            0 => Ok(Self::CMemcpy),
            1 => Ok(Self::VecMemcpy),
            2 => Ok(Self::Dma),
            number => Err(ErrorKind::NoSuchMethod { number }),
        }
    }
}
