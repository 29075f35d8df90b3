//! [`Station`]: where the launchers of an image, which take no arguments, find the core they run on.

use core::cell::Cell;
use core::fmt;
use core::ptr::NonNull;

use super::platform::Platform;
use crate::words::error::Error;

/// The one piece of global state there is: the core an image's launchers run on, and why the last of them failed. It is a
/// static of the image, made by [`neuron_image!`](crate::neuron_image).
pub struct Station {
    platform: Cell<Option<NonNull<dyn Platform>>>,
    error: Cell<Option<Error>>,
}

// SAFETY: its cells are written from inside `lend` alone, whose caller promises that no other thread uses it meanwhile.
unsafe impl Sync for Station {}

impl Station {
    /// With no core.
    #[doc(hidden)]
    pub const fn new() -> Self {
        Self { platform: Cell::new(None), error: Cell::new(None) }
    }

    /// Have launchers run on the core `platform` is, for as long as `call` runs, which may call one or several. What `call`
    /// gives, and the error of the last launcher that failed.
    ///
    /// # Safety
    /// No other thread uses this station, or calls a launcher of its image, before it returns.
    pub unsafe fn lend<R>(
        &self,
        platform: &mut dyn Platform,
        call: impl FnOnce() -> R,
    ) -> (R, Option<Error>) {
        let platform = NonNull::from(platform);
        // SAFETY: only the lifetime in the type changes; `Lent` takes the pointer back before the borrow ends.
        let platform =
            unsafe { core::mem::transmute::<NonNull<dyn Platform + '_>, NonNull<dyn Platform>>(platform) };
        self.error.set(None);
        let before = self.platform.replace(Some(platform));
        let lent = Lent { station: self, before };
        let result = call();
        drop(lent);
        (result, self.error.take())
    }

    /// Call this with the core; `None` if there is none, or it is in use already.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&mut dyn Platform) -> R) -> Option<R> {
        let mut platform = self.platform.take()?;
        // SAFETY: it is borrowed mutably until `lend` returns, inside which this is; nobody else finds it meanwhile.
        let result = call(unsafe { platform.as_mut() });
        self.platform.set(Some(platform));
        Some(result)
    }

    /// The launcher that runs has failed so.
    pub(crate) fn failed(&self, error: Error) {
        self.error.set(Some(error));
    }
}

impl fmt::Debug for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Station")
    }
}

/// Takes the core back, also when a kernel panics.
struct Lent<'s> {
    station: &'s Station,
    before: Option<NonNull<dyn Platform>>,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.station.platform.set(self.before);
    }
}
