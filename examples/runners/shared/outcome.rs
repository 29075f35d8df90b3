//! How a runner ends: report printed, result compared, exit code 0 only if all is right.

use std::process::ExitCode;

use anyhow::Result;
use neuron_host_sim::Report;

/// Print the report and compare the launch's output with what plain Rust computes, bit for bit; a NaN equals a NaN.
pub(crate) fn verify(report: &Report, expected: impl Iterator<Item = f32>) -> Result<ExitCode> {
    report.print()?;
    let output = report.output().to_host();
    let found = output.to_vec::<f32>()?;
    let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    let expected: Vec<f32> = expected.collect();
    let wrong = found.iter().zip(&expected).position(|(&a, &b)| !same(a, b));
    match wrong {
        _ if found.len() != expected.len() => {
            println!("NOT verified: {} elements instead of {}", found.len(), expected.len());
            return Ok(ExitCode::FAILURE);
        }
        Some(at) => {
            println!("NOT verified: element {at} is {:?} instead of {:?}", found[at], expected[at]);
            return Ok(ExitCode::FAILURE);
        }
        None => println!("verified: {} elements {:?} equal plain Rust's", found.len(), output.sizes()),
    }
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
