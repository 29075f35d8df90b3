//! What happens when a kernel touches what is below its stack.
//!
//! The host says so by a signal. Its handler makes the kernel's coroutine return from where it is, and the kernel is never
//! heard of again: nothing it held is dropped. That is sound as what a kernel holds is on its stack, or in the core's `Q7`,
//! which nobody asks for anything from then on; what belongs to the simulator is touched on the host's own stack only
//! ([`Parent`](super::Parent)), so it is never left in the middle of something. A kernel that allocates, which none can on the
//! device, loses what it allocated.

use std::cell::Cell;
use std::ffi::c_int;
use std::io;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use corosensei::trap::{CoroutineTrapHandler, TrapHandlerRegs};

use super::mapped;

/// A kernel that runs on a stack.
pub(super) struct Watched {
    pub(super) handler: CoroutineTrapHandler<bool>,
    /// What it must not touch.
    pub(super) forbidden: Range<usize>,
    /// What of it is opened to a panic.
    pub(super) reserve: Range<usize>,
    pub(super) opened: Cell<bool>,
}

thread_local! {
    /// The kernel this thread is running.
    static WATCHED: Cell<*const Watched> = const { Cell::new(null()) };
    static SIGNAL_STACK: SignalStack = SignalStack::install();
}

/// What handled these signals before.
static BEFORE: OnceLock<[libc::sigaction; 2]> = OnceLock::new();

/// What is said before the signal ends the process.
const LAST_WORDS: &[u8] =
    b"a kernel panicked, and what it dropped then overflowed its stack: the process cannot go on\n";

const SIGNALS: [c_int; 2] = [libc::SIGSEGV, libc::SIGBUS];

/// Look after `watched` while `run` runs, on this thread.
pub(super) fn watch<R>(watched: &Watched, run: impl FnOnce() -> R) -> io::Result<R> {
    struct Restore(*const Watched);
    impl Drop for Restore {
        fn drop(&mut self) {
            WATCHED.set(self.0);
        }
    }
    install()?;
    SIGNAL_STACK.with(|_| {});
    // A kernel may launch another op, on another simulator.
    let _restore = Restore(WATCHED.replace(watched));
    Ok(run())
}

/// Handle the signals, once for the process. Who comes second waits for who came first.
fn install() -> io::Result<()> {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    let installed = *INSTALLED.get_or_init(|| {
        let mut before = [null_action(), null_action()];
        for (signal, before) in SIGNALS.into_iter().zip(&mut before) {
            // SAFETY: it only asks.
            if unsafe { libc::sigaction(signal, null(), before) } != 0 {
                return false;
            }
        }
        // Known before the handler can need it. Nobody else sets it.
        let _ = BEFORE.set(before);
        let mut action = null_action();
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        action.sa_sigaction = on_signal as *const () as usize;
        // SAFETY: a handler of the kind its flags say, which calls what may be called in one.
        SIGNALS.into_iter().all(|signal| unsafe { libc::sigaction(signal, &action, null_mut()) } == 0)
    });
    if installed { Ok(()) } else { Err(io::Error::other("the host handles no SIGSEGV for the simulator")) }
}

fn null_action() -> libc::sigaction {
    // SAFETY: no handler, no flags and no masked signal are all zero.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

/// The handler.
unsafe extern "C" fn on_signal(signal: c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let watched = WATCHED.get();
    // SAFETY: the system passes the signal's own description.
    let info_of = unsafe { &*info };
    // SAFETY: these signals have an address.
    let at = unsafe { info_of.si_addr() }.addr();
    // SAFETY: set by `watch` of this thread, which has not returned, or null.
    if let Some(watched) = unsafe { watched.as_ref() } {
        // SAFETY: the system passes the interrupted context.
        let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
        if watched.forbidden.contains(&at) && watched.handler.stack_ptr_in_bounds(stack_pointer(context)) {
            if !std::thread::panicking() {
                // SAFETY: the interrupted code is on the coroutine's stack, as was just asked; the module says why what
                // it leaves is not missed. `return_from` follows.
                let registers = unsafe { watched.handler.setup_trap_handler(|| false) };
                return return_from(context, registers);
            }
            if !watched.opened.replace(true) && mapped::open(&watched.reserve) {
                return;
            }
            // A panic cannot be left in its middle: the thread would be panicking for ever.
            // SAFETY: a handler may call it, and the words live for ever.
            let _ = unsafe { libc::write(libc::STDERR_FILENO, LAST_WORDS.as_ptr().cast(), LAST_WORDS.len()) };
        }
    }
    pass_on(signal, info, context);
}

/// Do as if there were no handler here.
fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let before = BEFORE.get().and_then(|before| Some(before[SIGNALS.iter().position(|&of| of == signal)?]));
    if let Some(before) = before
        && before.sa_flags & libc::SA_SIGINFO != 0
        && before.sa_sigaction > libc::SIG_IGN
    {
        // SAFETY: the flag says that it is of this type.
        let handler = unsafe {
            std::mem::transmute::<usize, unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut libc::c_void)>(
                before.sa_sigaction,
            )
        };
        // SAFETY: what it would have been called with.
        return unsafe { handler(signal, info, context) };
    }
    // The instruction is tried again, and meets what was there before, or the end.
    let before = before.unwrap_or_else(null_action);
    // SAFETY: what was there is put back.
    let _ = unsafe { libc::sigaction(signal, &before, null_mut()) };
}

#[cfg(target_arch = "x86_64")]
fn stack_pointer(context: &libc::ucontext_t) -> usize {
    context.uc_mcontext.gregs[libc::REG_RSP as usize] as usize
}

#[cfg(target_arch = "aarch64")]
fn stack_pointer(context: &libc::ucontext_t) -> usize {
    context.uc_mcontext.sp as usize
}

/// Go on with these registers.
#[cfg(target_arch = "x86_64")]
fn return_from(context: &mut libc::ucontext_t, registers: TrapHandlerRegs) {
    let TrapHandlerRegs { rip, rsp, rbp, rdi, rsi } = registers;
    let of = [libc::REG_RIP, libc::REG_RSP, libc::REG_RBP, libc::REG_RDI, libc::REG_RSI];
    for (register, value) in of.into_iter().zip([rip, rsp, rbp, rdi, rsi]) {
        context.uc_mcontext.gregs[register as usize] = value as i64;
    }
}

/// Go on with these registers.
#[cfg(target_arch = "aarch64")]
fn return_from(context: &mut libc::ucontext_t, registers: TrapHandlerRegs) {
    let TrapHandlerRegs { pc, sp, x0, x1, x29, lr } = registers;
    (context.uc_mcontext.pc, context.uc_mcontext.sp) = (pc, sp);
    for (register, value) in [(0, x0), (1, x1), (29, x29), (30, lr)] {
        context.uc_mcontext.regs[register] = value;
    }
}

/// The stack this thread's handlers run on: Rust gives its own threads one, and others may have none.
struct SignalStack(Option<Box<[u8]>>);

impl SignalStack {
    const BYTES: usize = 64 << 10;

    fn install() -> Self {
        let mut there = libc::stack_t { ss_sp: null_mut(), ss_flags: 0, ss_size: 0 };
        // SAFETY: it only asks.
        let asked = unsafe { libc::sigaltstack(null(), &mut there) };
        if asked == 0 && there.ss_flags & libc::SS_DISABLE == 0 {
            return Self(None);
        }
        let mut memory = vec![0; Self::BYTES].into_boxed_slice();
        let stack = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: memory.len() };
        // SAFETY: the memory is this thread's until it has been told to use none.
        match unsafe { libc::sigaltstack(&stack, null_mut()) } {
            0 => Self(Some(memory)),
            _ => Self(None),
        }
    }
}

impl Drop for SignalStack {
    fn drop(&mut self) {
        if self.0.is_some() {
            let none = libc::stack_t { ss_sp: null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
            // SAFETY: no handler runs on it: this thread is here.
            let _ = unsafe { libc::sigaltstack(&none, null_mut()) };
        }
    }
}
