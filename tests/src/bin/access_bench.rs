//! `access-bench --out DIR`: what a sweep costs by each way to an element; see `cargo xtask bench access`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use neuron_host_sim::cost::CostModel;
use neuron_tests::access::{Bench, Clock, Crossover, Grid, Kind, Outcome, picture};

/// Measure what an element costs by accessor, stream and tile, as host time and as modelled device time, and name the
/// lengths from which on staging wins. Writes access.json and a picture of every dtype by each time.
#[derive(Parser)]
#[command(name = "cargo xtask bench access", override_usage = "cargo xtask bench access [OPTIONS]")]
struct Options {
    /// Every power of two, and tensors that reach over 4 GiB, for a long time; it takes 5 GiB of memory.
    #[arg(long)]
    full: bool,
    /// A few points in seconds, to see that it works.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Only this dtype; may be given several times.
    #[arg(long = "dtype", value_enum, value_name = "DTYPE")]
    dtypes: Vec<Name>,
    /// Simulated cores; the machine has 8.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=8))]
    cores: u32,
    /// Settings of the cost model: a file like neuron-host-sim/cost-model.toml, which they are without it.
    #[arg(long, value_name = "FILE.toml")]
    model: Option<PathBuf>,
    /// The folder for the files; by default bench-access in cargo's target folder.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// A dtype by its name.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Name {
    F32,
    Bf16,
    I8,
}

impl Name {
    fn kind(self) -> Kind {
        match self {
            Self::F32 => Kind::F32,
            Self::Bf16 => Kind::Bf16,
            Self::I8 => Kind::I8,
        }
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    let model = options.model.as_ref().map_or_else(|| Ok(CostModel::default()), CostModel::from_file)?;
    // Now, rather than after minutes.
    fs::create_dir_all(&options.out).with_context(|| {
        format!("{}: no folder for the results can be made; give another by --out", options.out.display())
    })?;
    let outcome = measure(&options, &model)?;
    write(&options.out, &outcome)?;
    match writeln!(io::stdout(), "{outcome}\nfiles: {}", options.out.display()) {
        // Somebody reads the first lines alone.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

fn measure(options: &Options, model: &CostModel) -> Result<Outcome> {
    let grid = match options {
        Options { full: true, .. } => Grid::full(),
        Options { quick: true, .. } => Grid::quick(),
        _ => Grid::usual(),
    };
    let is_asked =
        |kind: &Kind| options.dtypes.is_empty() || options.dtypes.iter().any(|name| name.kind() == *kind);
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(is_asked).collect();
    let mut bench = Bench::new(options.cores, model, options.quick)?;
    let places = kinds
        .iter()
        .flat_map(|kind| grid.places(kind.dtype().size()).into_iter().map(|place| (*kind, place)));
    let places: Vec<_> = places.collect();
    let longest = grid.lengths().last().copied().context("a grid has lengths")?;

    let bar = ProgressBar::new(places.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {elapsed}")?);
    let mut points = Vec::new();
    for (kind, place) in places {
        // A log has no bar.
        if bar.is_hidden() && Some(&place.length) == grid.lengths().first() {
            let done = format!("{} of {} tensors", bar.position(), bar.length().unwrap_or(0));
            eprintln!("{done}, {:.0?}: {} at stride {}", bar.elapsed(), kind.dtype().name(), place.stride);
        }
        bar.set_message(format!(
            "{}, {} elements at stride {}",
            kind.dtype().name(),
            place.length,
            place.stride
        ));
        bench.place(kind, place, |point| points.push(point))?;
        bar.inc(1);
    }
    let mut outcome = Outcome { grid, cores: options.cores, model: *model, points, crossovers: Vec::new() };
    for kind in kinds {
        bar.set_message(format!("{}, where staging begins to win", kind.dtype().name()));
        outcome.crossovers.push(Crossover::of_model(&mut bench, kind, longest)?);
        outcome.crossovers.push(Crossover::of_host(&outcome, kind));
    }
    bar.finish_and_clear();
    Ok(outcome)
}

/// All at the end, and each under another name until it is whole: who stops the program finds what was there before.
fn write(folder: &Path, outcome: &Outcome) -> Result<()> {
    let save = |name: &str, text: &str| {
        let (file, whole) = (folder.join(format!("{name}.part")), folder.join(name));
        fs::write(&file, text)
            .and_then(|()| fs::rename(&file, &whole))
            .with_context(|| whole.display().to_string())
    };
    save("access.json", &format!("{:#}\n", outcome.to_json()))?;
    for kind in outcome.kinds() {
        for clock in Clock::ALL {
            let svg = picture(outcome, kind, clock)?;
            save(&format!("{}-{}.svg", kind.dtype().name(), clock.name()), &svg)?;
        }
    }
    Ok(())
}
