//! [`Runtime`]: how the op of a case is found and run.

use neuron_device::{Entry, Library, Platform, Q7, Registered, Result};

/// What a core does with a library: boot, which finds the op by its name, and then launch it on each core.
pub trait Runtime {
    /// Load the library and boot. Has it an op of this name?
    fn boot(&mut self, library: &'static Library, op: &str) -> bool;

    /// Run the op that boot found on the core `platform` is.
    ///
    /// # Errors
    /// The kernel's own, and those of what is around it.
    ///
    /// # Panics
    /// When the kernel does, and before a boot.
    fn launch(&mut self, platform: &mut dyn Platform) -> Result<()>;
}

/// The runtime of a program that is no image: it walks the library's functions as they are.
#[derive(Debug, Default)]
pub struct Direct(Option<&'static Entry>);

impl Runtime for Direct {
    fn boot(&mut self, library: &'static Library, op: &str) -> bool {
        self.0 = Registered::walk(library).entry(op);
        self.0.is_some()
    }

    fn launch(&mut self, platform: &mut dyn Platform) -> Result<()> {
        let entry = self.0.expect("a case is booted before it is launched");
        Q7::enter(platform, |q7| entry.launch(q7))
    }
}
