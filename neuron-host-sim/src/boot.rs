//! Boot: what a core learns of a library before it runs an op of it.

use neuron_device::{Entry, Library, Op, Registered};

use crate::error::LaunchError;
use crate::launch::Target;
use crate::simulator::Simulator;

/// A library that was booted.
#[derive(Debug)]
pub(crate) struct Booted {
    library: &'static Library,
    registered: Registered,
}

impl Simulator {
    /// The op of this name as the host knows it, with its parameters and its shape function, and the function behind it,
    /// which is the one that boot found. A library is booted by the first launch of one of its ops; a bare op is a library
    /// of itself, booted each time.
    pub(crate) fn boot(&mut self, target: Target<'_>) -> Result<(&'static Op, &'static Entry), LaunchError> {
        (0..).zip(&self.images).try_for_each(|(prid, image)| image.expect_core(prid))?;
        match target {
            Target::Op(op) => {
                let registered = Registered::walk(&Library::of_one(op));
                registered
                    .entry(op.name())
                    .map(|entry| (op, entry))
                    .ok_or_else(|| unknown(&registered, op.name(), op.name()))
            }
            Target::Named(library, name) => {
                let registered = self.booted(library);
                match (registered.entry(name), library.op(name)) {
                    (Some(entry), Some(op)) => Ok((op, entry)),
                    _ => Err(unknown(registered, library.name(), name)),
                }
            }
        }
    }

    /// What the library has registered.
    fn booted(&mut self, library: &'static Library) -> &Registered {
        let known = self.booted.iter().position(|booted| std::ptr::eq(booted.library, library));
        let at = known.unwrap_or_else(|| {
            self.booted.push(Booted { library, registered: Registered::walk(library) });
            self.booted.len() - 1
        });
        &self.booted[at].registered
    }
}

fn unknown(registered: &Registered, library: &'static str, name: &str) -> LaunchError {
    LaunchError::UnknownOp { library, name: name.to_owned(), known: registered.names().collect() }
}
