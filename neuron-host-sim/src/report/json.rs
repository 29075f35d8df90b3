//! A report as JSON for programs.

use neuron_device::{Counters, Site};
use serde_json::{Value, json};

use super::{CoreReport, Report};
use crate::allow::Allowed;
use crate::console::Printed;
use crate::core::Outcome;
use crate::core::stack::StackUse;
use crate::cost::Modelled;
use crate::fault::{Copied, CoreValue, Fault, Line, MoodValue, Nearest, Path};
use crate::portability::Note;
use crate::profile::Rule;

impl Report {
    /// The report as one JSON object; `docs/report.md` describes every field.
    pub fn to_json(&self) -> Value {
        json!({
            "op": self.op.name(),
            "checked": self.checked,
            "profile": self.profile.name(),
            "what_if": self.what_if.words().collect::<Vec<_>>(),
            "clean": self.is_clean(),
            "seed": null,
            "private_pages": self.private_pages,
            "faults": (0..).zip(&self.faults).map(|(at, of)| fault(of, self.rerun(at))).collect::<Vec<_>>(),
            "allowed": self.allowed.iter().map(allowed).collect::<Vec<_>>(),
            "notes": self.notes.iter().map(note).collect::<Vec<_>>(),
            "cores": self.cores.iter().map(core).collect::<Vec<_>>(),
            "printed": self.printed.iter().map(printed).collect::<Vec<_>>(),
            "modelled": self.modelled().map(Modelled::to_json),
        })
    }
}

fn fault(fault: &Fault, rerun: Option<String>) -> Value {
    json!({
        "kind": fault.kind().name(),
        "verdict": fault.verdict.name(),
        "severity": fault.severity.name(),
        "rule": fault.rule.map(Rule::name),
        "access": fault.access.name(),
        "argument": fault.argument,
        "dtype": fault.tensor.as_ref().map(|tensor| tensor.dtype.name()),
        "sizes": fault.tensor.as_ref().map(|tensor| &tensor.sizes),
        "memory": fault.tensor.as_ref().map(|tensor| if tensor.in_sbuf { "SBUF" } else { "HBM" }),
        "strides": fault.tensor.as_ref().map(|tensor| &tensor.strides),
        "count": fault.count,
        "first": fault.first,
        "flat": fault.flat,
        "path": fault.path.map(Path::name),
        "width": fault.width,
        "window": fault.window().map(|base| base.to_string()),
        "local_address": fault.local.map(|local| local.to_string()),
        "address": fault.address.map(|address| address.to_string()),
        "cores": fault.cores,
        "lines": fault.lines.iter().map(line).collect::<Vec<_>>(),
        "values": fault.values.iter().map(value).collect::<Vec<_>>(),
        "moods": fault.moods.iter().map(mood).collect::<Vec<_>>(),
        "nearest": fault.nearest.as_ref().map(nearest),
        "copied": fault.copied.as_ref().map(copied),
        "stack": fault.stack.map(stack),
        "suggestion": fault.suggestion(),
        "rerun": rerun,
    })
}

fn core(core: &CoreReport) -> Value {
    let (outcome, message) = match &core.outcome {
        Outcome::Returned => ("returned", None),
        Outcome::Failed(error) => ("failed", Some(error.to_string())),
        Outcome::Panicked(message) => ("panicked", Some(message.clone())),
        Outcome::Stopped => ("stopped", None),
        Outcome::NoProgress => ("no_progress", None),
        Outcome::StackOverflow => ("stack_overflow", None),
    };
    let Counters { loads, stores, windows, copies } = core.counters;
    let windows = windows
        .map(|window| json!({ "hits": window.hits, "misses": window.misses, "evictions": window.evictions }));
    json!({
        "core": core.core,
        "outcome": outcome,
        "message": message,
        "loads": loads,
        "stores": stores,
        "translations": core.counters.translations(),
        "hits": core.counters.hits(),
        "misses": core.counters.misses(),
        "evictions": core.counters.evictions(),
        "windows": windows,
        "copies": {
            "dma_calls": copies.dma_calls,
            "descriptors": copies.descriptors,
            "core_copies": copies.core_copies,
            "tcm_loads": copies.tcm_loads,
            "tcm_stores": copies.tcm_stores,
            "bytes_in": copies.bytes_in,
            "bytes_out": copies.bytes_out,
            "unbuffered_streams": copies.unbuffered_streams,
            "unstaged_returns": copies.unstaged_returns,
            "tcm_peak": copies.tcm_peak,
        },
    })
}

fn stack(of: StackUse) -> Value {
    json!({ "kind": of.kind.name(), "limit": of.limit, "used": of.used })
}

fn printed(of: &Printed) -> Value {
    json!({ "core": of.core, "lines": of.lines, "lost": of.lost })
}

fn note(note: &Note) -> Value {
    let site = |site: Site| json!({ "file": site.file(), "line": site.line(), "column": site.column() });
    json!({ "rule": note.rule.name(), "text": note.text, "site": note.site.map(site) })
}

fn allowed(allowed: &Allowed) -> Value {
    json!({ "reason": allowed.reason, "fault": fault(&allowed.fault, None) })
}

fn line(line: &Line) -> Value {
    let (part, site) = (line.part.words(), line.site);
    json!({ "part": part, "file": site.file(), "line": site.line(), "column": site.column() })
}

fn value(of: &CoreValue) -> Value {
    json!({ "core": of.core, "value": of.value })
}

fn mood(of: &MoodValue) -> Value {
    json!({ "mood": of.mood, "value": of.value })
}

fn copied(copied: &Copied) -> Value {
    let Copied { argument, first, site } = copied;
    json!({ "argument": argument, "first": first, "file": site.file(), "line": site.line(), "column": site.column() })
}

fn nearest(nearest: &Nearest) -> Value {
    json!({ "argument": nearest.argument, "first": nearest.first, "bytes_beyond": nearest.beyond })
}
