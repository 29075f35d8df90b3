//! The suite: kernels that go wrong, each in one way, and kernels and launches that do not.
//!
//! What a kernel does wrong is written where it does it, in [`marker`]s at the ends of its lines; a kernel without one is
//! right. So an expectation cannot be forgotten in another file, and a fault that nobody expects is one too many.

mod alignment;
mod arguments;
mod bounds;
mod clean;
mod coherency;
mod copies;
mod coverage;
mod heap;
mod inputs;
pub(crate) mod launch;
mod layouts;
mod locals;
pub(crate) mod marker;
mod memory;
mod moods;
mod other_machines;
mod pointers;
mod profiles;
mod progress;
mod races;
mod raw;
pub(crate) mod repeat;
mod returning;
mod stack;
mod staged;
mod stale;
mod streams;
mod transfers;
mod uninitialised;

use self::launch::{Launch, Missed};

/// Every faulty launch.
pub(crate) fn seeds() -> Vec<Launch> {
    [
        bounds::launches(),
        pointers::launches(),
        locals::launches(),
        memory::launches(),
        alignment::launches(),
        stale::launches(),
        inputs::launches(),
        arguments::launches(),
        races::launches(),
        uninitialised::launches(),
        coverage::launches(),
        returning::launches(),
        moods::launches(),
        progress::launches(),
        stack::launches(),
        heap::launches(),
        staged::launches(),
        copies::launches(),
        transfers::launches(),
        streams::launches(),
        coherency::launches(),
        other_machines::launches(),
        profiles::launches(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Faulty launches of which a check misses something: to be seeds as soon as it does not.
pub(crate) fn missed() -> Vec<Missed> {
    stale::missed()
}

/// Every launch that is right.
pub(crate) fn clean() -> Vec<Launch> {
    clean::launches()
}
