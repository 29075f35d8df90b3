//! [`Number`]: arithmetic the 8 element types share.

use half::{bf16, f16};

use crate::words::element::Element;

/// Arithmetic over every element type, with the same result in every build and on every machine.
///
/// Integers wrap in two's complement, where Rust's `+` panics in a debug build and wraps in a release build. f32 is
/// plain IEEE. f16 and bf16 go by way of f32 and are rounded once. The methods have the names that Rust's integers and
/// torch have, so a call means the same with an integer type and with a `T: Number`.
///
/// ```
/// use neuron_device::{Number, Scalar, f16};
/// /// `a + alpha * b`, as `torch.add` has it.
/// fn add<T: Number>(a: T, b: T, alpha: Scalar) -> T {
///     a.wrapping_add(alpha.to::<T>().wrapping_mul(b))
/// }
/// assert_eq!(add(1_u8, 2, Scalar::from(-1_i32)), 255);
/// assert_eq!(add(f16::ONE, f16::ONE, Scalar::from(0.5_f32)), f16::from_f32(1.5));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no arithmetic on a core",
    label = "not one of i8, u8, i16, i32, i64, f16, bf16, f32",
    note = "exactly the 8 element types have it"
)]
pub trait Number: Element + PartialOrd {
    /// The type to compute in between a read and a write: f32 for a float, an integer for itself. torch calls it
    /// `opmath_t`. What takes several steps is then rounded once, when it is [`cast`](Element::cast) back.
    ///
    /// ```
    /// use neuron_device::{Element, Number, bf16};
    /// /// 3 * x - 3
    /// fn line<T: Number>(x: T) -> T {
    ///     let (x, three): (T::Compute, T::Compute) = (x.cast(), 3_u8.cast());
    ///     three.wrapping_mul(x).wrapping_sub(three).cast()
    /// }
    /// assert_eq!(line(0_u8), 253);
    /// // The product, 3.0234375, is no bf16.
    /// assert_eq!(line(bf16::from_f32(1.0078125)), bf16::from_f32(0.0234375));
    /// ```
    type Compute: Number;

    /// 0; +0 of a float.
    ///
    /// ```
    /// use neuron_device::Number;
    /// fn relu<T: Number>(x: T) -> T { if x < T::ZERO { T::ZERO } else { x } }
    /// assert_eq!((relu(-3_i8), relu(200_u8), relu(-0.5_f32)), (0, 200, 0.0));
    /// ```
    const ZERO: Self;

    /// 1.
    ///
    /// ```
    /// use neuron_device::Number;
    /// fn product<T: Number>(xs: &[T]) -> T { xs.iter().fold(T::ONE, |all, &x| all.wrapping_mul(x)) }
    /// assert_eq!((product(&[2_i32, 3]), product::<f32>(&[])), (6, 1.0));
    /// ```
    const ONE: Self;

    /// The sum.
    ///
    /// ```
    /// use neuron_device::Number;
    /// fn twice<T: Number>(x: T) -> T { x.wrapping_add(x) }
    /// assert_eq!((twice(127_i8), twice(0.25_f32)), (-2, 0.5));
    /// ```
    #[must_use]
    fn wrapping_add(self, other: Self) -> Self;

    /// The difference.
    ///
    /// ```
    /// use neuron_device::Number;
    /// fn step<T: Number>(x: T, y: T) -> T { y.wrapping_sub(x) }
    /// assert_eq!((step(2_u8, 1), step(1.5_f32, 1.0)), (255, -0.5));
    /// ```
    #[must_use]
    fn wrapping_sub(self, other: Self) -> Self;

    /// The product.
    ///
    /// ```
    /// use neuron_device::Number;
    /// fn square<T: Number>(x: T) -> T { x.wrapping_mul(x) }
    /// assert_eq!((square(300_i16), square(300_f32)), (24464, 90000.0));
    /// ```
    #[must_use]
    fn wrapping_mul(self, other: Self) -> Self;

    /// The value with the other sign; the smallest integer stays, and u8 counts down from 256. -0 for 0 of a float.
    ///
    /// ```
    /// use neuron_device::Number;
    /// fn negated<T: Number>(x: T) -> T { x.wrapping_neg() }
    /// assert_eq!((negated(i32::MIN), negated(1_u8), negated(2.5_f32)), (i32::MIN, 255, -2.5));
    /// ```
    #[must_use]
    fn wrapping_neg(self) -> Self;

    /// The value without its sign; the smallest integer stays.
    ///
    /// ```
    /// use neuron_device::Number;
    /// fn size<T: Number>(x: T) -> T { x.wrapping_abs() }
    /// assert_eq!((size(-128_i8), size(200_u8), size(-2.5_f32)), (-128, 200, 2.5));
    /// ```
    #[must_use]
    fn wrapping_abs(self) -> Self;

    /// The quotient rounded down, as `torch.floor_divide` and Python's `//` have it. By 0 a float gives `self / 0`.
    ///
    /// ```
    /// use neuron_device::Number;
    /// assert_eq!(((-7_i32).floor_divide(2), 7_i32.floor_divide(-2)), (-4, -4));
    /// assert_eq!((-7.0_f32).floor_divide(2.0), -4.0);
    /// ```
    ///
    /// # Panics
    /// An integer by 0. The smallest integer by -1 is itself.
    #[must_use]
    fn floor_divide(self, other: Self) -> Self;

    /// The quotient rounded towards 0, as `torch.div(…, rounding_mode="trunc")` has it. By 0 a float gives `self / 0`.
    ///
    /// ```
    /// use neuron_device::Number;
    /// assert_eq!(((-7_i32).trunc_divide(2), (-7.0_f32).trunc_divide(2.0)), (-3, -3.0));
    /// ```
    ///
    /// # Panics
    /// An integer by 0. The smallest integer by -1 is itself.
    #[must_use]
    fn trunc_divide(self, other: Self) -> Self;

    /// What [`floor_divide`](Self::floor_divide) leaves, with the divisor's sign, as `torch.remainder` and Python's
    /// `%` have it. By 0 a float gives NaN.
    ///
    /// ```
    /// use neuron_device::Number;
    /// assert_eq!(((-7_i32).remainder(2), 7_i32.remainder(-2)), (1, -1));
    /// assert_eq!((-7.0_f32).remainder(2.0), 1.0);
    /// ```
    ///
    /// # Panics
    /// An integer by 0. The smallest integer by -1 leaves 0.
    #[must_use]
    fn remainder(self, other: Self) -> Self;

    /// What [`trunc_divide`](Self::trunc_divide) leaves, with the sign of `self`, as `torch.fmod` and Rust's `%` have
    /// it. By 0 a float gives NaN.
    ///
    /// ```
    /// use neuron_device::Number;
    /// assert_eq!(((-7_i32).fmod(2), 7_i32.fmod(-2), (-7.0_f32).fmod(2.0)), (-1, 1, -1.0));
    /// ```
    ///
    /// # Panics
    /// An integer by 0. The smallest integer by -1 leaves 0.
    #[must_use]
    fn fmod(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Number for $type {
            type Compute = Self;

            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline]
            fn wrapping_add(self, other: Self) -> Self {
                <$type>::wrapping_add(self, other)
            }

            #[inline]
            fn wrapping_sub(self, other: Self) -> Self {
                <$type>::wrapping_sub(self, other)
            }

            #[inline]
            fn wrapping_mul(self, other: Self) -> Self {
                <$type>::wrapping_mul(self, other)
            }

            #[inline]
            fn wrapping_neg(self) -> Self {
                <$type>::wrapping_neg(self)
            }

            #[inline]
            fn wrapping_abs(self) -> Self {
                if is_negative(self) { <$type>::wrapping_neg(self) } else { self }
            }

            #[inline]
            fn floor_divide(self, other: Self) -> Self {
                let rest = self.wrapping_rem(other);
                let one_down = rest != 0 && is_negative(rest) != is_negative(other);
                self.wrapping_div(other) - Self::from(one_down)
            }

            #[inline]
            fn trunc_divide(self, other: Self) -> Self {
                self.wrapping_div(other)
            }

            #[inline]
            fn remainder(self, other: Self) -> Self {
                let rest = self.wrapping_rem(other);
                if rest != 0 && is_negative(rest) != is_negative(other) { rest + other } else { rest }
            }

            #[inline]
            fn fmod(self, other: Self) -> Self {
                self.wrapping_rem(other)
            }
        }
    )*};
}

integers!(i8, u8, i16, i32, i64);

/// Is an integer below 0? Every one of them fits i64.
#[inline]
fn is_negative<T: Element>(integer: T) -> bool {
    integer.cast::<i64>() < 0
}

impl Number for f32 {
    type Compute = Self;

    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline]
    fn wrapping_add(self, other: Self) -> Self {
        self + other
    }

    #[inline]
    fn wrapping_sub(self, other: Self) -> Self {
        self - other
    }

    #[inline]
    fn wrapping_mul(self, other: Self) -> Self {
        self * other
    }

    #[inline]
    fn wrapping_neg(self) -> Self {
        -self
    }

    #[inline]
    fn wrapping_abs(self) -> Self {
        self.abs()
    }

    // Rounded to a float, the quotient may reach a whole number that it stays below. So what is left over is taken off
    // first, and what is then divided goes up evenly but for that rounding.
    #[inline]
    fn floor_divide(self, other: Self) -> Self {
        let quotient = self / other;
        if other == 0.0 {
            return quotient;
        }
        let rest = libm::fmodf(self, other);
        let one_down = rest != 0.0 && (rest < 0.0) != (other < 0.0);
        let whole = (self - rest) / other - f32::from(u8::from(one_down));
        if whole == 0.0 {
            return 0.0_f32.copysign(quotient);
        }
        let below = libm::floorf(whole);
        if whole - below > 0.5 { below + 1.0 } else { below }
    }

    #[inline]
    fn trunc_divide(self, other: Self) -> Self {
        libm::truncf(self / other)
    }

    #[inline]
    fn remainder(self, other: Self) -> Self {
        let rest = libm::fmodf(self, other);
        if rest != 0.0 && (rest < 0.0) != (other < 0.0) { rest + other } else { rest }
    }

    #[inline]
    fn fmod(self, other: Self) -> Self {
        libm::fmodf(self, other)
    }
}

macro_rules! halves {
    ($($type:ty),*; $($binary:ident),*) => {
        halves! { @each $($type)*; [$($binary)*] }
    };
    (@each $($type:ty)*; $binary:tt) => {
        $(halves! { @one $type; $binary })*
    };
    (@one $type:ty; [$($binary:ident)*]) => {
        impl Number for $type {
            type Compute = f32;

            const ZERO: Self = <$type>::ZERO;
            const ONE: Self = <$type>::ONE;

            $(
                #[inline]
                fn $binary(self, other: Self) -> Self {
                    <f32 as Number>::$binary(self.cast(), other.cast()).cast()
                }
            )*

            // These two are the sign's alone, also of a NaN.
            #[inline]
            fn wrapping_neg(self) -> Self {
                Self::from_bits(self.to_bits() ^ 0x8000)
            }

            #[inline]
            fn wrapping_abs(self) -> Self {
                Self::from_bits(self.to_bits() & 0x7FFF)
            }
        }
    };
}

halves! {
    f16, bf16;
    wrapping_add, wrapping_sub, wrapping_mul, floor_divide, trunc_divide, remainder, fmod
}

#[cfg(test)]
mod tests;
