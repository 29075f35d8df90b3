//! [`CostModelError`]: why settings are none of a cost model.

use std::path::PathBuf;

/// Why settings are none of a cost model.
///
/// ```
/// use neuron_host_sim::cost::CostModel;
/// let refused = |line, instead| {
///     let text = CostModel::default().to_toml().replace(line, instead);
///     CostModel::from_toml(&text).unwrap_err().to_string()
/// };
/// let text = refused("miss_ns = 100", "miss_ns = \"100 ns\"");
/// assert!(text.ends_with(": window.miss_ns is \"100 ns\": give a number of ns, without quotes or unit"), "{text}");
/// let text = refused("miss_ns = 100", "");
/// assert!(text.ends_with(": window.miss_ns is missing: copy the line from cost-model.toml"), "{text}");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CostModelError {
    /// The file cannot be read.
    #[error("{path} cannot be read: {error}; give the path of a file like cost-model.toml")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is no TOML.
    #[error("{file}, line {line}: this is no TOML: {reason}")]
    Syntax {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// It has a setting, or a section, that does not exist.
    #[error("{file}, line {line}: there is no setting {setting}: did you mean {nearest}?")]
    Unknown {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What it has.
        setting: String,
        /// The setting with the most similar name.
        nearest: String,
    },
    /// It lacks a setting.
    #[error("{file}: {setting} is missing: copy the line from cost-model.toml")]
    Missing {
        /// The file.
        file: String,
        /// What it lacks.
        setting: String,
    },
    /// A setting is no number.
    #[error("{file}, line {line}: {setting} is {found}: give a number of {unit}, without quotes or unit")]
    NoNumber {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The setting.
        setting: String,
        /// What it is instead.
        found: String,
        /// The setting's unit.
        unit: &'static str,
    },
    /// A setting is less or more than it may be, or not a number.
    #[error("{}: {setting} is {}, and must be a number of {unit} from {least} to {most}", place(file, *line), short(*value))]
    OutOfRange {
        /// The file.
        file: String,
        /// The line, from 1, if it was read.
        line: Option<usize>,
        /// The setting.
        setting: String,
        /// What it is.
        value: f64,
        /// The setting's unit.
        unit: &'static str,
        /// The least it may be.
        least: f64,
        /// The most it may be.
        most: f64,
    },
}

/// The number, with an exponent if it has many digits.
fn short(value: f64) -> String {
    if value.is_finite() && value.abs() >= 1e12 { format!("{value:e}") } else { value.to_string() }
}

fn place(file: &str, line: Option<usize>) -> String {
    match line {
        Some(line) => format!("{file}, line {line}"),
        None => file.to_owned(),
    }
}
