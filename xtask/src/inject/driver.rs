//! The program that runs mutants, and what it says of each: started again after one that ends or hangs it.

#[cfg(test)]
mod tests;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

/// How long a mutant may take; the first one also waits for the launches without mutants.
const PATIENCE: Duration = Duration::from_secs(60);

/// Processes that may end or hang: more mean that something else is wrong.
const MOST_ENDS: usize = 20;

/// What a line of the program says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    /// The mutant's site, from 1.
    pub(crate) site: usize,
    /// Its operator, from 1.
    pub(crate) operator: usize,
    /// How many launches reach it.
    pub(crate) launches: usize,
    /// What it changes.
    pub(crate) changed: Vec<String>,
    /// What was reported.
    pub(crate) reported: Vec<String>,
    /// The first of its launches.
    pub(crate) launch: String,
}

impl Told {
    /// Reads a line: fields with tabs between, lists with commas.
    ///
    /// # Errors
    /// Another line.
    pub(crate) fn parse(line: &str) -> Result<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [site, operator, launches, changed, reported, launch] = fields[..] else {
            bail!("`{line}` has {} fields instead of 6", fields.len());
        };
        let number = |text: &str| text.parse().with_context(|| format!("`{text}` in `{line}` is no number"));
        let list = |text: &str| text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Ok(Self {
            site: number(site)?,
            operator: number(operator)?,
            launches: number(launches)?,
            changed: list(changed),
            reported: list(reported),
            launch: launch.to_owned(),
        })
    }

    /// A mutant with which the program did not go on.
    fn stopped((site, operator): (usize, usize), how: &str) -> Self {
        let reported = vec![how.to_owned()];
        Self { site, operator, launches: 1, changed: vec!["end".to_owned()], reported, launch: String::new() }
    }
}

/// Runs all `mutants`, of one op's launches if it is named. `file` is where the program finds them.
///
/// # Errors
/// A program that cannot be started, that fails before its first mutant, or that ends too often.
pub(crate) fn run(
    program: &Path,
    file: &Path,
    mutants: &[(usize, usize)],
    op: Option<&str>,
) -> Result<Vec<Told>> {
    let mut told: Vec<Told> = Vec::new();
    for _ in 0..MOST_ENDS {
        let left = &mutants[told.len()..];
        let lines: String = left.iter().map(|(site, operator)| format!("{site} {operator}\n")).collect();
        fs::write(file, lines).with_context(|| format!("cannot write {}", file.display()))?;
        let before = told.len();
        let how = run_once(program, file, op, &mut told)?;
        let Some(&next) = mutants.get(told.len()) else { return Ok(told) };
        // Without a mutant's line, the first one need not be to blame: it may be the launches before it.
        ensure!(told.len() > before || before > 0, "{} told of no mutant: {how}", program.display());
        told.push(Told::stopped(next, how));
        if told.len() == mutants.len() {
            return Ok(told);
        }
    }
    bail!("{MOST_ENDS} mutants in all ended the program or hung it: that is too many")
}

/// One process; how it ended.
fn run_once(program: &Path, file: &Path, op: Option<&str>, told: &mut Vec<Told>) -> Result<&'static str> {
    let mut child = Command::new(program)
        .arg(file)
        .args(op)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let output = child.stdout.take().context("the program has an output")?;
    let (sender, lines) = mpsc::channel();
    let reader = thread::spawn(move || {
        // Ends with the program's output, or when nobody listens.
        BufReader::new(output).lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
    });
    let how = loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => told.push(Told::parse(&line)?),
            Err(RecvTimeoutError::Timeout) => {
                child.kill().context("cannot stop the program")?;
                break "hung";
            }
            Err(RecvTimeoutError::Disconnected) => break "crash",
        }
    };
    child.wait().context("cannot wait for the program")?;
    drop(lines);
    let _ = reader.join();
    Ok(how)
}
