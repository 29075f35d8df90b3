//! What is looked for when all cores have joined.

pub(crate) mod coverage;
pub(crate) mod merge;
