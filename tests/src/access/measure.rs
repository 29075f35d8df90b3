//! [`Bench`]: a sweep by a way, timed on this host and by the cost model.

use std::time::{Duration, Instant};
use std::vec;
use std::vec::Vec;

use anyhow::{Context, Result, ensure};
use neuron_device::{Dtype, Element, Number, bf16, op};
use neuron_host_sim::cost::{CostModel, Picoseconds};
use neuron_host_sim::{HbmTensor, HostTensor, Simulator, args};

use super::grid::Place;
use super::native::Native;
use super::result::Point;
use super::way::Way;
use crate::kernels::dtypes;

/// The dtype of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 4 bytes an element.
    F32,
    /// 2 bytes.
    Bf16,
    /// 1 byte.
    I8,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::F32, Self::Bf16, Self::I8];

    /// As a tensor has it.
    pub fn dtype(self) -> Dtype {
        match self {
            Self::F32 => Dtype::F32,
            Self::Bf16 => Dtype::BF16,
            Self::I8 => Dtype::I8,
        }
    }
}

/// How thoroughly the host is measured.
#[derive(Clone, Copy, Debug)]
struct Care {
    /// Shorter runs are timed several at a time.
    batch: Duration,
    /// Time for all repetitions of a way.
    budget: Duration,
    repetitions: (usize, usize),
}

/// A sweep by a way, timed on this host and by the cost model.
#[derive(Debug)]
pub struct Bench {
    /// Nothing checked, nothing modelled.
    host: Simulator,
    /// The same with a cost model.
    modelling: Simulator,
    care: Care,
}

impl Bench {
    /// On so many cores, by this model; a quick one measures the host carelessly.
    ///
    /// # Errors
    /// No such number of cores, or a host that gives no memory.
    pub fn new(cores: u32, model: &CostModel, quick: bool) -> Result<Self> {
        let machine = || Simulator::builder().cores(cores).host_threads(1).unchecked();
        let millis = Duration::from_millis;
        let care = if quick {
            Care { batch: Duration::from_micros(20), budget: millis(1), repetitions: (3, 3) }
        } else {
            Care { batch: Duration::from_micros(300), budget: millis(60), repetitions: (5, 31) }
        };
        Ok(Self { host: machine().build()?, modelling: machine().cost_model(*model).build()?, care })
    }

    /// Native first, then every way that takes the place's stride.
    ///
    /// # Errors
    /// A launch that is refused, not clean, or wrong.
    pub fn place(&mut self, kind: Kind, place: Place, then: impl FnMut(Point)) -> Result<()> {
        match kind {
            Kind::F32 => self.place_of::<f32>(kind, place, then),
            Kind::Bf16 => self.place_of::<bf16>(kind, place, then),
            Kind::I8 => self.place_of::<i8>(kind, place, then),
        }
    }

    fn place_of<T: Number>(&mut self, kind: Kind, place: Place, mut then: impl FnMut(Point)) -> Result<()> {
        // Waves, whose signs a processor can guess.
        let values: Vec<T> = (0..place.length).map(|i| ((i % 254) as f32 - 126.5).cast()).collect();
        let point =
            |way, host_ns, modelled_ns| Point { kind, place, way, host_ns, native_ns: None, modelled_ns };
        let care = self.care;
        let each = |time: f64| time / f64::from(place.length);
        // Dropped before the simulated tensor, which is as large, is made.
        let (native_ns, expected) = {
            let mut native = Native::new(&values, place.stride);
            let time = care.medians(1, |_| {
                native.run();
                Ok(())
            })?;
            (each(time[0]), native.result())
        };
        then(point(None, Some(native_ns), None));
        let host = self.host_times(&values, &expected, place)?;
        for (way, host) in Way::all().into_iter().zip(host) {
            let time = host.map(|_| self.modelled(kind, way, place)).transpose()?;
            let found = point(Some(way), host.map(each), time.map(|time| each(time.as_ns())));
            then(Point { native_ns: Some(native_ns), ..found });
        }
        Ok(())
    }

    /// Nanoseconds of a launch by every way, none of one that refuses the stride.
    fn host_times<T: Number>(
        &mut self,
        values: &[T],
        expected: &[T],
        place: Place,
    ) -> Result<Vec<Option<f64>>> {
        let (sim, care) = (&mut self.host, self.care);
        let x = tensor(sim, T::DTYPE, place)?;
        let filled = HostTensor::from_slice(&[place.length], values)?;
        ensure!(
            sim.launch_into(op!(dtypes::copy), &args![&filled], &x)?.is_clean(),
            "the input cannot be written"
        );
        let takes = |way: &Way| place.stride == 1 || way.takes_strides();
        let ways: Vec<Way> = Way::all().into_iter().filter(takes).collect();
        for way in &ways {
            let out = sim.zeros(T::DTYPE, &[place.length])?;
            let report = sim.launch_into(way.op(), &args![&x], &out)?;
            ensure!(report.is_clean(), "{}, {place:?}: the launch was not clean\n{report}", way.name());
            let right = out.to_host().to_vec::<T>()? == expected;
            ensure!(right, "{}, {place:?}: not what plain Rust gives", way.name());
        }
        let out = sim.zeros(T::DTYPE, &[place.length])?;
        let times = care.medians(ways.len(), |way| {
            sim.launch_into(ways[way].op(), &args![&x], &out)?.assert_clean();
            Ok(())
        })?;
        let time = |way: &Way| ways.iter().position(|other| other == way).map(|at| times[at]);
        Ok(Way::all().iter().map(time).collect())
    }

    /// What a launch takes by the model.
    ///
    /// # Errors
    /// A launch that is refused or not clean.
    pub fn modelled(&mut self, kind: Kind, way: Way, place: Place) -> Result<Picoseconds> {
        let sim = &mut self.modelling;
        let x = tensor(sim, kind.dtype(), place)?;
        let out = sim.zeros(kind.dtype(), &[place.length])?;
        let report = sim.launch_into(way.op(), &args![&x], &out)?;
        ensure!(report.is_clean(), "{}, {place:?}: the launch was not clean\n{report}", way.name());
        Ok(report.modelled().context("this simulator has a cost model")?.time())
    }
}

/// A tensor of zeros whose elements lie a stride apart.
fn tensor(sim: &mut Simulator, dtype: Dtype, Place { length, stride }: Place) -> Result<HbmTensor> {
    let reach = length.checked_mul(stride).context("no tensor reaches so far")?;
    Ok(sim.zeros(dtype, &[reach])?.slice(0, 0, reach, stride)?)
}

impl Care {
    /// Nanoseconds of a run of each of so many: after one to warm up, the median of several. They take turns, so that what
    /// else the host does meanwhile meets all of them.
    fn medians(self, count: usize, mut run: impl FnMut(usize) -> Result<()>) -> Result<Vec<f64>> {
        let mut timed = |which: usize, runs: usize| -> Result<f64> {
            let start = Instant::now();
            (0..runs).try_for_each(|_| run(which))?;
            Ok(start.elapsed().as_nanos() as f64 / runs as f64)
        };
        let mut plan = |which: usize| -> Result<(usize, usize)> {
            timed(which, 1)?;
            let once = timed(which, 1)?.max(1.0);
            let runs = (self.batch.as_nanos() as f64 / once).ceil().max(1.0);
            let (least, most) = self.repetitions;
            let repetitions = (self.budget.as_nanos() as f64 / (runs * once)) as usize;
            Ok((runs as usize, repetitions.clamp(least, most)))
        };
        let plans = (0..count).map(&mut plan).collect::<Result<Vec<_>>>()?;
        let mut times = vec![Vec::new(); count];
        for round in 0..self.repetitions.1 {
            for (which, &(runs, repetitions)) in plans.iter().enumerate() {
                if round < repetitions {
                    times[which].push(timed(which, runs)?);
                }
            }
        }
        times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
        Ok(times.iter().map(|times| times[times.len() / 2]).collect())
    }
}
