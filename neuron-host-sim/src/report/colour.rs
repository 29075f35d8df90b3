//! A report on a terminal.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::Report;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const ADVICE: Style = AnsiColor::Cyan.on_default();
const CLEAN: Style = AnsiColor::Green.on_default().bold();

impl Report {
    /// Print the report's text to standard output, in colour if that is a terminal that has any.
    ///
    /// # Errors
    /// Standard output's own, such as a pipe nobody reads.
    pub fn print(&self) -> io::Result<()> {
        write!(anstream::stdout().lock(), "{}", self.coloured())
    }

    /// The text with the styles of a terminal: faults by their severity, and what to do about them.
    fn coloured(&self) -> String {
        let clean = self.is_clean();
        let mut text = String::new();
        for (number, line) in self.to_string().lines().enumerate() {
            let numbered = line.split_once(". ").filter(|(number, _)| number.parse::<u32>().is_ok());
            let style = match numbered {
                _ if number == 0 => Some(if clean { CLEAN } else { ERROR }),
                Some((_, fault)) => Some(if fault.starts_with("warning: ") { WARNING } else { ERROR }),
                None => line.starts_with("   to do: ").then_some(ADVICE),
            };
            match style {
                Some(style) => text.push_str(&format!("{style}{line}{style:#}\n")),
                None => text.extend([line, "\n"]),
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use neuron_device::prelude::*;

    use crate::{HostTensor, Simulator, args};

    /// Leaves out the last element; every core writes the first.
    #[custom_op]
    fn careless(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
        let dst = out.elements_mut::<i32>(q7)?;
        (0..x.numel() - 1).for_each(|i| dst.set(i, 1));
        Ok(())
    }

    #[test]
    fn colour_is_all_that_is_added() {
        let x = HostTensor::from_slice(&[3], &[0i32; 3]).unwrap();
        let report = Simulator::new().unwrap().launch(op!(careless), &args![&x]).unwrap();
        let coloured = report.coloured();
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), report.to_string());
        assert!(coloured.contains("\u{1b}[1m\u{1b}[33m1. warning: 2 elements"), "{coloured:?}");
        assert!(coloured.contains("\u{1b}[1m\u{1b}[31m2. 1 element of `out` never written"), "{coloured:?}");
    }
}
