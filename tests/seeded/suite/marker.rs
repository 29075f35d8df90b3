//! What the lines of a kernel say about it, and what a report says.
//!
//! A marker ends a line: `//~ VERDICT ARGUMENT PART COUNT`, with a `;` between several, `warning` before the verdict if the
//! fault is one, and `-` for an argument that has no name. The part is what the line did, `read`, `written`, `opened`,
//! `allocated`, `freed`, `taken`, `translated`, `remapped`, `started`, `awaited`, `stream`, `accessor` or `handle` (of either), which it opened, or `stack`, which it asked for. Of a line outside the kernel it is followed by `@host`, and that line is
//! marked `//~ host`. A fault without lines is marked anywhere in the kernel, its part `nowhere`. A fault of several
//! lines is marked at each of them, with its count.

use std::path::{Path, PathBuf};

use neuron_device::{Op, Site};
use neuron_host_sim::{Part, Report, Severity};

/// A line's part in a fault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Told {
    /// The line of the kernel; `None` if it is the host's, or nowhere.
    line: Option<u32>,
    severity: &'static str,
    pub(crate) verdict: String,
    argument: String,
    part: String,
    count: u64,
}

/// What the kernel's own lines say is wrong with it, sorted.
pub(crate) fn marked(op: &Op) -> Vec<Told> {
    let text = read(op.source().file);
    let mut told: Vec<Told> = extent(op, &text).flat_map(|(number, line)| markers(number, line)).collect();
    told.sort();
    told
}

/// What a report says, sorted.
fn told(report: &Report) -> Vec<Told> {
    let op = report.op();
    let mut told = Vec::new();
    for fault in report.faults() {
        let severity = if fault.severity == Severity::Warning { "warning" } else { "error" };
        let argument = if fault.argument.is_empty() { "-" } else { fault.argument };
        let mut note = |line, part: String| {
            let (verdict, argument) = (fault.verdict.name().to_owned(), argument.to_owned());
            told.push(Told { line, severity, verdict, argument, part, count: fault.count });
        };
        for line in &fault.lines {
            match place(op, line.site) {
                Place::Kernel(number) => note(Some(number), word(line.part).to_owned()),
                Place::Host => note(None, format!("{}@host", word(line.part))),
                Place::Unmarked => note(None, format!("{} at {}", word(line.part), line.site)),
            }
        }
        if fault.lines.is_empty() {
            note(None, "nowhere".to_owned());
        }
    }
    told.sort();
    told
}

/// Does the report say what the kernel's lines say, and nothing else?
///
/// # Errors
/// What only the lines say, with `-`, and what only the report says, with `+`; and the report.
pub(crate) fn judge(report: &Report) -> Result<(), String> {
    let (expected, found) = (marked(report.op()), told(report));
    if expected.is_empty() && !report.is_clean() {
        return Err(report.to_string());
    }
    match Told::difference(&expected, &found) {
        None => Ok(()),
        Some(difference) => Err(format!("{difference}\n{report}")),
    }
}

impl Told {
    /// Both lists line by line; `None` if they are equal.
    fn difference(expected: &[Self], found: &[Self]) -> Option<String> {
        let count = |list: &[Self], told: &Self| list.iter().filter(|other| *other == told).count();
        let mut all = [expected, found].concat();
        all.sort();
        all.dedup();
        let mut lines = Vec::new();
        for told in &all {
            let (wanted, got) = (count(expected, told), count(found, told));
            let sign = match wanted.cmp(&got) {
                std::cmp::Ordering::Less => "+",
                std::cmp::Ordering::Equal => continue,
                std::cmp::Ordering::Greater => "-",
            };
            let Self { line, severity, verdict, argument, part, count } = told;
            let line = line.map_or("no line".to_owned(), |line| format!("line {line}"));
            lines.push(format!("{sign} {line}: {severity} {verdict} {argument} {part} {count}"));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// Where a line of a fault is.
enum Place {
    Kernel(u32),
    Host,
    Unmarked,
}

fn place(op: &Op, site: Site) -> Place {
    let text = read(site.file());
    if site.file() == op.source().file && extent(op, &text).any(|(number, _)| number == site.line()) {
        return Place::Kernel(site.line());
    }
    let line = text.lines().nth(site.line() as usize - 1);
    if line.is_some_and(|line| line.ends_with("//~ host")) { Place::Host } else { Place::Unmarked }
}

/// A source file of this checkout, by the path the compiler was given.
pub(crate) fn read(file: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn numbered(text: &str) -> impl Iterator<Item = (u32, &str)> {
    (1..).zip(text.lines())
}

/// The lines of an op and of its helpers: from its name to the next op.
pub(crate) fn extent<'t>(op: &Op, text: &'t str) -> impl Iterator<Item = (u32, &'t str)> {
    let from = op.source().line;
    numbered(text)
        .filter(move |(number, _)| *number >= from)
        .take_while(|(_, line)| !line.starts_with("#[custom_op"))
}

fn markers(number: u32, line: &str) -> Vec<Told> {
    let Some((_, markers)) = line.split_once("//~ ") else { return Vec::new() };
    let marker = |marker: &str| {
        let mut words: Vec<&str> = marker.split_whitespace().collect();
        let warning = words.first() == Some(&"warning");
        words.drain(..usize::from(warning));
        let [verdict, argument, part, count] = words[..] else {
            panic!("line {number}: `{marker}` is no `VERDICT ARGUMENT PART COUNT`")
        };
        let count = count.parse().unwrap_or_else(|_| panic!("line {number}: `{count}` is no number"));
        Told {
            line: (part != "nowhere" && !part.ends_with("@host")).then_some(number),
            severity: if warning { "warning" } else { "error" },
            verdict: verdict.to_owned(),
            argument: argument.to_owned(),
            part: part.to_owned(),
            count,
        }
    };
    markers.split(';').map(marker).collect()
}

/// What markers call a part.
fn word(part: Part) -> &'static str {
    match part {
        Part::Read => "read",
        Part::Written => "written",
        Part::Opened => "opened",
        Part::HandleOpened => "handle",
        Part::Allocated => "allocated",
        Part::Freed => "freed",
        Part::Taken => "taken",
        Part::Started => "started",
        Part::Awaited => "awaited",
        Part::StreamOpened => "stream",
        Part::AccessorOpened => "accessor",
        Part::Translated => "translated",
        Part::Remapped => "remapped",
        Part::StackAsked => "stack",
        other => other.words(),
    }
}
