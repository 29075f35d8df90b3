//! Spans as events of the Chrome trace format: a process a core, a thread a lane, complete events.

use std::fmt;
use std::io::{self, Write};

use neuron_device::Site;

use crate::cost::progress::Progress;
use crate::cost::span::{Act, Lane, Span};
use crate::cost::transfer::Transfer;

/// `spans` are in the order of time.
pub(super) fn write(cores: usize, spans: &[Span], to: &mut impl Write) -> io::Result<()> {
    write!(
        to,
        r#"{{"displayTimeUnit":"ns","otherData":{{"time":"modelled, not measured"}},"traceEvents":["#
    )?;
    let mut between = "\n";
    for core in 0..cores {
        for (name, value) in [
            ("process_name", format!(r#""name":"core {core}""#)),
            ("process_sort_index", format!(r#""sort_index":{core}"#)),
        ] {
            write!(to, r#"{between}{{"ph":"M","name":"{name}","pid":{core},"tid":0,"args":{{{value}}}}}"#)?;
            between = ",\n";
        }
        for lane in Lane::ALL {
            let (tid, words) = (lane as u8, lane.words());
            write!(
                to,
                r#",{}{{"ph":"M","name":"thread_name","pid":{core},"tid":{tid},"args":{{"name":"{words}"}}}}"#,
                "\n"
            )?;
            write!(
                to,
                r#",{}{{"ph":"M","name":"thread_sort_index","pid":{core},"tid":{tid},"args":{{"sort_index":{tid}}}}}"#,
                "\n"
            )?;
        }
    }
    for span in spans {
        let Span { core, lane, start, end, act } = span;
        let (start, time, lane) = (Microseconds(*start), Microseconds(end - start), *lane as u8);
        write!(to, r#"{between}{{"ph":"X","pid":{core},"tid":{lane},"ts":{start},"dur":{time},"name":"#)?;
        write_act(act, to)?;
        write!(to, "}}")?;
        between = ",\n";
    }
    writeln!(to, "\n]}}")
}

/// Name and arguments.
fn write_act(act: &Act, to: &mut impl Write) -> io::Result<()> {
    match act {
        Act::Counted(since) => {
            let Progress { loads, stores, misses, fences, tcm_loads, tcm_stores } =
                Progress::of(since.map(u64::from));
            write!(to, r#""accesses","args":{{"loads":{loads},"stores":{stores},"misses":{misses},"#)?;
            write!(to, r#""fences":{fences},"tcm_loads":{tcm_loads},"tcm_stores":{tcm_stores}}}"#)
        }
        Act::Staged(transfer) => {
            write!(to, r#""TCM, as assumed","args":{{"bytes":{},{}}}"#, transfer.bytes, Line(transfer.site))
        }
        Act::Copied(transfer) => write!(to, r#"{},"args":{{{}}}"#, Name(transfer), Arguments(transfer)),
        Act::Transferred(transfer, submitted) => {
            let submitted = Microseconds(*submitted);
            write!(to, r#"{},"args":{{{},"submitted_us":{submitted}}}"#, Name(transfer), Arguments(transfer))
        }
        Act::Computed(work) => {
            let (unit, bits, operations, chained) =
                (work.unit().words(), work.bits(), work.operations(), work.is_chain());
            write!(to, r#""compute","args":{{"unit":"{unit}","bits":{bits},"operations":{operations},"#)?;
            write!(to, r#""chained":{chained}}}"#)
        }
        Act::Waited(Some(site)) => write!(to, r#""wait for DMA","args":{{{}}}"#, Line(site)),
        Act::Waited(None) => write!(to, r#""wait for DMA that was left in the queue""#),
        Act::Remapped(record, addr, site) => {
            write!(to, r#""window {record}","args":{{"address":"{addr}",{}}}"#, Line(site))
        }
    }
}

/// Whole picoseconds as the format's microseconds, every digit kept.
struct Microseconds(u64);

impl fmt::Display for Microseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

struct Name<'t>(&'t Transfer);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#""{} {}""#, self.0.method.name(), self.0.direction.words())
    }
}

struct Arguments<'t>(&'t Transfer);

impl fmt::Display for Arguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(transfer) = self;
        let (bytes, descriptors, line) = (transfer.bytes, transfer.descriptors(), Line(transfer.site));
        write!(f, r#""bytes":{bytes},"descriptors":{descriptors},{line}"#)
    }
}

/// A line of source.
struct Line(Site);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(site) = self;
        // A file's name may have what JSON escapes.
        let line = format!("{}:{}:{}", site.file(), site.line(), site.column());
        write!(f, r#""line":{}"#, serde_json::Value::from(line))
    }
}
