//! [`Waited`]: a copy that is waited for, or is not.

use neuron_device::{Element, Pending, Q7, TcmTile};

/// What a kernel calls `wait` of in place of a copy.
#[derive(Debug)]
pub struct Waited<'a, T: Element> {
    q7: &'a Q7,
    copy: Pending<'a, T>,
    is_left: bool,
}

impl<'a, T: Element> Waited<'a, T> {
    pub(crate) const fn new(q7: &'a Q7, copy: Pending<'a, T>, is_left: bool) -> Self {
        Self { q7, copy, is_left }
    }

    /// The copy's buffer. Nobody can have it without waiting; so of a copy that is left behind, another one of its length, of
    /// poison. Where there is no room for another, a kernel cannot go on, and waits.
    pub fn wait(self) -> TcmTile<'a, T> {
        let other = self.is_left.then(|| self.q7.tcm_malloc::<T>(self.copy.len()));
        match other {
            Some(Ok(other)) => other.filled_with(T::POISON),
            Some(Err(_)) | None => self.copy.wait(),
        }
    }
}
