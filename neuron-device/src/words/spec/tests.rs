use super::*;
use crate::words::layout::LayoutError;

/// A spec keeps what it is made of, and counts its elements.
#[test]
fn a_spec_is_a_dtype_and_sizes() {
    for (sizes, numel) in [(&[][..], 1), (&[0, 7], 0), (&[5, 7], 35), (&[65536, 65536], 1 << 32)] {
        let spec = TensorSpec::new(Dtype::BF16, sizes).unwrap();
        assert_eq!((spec.dtype(), spec.sizes(), spec.numel()), (Dtype::BF16, sizes, numel));
    }
}

#[test]
fn sizes_no_tensor_has_are_refused_at_the_callers_line() {
    for (sizes, cause) in
        [(&[1; 9][..], LayoutError::TooManyDims(9)), (&[u32::MAX; 3], LayoutError::TooLarge)]
    {
        let line = line!() + 1;
        let error = TensorSpec::new(Dtype::I8, sizes).unwrap_err();
        assert_eq!((error.kind(), error.site().line()), (&ErrorKind::Layout(cause), line));
    }
}
