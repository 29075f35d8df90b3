//! [`Whole`]: the types of indices, sizes and bounds.

/// An integer that counts something.
pub trait Whole: Copy {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The largest.
    const MAX: Self;
    /// The sum, cut to the type's bits.
    fn wrapping_add(self, other: Self) -> Self;
    /// The difference, cut to the type's bits.
    fn wrapping_sub(self, other: Self) -> Self;
    /// The sum, or the largest.
    fn saturating_add(self, other: Self) -> Self;
    /// The difference, or the smallest.
    fn saturating_sub(self, other: Self) -> Self;
}

macro_rules! whole {
    ($($type:ty),*) => {$(
        impl Whole for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const MAX: Self = Self::MAX;

            fn wrapping_add(self, other: Self) -> Self {
                <$type>::wrapping_add(self, other)
            }

            fn wrapping_sub(self, other: Self) -> Self {
                <$type>::wrapping_sub(self, other)
            }

            fn saturating_add(self, other: Self) -> Self {
                <$type>::saturating_add(self, other)
            }

            fn saturating_sub(self, other: Self) -> Self {
                <$type>::saturating_sub(self, other)
            }
        }
    )*};
}
whole!(u32, u64, usize, i32, i64);
