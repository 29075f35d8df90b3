//! What stands between a launch and a kernel: arguments in, result out, and the table of ops.

pub(crate) mod argument;
pub(crate) mod arguments;
pub(crate) mod destination;
pub(crate) mod entry;
pub(crate) mod image;
pub(crate) mod lent;
pub(crate) mod library;
pub(crate) mod registered;
pub(crate) mod result;
pub(crate) mod table;
