//! Plain values: addresses, dtypes, layouts, records, errors. Nothing here knows a core.

pub(crate) mod addr;
pub(crate) mod console;
pub(crate) mod convert;
pub(crate) mod dtype;
pub(crate) mod element;
pub(crate) mod error;
pub(crate) mod handle;
pub(crate) mod heap;
pub(crate) mod image;
pub(crate) mod layout;
pub(crate) mod method;
pub(crate) mod record;
pub(crate) mod sbuf;
pub(crate) mod scalar;
pub(crate) mod serve;
pub(crate) mod spec;
pub(crate) mod work;
