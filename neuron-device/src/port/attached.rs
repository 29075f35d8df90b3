//! The platform a core is attached to, without its lifetime: `Q7` must name none.

use core::cell::RefCell;
use core::ptr::NonNull;

use super::platform::Platform;

/// Exclusive use of a platform for as long as one `Q7::enter` runs.
pub(crate) struct AttachedPlatform(RefCell<NonNull<dyn Platform>>);

impl AttachedPlatform {
    /// Attach to `platform`.
    ///
    /// # Safety
    /// The result is not used after the borrow of `platform` ends.
    pub(crate) unsafe fn new<'p>(platform: &'p mut (dyn Platform + 'p)) -> Self {
        let pointer: NonNull<dyn Platform + 'p> = NonNull::from(platform);
        // SAFETY: only the lifetime in the type changes; the caller keeps the use inside the real one.
        let pointer =
            unsafe { core::mem::transmute::<NonNull<dyn Platform + 'p>, NonNull<dyn Platform>>(pointer) };
        Self(RefCell::new(pointer))
    }

    /// Call the platform.
    ///
    /// # Panics
    /// If called from inside `call`: no platform method reaches the core that called it.
    pub(crate) fn with<R>(&self, call: impl FnOnce(&mut dyn Platform) -> R) -> R {
        let mut pointer = self.0.borrow_mut();
        // SAFETY: the platform is borrowed mutably for as long as `self` is used (`new`), and the `RefCell` lets one
        // call at a time reach it.
        call(unsafe { pointer.as_mut() })
    }
}
