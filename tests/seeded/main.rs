//! The seeded suite: kernels with known mistakes, and kernels without.
//!
//! Whoever adds a check seeds it here; whoever meets a false alarm adds what was right.

mod cases;
mod checks;
mod clean;
mod copies;
mod determinism;
mod faulty;
mod json;
mod profiles;
mod staging;
mod suite;
mod texts;
