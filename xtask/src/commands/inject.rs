//! `cargo xtask inject`: how many mutants of the kernels the checks find.

use anyhow::{Context, Result, bail};

use crate::inject::driver::{self, Told};
use crate::inject::tally::{Fate, Tally};
use crate::inject::tree::{self, Placed};
use crate::outcome::Outcome;
use crate::project::Project;

/// What must be found, in percent.
const ENOUGH: f64 = 95.0;

/// Sites there must be, all ops together.
const SITES: usize = 300;

/// Which mutants to run, and what to print.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Options {
    /// Run the launches of this op alone.
    #[arg(long, value_name = "OP")]
    op: Option<String>,
    /// Print every mutant with what became of it, instead of the survivors and false alarms alone.
    #[arg(long)]
    list: bool,
}

/// Copies the tree with a choice at every site, builds it once, runs every mutant and counts.
pub(crate) fn run(project: &Project, options: &Options) -> Result<Outcome> {
    let folder = project.target.join("inject");
    let (copy, build) = (folder.join("tree"), folder.join("build"));
    let placed = tree::copy(project, &copy)?;
    let manifest = copy.join("Cargo.toml");
    project
        .cargo(&["build", "--release", "--package", "neuron-tests", "--bin", "inject", "--manifest-path"])
        .arg(&manifest)
        .arg("--target-dir")
        .arg(&build)
        .run()
        .context("the copy with mutants does not build")?;

    let numbered = || placed.iter().enumerate().map(|(at, placed)| (at + 1, placed));
    let mutants: Vec<(usize, usize)> = numbered()
        .flat_map(|(id, placed)| placed.site.operators().into_iter().map(move |operator| (id, operator)))
        .collect();
    let program = build.join("release").join(format!("inject{}", std::env::consts::EXE_SUFFIX));
    let told = driver::run(&program, &folder.join("mutants.txt"), &mutants, options.op.as_deref())?;

    let mut tally = Tally::default();
    for told in &told {
        let placed = &placed[told.site - 1];
        tally.note(placed.site.kind, told);
        let fate = Fate::of(told);
        if options.list || matches!(fate, Fate::Survived | Fate::Alarm) {
            println!("{}", line(placed, told, fate));
        }
    }
    println!("\n{}", tally.render());

    let mut failures = Vec::new();
    if tally.found() < ENOUGH {
        failures.push(format!("less than {ENOUGH} % found"));
    }
    if tally.count(Fate::Alarm) > 0 {
        failures.push(format!("{} false alarms", tally.count(Fate::Alarm)));
    }
    if options.op.is_none() && tally.sites() < SITES {
        failures.push(format!("{} sites instead of {SITES}", tally.sites()));
    }
    if !failures.is_empty() {
        bail!("{}", failures.join(", "));
    }
    Ok(Outcome::Passed)
}

/// Where a mutant is, what it is, and what became of it.
fn line(Placed { path, site, text }: &Placed, told: &Told, fate: Fate) -> String {
    let words = |words: &[String]| if words.is_empty() { "nothing".to_owned() } else { words.join(", ") };
    let operator = site.kind.operators()[told.operator - 1];
    format!(
        "{path}:{}: {} `{text}`, {operator}: {}; changed: {}; reported: {}; {} launches, the first: {}",
        site.line,
        site.kind.function(),
        fate.name(),
        words(&told.changed),
        words(&told.reported),
        told.launches,
        told.launch,
    )
}
