//! Reading and writing NumPy's `.npy` files.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use ndarray::ArrayD;
use ndarray_npy::{ReadNpyError, ReadNpyExt, WriteNpyError, WriteNpyExt};
use neuron_device::Dtype;

use super::host::{HostTensor, TensorError};
use crate::elf;

/// Why a `.npy` file could not be read or written.
///
/// ```
/// use neuron_host_sim::{HostTensor, NpyError};
/// let error = HostTensor::from_npy(&b"a,b\n1,2\n"[..]).unwrap_err();
/// assert!(matches!(error, NpyError::Malformed(_)));
/// assert!(error.to_string().starts_with("not a well-formed .npy file: "));
/// let error = HostTensor::from_npy_file("no-such.npy").unwrap_err();
/// assert!(error.to_string().starts_with("no-such.npy: "));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NpyError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The data cannot be read.
    #[error("cannot read the .npy data: {0}")]
    Read(std::io::Error),
    /// Not a .npy file, or a broken one.
    #[error("not a well-formed .npy file: {0}")]
    Malformed(ReadNpyError),
    /// A program, or the code of a core: what it is.
    #[error("not a .npy file: {0}")]
    Elf(String),
    /// The elements have a type that does not cross to a core, or one `.npy` does not have.
    #[error(
        "dtype {0} is not one of f32, i32, i64, i16, i8, u8: convert it first, for example x.astype('float32')"
    )]
    Dtype(String),
    /// The array is no tensor.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// The data cannot be written.
    #[error("cannot write the .npy data: {0}")]
    Write(WriteNpyError),
}

impl HostTensor {
    /// The array in a `.npy` file, in row-major order: f32, i32, i64, i16, i8 or u8.
    ///
    /// # Errors
    /// The file cannot be read, is malformed, or holds another dtype or a shape no tensor has.
    pub fn from_npy_file(path: impl AsRef<Path>) -> Result<Self, NpyError> {
        let path = path.as_ref();
        let failed = |source| NpyError::File { path: path.to_owned(), source };
        // A device or a pipe may never end.
        if !std::fs::metadata(path).map_err(failed)?.is_file() {
            return Err(failed(std::io::Error::other("not a regular file")));
        }
        Self::from_npy(std::fs::read(path).map_err(failed)?.as_slice())
    }

    /// The array in `.npy` data.
    ///
    /// # Errors
    /// As [`from_npy_file`](Self::from_npy_file).
    ///
    /// ```
    /// use neuron_host_sim::HostTensor;
    /// let x = HostTensor::from_slice(&[2, 2], &[1i16, 2, 3, 4])?;
    /// let mut file = Vec::new();
    /// x.transpose(0, 1)?.to_npy(&mut file)?;
    /// assert_eq!(HostTensor::from_npy(&file[..])?.to_vec::<i16>()?, [1, 3, 2, 4]);
    /// # Ok::<(), neuron_host_sim::NpyError>(())
    /// ```
    pub fn from_npy(mut data: impl Read) -> Result<Self, NpyError> {
        let mut bytes = Vec::new();
        data.read_to_end(&mut bytes).map_err(NpyError::Read)?;
        if let Some(elf) = elf::described(&bytes) {
            return Err(NpyError::Elf(elf));
        }
        check_header(&bytes)?;
        macro_rules! or_as {
            ($type:ty, $otherwise:expr) => {
                match ArrayD::<$type>::read_npy(bytes.as_slice()) {
                    Ok(array) => Ok(Self::from_ndarray(&array)?),
                    Err(ReadNpyError::WrongDescriptor(descriptor)) => $otherwise(descriptor.to_string()),
                    Err(error) => Err(NpyError::Malformed(error)),
                }
            };
        }
        or_as!(f32, |_| or_as!(i32, |_| or_as!(i64, |_| or_as!(i16, |_| or_as!(i8, |_| or_as!(
            u8,
            |descriptor| Err(NpyError::Dtype(descriptor))
        ))))))
    }

    /// Write the values as a `.npy` file in row-major order, over a file of this name if there is one.
    ///
    /// # Errors
    /// The file cannot be written; f16 and bf16, which `.npy` readers here do not take back.
    ///
    /// ```no_run
    /// use neuron_host_sim::HostTensor;
    /// let x = HostTensor::from_npy_file("x.npy")?;
    /// x.transpose(0, 1)?.to_npy_file("x_transposed.npy")?;
    /// # Ok::<(), neuron_host_sim::NpyError>(())
    /// ```
    pub fn to_npy_file(&self, path: impl AsRef<Path>) -> Result<(), NpyError> {
        let path = path.as_ref();
        let mut bytes = Vec::new();
        self.to_npy(&mut bytes)?;
        std::fs::write(path, bytes).map_err(|source| NpyError::File { path: path.to_owned(), source })
    }

    /// Write the values as `.npy` data in row-major order.
    ///
    /// # Errors
    /// As [`to_npy_file`](Self::to_npy_file).
    pub fn to_npy(&self, to: impl Write) -> Result<(), NpyError> {
        let written = match self.dtype() {
            Dtype::F32 => self.to_ndarray::<f32>()?.write_npy(to),
            Dtype::I32 => self.to_ndarray::<i32>()?.write_npy(to),
            Dtype::I64 => self.to_ndarray::<i64>()?.write_npy(to),
            Dtype::I16 => self.to_ndarray::<i16>()?.write_npy(to),
            Dtype::I8 => self.to_ndarray::<i8>()?.write_npy(to),
            Dtype::U8 => self.to_ndarray::<u8>()?.write_npy(to),
            Dtype::F16 | Dtype::BF16 => return Err(NpyError::Dtype(self.dtype().name().to_owned())),
        };
        written.map_err(NpyError::Write)
    }
}

/// Brackets in brackets of a header: an array's has two.
const DEEPEST: usize = 32;

/// What `ndarray_npy` takes on trust: it asks for as much memory as the header says that there is of header and of data,
/// panics where a shape has more elements than `isize` counts, empty or not, and follows brackets as deep as they are.
/// Whatever else is wrong is found when the header is parsed.
fn check_header(file: &[u8]) -> Result<(), NpyError> {
    // Magic, version, and a length whose width the version says.
    let (length, rest) = match file {
        [_, _, _, _, _, _, 1, 0, a, b, rest @ ..] => (u16::from_le_bytes([*a, *b]).into(), rest),
        [_, _, _, _, _, _, 2 | 3, 0, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]), rest),
        _ => return Ok(()),
    };
    let malformed = |text: &str| NpyError::Malformed(ReadNpyError::ParseData(text.into()));
    let cut = NpyError::Malformed(ReadNpyError::Io(std::io::Error::from(std::io::ErrorKind::UnexpectedEof)));
    let Some((header, data)) = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length))
    else {
        return Err(cut);
    };
    let plain =
        unquoted(header).ok_or_else(|| malformed("its header has a string that NumPy does not write"))?;
    if depth(&plain) > DEEPEST {
        return Err(malformed("its header has brackets in more than 32 brackets"));
    }
    // The shape is one of the groups, whatever its key is written like.
    for group in plain.split(['(', ')']) {
        let mut sizes = Vec::new();
        for word in group.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.') {
            if word.starts_with(|c: char| c.is_ascii_digit()) {
                let size = word.trim_end_matches('L').parse::<u128>();
                sizes.push(size.map_err(|_| malformed("its header has a number that NumPy does not write"))?);
            }
        }
        let wide =
            sizes.iter().filter(|&&size| size != 0).try_fold(1u128, |numel, size| numel.checked_mul(*size));
        if wide.is_none_or(|numel| numel > isize::MAX as u128) {
            return Err(TensorError::TooLarge(u64::MAX).into());
        }
        // An element has at least a byte.
        if !sizes.is_empty() && !sizes.contains(&0) && wide > Some(data.len() as u128) {
            return Err(NpyError::Malformed(ReadNpyError::MissingData));
        }
    }
    Ok(())
}

/// The header without what is between quotes; `None` if a string is not as NumPy writes it, in single quotes and without
/// escapes.
fn unquoted(header: &[u8]) -> Option<String> {
    let header = String::from_utf8_lossy(header);
    if header.contains(['"', '\\']) {
        return None;
    }
    Some(header.split('\'').step_by(2).collect::<Vec<_>>().join(" "))
}

/// How deep its brackets are, at most.
fn depth(header: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for byte in header.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
