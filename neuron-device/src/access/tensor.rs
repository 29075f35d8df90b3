//! [`Tensor`]: a description of where a tensor's elements are.

use crate::core::q7::Q7;
use crate::port::fault::Access;
use crate::words::addr::HbmAddr;
use crate::words::dtype::Dtype;
use crate::words::element::Element;
use crate::words::error::{Error, ErrorKind, Result, Site, Sizes, Strided};
use crate::words::handle::Handle;
use crate::words::layout::{Layout, LayoutError};
use crate::words::serve::HasDtype;
use crate::words::spec::TensorSpec;

/// What a tensor is to the launch; views and clones inherit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// An argument: read only.
    Input,
    /// The launch's output.
    Destination,
    /// Made by this core, on its own scratch.
    Scratch,
}

/// A tensor in HBM or SBUF, as a kernel is handed it: address, dtype, layout, and the name it has in the kernel's signature.
///
/// Holding one proves nothing and gives no access: that takes the core too, as in `x.elements::<f32>(q7)?`. It is
/// good for the launch it belongs to; kept longer, it is refused.
///
/// ```
/// use neuron_device::{prelude::*, FlatPlatform};
/// let mut memory = [0; 64];
/// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
///     let t = q7.empty(Dtype::F32, &[2, 3])?;
///     assert_eq!((t.sizes(), t.numel(), t.dtype()), (&[2, 3][..], 6, Dtype::F32));
///     let columns = t.transpose(0, 1)?;
///     assert_eq!((columns.sizes(), columns.is_contiguous()), (&[3, 2][..], false));
///     let error = columns.flatten().unwrap_err();
///     assert!(error.to_string().contains("copy it into one of its own first"));
///     Ok(())
/// })
/// # .map_err(|error: Error| error.to_string()).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct Tensor {
    storage: HbmAddr,
    dtype: Dtype,
    layout: Layout,
    name: &'static str,
    stamp: u64,
    role: Role,
}

impl Tensor {
    pub(crate) const fn new(
        storage: HbmAddr,
        (dtype, layout): (Dtype, Layout),
        name: &'static str,
        stamp: u64,
        role: Role,
    ) -> Self {
        Self { storage, dtype, layout, name, stamp, role }
    }

    /// Its name in the kernel's signature; `"scratch"` for a tensor the kernel made.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Element type.
    pub const fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Sizes, strides and offset, in elements.
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Size of each dimension, in elements.
    pub fn sizes(&self) -> &[u32] {
        self.layout.sizes()
    }

    /// Stride of each dimension, in elements.
    pub fn strides(&self) -> &[u64] {
        self.layout.strides()
    }

    /// Size of dimension `dim`, in elements.
    ///
    /// # Panics
    /// If there is no such dimension.
    #[track_caller]
    pub fn size(&self, dim: usize) -> u32 {
        match self.sizes().get(dim) {
            Some(&size) => size,
            None => panic!("`{}` has no dimension {dim}: its sizes are {:?}", self.name, self.sizes()),
        }
    }

    /// Number of dimensions.
    pub const fn dim(&self) -> usize {
        self.layout.rank()
    }

    /// Number of elements: the product of the sizes, 1 without dimensions.
    pub const fn numel(&self) -> u64 {
        self.layout.numel()
    }

    /// Do the elements lie one after the other in row-major order (torch's rule)?
    pub fn is_contiguous(&self) -> bool {
        self.layout.is_contiguous()
    }

    /// Where the storage begins; element 0 is [`layout().offset()`](Layout::offset) elements further.
    pub const fn storage(&self) -> HbmAddr {
        self.storage
    }

    /// May this tensor be written? Inputs, and views and clones of inputs, may not.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let made = q7.empty(Dtype::F32, &[2, 3])?;
    ///     assert!(made.is_writable() && made.select(0, 1)?.is_writable());
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    pub fn is_writable(&self) -> bool {
        self.role != Role::Input
    }

    /// Dtype and sizes.
    ///
    /// # Errors
    /// An empty tensor whose other sizes multiply to more than 64 bits hold.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// let spec = Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     q7.empty(Dtype::I16, &[2, 3])?.transpose(0, 1)?.spec()
    /// })?;
    /// assert_eq!(spec, TensorSpec::new(Dtype::I16, &[3, 2])?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn spec(&self) -> Result<TensorSpec> {
        TensorSpec::new(self.dtype, self.sizes()).map_err(|error| error.about(self.name))
    }

    /// Ok if the tensor has these sizes: what a kernel asks first that goes through several tensors by one index.
    ///
    /// # Errors
    /// It has others; the error names the tensor, both sizes, and the caller's line.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let (x, y) = (q7.empty(Dtype::I8, &[2, 3])?, q7.empty(Dtype::I8, &[3, 2])?);
    ///     assert!(x.expect_sizes(&[2, 3]).is_ok());
    ///     let error = y.expect_sizes(x.sizes()).unwrap_err();
    ///     assert!(error.to_string().contains("has sizes [3, 2], but must have [2, 3]"));
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn expect_sizes(&self, wanted: &[u32]) -> Result<()> {
        if self.sizes() == wanted {
            return Ok(());
        }
        Err(self.error(ErrorKind::Shape { wanted: Sizes::new(wanted), found: Sizes::new(self.sizes()) }))
    }

    /// Ok if the tensor has this dtype: what a kernel asks of a tensor whose dtype another one decides.
    ///
    /// # Errors
    /// It has another; the error names the tensor, both dtypes, and the caller's line.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let (x, y) = (q7.empty(Dtype::I8, &[4])?, q7.empty(Dtype::U8, &[4])?);
    ///     assert!(x.expect_dtype(Dtype::I8).is_ok());
    ///     let error = y.expect_dtype(x.dtype()).unwrap_err();
    ///     assert!(error.to_string().contains("has dtype u8, but must have i8"));
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    pub fn expect_dtype(&self, wanted: Dtype) -> Result<()> {
        if self.dtype == wanted {
            return Ok(());
        }
        Err(self.error(ErrorKind::OtherDtype { wanted, found: self.dtype }))
    }

    /// Ok if the elements lie side by side in row-major order, which TCM copies and streams ask of a tensor: for a kernel
    /// that wants to know before it begins.
    ///
    /// # Errors
    /// They do not; the error names the tensor, its sizes and strides, and the caller's line.
    ///
    /// ```
    /// use neuron_device::{prelude::*, FlatPlatform};
    /// let mut memory = [0; 64];
    /// Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory), |q7| {
    ///     let x = q7.empty(Dtype::I8, &[2, 3])?;
    ///     assert!(x.expect_contiguous().is_ok());
    ///     let error = x.transpose(0, 1)?.expect_contiguous().unwrap_err();
    ///     assert!(error.to_string().contains("its sizes are [3, 2], its strides [1, 3]"), "{error}");
    ///     Ok(())
    /// })
    /// # .map_err(|error: Error| error.to_string()).unwrap();
    /// ```
    #[track_caller]
    #[inline]
    pub fn expect_contiguous(&self) -> Result<()> {
        if self.is_contiguous() {
            return Ok(());
        }
        Err(self.not_contiguous())
    }

    #[track_caller]
    #[cold]
    fn not_contiguous(&self) -> Error {
        let view = Strided::new(self.sizes(), self.strides());
        self.error(ErrorKind::NotContiguous { view })
    }

    crate::__forward_views!(#[track_caller] Result<Self>);

    #[track_caller]
    fn viewed(&self, layout: Result<Layout, LayoutError>) -> Result<Self> {
        match layout {
            Ok(layout) => Ok(Self { layout, ..self.clone() }),
            Err(error) => Err(self.error(ErrorKind::Layout(error))),
        }
    }

    pub(crate) const fn role(&self) -> Role {
        self.role
    }

    /// An error about this tensor, at the caller's line.
    #[track_caller]
    pub(crate) const fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind).about(self.name)
    }

    /// Check that core `q7` may access this tensor as elements of type `T` by `handle`, and say that the line `site` is
    /// about to.
    #[track_caller]
    pub(crate) fn open<T: Element>(&self, q7: &Q7, access: Access, handle: Handle, site: Site) -> Result<()> {
        self.expect_access::<T>(q7, access)?;
        q7.expect_coherent(self, handle, site)?;
        q7.opened(self, access, site);
        Ok(())
    }

    /// As [`open`](Self::open), for copies, of which coherency says nothing (`docs/machine.md`, section 6).
    #[track_caller]
    pub(crate) fn open_copy<T: Element>(&self, q7: &Q7, access: Access) -> Result<()> {
        self.expect_access::<T>(q7, access)?;
        q7.written_from(self, access, core::panic::Location::caller());
        Ok(())
    }

    /// Check that core `q7` may access this tensor as elements of type `T`.
    #[track_caller]
    pub(crate) fn expect_access<T: Element>(&self, q7: &Q7, access: Access) -> Result<()> {
        if self.stamp != q7.stamp() {
            return Err(self.error(ErrorKind::OtherLaunch));
        }
        if self.dtype != T::DTYPE {
            return Err(self.error(ErrorKind::Dtype { wanted: T::DTYPE, found: self.dtype }));
        }
        if access == Access::Write && !self.is_writable() {
            return Err(self.error(ErrorKind::ReadOnly));
        }
        Ok(())
    }

    /// As [`open`](Self::open), for an accessor of rank `rank`.
    #[track_caller]
    pub(crate) fn open_ranked<T: Element>(&self, q7: &Q7, access: Access, rank: usize) -> Result<()> {
        if self.dim() != rank {
            return Err(self.error(ErrorKind::Rank { wanted: rank, found: Sizes::new(self.sizes()) }));
        }
        self.open::<T>(q7, access, Handle::Accessor, core::panic::Location::caller())
    }

    /// The HBM address of the element with this storage offset: a multiple of the element's size, as records are checked
    /// for it, scratch is aligned to 64 bytes, and sums that wrap keep it.
    #[inline(always)]
    pub(crate) const fn address(&self, offset: u64) -> u64 {
        self.storage.get().wrapping_add(offset.wrapping_mul(self.dtype.size()))
    }
}

impl HasDtype for Tensor {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn name(&self) -> Option<&'static str> {
        Some(self.name)
    }
}

impl Q7 {
    /// An accessor was opened: tell the observer, and remember where a scratch tensor is written.
    fn opened(&self, tensor: &Tensor, access: Access, site: Site) {
        self.written_from(tensor, access, site);
        self.tell_all();
        self.observer(|observer| observer.opened(tensor.name, tensor.storage, access, site));
    }

    /// The line `site` is about to access the tensor: if it is of the scratch and is written, remember that.
    fn written_from(&self, tensor: &Tensor, access: Access, site: Site) {
        if tensor.role == Role::Scratch
            && access == Access::Write
            && let Some(block) = self.scratch.borrow_mut().block_at(tensor.storage)
        {
            block.written.site = site;
        }
    }
}
