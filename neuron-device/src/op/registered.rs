//! [`Registered`]: what boot code learns of a library.

use heapless::Vec;

use super::entry::Entry;
use super::library::{Library, MAX_OPS};

/// The ops a library has registered: what boot code knows of it, which is what its three functions say.
///
/// ```
/// use neuron_device::{Registered, prelude::*};
/// # #[custom_op]
/// # fn relu(q7: &Q7, x: &Tensor) -> Result<Tensor> { q7.empty_like(x) }
/// # #[custom_op]
/// # fn gelu(q7: &Q7, x: &Tensor) -> Result<Tensor> { q7.empty_like(x) }
/// neuron_library!(ACTIVATIONS: "activations" = [relu, gelu]);
/// let registered = Registered::walk(&ACTIVATIONS);
/// assert!(registered.names().eq(["relu", "gelu"]));
/// assert!(registered.entry("gelu").is_some() && registered.entry("error").is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Registered(Vec<(&'static str, &'static Entry), MAX_OPS>);

impl Registered {
    /// Walk `0..get_func_cnt()`, and keep the name and the function of each (`docs/machine.md`, section 9).
    pub fn walk(library: &Library) -> Self {
        let op = |index| Some((library.get_func_name(index).to_str().ok()?, library.get_func_ptr(index)?));
        Self((0..library.get_func_cnt()).filter_map(op).collect())
    }

    /// The function registered under this name; `None` if there is none.
    pub fn entry(&self, name: &str) -> Option<&'static Entry> {
        self.0.iter().find(|(known, _)| *known == name).map(|&(_, entry)| entry)
    }

    /// The names, in the order they were registered.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.iter().map(|&(name, _)| name)
    }
}
