//! Parses, checks and expands `#[custom_op]`, `neuron_library!` and `op!`, as an ordinary library over token streams.
//!
//! Principles:
//! - Three steps: parse what is there, check all of it, expand. Every mistake is reported, all of them at once.
//! - Nothing here panics, whatever the tokens.
//! - The author's function comes back token for token, mistakes or not, and its body is never looked into: editors
//!   keep working, and errors in the body are the compiler's own, at the author's own tokens.
//! - Types are recognised by name only to word a message; a name we do not know is left to the sealed traits of
//!   `neuron_device::__private`, since an author may import `Tensor` under any name.
//! - An expansion names nothing but `neuron_device::__private`, by full path.

mod argument;
mod custom_op;
mod entry;
mod errors;
mod expansion;
mod function;
mod glance;
mod item;
mod library;
mod messages;
mod name;
mod options;
mod outcome;
mod parameters;
mod place;
mod root;
mod wrapper;

#[cfg(test)]
mod testing;

pub use custom_op::custom_op;
pub use entry::op;
pub use library::neuron_library;

/// Every message there is: its name, and its text or what is always the same in it. For fuzzers, which say what they have met.
#[doc(hidden)]
pub fn every_message() -> Vec<(&'static str, &'static str)> {
    messages::every()
}
