//! `cargo xtask rv32`: build the kernels for a 32-bit core, look for f64 in them, run them under QEMU, compare with the
//! simulator's outputs.

mod doubles;

use anyhow::{Context, Result};

use crate::outcome::Outcome;
use crate::project::{Project, on_path};
use crate::source;
use crate::sysroot::{self, Library, TARGET};

const QEMU: &str = "qemu-riscv32";

/// How far the command may go to get what is missing.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Options {
    /// Fetch the standard library's source with apt-get and build `core` from it (what CI does anyway).
    #[arg(long)]
    fetch: bool,
}

/// Runs the image and the comparison, or says what this machine lacks.
pub(crate) fn run(project: &Project, options: &Options) -> Result<Outcome> {
    if !on_path(QEMU) {
        return project.missing(format!(
            "{QEMU} is not on PATH; it comes with QEMU's user mode, on Debian and Ubuntu the package qemu-user (Linux only)"
        ));
    }
    let library = match sysroot::find(project)? {
        Some(library) => library,
        None if source::can_fetch() && (options.fetch || project.in_ci) => sysroot::build(project)
            .with_context(|| {
                format!("cannot make `core` for {TARGET} here; `rustup target add {TARGET}` is the other way")
            })?,
        None => {
            return project.missing(format!(
                "this toolchain has no `core` for {TARGET}; `rustup target add {TARGET}` gets it, \
                 and without rustup, on Debian, `cargo xtask rv32 --fetch` builds it"
            ));
        }
    };
    let messages = build_image(project, &library)?;
    doubles::judge(project, &library, &messages)?;

    let image = project.target.join(TARGET).join("release/rv32-image");
    let compare = ["run", "--release", "--package", "neuron-tests", "--bin", "rv32-compare", "--"];
    project.cargo(&compare).arg(image).run()?;
    Ok(Outcome::Passed)
}

/// What cargo says of it, one message a line.
fn build_image(project: &Project, library: &Library) -> Result<String> {
    let mut build = project
        .cargo(&["build", "--release", "--package", "neuron-tests", "--bin", "rv32-image"])
        .args(["--target", TARGET, "--no-default-features"])
        .args(["--message-format", "json-render-diagnostics"]);
    if let Library::Private(sysroot) = library {
        // A setting instead of a variable: it joins with the flags in .cargo/config.toml, and its path may hold
        // spaces. A RUSTFLAGS of the user's would switch it off.
        let flag = serde_json::to_string(&format!("--sysroot={}", sysroot.display()))?;
        build = build
            .args(["--config", &format!("target.{TARGET}.rustflags=[{flag}]")])
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
    }
    Ok(build.read()?)
}
