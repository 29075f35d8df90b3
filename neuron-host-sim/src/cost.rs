//! What a launch would take on the machine: modelled, never measured.
//!
//! Every core leaves a [`Stream`]: what it counted so far whenever it copied, waited, mapped a window or declared
//! compute. A [`CostModel`] of named settings prices it, replays the DMA queues of all cores on the HBM they share, and
//! gives [`Modelled`]: the time of each core, and what it went to. All of it is whole picoseconds, so it is the same on
//! any host.
//!
//! ```
//! use neuron_host_sim::cost::{CostModel, Direction, CopyMethod, Progress, Stream, Transfer};
//! let line = std::panic::Location::caller();
//!
//! // 1024 elements by an accessor,
//! let mut by_element = Stream::new();
//! by_element.ended(Progress { loads: 1024, stores: 1024, misses: 2, ..Progress::default() });
//! // and through TCM.
//! let mut staged = Stream::new();
//! let way = |direction| Transfer::new(CopyMethod::Dma, direction, 4096, line);
//! staged.copied(Progress::default(), way(Direction::ToTcm));
//! staged.copied(Progress::default(), way(Direction::ToHbm));
//! staged.ended(Progress::default());
//!
//! let model = CostModel::default();
//! let time = |stream: Stream| model.replay(&[stream]).map(|modelled| modelled.time().to_string());
//! assert_eq!(time(by_element)?, "491.720 µs");
//! assert_eq!(time(staged)?, "3.175 µs");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is modelled and what is not, and where every number comes from: `docs/cost-model.md`.

mod error;
mod event;
mod file;
mod fit;
mod model;
mod modelled;
mod price;
mod progress;
mod queue;
mod replay;
mod settings;
mod span;
mod stream;
mod time;
mod timeline;
mod transfer;

pub use self::error::CostModelError;
pub use self::event::{Event, What};
pub use self::fit::{FitError, Judged, Measured, fit};
pub use self::model::{
    ComputeCosts, CopyCosts, CoreCosts, CostModel, DmaCosts, HbmCosts, LaunchCosts, TcmCosts, WindowCosts,
};
pub use self::modelled::{DmaUse, Modelled, ModelledCore, Split};
pub use self::progress::Progress;
pub use self::stream::{Stream, Ticket};
pub use self::time::Picoseconds;
pub use self::timeline::Timeline;
pub use self::transfer::{Direction, Transfer};
pub use neuron_device::{CopyMethod, Unit, Work};
