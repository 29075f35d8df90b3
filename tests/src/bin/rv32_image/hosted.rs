//! The same program with an operating system and the standard library beneath it.

use std::io::{BufWriter, Read, Stdin, Stdout, Write, stdin, stdout};

use neuron_tests::case::Sink;
use neuron_tests::flat::{MAX_CASE_BYTES, MEMORY_BYTES};
use neuron_tests::stream::{Source, serve};

use crate::symbols::Symbols;

/// Standard input. What cannot be read is an end.
struct Input(Stdin);

impl Source for Input {
    fn get(&mut self, into: &mut [u8]) -> usize {
        self.0.read(into).unwrap_or(0)
    }
}

/// Standard output, and why it could not be written.
struct Output {
    stdout: BufWriter<Stdout>,
    result: std::io::Result<()>,
}

impl Output {
    fn keep(&mut self, result: std::io::Result<()>) {
        if self.result.is_ok() {
            self.result = result;
        }
    }
}

impl Sink for Output {
    fn put(&mut self, bytes: &[u8]) {
        let written = self.stdout.write_all(bytes);
        self.keep(written);
    }

    fn flush(&mut self) {
        let flushed = self.stdout.flush();
        self.keep(flushed);
    }
}

pub(crate) fn main() -> anyhow::Result<()> {
    let mut output = Output { stdout: BufWriter::new(stdout()), result: Ok(()) };
    let mut memory = vec![0; MEMORY_BYTES as usize / 8];
    serve(
        &mut Input(stdin()),
        &mut output,
        &mut vec![0; MAX_CASE_BYTES],
        &mut memory,
        &mut Symbols::default(),
    )?;
    Ok(output.result?)
}
