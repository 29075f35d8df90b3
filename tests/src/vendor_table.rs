//! The vendor's published table of ReLU, and what the cost model makes of it: two rows set its free settings, the third
//! and the tutorial's training sample are predicted. Not a claim about hardware: nothing here was measured on a device.

mod kernels;

use core::fmt;
use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

use anyhow::{Context, Result};
use neuron_device::{Op, op};
use neuron_examples::relu_staged;
use neuron_host_sim::cost::{CostModel, FitError, Judged, Measured, Stream, fit};
use neuron_host_sim::{Arg, HostTensor, Simulator};

/// Elements of the table's ReLU.
pub const ELEMENTS: u32 = 196_608;

/// The batch of the training sample, and its layers with a ReLU.
pub const BATCH: u32 = 32;
/// See [`BATCH`].
pub const LAYERS: [u32; 2] = [120, 84];

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
    /// The table by what the simulator sees of the kernels: by accessor and by tiles on one core, by tiles on eight, and
    /// the launches of a training step, forward and backward, by accessors on one core. Half of the elements are positive.
    ///
    /// # Errors
    /// A host that gives no memory, or a launch that is not clean.
    pub fn launched() -> Result<Self> {
        let (mut one, mut eight) = (simulator(1)?, simulator(8)?);
        let row = |name, launches, per_second| Row { name, launches, per_second };
        let (by_accessor, staged) = (op!(kernels::relu), op!(relu_staged::relu_staged));
        let x = signs(&[ELEMENTS])?;
        let accessor = streams(&mut one, by_accessor, &[(&x).into()])?;
        let tiles = streams(&mut one, staged, &[(&x).into()])?;
        let tiles_on_eight = streams(&mut eight, staged, &[(&x).into()])?;
        let mut training = Vec::new();
        for layer in LAYERS {
            let x = signs(&[BATCH, layer])?;
            training.push(streams(&mut one, op!(kernels::forward), &[(&x).into()])?);
            training.push(streams(&mut one, op!(kernels::backward), &[(&x).into(), (&x).into()])?);
        }
        Ok(Self {
            accessor: row("accessor, 1 core", vec![accessor], 8.10),
            tiles: row("TCM tiles of 1024, 1 core", vec![tiles], 220.7),
            predicted: vec![
                row("TCM tiles of 1024, 8 cores", vec![tiles_on_eight], 269.9),
                row("training sample, accessors", training, 117.47),
            ],
        })
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

fn simulator(cores: u32) -> Result<Simulator> {
    Ok(Simulator::builder().cores(cores).host_threads(1).cost_model(CostModel::default()).build()?)
}

/// Every other element is positive.
fn signs(sizes: &[u32]) -> Result<HostTensor> {
    let values: Vec<f32> =
        (0..sizes.iter().product()).map(|i: u32| if i.is_multiple_of(2) { 1.0 } else { -1.0 }).collect();
    Ok(HostTensor::from_slice(sizes, &values)?)
}

/// What the cores did in a launch.
fn streams(simulator: &mut Simulator, op: &'static Op, arguments: &[Arg<'_>]) -> Result<Vec<Stream>> {
    let report = simulator.launch(op, arguments)?;
    anyhow::ensure!(report.is_clean(), "the launch was not clean\n{report}");
    Ok(report.streams().context("the simulator has a cost model")?.to_vec())
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
