//! [`HostTensor`]: a tensor in the host's memory.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use ndarray::{ArrayBase, ArrayD, Data, Dimension, IxDyn};
use neuron_device::{Dtype, Element, Layout, LayoutError};

/// Why a tensor could not be made, viewed or read.
///
/// ```
/// use neuron_device::Dtype;
/// use neuron_host_sim::{HostTensor, TensorError};
/// let error = HostTensor::from_slice(&[2, 3], &[0i32; 5]).unwrap_err();
/// assert_eq!(error.to_string(), "5 values for a tensor of sizes [2, 3], which has 6 elements");
/// let error = HostTensor::scalar(1i32).to_vec::<f32>().unwrap_err();
/// assert_eq!(error, TensorError::Dtype { wanted: Dtype::F32, found: Dtype::I32 });
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TensorError {
    /// The layout does not exist.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Another number of values than the sizes need.
    #[error("{values} values for a tensor of sizes {sizes:?}, which has {numel} elements")]
    Count {
        /// Values given; of bytes given, as many values as they hold whole.
        values: usize,
        /// The sizes.
        sizes: Vec<u32>,
        /// Elements they need.
        numel: u64,
    },
    /// Another number of bytes than the elements take.
    #[error("{bytes} bytes are not the elements of a tensor of {dtype} of sizes {sizes:?}")]
    Bytes {
        /// Bytes given.
        bytes: usize,
        /// The sizes.
        sizes: Vec<u32>,
        /// The element type.
        dtype: Dtype,
    },
    /// A size that does not fit 32 bits.
    #[error("a dimension of size {0} does not fit: sizes are 32-bit")]
    Size(usize),
    /// A view that reaches beyond its storage.
    #[error("the view reaches {extent} elements into a storage of {storage}")]
    Extent {
        /// Elements the view reaches.
        extent: u64,
        /// Elements there are.
        storage: u64,
    },
    /// The elements have another type.
    #[error("the tensor has dtype {found}, not {wanted}")]
    Dtype {
        /// The type asked for.
        wanted: Dtype,
        /// The tensor's type.
        found: Dtype,
    },
    /// A copy between tensors of different sizes.
    #[error(
        "a tensor of sizes {found:?} cannot be copied to one of {wanted:?}: give it the same sizes, with `expand` \
         where one repeats"
    )]
    Sizes {
        /// The sizes of the tensor that is written.
        wanted: Vec<u32>,
        /// Those of the other.
        found: Vec<u32>,
    },
    /// A copy to a tensor several of whose elements may be one place.
    #[error(
        "a tensor of strides {strides:?} cannot be written: several of its elements are one place in memory; write \
         the tensor it is a view of"
    )]
    Overlaps {
        /// Its strides, in elements.
        strides: Vec<u64>,
    },
    /// Sizes, one of them 0, that ndarray has no array of.
    #[error(
        "ndarray has no empty array of sizes {0:?}, the others multiply to more than it counts: take the sizes and \
         `to_vec` instead"
    )]
    Ndarray(Vec<u32>),
    /// More bytes than this host can hold.
    #[error("{0} bytes are more than this host can hold in one tensor")]
    TooLarge(u64),
}

/// A tensor in the host's memory: 8 dtypes, any layout. Views share their storage; a tensor is never changed.
///
/// ```
/// use neuron_host_sim::HostTensor;
/// let x = HostTensor::from_slice(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let columns = x.transpose(0, 1)?;
/// assert_eq!(columns.sizes(), &[3, 2]);
/// assert_eq!(columns.to_vec::<f32>()?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// assert!(x.to_vec::<i32>().is_err());
/// # Ok::<(), neuron_host_sim::TensorError>(())
/// ```
#[derive(Clone)]
pub struct HostTensor {
    /// Little-endian bytes in 8-byte words, so that every element type is aligned.
    words: Arc<Vec<u64>>,
    /// Elements of storage.
    elems: u64,
    dtype: Dtype,
    layout: Layout,
}

impl HostTensor {
    /// A contiguous tensor with these values, in row-major order.
    ///
    /// # Errors
    /// More than 8 dimensions, or another number of values than the sizes multiply to.
    pub fn from_slice<T: Element>(sizes: &[u32], values: &[T]) -> Result<Self, TensorError> {
        let layout = Layout::contiguous(sizes)?;
        if values.len() as u64 != layout.numel() {
            let (values, sizes) = (values.len(), sizes.to_vec());
            return Err(TensorError::Count { values, sizes, numel: layout.numel() });
        }
        Ok(Self::filled(T::DTYPE, layout, bytemuck::cast_slice(values)))
    }

    /// A contiguous tensor whose elements are these little-endian bytes, in row-major order.
    ///
    /// # Errors
    /// More than 8 dimensions, or another number of bytes than the elements take.
    ///
    /// ```
    /// use neuron_device::Dtype;
    /// use neuron_host_sim::HostTensor;
    /// let x = HostTensor::from_bytes(Dtype::I16, &[2], &[1, 0, 2, 0])?;
    /// assert_eq!(x.to_vec::<i16>()?, [1, 2]);
    /// assert_eq!(x.to_bytes(), [1, 0, 2, 0]);
    /// # Ok::<(), neuron_host_sim::TensorError>(())
    /// ```
    pub fn from_bytes(dtype: Dtype, sizes: &[u32], bytes: &[u8]) -> Result<Self, TensorError> {
        let layout = Layout::contiguous(sizes)?;
        if layout.numel().checked_mul(dtype.size()) != Some(bytes.len() as u64) {
            let (bytes, sizes) = (bytes.len(), sizes.to_vec());
            return Err(TensorError::Bytes { bytes, sizes, dtype });
        }
        Ok(Self::filled(dtype, layout, bytes))
    }

    /// A tensor over a copy of its bytes, of which there are as many as the layout's elements take.
    fn filled(dtype: Dtype, layout: Layout, bytes: &[u8]) -> Self {
        let mut words = vec![0; bytes.len().div_ceil(8)];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Self { words: Arc::new(words), elems: layout.numel(), dtype, layout }
    }

    /// The elements' bytes, little-endian, in row-major order.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size = self.dtype.size() as usize;
        let storage = self.bytes();
        if let Some(row) = self.row() {
            return storage[row.start * size..row.end * size].to_vec();
        }
        let element = |index| self.layout.offset_of_flat(index) as usize * size;
        (0..self.numel()).flat_map(|index| &storage[element(index)..][..size]).copied().collect()
    }

    /// A tensor without dimensions: one value.
    pub fn scalar<T: Element>(value: T) -> Self {
        Self::from_slice(&[], &[value]).expect("one value fills a tensor without dimensions")
    }

    /// A contiguous tensor of zeros.
    ///
    /// # Errors
    /// More than 8 dimensions, or more bytes than the host can hold.
    pub fn zeros(dtype: Dtype, sizes: &[u32]) -> Result<Self, TensorError> {
        let layout = Layout::contiguous(sizes)?;
        let bytes = layout.numel().saturating_mul(dtype.size());
        let words = usize::try_from(bytes.div_ceil(8)).ok().filter(|&words| words < isize::MAX as usize / 8);
        let words = words.ok_or(TensorError::TooLarge(bytes))?;
        let mut zeros: Vec<u64> = Vec::new();
        zeros.try_reserve_exact(words).map_err(|_| TensorError::TooLarge(bytes))?;
        zeros.resize(words, 0);
        Ok(Self { words: Arc::new(zeros), elems: layout.numel(), dtype, layout })
    }

    /// The elements of an ndarray array or view of any strides, copied into row-major order.
    ///
    /// # Errors
    /// More than 8 dimensions, or a size that does not fit 32 bits.
    ///
    /// ```
    /// use ndarray::{array, s};
    /// use neuron_host_sim::HostTensor;
    /// let backwards = array![1, 2, 3].slice_move(s![..;-1]);
    /// assert_eq!(HostTensor::from_ndarray(&backwards)?.to_vec::<i32>()?, [3, 2, 1]);
    /// # Ok::<(), neuron_host_sim::TensorError>(())
    /// ```
    pub fn from_ndarray<T, S, D>(array: &ArrayBase<S, D>) -> Result<Self, TensorError>
    where
        T: Element,
        S: Data<Elem = T>,
        D: Dimension,
    {
        let sizes =
            array.shape().iter().map(|&size| u32::try_from(size).map_err(|_| TensorError::Size(size)));
        let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
        let values: Vec<T> = array.iter().copied().collect();
        Self::from_slice(&sizes, &values)
    }

    /// A tensor over the words `allocation` holds.
    pub(crate) fn from_parts(words: Vec<u64>, elems: u64, dtype: Dtype, layout: Layout) -> Self {
        Self { words: Arc::new(words), elems, dtype, layout }
    }

    /// The values in row-major order.
    ///
    /// # Errors
    /// The dtype is not `T`'s.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, TensorError> {
        if self.dtype != T::DTYPE {
            return Err(TensorError::Dtype { wanted: T::DTYPE, found: self.dtype });
        }
        let storage: &[T] = bytemuck::cast_slice(self.words.as_slice());
        if let Some(row) = self.row() {
            return Ok(storage[row].to_vec());
        }
        Ok((0..self.numel()).map(|index| storage[self.layout.offset_of_flat(index) as usize]).collect())
    }

    /// The values as an ndarray array of the same sizes, in row-major order.
    ///
    /// # Errors
    /// The dtype is not `T`'s; an empty tensor whose other sizes multiply to more than `isize` counts.
    ///
    /// ```
    /// use ndarray::array;
    /// use neuron_host_sim::HostTensor;
    /// let x = HostTensor::from_slice(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
    /// assert_eq!(x.transpose(0, 1)?.to_ndarray::<f32>()?, array![[1.0, 3.0], [2.0, 4.0]].into_dyn());
    /// # Ok::<(), neuron_host_sim::TensorError>(())
    /// ```
    pub fn to_ndarray<T: Element>(&self) -> Result<ArrayD<T>, TensorError> {
        let sizes: Vec<usize> = self.sizes().iter().map(|&size| size as usize).collect();
        let array = ArrayD::from_shape_vec(IxDyn(&sizes), self.to_vec()?);
        array.map_err(|_| TensorError::Ndarray(self.sizes().to_vec()))
    }

    /// Where in the storage the elements lie, if they lie one after the other.
    fn row(&self) -> Option<Range<usize>> {
        let start = self.layout.offset() as usize;
        let numel = self.numel() as usize;
        // An empty tensor may have an offset beyond its storage.
        self.layout.is_contiguous().then(|| if numel == 0 { 0..0 } else { start..start + numel })
    }

    /// The storage's bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(self.words.as_slice())[..(self.elems * self.dtype.size()) as usize]
    }

    /// Do the two share their storage?
    pub(crate) fn shares_storage_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.words, &other.words)
    }
}

super::views::views!(HostTensor);

impl fmt::Debug for HostTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostTensor {} {:?}", self.dtype, self.layout)
    }
}
