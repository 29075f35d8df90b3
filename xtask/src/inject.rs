//! Mutants of kernels: where an expression can be changed, the copy of the tree in which it can be, and what became of
//! each change.

pub(crate) mod driver;
pub(crate) mod find;
pub(crate) mod site;
pub(crate) mod splice;
pub(crate) mod tally;
pub(crate) mod tree;
