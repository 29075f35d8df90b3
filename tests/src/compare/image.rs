//! [`Image`]: a program that plays cases, and how it is started.

use std::ffi::OsString;
use std::format;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::string::{String, ToString};
use std::thread;
use std::vec::Vec;

use anyhow::{Context, Result};

use crate::reply::{Reply, ReplyError};
use crate::stream::put_case;

/// Programs one run may use up. An image that ends at every case says the same about each.
const MOST_ENDS: u32 = 20;

/// How `timeout` ends when it had to end the program.
const TIMED_OUT: i32 = 124;

/// How a program ended.
struct End {
    words: String,
    hung: bool,
}

/// The program and its arguments.
#[derive(Clone, Debug)]
pub struct Image(Vec<OsString>);

impl Image {
    /// A program of this machine.
    pub fn native(program: &Path) -> Self {
        Self(Vec::from([program.into()]))
    }

    /// A program of a 32-bit RISC-V machine. A hang ends after a minute.
    pub fn under_qemu(program: &Path) -> Self {
        Self(Vec::from(["timeout".into(), "60".into(), "qemu-riscv32".into(), program.into()]))
    }

    /// Send all cases and collect a reply to each. A case that ends the program gets its last words, and the ones after
    /// it a new program, unless it hung or ended too often.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn run(&self, cases: &[&[u8]]) -> Result<Vec<Result<Reply, String>>> {
        let mut replies = Vec::new();
        for ends in 1.. {
            let (more, end) = self.run_once(&cases[replies.len()..])?;
            replies.extend(more.into_iter().map(Ok));
            if replies.len() == cases.len() {
                break;
            }
            replies.push(Err(end.words));
            if end.hung || ends == MOST_ENDS {
                let why = "not run, as the image hung or ended too often before";
                replies.resize(cases.len(), Err(why.into()));
            }
        }
        Ok(replies)
    }

    /// The replies of one process, and how it ended.
    fn run_once(&self, cases: &[&[u8]]) -> Result<(Vec<Reply>, End)> {
        let mut input = Vec::new();
        cases.iter().for_each(|case| put_case(&mut input, case));
        let (program, arguments) = self.0.split_first().context("an image has a program")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let mut stdout = child.stdout.take().context("the image has an output")?;
        // Each pipe has its own thread: whichever fills first, the others are served.
        let (output, words) = thread::scope(|scope| {
            scope.spawn(|| {
                // A program that has ended takes no more input; how it ended is told below.
                let _ = stdin.map(|mut stdin| stdin.write_all(&input));
            });
            let words = scope.spawn(|| {
                let mut words = Vec::new();
                let _ = stderr.map(|mut stderr| stderr.read_to_end(&mut words));
                words
            });
            let mut output = Vec::new();
            let read = stdout.read_to_end(&mut output);
            (read.map(|_| output), words.join().unwrap_or_default())
        });
        let status = child.wait().context("cannot wait for the image")?;
        let output = output.context("cannot read the image's replies")?;
        let (replies, foreign) = split(&output);
        let words = match String::from_utf8_lossy(&words).trim() {
            _ if foreign => "the image sent what is no reply".into(),
            "" => status.to_string(),
            words => format!("{status}: {words}"),
        };
        Ok((replies, End { words, hung: status.code() == Some(TIMED_OUT) }))
    }
}

/// The replies in an output, as far as there are whole ones, and whether something else follows.
fn split(mut output: &[u8]) -> (Vec<Reply>, bool) {
    let mut replies = Vec::new();
    loop {
        match Reply::decode(output) {
            Ok((reply, len)) => {
                replies.push(reply);
                output = &output[len..];
            }
            Err(error) => return (replies, error == ReplyError::Foreign),
        }
    }
}
