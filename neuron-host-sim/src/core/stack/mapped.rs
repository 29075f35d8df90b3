//! The memory of a stack: what a kernel may use, and below it what it may not.

use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;

use corosensei::stack::valgrind::ValgrindStackRegistration;
use corosensei::stack::{STACK_ALIGNMENT, Stack, StackPointer};
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// What a byte holds that no kernel wrote. A frame may well hold zeros.
const PAINT: u64 = 0xC5C5_C5C5_C5C5_C5C5;
/// The least the host protects, and the most a frame leaves untouched: larger ones touch every page.
const PAGE: usize = 4096;
/// What is never touched.
const GUARD: usize = 64 << 10;
/// What is opened to a panic, whose message, hook and backtrace are the host's and no kernel's.
const RESERVE: usize = 1 << 20;

/// From low to high addresses: the guard, the reserve, and the stack, which begins at the top and grows down.
pub(super) struct Mapped {
    start: NonZeroUsize,
    len: usize,
    /// Where the stack begins.
    base: StackPointer,
    /// The lowest address that was found written.
    mark: usize,
    /// Is the reserve open?
    opened: bool,
    /// Tells Valgrind, if it looks on, that this is a stack; gone before the memory is.
    valgrind: Option<ValgrindStackRegistration>,
}

impl fmt::Debug for Mapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stack of {} bytes", self.base.get() - self.limit_of_kernel())
    }
}

// SAFETY: a stack has a guard, `new` sees to the least it must have and to its alignment.
unsafe impl Stack for Mapped {
    fn base(&self) -> StackPointer {
        self.base
    }

    fn limit(&self) -> StackPointer {
        self.start
    }
}

impl Mapped {
    /// One of `bytes` bytes, but at least a page.
    pub(super) fn new(bytes: usize) -> io::Result<Self> {
        let bytes = bytes.max(PAGE).next_multiple_of(STACK_ALIGNMENT);
        let len = GUARD + RESERVE + bytes.next_multiple_of(PAGE);
        // SAFETY: a new mapping of no file, wherever there is room.
        let start = unsafe {
            mmap_anonymous(
                std::ptr::null_mut(),
                len,
                ProtFlags::empty(),
                MapFlags::PRIVATE | MapFlags::NORESERVE,
            )
        }?;
        let at = NonZeroUsize::new(start.addr()).expect("no mapping is at 0");
        // The limit is where the protected part ends, so the base is where it must be, and may leave some of a page.
        let base = at.checked_add(GUARD + RESERVE + bytes).expect("it is in the mapping");
        let mut mapped = Self { start: at, len, base, mark: base.get(), opened: false, valgrind: None };
        mapped.protect(GUARD + RESERVE..len, MprotectFlags::READ | MprotectFlags::WRITE)?;
        mapped.valgrind = Some(ValgrindStackRegistration::new(start.cast(), len));
        mapped.mark = mapped.limit_of_kernel();
        mapped.repaint();
        Ok(mapped)
    }

    /// What a kernel that needs more than there is touches first: the reserve, and what is below.
    pub(super) fn forbidden(&self) -> Range<usize> {
        self.start.get()..self.limit_of_kernel()
    }

    /// The part of it that is opened to a panic.
    pub(super) fn reserve(&self) -> Range<usize> {
        self.start.get() + GUARD..self.limit_of_kernel()
    }

    /// The reserve was opened.
    pub(super) fn set_opened(&mut self) {
        self.opened = true;
    }

    /// Bytes that were written, from the base down, since it was painted. Nothing runs on it.
    pub(super) fn used(&mut self) -> usize {
        let limit = self.limit_of_kernel();
        while self.mark > limit {
            // What is not touched for a page is not touched below it.
            let page = self.mark.saturating_sub(PAGE).max(limit);
            match self.first_written(page) {
                Some(written) => self.mark = written,
                None => break,
            }
        }
        self.base.get() - self.mark
    }

    /// Make what was written look as if it never was. Nothing runs on it.
    pub(super) fn repaint(&mut self) {
        self.used();
        let words = (self.base.get() - self.mark) / 8;
        let from = std::ptr::with_exposed_provenance_mut::<u64>(self.mark);
        // SAFETY: from the mark, a multiple of 8, to the base, all in the mapping's open part; nobody else uses it.
        let stack = unsafe { std::slice::from_raw_parts_mut(from, words) };
        stack.fill(PAINT);
        self.mark = self.base.get();
    }

    /// Close what was opened to a panic.
    pub(super) fn close(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.opened) {
            self.protect(GUARD..GUARD + RESERVE, MprotectFlags::empty())?;
        }
        Ok(())
    }

    /// The lowest address a kernel may use.
    fn limit_of_kernel(&self) -> usize {
        self.start.get() + GUARD + RESERVE
    }

    /// The lowest address from `from` to the mark that is written.
    fn first_written(&self, from: usize) -> Option<usize> {
        let words = (self.mark - from) / 8;
        let start = std::ptr::with_exposed_provenance::<u64>(from);
        // SAFETY: multiples of 8 in the open part, on which nothing runs.
        let words = unsafe { std::slice::from_raw_parts(start, words) };
        // Mostly all are as they were painted: the first is, and each is as the one before it, which the host compares fast.
        let (first, rest) = words.split_first()?;
        if *first == PAINT && rest == &words[..rest.len()] {
            return None;
        }
        let word = words.iter().position(|&word| word != PAINT)?;
        Some(from + 8 * word)
    }

    fn protect(&self, part: Range<usize>, flags: MprotectFlags) -> io::Result<()> {
        let from = std::ptr::with_exposed_provenance_mut(self.start.get() + part.start);
        // SAFETY: whole pages of this mapping, which nothing runs on.
        unsafe { mprotect(from, part.len(), flags) }?;
        Ok(())
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        self.valgrind = None;
        let start = std::ptr::with_exposed_provenance_mut(self.start.get());
        // SAFETY: this mapping, which nothing runs on any more.
        let unmapped = unsafe { munmap(start, self.len) };
        debug_assert!(unmapped.is_ok(), "a whole mapping can be unmapped");
    }
}

/// Open a reserve: from a signal handler, so a call of the system and nothing else.
pub(super) fn open(reserve: &Range<usize>) -> bool {
    let from = std::ptr::with_exposed_provenance_mut(reserve.start);
    // SAFETY: whole pages that belong to a stack, and that nothing has touched.
    unsafe { mprotect(from, reserve.len(), MprotectFlags::READ | MprotectFlags::WRITE) }.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(mapped: &Mapped, below_base: usize) {
        let at = mapped.base().get() - below_base;
        // SAFETY: the tests stay inside the open part.
        unsafe { std::ptr::with_exposed_provenance_mut::<u64>(at).write(0) }
    }

    #[test]
    fn it_is_as_long_as_asked_and_knows_how_far_it_was_written() {
        for bytes in [4096, 4112, 10_000, 67_136, 1 << 20] {
            let mut mapped = Mapped::new(bytes).unwrap();
            assert_eq!(mapped.base().get() - mapped.forbidden().end, bytes.next_multiple_of(16));
            assert_eq!(mapped.used(), 0);
            for deep in [8, 64, 1000, 4096] {
                write(&mapped, deep);
                assert_eq!(mapped.used(), deep);
            }
            // Each page is touched on the way down.
            (4096..=bytes).step_by(4096).for_each(|deep| write(&mapped, deep));
            write(&mapped, bytes);
            assert_eq!(mapped.used(), bytes);
            mapped.repaint();
            assert_eq!(mapped.used(), 0);
        }
    }

    #[test]
    fn less_than_a_page_is_a_page() {
        let mapped = Mapped::new(1).unwrap();
        assert_eq!(mapped.base().get() - mapped.forbidden().end, 4096);
    }
}
