//! Runs mutants: `inject MUTANTS [OP]`, where the file MUTANTS names a site and an operator in each line. For
//! `cargo xtask inject`, which builds it over a changed copy of the kernels.

use std::io::{self, BufWriter};
use std::panic;

use anyhow::{Context, Result};
use neuron_tests::inject::{inject, parse};

fn main() -> Result<()> {
    let path = std::env::args_os().nth(1).context("name the mutants: inject MUTANTS [OP]")?;
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    // A mutant that panics is one that was found, and there are many.
    panic::set_hook(Box::new(|_| {}));
    inject(&parse(&text)?, std::env::args().nth(2).as_deref(), &mut BufWriter::new(io::stdout().lock()))
}
