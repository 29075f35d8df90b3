//! The views of a [`Layout`](super::Layout), as methods of what has one: written once for every kind of tensor.

/// The views, for a tensor with a field `layout` and a method `viewed`, which makes a tensor or the tensor's own error
/// from a `Result<Layout, LayoutError>`. Each method has the attributes given and the result `viewed` has.
#[doc(hidden)]
#[macro_export]
macro_rules! __forward_views {
    ($(#[$attribute:meta])* $result:ty) => {
        /// The same elements with two dimensions exchanged: a view,
        /// as [`Layout::transpose`](neuron_device::Layout::transpose) shows.
        ///
        /// # Errors
        /// A dimension that does not exist.
        $(#[$attribute])*
        pub fn transpose(&self, a: usize, b: usize) -> $result {
            self.viewed(self.layout.transpose(a, b))
        }

        /// The same elements with dimension `dims[i]` at place `i`: a view,
        /// as [`Layout::permute`](neuron_device::Layout::permute) shows.
        ///
        /// # Errors
        /// A dimension that does not exist, is left out, or is named twice.
        $(#[$attribute])*
        pub fn permute(&self, dims: &[usize]) -> $result {
            self.viewed(self.layout.permute(dims))
        }

        /// Every `step`-th index of `start..end` of one dimension: a view,
        /// as [`Layout::slice`](neuron_device::Layout::slice) shows.
        ///
        /// # Errors
        /// A dimension that does not exist; a range that leaves it or runs backwards; step 0; in an empty result,
        /// an offset beyond 64 bits.
        $(#[$attribute])*
        pub fn slice(&self, dim: usize, start: u32, end: u32, step: u32) -> $result {
            self.viewed(self.layout.slice(dim, start, end, step))
        }

        /// The `len` indices of one dimension from `start` on: a view,
        /// as [`Layout::narrow`](neuron_device::Layout::narrow) shows.
        ///
        /// # Errors
        /// A dimension that does not exist; indices that leave it; in an empty result, an offset beyond 64 bits.
        $(#[$attribute])*
        pub fn narrow(&self, dim: usize, start: u32, len: u32) -> $result {
            self.viewed(self.layout.narrow(dim, start, len))
        }

        /// One index of one dimension, which the view does not have any more,
        /// as [`Layout::select`](neuron_device::Layout::select) shows.
        ///
        /// # Errors
        /// A dimension or an index that does not exist; in an empty result, an offset beyond 64 bits.
        $(#[$attribute])*
        pub fn select(&self, dim: usize, index: u32) -> $result {
            self.viewed(self.layout.select(dim, index))
        }

        /// The same elements repeated with stride 0, to these sizes, new dimensions in front: a view, as
        /// [`Layout::expand`](neuron_device::Layout::expand) shows.
        ///
        /// # Errors
        /// Fewer dimensions than there are, or more than 8; another size for a dimension that is not of size 1; more
        /// elements than 64 bits count.
        $(#[$attribute])*
        pub fn expand(&self, sizes: &[u32]) -> $result {
            self.viewed(self.layout.expand(sizes))
        }

        /// The same elements in the same row-major order under other sizes: a view, as
        /// [`Layout::reshape`](neuron_device::Layout::reshape) shows.
        ///
        /// # Errors
        /// Another number of elements; a tensor that is not contiguous, unless it has these sizes; more than 8
        /// dimensions.
        #[doc(alias = "view")]
        $(#[$attribute])*
        pub fn reshape(&self, sizes: &[u32]) -> $result {
            self.viewed(self.layout.reshape(sizes))
        }

        /// The same elements without the dimensions of size 1: a view,
        /// as [`Layout::squeeze`](neuron_device::Layout::squeeze) shows.
        #[must_use = "a view is a new tensor"]
        pub fn squeeze(&self) -> Self {
            Self { layout: self.layout.squeeze(), ..self.clone() }
        }

        /// The same elements without this dimension if its size is 1, else as they are: a view, as
        /// [`Layout::squeeze_dim`](neuron_device::Layout::squeeze_dim) shows.
        ///
        /// # Errors
        /// A dimension that does not exist.
        $(#[$attribute])*
        pub fn squeeze_dim(&self, dim: usize) -> $result {
            self.viewed(self.layout.squeeze_dim(dim))
        }

        /// The same elements with a new dimension of size 1 at place `dim`: a view, as
        /// [`Layout::unsqueeze`](neuron_device::Layout::unsqueeze) shows.
        ///
        /// # Errors
        /// A place beyond the one behind the last dimension; a ninth dimension.
        $(#[$attribute])*
        pub fn unsqueeze(&self, dim: usize) -> $result {
            self.viewed(self.layout.unsqueeze(dim))
        }

        /// The same elements in one dimension: a view,
        /// as [`Layout::flatten`](neuron_device::Layout::flatten) shows.
        ///
        /// # Errors
        /// A tensor that is not contiguous, unless it has one dimension; more elements than 32 bits count.
        $(#[$attribute])*
        pub fn flatten(&self) -> $result {
            self.viewed(self.layout.flatten())
        }

        /// The same elements with the dimensions `first` to `last`, both included, made one: a view, as
        /// [`Layout::flatten_dims`](neuron_device::Layout::flatten_dims) shows.
        ///
        /// # Errors
        /// A dimension that does not exist; `first` after `last`; a tensor that is not contiguous, unless `first` is
        /// `last`; a dimension of more elements than 32 bits count.
        $(#[$attribute])*
        pub fn flatten_dims(&self, first: usize, last: usize) -> $result {
            self.viewed(self.layout.flatten_dims(first, last))
        }
    };
}
