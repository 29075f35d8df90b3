//! The commands, a file each.

pub(crate) mod abi;
pub(crate) mod bench;
pub(crate) mod bless;
pub(crate) mod ci;
pub(crate) mod counts;
pub(crate) mod examples;
pub(crate) mod fuzz_smoke;
pub(crate) mod inject;
pub(crate) mod lints;
pub(crate) mod mutants;
pub(crate) mod replay;
pub(crate) mod rv32;
pub(crate) mod tidy;
pub(crate) mod tsan;
