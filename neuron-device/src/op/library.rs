//! [`Library`]: the ops that are registered together.

use core::ffi::CStr;
use core::slice;

use super::entry::Entry;
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
///
/// Boot code sees three functions of it, [`get_func_cnt`](Self::get_func_cnt), [`get_func_name`](Self::get_func_name) and
/// [`get_func_ptr`](Self::get_func_ptr), and finds every op by them alone. They are ordinary methods, so that libraries live
/// side by side in one program; [`neuron_image!`](crate::neuron_image) exports those of one under the vendor's C names.
#[derive(Debug)]
pub struct Library {
    name: &'static str,
    ops: Ops,
}

/// The ops of a library.
#[derive(Debug)]
enum Ops {
    Listed(&'static [&'static Op]),
    One(&'static Op),
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
        Self { name, ops: Ops::Listed(ops) }
    }

    /// The library of a bare op: of its name, and of that op alone.
    ///
    /// ```
    /// use neuron_device::{Library, prelude::*};
    /// # #[custom_op]
    /// # fn relu(q7: &Q7, x: &Tensor) -> Result<Tensor> { q7.empty_like(x) }
    /// let library = Library::of_one(op!(relu));
    /// assert_eq!((library.name(), library.get_func_cnt(), library.get_func_name(0)), ("relu", 1, c"relu"));
    /// ```
    pub const fn of_one(op: &'static Op) -> Self {
        Self { name: op.name(), ops: Ops::One(op) }
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Its ops, in the order they were listed.
    pub const fn ops(&self) -> &[&'static Op] {
        match &self.ops {
            Ops::Listed(ops) => ops,
            Ops::One(op) => slice::from_ref(op),
        }
    }

    /// The op registered under `name`; `None` if there is none.
    pub fn op(&self, name: &str) -> Option<&'static Op> {
        self.ops().iter().copied().find(|op| op.name() == name)
    }

    /// How many ops it registers: the vendor's function of this name (`docs/machine.md`, section 9).
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// # #[custom_op]
    /// # fn relu(q7: &Q7, x: &Tensor) -> Result<Tensor> { q7.empty_like(x) }
    /// neuron_library!(ACTIVATIONS: "activations" = [relu]);
    /// assert_eq!(ACTIVATIONS.get_func_cnt(), 1);
    /// assert_eq!([0, 1].map(|index| ACTIVATIONS.get_func_name(index)), [c"relu", c"error"]);
    /// assert_eq!([0, 1].map(|index| ACTIVATIONS.get_func_ptr(index).is_some()), [true, false]);
    /// ```
    pub const fn get_func_cnt(&self) -> u32 {
        self.ops().len() as u32
    }

    /// The name of op `index`; `"error"` if there is none.
    pub const fn get_func_name(&self, index: u32) -> &'static CStr {
        match self.nth(index) {
            Some(op) => op.c_name(),
            None => c"error",
        }
    }

    /// The function behind op `index`; `None`, which is 0 in memory, if there is none.
    pub const fn get_func_ptr(&self, index: u32) -> Option<&'static Entry> {
        match self.nth(index) {
            Some(op) => Some(op.entry()),
            None => None,
        }
    }

    const fn nth(&self, index: u32) -> Option<&'static Op> {
        let ops = self.ops();
        if index < ops.len() as u32 { Some(ops[index as usize]) } else { None }
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
