//! Ways to an element: what a sweep costs by each, on this host and by the cost model. For `cargo xtask bench access`.
//!
//! Every way is the same kernel, relu of a tensor of one dimension into a contiguous one, so that what differs is how its
//! elements are reached.

mod crossover;
mod grid;
pub mod kernels;
mod measure;
mod native;
mod picture;
mod result;
mod table;
mod way;

pub use self::crossover::{Clock, Crossover};
pub use self::grid::{Grid, Place};
pub use self::measure::{Bench, Kind};
pub use self::picture::picture;
pub use self::result::{Outcome, Point};
pub use self::way::Way;

#[cfg(test)]
mod tests;
