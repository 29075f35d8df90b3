//! Kernels on stacks of their own.

use std::cell::Cell;
use std::fmt;
use std::io;

use corosensei::{CoroutineResult, ScopedCoroutine, Yielder};
use neuron_device::Stack;

use super::mapped::Mapped;
use super::trap::{Watched, watch};
use super::{Ended, StackSettings};

/// Stacks of other sizes that a core keeps.
const KEPT: usize = 4;

/// Where the simulator's code runs when a kernel calls it: on the stack the kernel was started from.
#[derive(Default)]
pub(in crate::core) struct Parent(Cell<Option<*const Yielder<(), ()>>>);

impl fmt::Debug for Parent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Parent").field(&self.0.get().is_some()).finish()
    }
}

/// Says of a call that it may be made on another stack of the same thread.
struct Elsewhere<F>(F);

// SAFETY: it goes to no other thread. What the bound is there for is that the call must not reach the coroutine's yielder:
// `Parent` takes it away meanwhile.
unsafe impl<F> Send for Elsewhere<F> {}

impl<F: FnOnce() -> R, R> Elsewhere<F> {
    fn call(self) -> R {
        (self.0)()
    }
}

impl Parent {
    /// Run it there.
    pub(in crate::core) fn call<R>(&self, call: impl FnOnce() -> R) -> R {
        struct PutBack<'p>(&'p Parent, *const Yielder<(), ()>);
        impl Drop for PutBack<'_> {
            fn drop(&mut self) {
                self.0.0.set(Some(self.1));
            }
        }
        let Some(yielder) = self.0.take() else { return call() };
        let _put_back = PutBack(self, yielder);
        let call = Elsewhere(call);
        // SAFETY: it is of the coroutine that `Stacks::run` is running, which took it away if it has ended.
        let yielder = unsafe { &*yielder };
        yielder.on_parent_stack(move || call.call())
    }
}

/// The stacks of a core, the last one used first.
#[derive(Debug, Default)]
pub(in crate::core) struct Stacks {
    kept: Vec<(usize, Mapped)>,
    /// The op that ran last.
    op: &'static str,
}

impl Stacks {
    /// Run `body` on a stack of the size that was chosen; what it calls by way of `parent` runs here.
    pub(in crate::core) fn run(
        &mut self,
        op: &'static str,
        stack: Stack,
        settings: StackSettings,
        parent: &Parent,
        body: &mut dyn FnMut(),
    ) -> io::Result<Ended> {
        let same_op = std::mem::replace(&mut self.op, op) == op;
        let mapped = self.of(settings.on_host(stack.bytes))?;
        if !same_op {
            mapped.repaint();
        }
        let (forbidden, reserve) = (mapped.forbidden(), mapped.reserve());
        let run = |yielder: &Yielder<(), ()>, ()| {
            parent.0.set(Some(yielder));
            body();
            true
        };
        let (ended, opened) = {
            let coroutine = ScopedCoroutine::with_stack(&mut *mapped, run);
            coroutine.scope(|mut coroutine| {
                let handler = coroutine.trap_handler();
                let watched = Watched { handler, forbidden, reserve, opened: Cell::new(false) };
                let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    watch(&watched, || match coroutine.resume(()) {
                        CoroutineResult::Return(ended) => ended,
                        CoroutineResult::Yield(()) => unreachable!("a kernel does not yield"),
                    })
                }));
                (ended, watched.opened.get())
            })
        };
        parent.0.set(None);
        if opened {
            mapped.set_opened();
            mapped.close()?;
        }
        match ended {
            Ok(ended) => {
                let (ended, used) = (ended?, settings.on_device(mapped.used()));
                Ok(Ended::new(stack, used.min(stack.bytes), !ended))
            }
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }

    /// The stack of so many bytes.
    fn of(&mut self, bytes: usize) -> io::Result<&mut Mapped> {
        match self.kept.iter().position(|(of, _)| *of == bytes) {
            Some(0) => {}
            Some(place) => self.kept[..=place].rotate_right(1),
            None => {
                self.kept.truncate(KEPT - 1);
                self.kept.insert(0, (bytes, Mapped::new(bytes)?));
            }
        }
        Ok(&mut self.kept[0].1)
    }
}
