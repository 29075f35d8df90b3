//! A host on whose stacks nobody can look: kernels run where they are, and what they use is not known.

use neuron_device::Stack;

use super::{Ended, StackSettings};

/// Where simulator's code runs.
#[derive(Debug, Default)]
pub(in crate::core) struct Parent;

impl Parent {
    /// Run it there.
    pub(in crate::core) fn call<R>(&self, call: impl FnOnce() -> R) -> R {
        call()
    }
}

/// The stacks of a core.
#[derive(Debug, Default)]
pub(in crate::core) struct Stacks;

impl Stacks {
    /// Run `body`.
    pub(in crate::core) fn run(
        &mut self,
        _op: &'static str,
        stack: Stack,
        _settings: StackSettings,
        _parent: &Parent,
        body: &mut dyn FnMut(),
    ) -> std::io::Result<Ended> {
        body();
        Ok(Ended::new(stack, 0, false))
    }
}
