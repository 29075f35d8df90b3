//! [`Handover`]: how an op's result gets to the output.

use crate::words::error::Site;

/// How the result of an op got to the launch's output, so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Handover {
    /// Not at all: if it stays so, the output is undefined.
    #[default]
    Nothing,
    /// The kernel was given the destination, under this name, by that line.
    Taken(&'static str, Site),
    /// A returned tensor was copied there.
    Copied,
}

impl Handover {
    pub(crate) fn is_undefined(self) -> bool {
        self == Self::Nothing
    }
}
