//! The seeded suite: kernels with known mistakes, and kernels without.
//!
//! Whoever adds a check seeds it here; whoever meets a false alarm adds what was right.

mod cases;
mod checks;
mod clean;
mod determinism;
mod faulty;
mod suite;
mod texts;
