//! Launches that are saved, and run again up to a place of one's choice.
//!
//! A [`Report`](crate::Report) with faults can be [saved](crate::Report::save): the file holds the tensors as they were
//! before the launch. A [`Replay`] puts them back where they were, runs the op again, on one core access by access, and
//! stops at a fault or an access: [`Stop`] says how far the core came, what the element held and who changed it.
//!
//! The op itself is Rust code, so it is found by name, in libraries the program is linked with; [`main`] makes such a
//! program of them.

mod ask;
mod command;
mod error;
mod file;
pub(crate) mod kept;
mod never;
mod restore;
mod scene;
mod stop;
mod text;
mod until;

use std::path::Path;
use std::sync::Arc;

use neuron_device::Library;

pub use self::command::main;
pub use self::error::{NotKept, ReplayError, SaveError};
use self::kept::Kept;
use self::scene::Scene;
pub use self::stop::{History, Step, Stop};
pub use self::until::{NoUntil, Until};

/// A launch that can be run again.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Simulator, args};
///
/// /// Writes the first element twice.
/// #[custom_op]
/// fn twice(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
///     for i in q7.partition_flat(x.numel()) {
///         dst.set(i, src.get(i));
///         dst.set(0, 7);
///     }
///     Ok(())
/// }
/// neuron_library!(TWICE: "twice" = [twice]);
///
/// let x = HostTensor::from_slice(&[4], &[1i32, 2, 3, 4])?;
/// let report = Simulator::new()?.launch(op!(twice), &args![&x])?;
/// let replay = report.to_replay()?;
/// let stop = replay.run(&[&TWICE], Some(0), &"write:out[0]#2".parse()?)?;
/// let access = stop.access.unwrap();
/// assert_eq!((access.replaced.as_deref(), access.value.as_str()), (Some("1"), "7"));
/// assert_eq!((stop.loads, stop.stores, stop.value.unwrap().accesses.len()), (1, 2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay(Arc<Kept>);

impl Replay {
    pub(crate) fn new(kept: Arc<Kept>) -> Self {
        Self(kept)
    }

    /// Read a launch that was [saved](crate::Report::save).
    ///
    /// # Errors
    /// A file that cannot be read, or that is not what was saved.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReplayError> {
        file::open(path.as_ref()).map(|kept| Self(Arc::new(kept)))
    }

    /// Save it to a file. An older file of this name is replaced.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        file::save(&self.0, path.as_ref())
    }

    /// Run the launch again, and `core` up to the place `until`.
    ///
    /// The op is the one of its name in `libraries`: in the library it was launched by, if it was launched by name, or else
    /// one of the same source file rather than another. It may have been changed since. Without a core it is the first one of
    /// the fault, or, up to an access, one that makes it: the first core of the first fault, if it does.
    ///
    /// # Errors
    /// An op no library has, or that does not take the launch any more; a core, fault, tensor or element there is none of;
    /// an access the core never makes. What is said then names what there is.
    pub fn run(
        &self,
        libraries: &[&'static Library],
        core: Option<u32>,
        until: &Until,
    ) -> Result<Stop, ReplayError> {
        let op = self.0.op(libraries)?;
        let restored = self.0.restore()?;
        Scene::play(op, restored, |mut scene| {
            let ask = scene.ask(core, until)?;
            scene.stop(ask, until)
        })
    }
}
