//! Are two tensors the same, within a tolerance?

use neuron_device::{Dtype, Element, Error, f16, match_dtype};
use neuron_host_sim::HostTensor;

use crate::tolerance::Tolerance;

/// Ok if `found` is `wanted` within the tolerance.
///
/// # Errors
/// What the first difference is.
pub(crate) fn difference(
    found: &HostTensor,
    wanted: &HostTensor,
    tolerance: Tolerance,
) -> Result<(), String> {
    let kind = |tensor: &HostTensor| (tensor.dtype(), tensor.sizes().to_vec());
    if kind(found) != kind(wanted) {
        return Err(format!("{:?} instead of torch's {:?}", kind(found), kind(wanted)));
    }
    let format = Format::of(found.dtype());
    let near = |at: usize| (number(found, at) - number(wanted, at)).abs() <= tolerance.or.into();
    let elements = format.elements(found).into_iter().zip(format.elements(wanted));
    for (at, (found, wanted)) in elements.enumerate() {
        let apart = format.apart(found, wanted);
        if apart > tolerance.steps.into() && !(matches!(format, Format::Float { .. }) && near(at)) {
            return Err(format!(
                "element {at} is {found:#x} instead of torch's {wanted:#x}, {apart} steps away"
            ));
        }
    }
    Ok(())
}

/// One element of a float tensor.
fn number(tensor: &HostTensor, at: usize) -> f64 {
    match_dtype!(tensor.dtype(), f32 | f16 | bf16 as T => {
        Ok::<_, Error>(tensor.to_vec::<T>().unwrap()[at].cast::<f32>().into())
    })
    .unwrap()
}

/// What bits mean.
enum Format {
    Integer,
    /// Sign and magnitude, the magnitudes in the order of their bits; NaN above infinity.
    Float {
        sign: u64,
        infinity: u64,
    },
}

impl Format {
    fn of(dtype: Dtype) -> Self {
        let half = |infinity: u16| Self::Float { sign: 1 << 15, infinity: infinity.into() };
        match dtype {
            Dtype::F32 => Self::Float { sign: 1 << 31, infinity: f32::INFINITY.to_bits().into() },
            Dtype::F16 => half(f16::INFINITY.to_bits()),
            Dtype::BF16 => half((f32::INFINITY.to_bits() >> 16) as u16),
            Dtype::I8 | Dtype::U8 | Dtype::I16 | Dtype::I32 | Dtype::I64 => Self::Integer,
        }
    }

    /// The bits of every element, in row-major order.
    fn elements(&self, tensor: &HostTensor) -> Vec<u64> {
        let whole = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        tensor.to_bytes().chunks_exact(tensor.dtype().size() as usize).map(whole).collect()
    }

    /// How many numbers of the format one goes from the one to the other, -0 and 0 being two of them. All NaNs are one
    /// number, infinitely far from the others, and an infinity is as far from what is finite.
    fn apart(&self, a: u64, b: u64) -> u64 {
        let &Self::Float { sign, infinity } = self else {
            return if a == b { 0 } else { u64::MAX };
        };
        let magnitudes = [a & !sign, b & !sign];
        let place = |bits: u64| if bits & sign == 0 { bits as i64 } else { -1 - (bits & !sign) as i64 };
        match magnitudes.map(|magnitude| magnitude.cmp(&infinity).is_ge()) {
            _ if magnitudes.iter().all(|&magnitude| magnitude > infinity) => 0,
            [false, false] => place(a).abs_diff(place(b)),
            _ if a == b => 0,
            _ => u64::MAX,
        }
    }
}

#[test]
fn steps_between_floats() {
    let f32s = Format::of(Dtype::F32);
    let apart = |a: f32, b: f32| f32s.apart(a.to_bits().into(), b.to_bits().into());
    let infinite = u64::MAX;
    for (a, b, steps) in [
        (1.0, 1.0, 0),
        (1.0, 1.0 + f32::EPSILON, 1),
        (-1.0, -1.0 - f32::EPSILON, 1),
        (-0.0, 0.0, 1),
        (f32::from_bits(1), -f32::from_bits(1), 3),
        (f32::NAN, -f32::NAN, 0),
        (f32::NAN, f32::INFINITY, infinite),
        (f32::NAN, 0.0, infinite),
        (f32::INFINITY, f32::INFINITY, 0),
        (f32::INFINITY, f32::NEG_INFINITY, infinite),
        (f32::INFINITY, f32::MAX, infinite),
    ] {
        assert_eq!((apart(a, b), apart(b, a)), (steps, steps), "{a} and {b}");
    }
}

#[test]
fn near_means_steps_or_a_difference() {
    let tensor = |value: f32| HostTensor::scalar(value);
    let differ = |a: f32, b: f32, steps: u32, or: f32| {
        difference(&tensor(a), &tensor(b), Tolerance { steps, or }).is_err()
    };
    assert!(differ(1.0, 1.0 + f32::EPSILON, 0, 0.0) && !differ(1.0, 1.0 + f32::EPSILON, 1, 0.0));
    assert!(differ(1e-7, -1e-7, 1000, 1e-7) && !differ(1e-7, -1e-7, 0, 2e-7));
    for (a, b) in [(f32::NAN, 0.0), (f32::INFINITY, f32::MAX), (f32::INFINITY, f32::NEG_INFINITY)] {
        assert!(differ(a, b, 1000, f32::MAX), "{a} and {b}");
    }
    assert!(!differ(f32::NAN, f32::NAN, 0, 0.0) && !differ(f32::INFINITY, f32::INFINITY, 0, 0.0));
    let integers = [7, 8].map(HostTensor::scalar);
    assert!(difference(&integers[0], &integers[1], Tolerance { steps: 0, or: 1.0 }).is_err());
}
