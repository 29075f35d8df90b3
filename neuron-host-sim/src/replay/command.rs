//! A program that replays: its arguments, its answer.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use neuron_device::Library;

use super::{Replay, Until};

const USAGE: &str = "\
Run a saved launch again, stop one of its cores, and show what it was about to do and how it came there.

Usage: replay FILE [--core N] [--until PLACE]

  FILE            what `Report::save` wrote
  --core N        the core to stop; without it, the first one that has the fault, or makes the access
  --until PLACE   fault             the core's first fault, which is where it stops if nothing is said
                  fault:3           the fault with this number in the report
                  write:out[17]     the first write to this element; write:out[2,3]#4, the fourth
                  read:x[17]        the first read of it
                  end               the end of the core's work
";

/// The whole of a program that replays launches of these libraries' ops: it reads its arguments from the command line,
/// prints the [stop](super::Stop) with the lines of source it finds from the current folder, or the error, and gives the exit
/// code. `--help` prints how it is called.
///
/// ```no_run
/// use std::process::ExitCode;
/// # mod my_ops { pub static LIBRARIES: &[&neuron_device::Library] = &[]; }
/// fn main() -> ExitCode {
///     neuron_host_sim::replay::main(my_ops::LIBRARIES)
/// }
/// ```
pub fn main(libraries: &[&'static Library]) -> ExitCode {
    match answer(std::env::args_os().skip(1), libraries, Path::new(".")) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn answer(
    arguments: impl Iterator<Item = OsString>,
    libraries: &[&'static Library],
    sources: &Path,
) -> Result<String, String> {
    let Some(Command { file, core, until }) = parse(arguments)? else { return Ok(USAGE.to_owned()) };
    let stop = Replay::open(file).and_then(|replay| replay.run(libraries, core, &until));
    Ok(stop.map_err(|error| error.to_string())?.to_text(sources))
}

/// What was asked for.
#[derive(Debug, PartialEq)]
struct Command {
    file: OsString,
    core: Option<u32>,
    until: Until,
}

/// `None` if it is how to ask.
fn parse(mut arguments: impl Iterator<Item = OsString>) -> Result<Option<Command>, String> {
    let (mut file, mut core, mut until) = (None, None, Until::default());
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy().into_owned();
        let (name, joined) = match text.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (text.as_str(), None),
        };
        let mut value = || {
            let next = || arguments.next().map(|next| next.to_string_lossy().into_owned());
            joined.clone().or_else(next).ok_or_else(|| format!("{name} needs a value: see --help"))
        };
        match name {
            "--help" | "-h" => return Ok(None),
            "--core" => {
                let given = value()?;
                let number = given.parse().map_err(|_| format!("--core needs a number, not `{given}`"))?;
                core = Some(number);
            }
            "--until" => until = value()?.parse().map_err(|error: super::NoUntil| error.to_string())?,
            name if name.starts_with('-') => return Err(format!("there is no option {name}: see --help")),
            _ if file.is_some() => {
                return Err(format!("one file is replayed at a time, and `{text}` is another"));
            }
            _ => file = Some(argument),
        }
    }
    let file = file.ok_or("say which file to replay: see --help")?;
    Ok(Some(Command { file, core, until }))
}

#[cfg(test)]
mod tests;
