//! What `cargo xtask inject` puts around expressions of a copy of the kernels: one build holds every mutant, and which
//! of them lives is said at run time.
//!
//! A site is an expression with a number; an operator, counted from 1, is a change of it. While no mutant is
//! [chosen](choose), every function here gives back what it is given and keeps in mind that the site was
//! [reached]. The choice is the process's own, not a thread's: mutants live one after another.

#![no_std]
#![forbid(unsafe_code)]

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use neuron_device::{Element, FlatPlatform, Pending, Q7, Span};

mod wait;
mod whole;

pub use crate::wait::Waited;
pub use crate::whole::Whole;

/// More than any copy has.
pub const SITES: usize = 4096;

/// Site and operator of the mutant that lives; 0 for none.
static SITE: AtomicUsize = AtomicUsize::new(0);
static OPERATOR: AtomicUsize = AtomicUsize::new(0);
static REACHED: [AtomicBool; SITES] = [const { AtomicBool::new(false) }; SITES];

/// From now on, `operator` changes what `site` gives; no site has number 0.
pub fn choose(site: usize, operator: usize) {
    SITE.store(site, Ordering::Relaxed);
    OPERATOR.store(operator, Ordering::Relaxed);
}

/// The sites that were computed since the last call, rising.
pub fn reached() -> impl Iterator<Item = usize> {
    let sites = REACHED.iter().enumerate();
    sites.filter(|(_, reached)| reached.swap(false, Ordering::Relaxed)).map(|(site, _)| site)
}

/// The operator that changes `site` now.
fn operator(site: usize) -> usize {
    if let Some(reached) = REACHED.get(site) {
        reached.store(true, Ordering::Relaxed);
    }
    if SITE.load(Ordering::Relaxed) == site { OPERATOR.load(Ordering::Relaxed) } else { 0 }
}

/// An index: one more, one less, double, zero, each as 32 or 64 bits wrap.
pub fn index<T: Whole>(site: usize, value: T) -> T {
    match operator(site) {
        1 => value.wrapping_add(T::ONE),
        2 => value.wrapping_sub(T::ONE),
        3 => value.wrapping_add(value),
        4 => T::ZERO,
        _ => value,
    }
}

/// All indices of an access: in reverse.
pub fn order<T, const N: usize>(site: usize, mut indices: [T; N]) -> [T; N] {
    if operator(site) == 1 {
        indices.reverse();
    }
    indices
}

/// A bound: one more, one less but not below 0, double, zero.
pub fn bound<T: Whole>(site: usize, value: T) -> T {
    match operator(site) {
        1 => value.saturating_add(T::ONE),
        2 => value.saturating_sub(T::ONE),
        3 => value.saturating_add(value),
        4 => T::ZERO,
        _ => value,
    }
}

/// What `min` keeps a number below: nothing.
pub fn limit<T: Whole>(site: usize, most: T) -> T {
    if operator(site) == 1 { T::MAX } else { most }
}

/// The number of a dimension: 1 for 0 and 0 for 1, and so on in pairs.
pub fn dimension(site: usize, dim: usize) -> usize {
    if operator(site) == 1 { dim ^ 1 } else { dim }
}

/// The elements of a copy: one further, one back, one longer, one shorter, from the start.
pub fn span(site: usize, Span { offset, len }: Span) -> Span {
    match operator(site) {
        1 => Span { offset: offset.wrapping_add(1), len },
        2 => Span { offset: offset.saturating_sub(1), len },
        3 => Span { offset, len: len.saturating_add(1) },
        4 => Span { offset, len: len.saturating_sub(1) },
        5 => Span { offset: 0, len },
        _ => Span { offset, len },
    }
}

/// A core's share by `of`: as if there were one core, one more, one less, or, on core 0, that of core 1.
pub fn share<R>(site: usize, q7: &Q7, of: impl Fn(&Q7) -> R) -> R {
    let (id, count) = (q7.get_cpu_id(), q7.get_cpu_count());
    let as_core = |id, count| Q7::enter(&mut FlatPlatform::new(id, count, &mut []), |q7| of(q7));
    match operator(site) {
        1 => as_core(0, 1),
        2 => as_core(id, count + 1),
        3 if count > 1 => as_core(id % (count - 1), count - 1),
        4 if count > 1 => as_core(id.max(1), count),
        _ => of(q7),
    }
}

/// A copy whose `wait` comes next: left behind.
pub fn wait<'a, T: Element>(site: usize, q7: &'a Q7, copy: Pending<'a, T>) -> Waited<'a, T> {
    Waited::new(q7, copy, operator(site) == 1)
}

#[cfg(test)]
mod tests;
