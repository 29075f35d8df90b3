//! Nothing beneath but the three system calls of Linux that QEMU's user mode passes on.

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};
use core::panic::PanicInfo;

use neuron_tests::case::Sink;
use neuron_tests::flat::{MAX_CASE_BYTES, MEMORY_BYTES};
use neuron_tests::stream::{Source, serve};

use crate::symbols::Symbols;

#[cfg(not(target_arch = "riscv32"))]
compile_error!("without an operating system the image knows how to start on riscv32 only");

/// Standard input, output and error, by the numbers every program finds them under.
const INPUT: usize = 0;
const OUTPUT: usize = 1;
const ERROR: usize = 2;

/// Exit code after a panic, the one Rust programs have elsewhere.
const PANICKED: usize = 101;

/// Memory without an owner at the start; `main` takes it.
static mut MEMORY: [u64; MEMORY_BYTES as usize / 8] = [0; _];
static mut BUFFER: [u8; MAX_CASE_BYTES] = [0; _];

// The loader has set the stack pointer; the ABI wants it at a multiple of 16. `gp` must be loaded without being relaxed
// into an addition to itself.
global_asm!(
    ".globl _start",
    "_start:",
    ".option push",
    ".option norelax",
    "la gp, __global_pointer$",
    ".option pop",
    "andi sp, sp, -16",
    "tail {main}",
    main = sym main,
);

extern "C" fn main() -> ! {
    // SAFETY: `_start` calls this once, on the only thread, and nothing else names the static.
    let memory = unsafe { &mut *(&raw mut MEMORY) };
    // SAFETY: as above.
    let buffer = unsafe { &mut *(&raw mut BUFFER) };
    match serve(&mut Input, &mut Output { kept: [0; _], len: 0 }, buffer, memory, &mut Symbols::default()) {
        Ok(()) => exit(0),
        Err(broken) => panic!("{broken}"),
    }
}

/// Standard input.
struct Input;

impl Source for Input {
    fn get(&mut self, into: &mut [u8]) -> usize {
        const READ: usize = 63;
        // SAFETY: the kernel writes at most `len` bytes from the slice's start.
        let read = unsafe { system_call(READ, INPUT, into.as_mut_ptr().expose_provenance(), into.len()) };
        // What cannot be read is an end.
        usize::try_from(read).unwrap_or(0)
    }
}

/// Standard output, through a buffer: a reply is hundreds of small fields.
struct Output {
    kept: [u8; 16 << 10],
    len: usize,
}

impl Sink for Output {
    fn put(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(self.kept.len()) {
            if part.len() > self.kept.len() - self.len {
                self.flush();
            }
            self.kept[self.len..][..part.len()].copy_from_slice(part);
            self.len += part.len();
        }
    }

    fn flush(&mut self) {
        if !write(OUTPUT, &self.kept[..self.len]) {
            // Nobody reads the replies any more.
            exit(PANICKED);
        }
        self.len = 0;
    }
}

/// Standard error, for the last words.
struct Stderr;

impl Write for Stderr {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if write(ERROR, text.as_bytes()) { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Write all of `bytes`, if it can be done.
fn write(to: usize, mut bytes: &[u8]) -> bool {
    const WRITE: usize = 64;
    while !bytes.is_empty() {
        // SAFETY: the kernel reads at most `len` bytes from the slice's start.
        let written = unsafe { system_call(WRITE, to, bytes.as_ptr().expose_provenance(), bytes.len()) };
        match usize::try_from(written) {
            Ok(written @ 1..) => bytes = &bytes[written..],
            _ => return false,
        }
    }
    true
}

fn exit(code: usize) -> ! {
    const EXIT: usize = 93;
    loop {
        // SAFETY: the call does not return and touches no memory.
        unsafe { system_call(EXIT, code, 0, 0) };
    }
}

/// A system call of riscv32 Linux: number in `a7`, arguments and result in `a0` to `a2`.
///
/// # Safety
/// What the kernel does with the memory the arguments name must be allowed.
unsafe fn system_call(number: usize, first: usize, second: usize, third: usize) -> isize {
    let result;
    // SAFETY: the kernel keeps every register but `a0`; its memory accesses are the caller's promise.
    unsafe {
        asm!(
            "ecall",
            inlateout("a0") first => result,
            in("a1") second,
            in("a2") third,
            in("a7") number,
            options(nostack),
        );
    }
    result
}

/// Whoever calls a `C-unwind` function names this, to stop an unwinding that comes out of it. Here nothing unwinds: a panic
/// ends the program.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() -> ! {
    exit(PANICKED)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    // There is nobody to tell if this fails too.
    let _ = writeln!(Stderr, "{info}");
    exit(PANICKED)
}
