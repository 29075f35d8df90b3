//! The program a 32-bit core runs: cases on standard input, replies on standard output, until there are no more. Built
//! for the host it does the same, so that a difference can be told from one of the processor.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod bare;
#[cfg(not(target_os = "none"))]
mod hosted;
mod symbols;

#[cfg(not(target_os = "none"))]
fn main() -> anyhow::Result<()> {
    hosted::main()
}
