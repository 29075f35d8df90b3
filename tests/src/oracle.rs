//! Random programs, run by the simulator and by a slow and obvious oracle: the two must find the same faults, count the
//! same accesses and leave the same bytes.
//!
//! The oracle keeps a map from address to byte, lists of accesses, and asks of every byte who touched it. It shares
//! nothing with the simulator but the words for faults.

mod core;
mod decode;
mod finding;
mod handle;
mod judge;
mod kernel;
mod known;
mod pieces;
mod program;
mod shrink;
mod simulated;
mod windows;
mod world;

use std::format;
use std::string::String;
use std::vec::Vec;

use anyhow::Result;

pub use self::decode::decode;
pub use self::finding::Finding;
pub use self::program::Program;
pub use self::shrink::shrunk;
pub use self::simulated::{Machine, Outcomes, VERDICTS};

/// Machines of every number of cores, each made when it is first asked for.
#[derive(Debug, Default)]
pub struct Machines([Option<Machine>; 8]);

impl Machines {
    /// Run a program, and compare.
    ///
    /// # Errors
    /// A host that gives no memory, or a program that cannot be launched.
    pub fn run(&mut self, program: &Program) -> Result<Outcomes> {
        let place = &mut self.0[program.cores as usize - 1];
        if place.is_none() {
            *place = Some(Machine::new(program.cores)?);
        }
        place.as_mut().expect("was just made").run(program)
    }
}

/// Check the program these bytes are; what a fuzzer calls.
///
/// # Panics
/// If the simulator and the oracle differ: the message has the program, cut down, and what each says.
pub fn check(bytes: &[u8]) {
    let mut machines = Machines::default();
    if let Err(message) = checked(&mut machines, &decode(bytes)) {
        panic!("{message}");
    }
}

/// What a program came to.
///
/// # Errors
/// The simulator and the oracle differ: the message has the program, cut down, and what each says.
pub fn checked(machines: &mut Machines, program: &Program) -> Result<Vec<Finding>, String> {
    let outcomes = machines.run(program).map_err(|error| format!("{error:#}: {program:#?}"))?;
    if outcomes.difference.is_none() {
        return Ok(outcomes.findings);
    }
    let small = shrunk(machines, program);
    let difference = machines.run(&small).ok().and_then(|outcomes| outcomes.difference);
    Err(format!("{small:#?}\n{}", difference.unwrap_or_default()))
}
