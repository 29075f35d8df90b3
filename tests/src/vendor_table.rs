//! The vendor's published table of ReLU, and what the cost model makes of it: two rows set its free settings, the third
//! and the tutorial's training sample are predicted. Not a claim about hardware: nothing here was measured on a device.

use core::fmt;
use core::panic::Location;
use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

use neuron_host_sim::cost::{
    CopyMethod, CostModel, Direction, FitError, Judged, Measured, Progress, Stream, Transfer, fit,
};

/// Elements of the table's ReLU.
pub const ELEMENTS: u64 = 196_608;

/// Elements of a tile.
pub const TILE: u64 = 1024;

/// The batch of the training sample, and its layers with a ReLU.
pub const BATCH: u64 = 32;
/// See [`BATCH`].
pub const LAYERS: [u64; 2] = [120, 84];

/// Iterations of a row.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is.
    pub name: &'static str,
    /// The launches of one iteration: a stream a core.
    pub launches: Vec<Vec<Stream>>,
    /// Iterations a second, as published.
    pub per_second: f64,
}

/// The table: docs/machine.md section 13.
#[derive(Clone, Debug)]
pub struct VendorTable {
    /// An element at a time, on one core: sets the time of an access.
    pub accessor: Row,
    /// Tiles in TCM, on one core: sets what is around the op.
    pub tiles: Row,
    /// What is predicted.
    pub predicted: Vec<Row>,
}

/// The table by the model.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// With the free settings set.
    pub model: CostModel,
    /// Each row's name, whether it is predicted, and what became of it.
    pub rows: Vec<(&'static str, bool, Judged)>,
}

impl VendorTable {
    /// The table by these streams: of the accessor kernel and of the tiled one on one core, of the tiled one on eight,
    /// and of the launches of a training step.
    pub fn new(
        accessor: Vec<Stream>,
        tiles: Vec<Stream>,
        tiles_on_eight: Vec<Stream>,
        training: Vec<Vec<Stream>>,
    ) -> Self {
        let row = |name, launches, per_second| Row { name, launches, per_second };
        Self {
            accessor: row("accessor, 1 core", vec![accessor], 8.10),
            tiles: row("TCM tiles of 1024, 1 core", vec![tiles], 220.7),
            predicted: vec![
                row("TCM tiles of 1024, 8 cores", vec![tiles_on_eight], 269.9),
                row("training sample, accessors", training, 117.47),
            ],
        }
    }

    /// The table by the counts the vendor's kernels are taken to have.
    pub fn assumed() -> Self {
        let training = LAYERS.into_iter().flat_map(|layer| [layer, layer]);
        Self::new(
            vec![by_accessor(ELEMENTS)],
            tiled(ELEMENTS, 1),
            tiled(ELEMENTS, 8),
            training.map(|layer| vec![by_accessor(BATCH * layer)]).collect(),
        )
    }

    /// Set the free settings of `model` by the first two rows, and predict the others.
    ///
    /// # Errors
    /// No value of the free settings gives the first two rows.
    pub fn fit(&self, model: &CostModel) -> Result<Fitted, FitError> {
        let model = fit(model, &measured(&self.accessor), &measured(&self.tiles))?;
        let fitted = [&self.accessor, &self.tiles].into_iter().map(|row| (row, false));
        let judged = |(row, predicted): (&Row, bool)| Ok((row.name, predicted, measured(row).judge(&model)?));
        let rows = fitted.chain(self.predicted.iter().map(|row| (row, true))).map(judged);
        Ok(Fitted { model, rows: rows.collect::<Result<_, FitError>>()? })
    }
}

fn measured(row: &Row) -> Measured<'_> {
    Measured { name: row.name, launches: &row.launches, per_second: row.per_second }
}

/// `out[i] = x[i] > 0 ? x[i] : 0` by accessors: the comparison reads, and for half of the elements the result does. Its
/// gradient, `x[i] > 0 ? grad[i] : 0`, has as many accesses.
fn by_accessor(elements: u64) -> Stream {
    let mut stream = Stream::new();
    let (loads, stores) = (elements * 3 / 2, elements);
    stream.ended(Progress { loads, stores, misses: 2, ..Progress::default() });
    stream
}

/// A tile in, a tile out, each waited for.
fn tiled(elements: u64, cores: u64) -> Vec<Stream> {
    let line = Location::caller();
    let mut streams = vec![Stream::new(); cores as usize];
    for stream in &mut streams {
        for _ in 0..elements / TILE / cores {
            for direction in [Direction::ToTcm, Direction::ToHbm] {
                let tile = Transfer::new(CopyMethod::Dma, direction, 4 * TILE as u32, line);
                stream.copied(Progress::default(), tile);
            }
        }
    }
    streams
}

impl fmt::Display for Fitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, rows } = self;
        let (read, write, around) = (model.hbm.read_ns, model.hbm.write_ns, model.launch.overhead_ns / 1e6);
        writeln!(
            f,
            "modelled, not measured; two rows set an element's read to {read:.1} ns, its write to {write:.1} ns,"
        )?;
        writeln!(f, "and what is around the op, in every row the same, to {around:.3} ms an iteration")?;
        writeln!(f, "{:<27} {:>14} {:>13}  error", "ReLU of the vendor", "published it/s", "modelled it/s")?;
        for (name, predicted, judged) in rows {
            let error = if *predicted {
                format!("{:+.1} %, predicted", 100.0 * judged.error())
            } else {
                String::from("fitted")
            };
            writeln!(f, "{name:<27} {:>14.2} {:>13.2}  {error}", judged.measured, judged.modelled)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
