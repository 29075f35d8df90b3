//! The medians criterion leaves below its folder, by the benchmark's full name.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The part of `new/benchmark.json` that is needed here.
#[derive(Debug, Deserialize)]
struct Benchmark {
    full_id: String,
}

/// The part of `new/estimates.json` that is needed here.
#[derive(Debug, Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Debug, Deserialize)]
struct Estimate {
    point_estimate: f64,
}

/// Nanoseconds by full name, of the benchmarks that finished at `since` or later: the folder also keeps the results
/// of benchmarks that were renamed or removed.
pub(crate) fn medians(folder: &Path, since: SystemTime) -> Result<BTreeMap<String, f64>> {
    let mut found = BTreeMap::new();
    collect(folder, since, &mut found)?;
    Ok(found)
}

fn collect(folder: &Path, since: SystemTime, found: &mut BTreeMap<String, f64>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if !path.is_dir() {
            continue;
        }
        let estimates = path.join("estimates.json");
        let measured_now =
            || estimates.metadata().and_then(|file| file.modified()).is_ok_and(|at| at >= since);
        if path.file_name().is_some_and(|name| name == "new") && measured_now() {
            let Benchmark { full_id } = read(&path.join("benchmark.json"))?;
            let Estimates { median } = read(&estimates)?;
            found.insert(full_id, median.point_estimate);
        } else {
            collect(&path, since, found)?;
        }
    }
    Ok(())
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not what criterion writes", path.display()))
}
