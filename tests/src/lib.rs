//! What needs two rooms: kernels beyond the examples, and the comparison of what the simulator and a 32-bit core make
//! of the same launch.
//!
//! A launch goes to the 32-bit core as a [`case`], is run there by [`flat`], and comes back as a [`reply`]. The same
//! code runs on the host, so that a difference is one of the processor or of the platform, and can be told apart.

#![cfg_attr(doctest, doc = include_str!("../../README.md"))]
#![cfg_attr(doctest, doc = include_str!("../../docs/from-cpp.md"))]
#![cfg_attr(doctest, doc = include_str!("../../docs/cost-model.md"))]
#![no_std]

#[cfg(not(target_os = "none"))]
extern crate std;

pub mod case;
pub mod flat;
pub mod kernels;
pub mod reply;
pub mod runtime;
pub mod stream;
pub mod watched;

#[cfg(not(target_os = "none"))]
pub mod access;
#[cfg(not(target_os = "none"))]
pub mod compare;

#[cfg(not(target_os = "none"))]
pub mod fuzz;
#[cfg(not(target_os = "none"))]
pub mod inject;
#[cfg(not(target_os = "none"))]
pub mod oracle;
#[cfg(not(target_os = "none"))]
pub mod vendor_table;
