//! What ThreadSanitizer made of one run.

#[cfg(test)]
mod tests;

/// What a program ends with when the sanitizer has reported something; no test's or panic's own.
pub(super) const EXIT_CODE: i32 = 66;

/// The end of a run that went to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing was reported.
    Clean,
    /// A data race was.
    Race,
}

impl Verdict {
    /// From its exit code and standard error; `None` if it failed otherwise, or never ran.
    pub(super) fn of(code: Option<i32>, said: &str) -> Option<Self> {
        let reported = said.contains("WARNING: ThreadSanitizer: data race");
        match code {
            Some(0) if !reported => Some(Self::Clean),
            Some(EXIT_CODE) if reported => Some(Self::Race),
            _ => None,
        }
    }
}
