//! [`Launch`]: an op and what it is launched with.

use neuron_device::{Element, Op, Scalar};
use neuron_host_sim::{Arg, HbmTensor, HostTensor, Profile, Report, Simulator, SimulatorBuilder, WhatIf};

/// One argument, kept for as long as the launch needs it.
#[derive(Debug)]
pub(crate) enum Argument {
    Host(HostTensor),
    Hbm(HbmTensor),
    Value(Scalar),
    /// The tensor, by its record, which the host does not look at.
    Record(HbmTensor),
}

impl From<HostTensor> for Argument {
    fn from(tensor: HostTensor) -> Self {
        Self::Host(tensor)
    }
}

impl From<HbmTensor> for Argument {
    fn from(tensor: HbmTensor) -> Self {
        Self::Hbm(tensor)
    }
}

impl From<i32> for Argument {
    fn from(value: i32) -> Self {
        Self::Value(value.into())
    }
}

impl<'a> From<&'a Argument> for Arg<'a> {
    fn from(argument: &'a Argument) -> Self {
        match argument {
            Argument::Host(tensor) => tensor.into(),
            Argument::Hbm(tensor) => tensor.into(),
            Argument::Value(value) => (*value).into(),
            Argument::Record(tensor) => {
                tensor.descriptor().expect("a record describes the seeds' tensors").into()
            }
        }
    }
}

/// What a launch is given.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) arguments: Vec<Argument>,
    /// The tensor it writes to; if there is none, a new one.
    pub(crate) output: Option<HbmTensor>,
}

impl<const N: usize> From<[Argument; N]> for Given {
    fn from(arguments: [Argument; N]) -> Self {
        Self { arguments: arguments.into(), output: None }
    }
}

impl From<HostTensor> for Given {
    fn from(tensor: HostTensor) -> Self {
        [tensor.into()].into()
    }
}

impl From<HbmTensor> for Given {
    fn from(tensor: HbmTensor) -> Self {
        [tensor.into()].into()
    }
}

impl Given {
    /// The same, writing to `output`.
    pub(crate) fn into_output(self, output: HbmTensor) -> Self {
        Self { output: Some(output), ..self }
    }
}

/// An op and what it is launched with, on so many cores.
pub(crate) struct Launch {
    pub(crate) op: &'static Op,
    /// What tells it from other launches of the op.
    label: String,
    given: Box<dyn Fn(&mut Simulator) -> Given>,
    cores: u32,
    moods: bool,
    machine: Machine,
}

/// A machine that is not the one most launches are for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Machine {
    what_if: WhatIf,
    profile: Profile,
}

/// A launch whose faults are not all found yet, and why.
pub(crate) struct Missed {
    pub(crate) launch: Launch,
    pub(crate) why: &'static str,
}

/// A launch on 8 cores.
pub(crate) fn launch<G: Into<Given>>(
    op: &'static Op,
    given: impl Fn(&mut Simulator) -> G + 'static,
) -> Launch {
    let given = Box::new(move |sim: &mut Simulator| given(sim).into());
    Launch { op, label: String::new(), given, cores: 8, moods: false, machine: Machine::default() }
}

impl Launch {
    /// The same with something to tell it from others.
    pub(crate) fn labelled(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The same on another number of cores.
    pub(crate) fn on(self, cores: u32) -> Self {
        Self { cores, label: format!("{} on {cores} cores", self.label), ..self }
    }

    /// The same on another machine.
    pub(crate) fn if_it_were(self, what_if: WhatIf) -> Self {
        Self { machine: Machine { what_if, ..self.machine }, ..self }
    }

    /// The same on a machine of another profile.
    pub(crate) fn under(self, profile: Profile) -> Self {
        Self { machine: Machine { profile, ..self.machine }, ..self }
    }

    /// The same under every mood.
    pub(crate) fn in_moods(self) -> Self {
        Self { moods: true, ..self }
    }

    /// What a failure calls it.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.op.name(), self.label).trim_end().to_owned()
    }

    /// Launch it.
    pub(crate) fn run(&self, machines: &mut Machines) -> Report {
        let sim = machines.of(self.cores, self.machine);
        let Given { arguments, output } = (self.given)(sim);
        let arguments: Vec<Arg<'_>> = arguments.iter().map(Arg::from).collect();
        let report = match (&output, self.moods && sim.is_checked()) {
            (None, false) => sim.launch(self.op, &arguments), //~ host
            (None, true) => sim.moods().launch(self.op, &arguments),
            (Some(output), false) => sim.launch_into(self.op, &arguments, output),
            (Some(output), true) => sim.moods().launch_into(self.op, &arguments, output),
        };
        report.unwrap_or_else(|error| panic!("{} was refused: {error}", self.name()))
    }
}

/// A machine of the suite, less patient than others, as waiting takes time.
fn builder(cores: u32) -> SimulatorBuilder {
    Simulator::builder().cores(cores).patience(1 << 19)
}

/// Simulators of every number of cores that is asked for, kept from launch to launch.
pub(crate) struct Machines {
    build: Box<dyn Fn(SimulatorBuilder) -> Simulator>,
    built: Vec<(Machine, Simulator)>,
}

impl Machines {
    /// Machines that `build` makes of those of the suite, each for a number of cores.
    pub(crate) fn new(build: impl Fn(SimulatorBuilder) -> Simulator + 'static) -> Self {
        Self { build: Box::new(build), built: Vec::new() }
    }

    /// Machines with every check on, on this many host threads.
    pub(crate) fn on_threads(threads: usize) -> Self {
        Self::new(move |builder| builder.host_threads(threads).build().unwrap())
    }

    fn of(&mut self, cores: u32, machine: Machine) -> &mut Simulator {
        let is_it = |(of, sim): &(Machine, Simulator)| *of == machine && sim.cores() == cores;
        let at = self.built.iter().position(is_it).unwrap_or_else(|| {
            let of = builder(cores).what_if(machine.what_if).profile(machine.profile);
            self.built.push((machine, (self.build)(of)));
            self.built.len() - 1
        });
        &mut self.built[at].1
    }
}

/// 0, 1, 2, … of any dtype.
pub(crate) fn ramp_of<T: Element>(sizes: &[u32]) -> HostTensor {
    let numel: u32 = sizes.iter().product();
    let values: Vec<T> = (0..numel).map(|value| (value as f32).cast()).collect();
    HostTensor::from_slice(sizes, &values).unwrap()
}

/// 0, 1, 2, … as f32.
pub(crate) fn ramp(sizes: &[u32]) -> HostTensor {
    ramp_of::<f32>(sizes)
}
