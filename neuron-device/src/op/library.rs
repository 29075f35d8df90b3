//! [`Library`]: the ops that are registered together.

use super::table::Op;

/// Most ops a library may hold (`docs/machine.md`, section 9).
///
/// ```
/// use neuron_device::{MAX_OPS, prelude::*};
/// # #[custom_op]
/// # fn relu(q7: &Q7, x: &Tensor) -> Result<Tensor> { q7.empty_like(x) }
/// neuron_library!(ACTIVATIONS: "activations" = [relu]);
/// assert_eq!(MAX_OPS - ACTIVATIONS.ops().len(), 9); // room for nine more
/// ```
pub const MAX_OPS: usize = 10;

/// An explicit list of ops under one name. Made with [`neuron_library!`](crate::neuron_library).
///
/// ```
/// use neuron_device::{Library, prelude::*};
/// # #[custom_op]
/// # fn relu(q7: &Q7, x: &Tensor) -> Result<Tensor> { q7.empty_like(x) }
/// # #[custom_op(name = "leaky")]
/// # fn leaky_relu(q7: &Q7, x: &Tensor) -> Result<Tensor> { q7.empty_like(x) }
/// neuron_library!(ACTIVATIONS: "activations" = [relu, leaky_relu]);
///
/// fn names(library: &Library) -> Vec<&'static str> {
///     library.ops().iter().map(|op| op.name()).collect()
/// }
/// assert_eq!(names(&ACTIVATIONS), ["relu", "leaky"]);
/// assert!(ACTIVATIONS.op("leaky_relu").is_none()); // registered as "leaky"
/// ```
#[derive(Debug)]
pub struct Library {
    name: &'static str,
    ops: &'static [&'static Op],
}

impl Library {
    /// What `neuron_library!` expands to.
    ///
    /// # Panics
    /// At compile time: more than 10 ops, two of one name, or a library called "builtin".
    #[doc(hidden)]
    pub const fn new(name: &'static str, ops: &'static [&'static Op]) -> Self {
        assert!(!same(name, "builtin"), "a library must not be called \"builtin\": choose another name");
        assert!(ops.len() <= MAX_OPS, "a library holds at most 10 ops: split it");
        let mut first = 0;
        while first < ops.len() {
            let mut second = first + 1;
            while second < ops.len() {
                assert!(
                    !same(ops[first].name(), ops[second].name()),
                    "two ops of this library have one name: remove one, or give it another, #[custom_op(name = \"…\")]"
                );
                second += 1;
            }
            first += 1;
        }
        Self { name, ops }
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Its ops, in the order they were listed.
    pub const fn ops(&self) -> &'static [&'static Op] {
        self.ops
    }

    /// The op registered under `name`; `None` if there is none.
    pub fn op(&self, name: &str) -> Option<&'static Op> {
        self.ops.iter().copied().find(|op| op.name() == name)
    }
}

/// String equality in constants.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}
