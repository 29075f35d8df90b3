//! `oracle --programs N --seed S`: random programs against the oracle, and how often each verdict was seen.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use neuron_tests::oracle::{Machines, VERDICTS, checked, decode};

fn main() -> Result<ExitCode> {
    let (mut programs, mut seed) = (10_000, 1);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let number = words.next().and_then(|number| number.parse::<u64>().ok());
        let number = number.with_context(|| format!("{word} needs a number"))?;
        match &*word {
            "--programs" => programs = number,
            "--seed" => seed = number,
            _ => bail!("{word} is not known: oracle --programs N --seed S"),
        }
    }

    let (mut machines, start) = (Machines::default(), Instant::now());
    let mut seen: BTreeMap<_, u64> = VERDICTS.into_iter().map(|verdict| (verdict, 0)).collect();
    let mut clean = 0;
    for program in 0..programs {
        let bytes = bytes(seed, program);
        match checked(&mut machines, &decode(&bytes)) {
            Ok(findings) => {
                clean += u64::from(findings.is_empty());
                findings.iter().for_each(|finding| *seen.entry(finding.verdict).or_default() += 1);
            }
            Err(difference) => {
                println!("program {program} of seed {seed} differs, cut down to\n{difference}");
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    let took = start.elapsed().as_secs_f64();
    println!("{programs} programs of seed {seed}, {clean} without a fault, no difference");
    println!("{took:.1} s, {:.0} programs a second", programs as f64 / took);
    for (verdict, count) in &seen {
        println!("{count:>9} {}", verdict.name());
    }
    let unseen: Vec<_> =
        seen.iter().filter(|(_, count)| **count == 0).map(|(verdict, _)| verdict.name()).collect();
    if !unseen.is_empty() {
        println!("never seen: {}", unseen.join(", "));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// The bytes of a program: splitmix64, so that each program is had without those before it.
fn bytes(seed: u64, program: u64) -> Vec<u8> {
    let mut state = (seed << 32).wrapping_add(program).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    let len = 16 + next() % 200;
    (0..len).flat_map(|_| next().to_le_bytes()).collect()
}
