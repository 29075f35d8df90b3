//! Which checks are on.

use crate::fault::FaultKind;

/// A set of kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checks(u32);

impl Checks {
    /// Every kind.
    pub(crate) const ALL: Self = Self(u32::MAX);

    /// The same without this kind.
    pub(crate) fn without(self, kind: FaultKind) -> Self {
        Self(self.0 & !(1 << kind as u32))
    }

    /// Is this kind looked for?
    pub(crate) fn has(self, kind: FaultKind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }
}

#[test]
fn one_kind_less() {
    let checks = Checks::ALL.without(FaultKind::Race);
    let left = FaultKind::ALL.into_iter().filter(|&kind| checks.has(kind));
    assert!(left.eq(FaultKind::ALL.into_iter().filter(|&kind| kind != FaultKind::Race)));
}
