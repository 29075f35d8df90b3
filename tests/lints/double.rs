//! What computes in f64, function by function, and what does not: `cargo xtask rv32` compiles this for a 32-bit core, and
//! the functions found to must be those marked.

#![no_std]

#[inline(never)]
pub fn mean(x: &[f32]) -> f32 { //~ f64
    let sum: f64 = x.iter().map(|&x| f64::from(x)).sum();
    (sum / x.len() as f64) as f32
}

#[inline(never)]
pub fn literal(x: f32) -> f32 { //~ f64
    (f64::from(x) * 0.1) as f32
}

#[inline(never)]
pub fn from_integer(n: i32) -> f64 { //~ f64
    n.into()
}

#[inline(never)]
pub fn to_integer(x: f64) -> i64 { //~ f64
    x as i64
}

#[inline(never)]
pub fn compared(x: f64, y: f64) -> bool { //~ f64
    x < y
}

#[inline(never)]
pub fn remainder(x: f64, y: f64) -> f64 { //~ f64
    x % y
}

#[inline(never)]
pub fn in_f32(x: &[f32]) -> f32 {
    x.iter().sum::<f32>() / x.len() as f32 % 3.0
}

#[inline(never)]
pub fn of_integers(x: &[i32]) -> i64 {
    x.iter().map(|&x| i64::from(x)).sum::<i64>() / 7
}

#[inline(never)]
pub fn rounded_once(n: i64) -> f32 {
    n as f32
}

#[inline(never)]
pub fn bits(x: f64) -> u64 {
    x.abs().to_bits()
}
