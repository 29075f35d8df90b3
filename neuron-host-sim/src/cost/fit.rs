//! [`fit`]: free settings, found so that two launches take what somebody measured.

use super::error::CostModelError;
use super::model::CostModel;
use super::stream::Stream;

/// Iterations somebody measured: of one launch or several, and of what is around them.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'s> {
    /// What it is called.
    pub name: &'s str,
    /// The launches of one iteration, one after the other: a stream a core.
    pub launches: &'s [Vec<Stream>],
    /// Iterations a second.
    pub per_second: f64,
}

/// What the model makes of iterations that were measured. What is around the op is once an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Judged {
    /// Iterations a second by the model.
    pub modelled: f64,
    /// Iterations a second as measured.
    pub measured: f64,
}

/// Why there are no such settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The settings that stay are none.
    #[error(transparent)]
    Model(#[from] CostModelError),
    /// The time of an access that the two launches ask for is out of its range.
    #[error(
        "no time of an element access makes `{first}` take {apart_ns} ns more than `{second}`: give a first launch with many more accesses, and one that was measured slower"
    )]
    Access {
        /// The first launch.
        first: String,
        /// The second.
        second: String,
        /// By how much the first was slower.
        apart_ns: f64,
    },
    /// The second launch alone takes longer than it was measured.
    #[error(
        "`{name}` takes {modelled_ns} ns by the model and {measured_ns} ns as measured, which leaves nothing around the op: lower a setting that is not fitted"
    )]
    Overhead {
        /// The second launch.
        name: String,
        /// What it takes by the model.
        modelled_ns: f64,
        /// What was measured.
        measured_ns: f64,
    },
}

impl Judged {
    /// By how much the model is off: 0.1 if it has a tenth more iterations a second.
    pub fn error(&self) -> f64 {
        self.modelled / self.measured - 1.0
    }
}

impl Measured<'_> {
    /// What the model makes of it.
    ///
    /// # Errors
    /// A setting is out of its range.
    pub fn judge(&self, model: &CostModel) -> Result<Judged, CostModelError> {
        let ns = self.op_ns(model)? + model.launch.overhead_ns;
        Ok(Judged { modelled: 1e9 / ns, measured: self.per_second })
    }

    /// What an iteration takes, without what is around the op.
    fn op_ns(&self, model: &CostModel) -> Result<f64, CostModelError> {
        let ns = |streams: &Vec<Stream>| {
            let modelled = model.replay(streams)?;
            Ok((modelled.time() - modelled.overhead()).as_ns())
        };
        self.launches.iter().map(ns).sum()
    }

    fn measured_ns(&self) -> f64 {
        1e9 / self.per_second
    }
}

/// The model with the two free settings changed so that both launches take what was measured: the time of an element
/// access, read and write in the proportion they have, and what is around the op. All else stays.
///
/// # Errors
/// A setting is out of its range, or no value in its range will do.
///
/// ```
/// use neuron_host_sim::cost::{CostModel, Measured, Progress, Stream, fit};
/// let stream = |loads| {
///     let mut stream = Stream::new();
///     stream.ended(Progress { loads, ..Progress::default() });
///     [vec![stream]]
/// };
/// let (many, few) = (stream(1_000_000), stream(1_000));
/// // At 300 ns an access, and 1 ms around the op:
/// let many = Measured { name: "many", launches: &many, per_second: 1e9 / 301e6 };
/// let few = Measured { name: "few", launches: &few, per_second: 1e9 / 1.3e6 };
/// let fitted = fit(&CostModel::default(), &many, &few)?;
/// assert!((fitted.hbm.read_ns - 300.0).abs() < 1e-3 && (fitted.launch.overhead_ns - 1e6).abs() < 1.0);
/// assert!(few.judge(&fitted)?.error().abs() < 1e-6);
/// # Ok::<(), neuron_host_sim::cost::FitError>(())
/// ```
pub fn fit(model: &CostModel, first: &Measured<'_>, second: &Measured<'_>) -> Result<CostModel, FitError> {
    let with = |factor: f64| {
        let mut model = *model;
        model.hbm.read_ns *= factor;
        model.hbm.write_ns *= factor;
        model
    };
    let apart_ns = first.measured_ns() - second.measured_ns();
    let lacking = |factor: f64| -> Result<f64, CostModelError> {
        let model = with(factor);
        Ok(apart_ns - (first.op_ns(&model)? - second.op_ns(&model)?))
    };
    let none = || FitError::Access { first: first.name.to_owned(), second: second.name.to_owned(), apart_ns };
    // What the first takes beyond the second rises with the factor, as it has more accesses: look between none and the
    // most there may be, by halves.
    let (mut low, mut high) = (0.0, 1.0);
    if !apart_ns.is_finite() || lacking(low)? < 0.0 {
        return Err(none());
    }
    while lacking(high)? > 0.0 {
        (low, high) = (high, 2.0 * high);
        if with(high).check().is_err() || high > 1e6 {
            return Err(none());
        }
    }
    while high - low > 1e-9 * high {
        let middle = low + (high - low) / 2.0;
        *(if lacking(middle)? > 0.0 { &mut low } else { &mut high }) = middle;
    }
    let mut fitted = with(high);
    let (modelled_ns, measured_ns) = (second.op_ns(&fitted)?, second.measured_ns());
    fitted.launch.overhead_ns = measured_ns - modelled_ns;
    if fitted.launch.overhead_ns < 0.0 {
        return Err(FitError::Overhead { name: second.name.to_owned(), modelled_ns, measured_ns });
    }
    fitted.check()?;
    Ok(fitted)
}

#[cfg(test)]
mod tests;
