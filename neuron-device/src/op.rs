//! What stands between a launch and a kernel: arguments in, result out, and the table of ops.

pub(crate) mod argument;
pub(crate) mod arguments;
pub(crate) mod lent;
pub(crate) mod library;
pub(crate) mod result;
pub(crate) mod table;
