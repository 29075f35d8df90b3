//! Expansions compile wherever an op may stand, whatever the names around it mean.

#![forbid(unsafe_code)]
#![deny(warnings)]

mod attributes;
mod dtypes;
mod forbidding;
mod generated;
mod nested;
mod raw;
mod reexported;
mod renamed;
mod shadowed;
