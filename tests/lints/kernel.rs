//! What `examples/clippy.toml` refuses, line by line, and what it lets pass: `cargo xtask lints` compiles this with
//! clippy, and the lines it refuses must be those marked.

use half::{bf16, f16};
use num_traits::Float;

pub fn std_functions(x: f32, y: f64) -> f64 {
    let a = x.exp(); //~ refused
    let b = x.sin(); //~ refused
    let b = b + x.tanh(); //~ refused
    let c = f32::sqrt(x); //~ refused
    let d = x.mul_add(a, b); //~ refused
    let e = x.powi(2); //~ refused
    let f = x.round(); //~ refused
    let g = y.ln(); //~ refused
    let h = [c, d].map(f32::floor); //~ refused
    f64::from(e + f + h[0]) + g
}

pub fn nan_droppers(x: f32, y: f64) -> f64 {
    let a = x.max(0.0); //~ refused
    let b = [a, x].into_iter().fold(f32::INFINITY, f32::min); //~ refused
    y.min(f64::from(b)) //~ refused
}

pub fn nan_droppers_of_16_bits(x: f16, y: bf16) -> (f16, bf16) {
    let x = x.max(x); //~ refused
    let y = y.min(y); //~ refused
    (x, y)
}

pub fn by_trait<T: Float>(x: T) -> T {
    let a = x.exp(); //~ refused
    Float::max(a, x) //~ refused
}

pub fn portable(x: f32, n: i32) -> f32 {
    let a = x.abs() * x.signum() + x.copysign(-1.0);
    let b = if x.is_nan() { a } else { x / 2.0 % 3.0 };
    b.clamp(-1.0, 1.0) + n.max(3) as f32
}
