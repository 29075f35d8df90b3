//! Values for tensors: the special ones of a dtype, then numbers near one and any bits at all.

use std::vec::Vec;

use neuron_device::{Dtype, bf16, f16};

/// What floats of a format do differently: signs of zero, subnormals, ends of the range, infinities, NaNs quiet and
/// signalling of both signs.
fn special_floats(bits: u32, mantissa: u32) -> [u64; 20] {
    let sign = 1_u64 << (bits - 1);
    let infinity = (sign - 1) & !((1 << mantissa) - 1);
    let quiet = 1_u64 << (mantissa - 1);
    let one = ((1_u64 << (bits - mantissa - 2)) - 1) << mantissa;
    let smallest_normal = 1_u64 << mantissa;
    [
        0,
        sign,
        one,
        sign | one,
        infinity | quiet,
        infinity | 1,
        sign | infinity | quiet,
        sign | infinity | 1,
        infinity,
        sign | infinity,
        1,
        sign | 1,
        smallest_normal - 1,
        sign | (smallest_normal - 1),
        smallest_normal,
        sign | smallest_normal,
        infinity - 1,
        sign | (infinity - 1),
        one | 1,
        one - 1,
    ]
}

/// What integers of this many bits do differently.
fn special_integers(bits: u32) -> [u64; 6] {
    let top = 1_u64 << (bits - 1);
    [0, 1, u64::MAX, top, top - 1, top | 1]
}

fn specials(dtype: Dtype) -> Vec<u64> {
    match dtype {
        Dtype::F32 => special_floats(32, 23).into(),
        Dtype::F16 => special_floats(16, 10).into(),
        Dtype::BF16 => special_floats(16, 7).into(),
        Dtype::I8 | Dtype::U8 | Dtype::I16 | Dtype::I32 | Dtype::I64 => {
            special_integers(dtype.size() as u32 * 8).into()
        }
    }
}

/// The bytes of a sample of a float format: the special values, patterns at equal steps through all there are, and
/// values at equal steps from -16 to 16.
pub(super) fn sweep(dtype: Dtype) -> Vec<u8> {
    let bits = dtype.size() as u32 * 8;
    // Odd, so that fractions are of every kind.
    let step = if bits == 32 { (1 << 18) - 5 } else { 7 };
    let patterns = (0..1_u64 << bits).step_by(step);
    let moderate = (-16 * 128..=16 * 128).map(|nth: i32| {
        // Not quite a 128th, so that most of f32's bits are used.
        let value = nth as f32 * (1.0 / 128.0 + f32::EPSILON);
        match dtype {
            Dtype::F16 => f16::from_f32(value).to_bits().into(),
            Dtype::BF16 => bf16::from_f32(value).to_bits().into(),
            _ => value.to_bits().into(),
        }
    });
    bytes_of(dtype, specials(dtype).into_iter().chain(patterns).chain(moderate))
}

/// The bytes of three tensors: in the first two every special value meets every one, then come any.
pub(super) fn pairs(dtype: Dtype) -> [Vec<u8>; 3] {
    const MORE: u64 = 3000;
    let specials = specials(dtype);
    let count = specials.len();
    let of = |place: fn(usize, usize) -> usize, seed: u64| {
        let met = (0..count * count).map(|at| specials[place(at, count) % count]);
        let mut bytes = bytes_of(dtype, met);
        bytes.extend(values(dtype, MORE, seed));
        bytes
    };
    [of(|at, count| at / count, 501), of(|at, _| at, 502), of(|at, count| at + at / count, 503)]
}

fn bytes_of(dtype: Dtype, patterns: impl Iterator<Item = u64>) -> Vec<u8> {
    patterns.flat_map(|pattern| pattern.to_le_bytes().into_iter().take(dtype.size() as usize)).collect()
}

/// The bytes of `elems` elements.
pub(super) fn values(dtype: Dtype, elems: u64, seed: u64) -> Vec<u8> {
    let size = dtype.size() as usize;
    let specials = specials(dtype);
    let mut random = Random::new(seed);
    let mut bytes = Vec::new();
    for index in 0..elems {
        // A tensor of a few elements has others in the next trial.
        let special = (index < specials.len() as u64)
            .then(|| specials[((index + 7 * seed) % specials.len() as u64) as usize]);
        let any = random.next();
        let value = special.unwrap_or(if any.is_multiple_of(4) {
            random.next()
        } else {
            moderate(dtype, random.next())
        });
        bytes.extend_from_slice(&value.to_le_bytes()[..size]);
    }
    bytes
}

/// A float between 1/2 and 2 of either sign, or an integer of a few digits.
fn moderate(dtype: Dtype, any: u64) -> u64 {
    let float = |bits: u32, mantissa: u32| {
        let exponent = (1_u64 << (bits - mantissa - 2)) - 2 + (any >> 62 & 1);
        (any >> 63) << (bits - 1) | exponent << mantissa | (any & ((1 << mantissa) - 1))
    };
    match dtype {
        Dtype::F32 => float(32, 23),
        Dtype::F16 => float(16, 10),
        Dtype::BF16 => float(16, 7),
        _ => (any % 2000).wrapping_sub(1000),
    }
}

/// The xorshift64* sequence: the same values in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
}
