//! How a command that did not fail ended; a failure is an `Err`.

/// The end of a command or of a step of `ci`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It ran, and everything was right.
    Passed,
    /// It could not run on this machine; the text says what is missing and how to get it.
    Skipped(String),
}
