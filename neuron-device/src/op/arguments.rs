//! Pulling typed arguments from records, one after the other.

use core::panic::Location;

use crate::access::tensor::{Role, Tensor};
use crate::core::q7::Q7;
use crate::port::fault::{Access, Fault};
use crate::port::platform::ArgDescriptor;
use crate::words::addr::HbmAddr;
use crate::words::dtype::Dtype;
use crate::words::element::Element;
use crate::words::error::{Error, ErrorKind, Result, Sizes};
use crate::words::layout::Layout;
use crate::words::record::{ParsedRecord, RecordError, Storage};
use crate::words::scalar::Scalar;

/// The arguments of one launch, from set-up to clean-up. The k-th pull takes the k-th record.
#[derive(Debug)]
pub struct Arguments<'q> {
    q7: &'q Q7,
    next: usize,
}

impl<'q> Arguments<'q> {
    /// Begin (the vendor's `customop_setup(true)`).
    ///
    /// # Errors
    /// None: what cannot be set up, a stack, is decided [before](crate::Entry::launch_on) the wrapper begins.
    pub fn setup(q7: &'q Q7) -> Result<Self> {
        Ok(Self { q7, next: 0 })
    }

    /// The next argument, a tensor.
    ///
    /// # Errors
    /// There is none, or its record is bad.
    #[track_caller]
    pub fn next_tensor(&mut self, name: &'static str) -> Result<Tensor> {
        let position = self.next;
        self.next += 1;
        match self.q7.platform(|platform| platform.argument(position)) {
            Some(descriptor) => described(self.q7, &descriptor, name, Role::Input),
            None => Err(Error::new(ErrorKind::NoArgument { passed: position }).about(name)),
        }
    }

    /// The next argument, a value: it travels as a tensor of one element.
    ///
    /// # Errors
    /// There is none, its record is bad, or it has more elements than one.
    #[track_caller]
    pub fn next_scalar(&mut self, name: &'static str) -> Result<Scalar> {
        let tensor = self.next_single(name)?;
        match tensor.dtype() {
            Dtype::I8 => self.value::<i8>(&tensor),
            Dtype::U8 => self.value::<u8>(&tensor),
            Dtype::I16 => self.value::<i16>(&tensor),
            Dtype::BF16 => self.value::<half::bf16>(&tensor),
            Dtype::F16 => self.value::<half::f16>(&tensor),
            Dtype::I32 => self.value::<i32>(&tensor),
            Dtype::F32 => self.value::<f32>(&tensor),
            Dtype::I64 => self.value::<i64>(&tensor),
        }
    }

    /// The next argument, a value of type `T`.
    ///
    /// The device reads the bytes there as a `T` without a look at the record's dtype [inferred], and so does this. If the
    /// dtype is another, it is a [fault](Fault::OtherValue): the platform decides how bad it is.
    ///
    /// # Errors
    /// As [`next_scalar`](Self::next_scalar); and a value of another type whose address no `T` has.
    #[track_caller]
    pub fn next_value<T: Element>(&mut self, name: &'static str) -> Result<T> {
        let tensor = self.next_single(name)?;
        let (site, found) = (Location::caller(), tensor.dtype());
        if found == T::DTYPE {
            tensor.expect_access::<T>(self.q7, Access::Read)?;
            return Ok(tensor.load_alone::<T>(self.q7, 0, site));
        }
        let addr = HbmAddr::new(tensor.address(tensor.layout().offset()));
        if !addr.is_aligned_to(T::DTYPE.size()) {
            let error = RecordError::Misaligned { addr: addr.get(), align: T::DTYPE.size() };
            return Err(tensor.error(ErrorKind::Record(error)));
        }
        self.q7.fault(&Fault::OtherValue { argument: name, wanted: T::DTYPE, found, addr, site });
        let one = match Layout::contiguous(&[1]) {
            Ok(one) => one,
            Err(error) => return Err(tensor.error(ErrorKind::Layout(error))),
        };
        let read = Tensor::new(addr, (T::DTYPE, one), name, self.q7.stamp(), Role::Input);
        Ok(read.load_alone::<T>(self.q7, 0, site))
    }

    /// The next argument, a tensor of one element.
    #[track_caller]
    fn next_single(&mut self, name: &'static str) -> Result<Tensor> {
        let tensor = self.next_tensor(name)?;
        if tensor.numel() != 1 {
            let found = Sizes::new(tensor.sizes());
            return Err(tensor.error(ErrorKind::Shape { wanted: Sizes::new(&[1]), found }));
        }
        Ok(tensor)
    }

    /// The output, which is no argument and has no position.
    ///
    /// # Errors
    /// The launch has no output descriptor, or it is bad.
    #[track_caller]
    pub fn destination(&self, name: &'static str) -> Result<Tensor> {
        self.q7.take_destination(name)
    }

    pub(crate) const fn q7(&self) -> &'q Q7 {
        self.q7
    }

    #[track_caller]
    fn value<T: Element + Into<Scalar>>(&self, tensor: &Tensor) -> Result<Scalar> {
        tensor.expect_access::<T>(self.q7, Access::Read)?;
        // Not by an accessor, which a kernel that stages has none of.
        Ok(tensor.load_alone::<T>(self.q7, 0, Location::caller()).into())
    }
}

/// The tensor that this describes.
#[track_caller]
pub(super) fn described(
    q7: &Q7,
    descriptor: &ArgDescriptor,
    name: &'static str,
    role: Role,
) -> Result<Tensor> {
    let ArgDescriptor { record, view } = descriptor;
    // No closures: they would hide the caller's line.
    let ParsedRecord { storage, dtype, layout, .. } = match record.parse_as(q7.sbuf_addresses, view.as_ref())
    {
        Ok(parsed) => parsed,
        Err(error) => return Err(Error::new(ErrorKind::Record(error)).about(name)),
    };
    let storage = match storage {
        Storage::Hbm(storage) => storage,
        Storage::Sbuf(local) => match q7.in_sbuf(local) {
            Some(storage) => storage,
            None => return Err(Error::new(ErrorKind::InSbuf { local }).about(name)),
        },
    };
    Ok(Tensor::new(storage, (dtype, layout), name, q7.stamp(), role))
}
