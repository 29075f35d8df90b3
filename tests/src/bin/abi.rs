//! `abi dtype CODE`: what a tensor with this dtype code is to a kernel. It ends with 0 if the code crosses, 1 if not, 2 if it is no code.

use std::process::ExitCode;

use neuron_device::WireDtype;

/// Words that are no question.
const BAD_USAGE: u8 = 2;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let code = match &*words {
        [what, code] if what == "dtype" => match code.strip_prefix("0x") {
            Some(digits) => u8::from_str_radix(digits, 16).ok(),
            None => code.parse().ok(),
        },
        _ => None,
    };
    let Some(code) = code else {
        eprintln!("usage: cargo xtask abi dtype CODE, a number from 0 to 255, such as 10 or 0x0a");
        return BAD_USAGE.into();
    };
    match WireDtype::gate(code) {
        Ok(dtype) => {
            let (torch, number) = (dtype.torch_name(), dtype.torch_scalar_type());
            let wire = dtype.wire().name();
            println!(
                "dtype {wire} ({code}) crosses as {dtype}, {} bits; torch {torch} ({number})",
                8 * dtype.size()
            );
            ExitCode::SUCCESS
        }
        Err(refused) => {
            println!("{refused}");
            ExitCode::FAILURE
        }
    }
}
