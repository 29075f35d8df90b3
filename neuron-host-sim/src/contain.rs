//! Running an author's code so that its panics end nothing else.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A panic that was caught.
#[derive(Debug)]
pub(crate) struct Panic(Box<dyn Any + Send>);

/// Run `code`; what it leaves half-done when it panics is the caller's to replace.
pub(crate) fn contained<R>(code: impl FnOnce() -> R) -> Result<R, Panic> {
    catch_unwind(AssertUnwindSafe(code)).map_err(Panic)
}

impl Panic {
    /// Its payload, if it was raised with one of type `T`.
    pub(crate) fn payload<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }

    /// Its text.
    pub(crate) fn into_message(self) -> String {
        let text = self.0.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| self.0.downcast_ref::<String>().cloned());
        // Dropping the payload may panic too; what that panic carries is leaked rather than tried again.
        if let Err(another) = contained(|| drop(self)) {
            std::mem::forget(another);
        }
        text.unwrap_or_else(|| "(no message)".to_owned())
    }
}
