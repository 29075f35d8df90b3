//! `fuzz-smoke [--executions N] [--target NAME]`: inputs from the corpora, changed, the same ones every time; fails if a parser panics or hangs, or
//! an arm of one is never reached.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use neuron_tests::fuzz::{Mutator, TARGETS, Target, corpus};

/// One input may take so long.
const LONGEST: Duration = Duration::from_secs(20);

/// What a worker says that has fed all of its share.
const OVER: u64 = u64::MAX;

/// How often each arm was reached.
type Arms = BTreeMap<&'static str, u64>;

fn main() -> Result<ExitCode> {
    let (mut executions, mut only) = (1_000_000, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match &*word {
            "--executions" => executions = value.parse().with_context(|| format!("{value} is no number"))?,
            "--target" => only = Some(value),
            _ => bail!("{word} is not known: fuzz-smoke --executions N --target NAME"),
        }
    }
    let targets: Vec<_> =
        TARGETS.iter().filter(|target| only.as_ref().is_none_or(|only| only == target.name)).collect();
    if targets.is_empty() {
        bail!("there is no such target: they are {}", TARGETS.map(|target| target.name).join(", "));
    }
    let mut good = true;
    for target in targets {
        good &= run(target, executions)?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Feed a target, on as many threads as the host has.
fn run(target: &'static Target, executions: u64) -> Result<bool> {
    let seeds = corpus(target.name).with_context(|| format!("the corpus of {}", target.name))?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let start = Instant::now();
    let failed = AtomicBool::new(false);
    let under_way: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
    let all = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let mut mutator = Mutator::new(seeds.clone(), target.words);
                let (failed, under_way) = (&failed, &under_way[thread as usize]);
                let share = (thread..executions).step_by(threads as usize);
                let work = move || {
                    let arms = feed(target, share, &mut mutator, under_way, failed);
                    under_way.store(OVER, Ordering::Release);
                    arms
                };
                let builder = std::thread::Builder::new().stack_size(64 << 20);
                builder.spawn_scoped(scope, work).expect("a thread")
            })
            .collect();
        watch(target, &seeds, &under_way);
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect::<Vec<_>>()
    });
    if failed.into_inner() {
        return Ok(false);
    }
    let mut arms: Arms = (target.arms)().into_iter().map(|arm| (arm, 0)).collect();
    all.into_iter().flatten().for_each(|(arm, count)| *arms.entry(arm).or_default() += count);
    let took = start.elapsed().as_secs_f64();
    let rate = executions as f64 / took;
    println!(
        "{}: {executions} inputs from {} seeds, {took:.1} s, {rate:.0} a second",
        target.name,
        seeds.len()
    );
    let missed: Vec<_> = arms.iter().filter(|(_, count)| **count == 0).map(|(arm, _)| *arm).collect();
    println!("  {} of {} arms reached", arms.len() - missed.len(), arms.len());
    if !missed.is_empty() {
        println!("  never reached: {}", missed.join(", "));
    }
    Ok(missed.is_empty())
}

fn feed(
    target: &Target,
    share: impl Iterator<Item = u64>,
    mutator: &mut Mutator,
    under_way: &AtomicU64,
    failed: &AtomicBool,
) -> Arms {
    let mut arms = Arms::new();
    let mut fed = (target.start)();
    for number in share {
        let input = mutator.input(number);
        under_way.store(number, Ordering::Relaxed);
        match catch_unwind(AssertUnwindSafe(|| fed.feed(&input))) {
            Ok(reached) => reached.into_iter().for_each(|arm| *arms.entry(arm).or_default() += 1),
            Err(_) => {
                println!("{}: input {number} panicked: {}", target.name, input.escape_ascii());
                failed.store(true, Ordering::Relaxed);
            }
        }
        if failed.load(Ordering::Relaxed) {
            break;
        }
    }
    arms
}

/// End the process if an input takes too long.
fn watch(target: &Target, seeds: &[Vec<u8>], under_way: &[AtomicU64]) {
    let mut last: Vec<(u64, Instant)> = under_way.iter().map(|_| (0, Instant::now())).collect();
    while under_way.iter().any(|now| now.load(Ordering::Acquire) != OVER) {
        std::thread::sleep(Duration::from_millis(20));
        for (now, last) in under_way.iter().zip(&mut last) {
            let now = now.load(Ordering::Relaxed);
            if now != last.0 {
                *last = (now, Instant::now());
            }
        }
        let late = |(number, since): &&(u64, Instant)| *number != OVER && since.elapsed() > LONGEST;
        if let Some((number, _)) = last.iter().find(late) {
            let input = Mutator::new(seeds.to_vec(), target.words).input(*number);
            println!(
                "{}: input {number} takes longer than {LONGEST:?}: {}",
                target.name,
                input.escape_ascii()
            );
            std::process::exit(1);
        }
    }
}
