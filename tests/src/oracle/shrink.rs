//! A smaller program that shows the same.

use super::Machines;
use super::program::{Program, Step};

/// The program without what does not matter: as long as it differs, launches and steps go, and counts become 1.
pub fn shrunk(machines: &mut Machines, program: &Program) -> Program {
    let mut small = program.clone();
    let mut differs =
        |program: &Program| machines.run(program).is_ok_and(|outcomes| outcomes.difference.is_some());
    loop {
        let before = size(&small);
        if small.launches.len() > 1 {
            for launch in 0..small.launches.len() {
                let mut less = small.clone();
                less.launches.remove(launch);
                if differs(&less) {
                    small = less;
                    break;
                }
            }
        }
        for launch in 0..small.launches.len() {
            let mut at = 0;
            while at < small.launches[launch].len() {
                let mut less = small.clone();
                less.launches[launch].remove(at);
                if differs(&less) {
                    small = less;
                    continue;
                }
                let mut less = small.clone();
                let step: &mut Step = &mut less.launches[launch][at];
                step.count = 1;
                if size(&less) < size(&small) && differs(&less) {
                    small = less;
                }
                at += 1;
            }
        }
        if size(&small) == before {
            return small;
        }
    }
}

/// Launches, steps and accesses.
fn size(program: &Program) -> usize {
    let steps = |steps: &std::vec::Vec<Step>| steps.iter().map(|step| 1 + step.count as usize).sum::<usize>();
    program.launches.iter().map(|launch| 1 + steps(launch)).sum()
}
