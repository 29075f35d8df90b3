//! [`Report`]: what a launch did, the same for the same kernel and arguments, whatever the host.

mod colour;
mod json;
mod text;

use std::path::Path;
use std::sync::Arc;

use neuron_device::{Counters, Op};

use crate::allow::Allowed;
use crate::console::Printed;
use crate::core::stack::StackUse;
use crate::core::{Log, Outcome};
use crate::cost::{CostModel, Modelled, Stream, Timeline};
use crate::fault::{Fault, Verdict};
use crate::portability::Note;
use crate::profile::Profile;
use crate::replay::kept::Kept;
use crate::replay::{NotKept, Replay, SaveError};
use crate::simulator::CORES;
use crate::tensor::hbm::HbmTensor;
use crate::what_if::WhatIf;

/// What one core did.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{CoreReport, HostTensor, Outcome, Simulator, args};
/// # #[custom_op]
/// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
/// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
/// # }
/// // A kernel that copies 17 elements; cores have 3 of them, or 2:
/// let x = HostTensor::from_slice(&[17], &[1.0f32; 17])?;
/// let report = Simulator::new()?.launch(op!(same), &args![&x])?;
/// let CoreReport { core, outcome, counters, .. } = &report.cores()[7];
/// assert_eq!((*core, outcome), (7, &Outcome::Returned));
/// assert_eq!((counters.loads, counters.stores, counters.translations()), (2, 2, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CoreReport {
    /// Its number, from 0.
    pub core: u32,
    /// How its work ended.
    pub outcome: Outcome,
    /// Loads and stores, in elements, and translations.
    pub counters: Counters,
}

/// The result of a launch: outcome and counters of each core, faults, and the output.
///
/// As text by `Display`, as JSON by [`to_json`](Self::to_json); both are the same, byte for byte, for the same launch.
/// Values a racing kernel reads are its own core's, so this holds for it too, unless checks are
/// [off](crate::SimulatorBuilder::unchecked).
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Simulator, args};
///
/// #[custom_op]
/// fn first_half(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
///     q7.partition_flat(x.numel() / 2).into_iter().for_each(|i| dst.set(i, src.get(i)));
///     Ok(())
/// }
/// let x = HostTensor::from_slice(&[4], &[1i32, 2, 3, 4])?;
/// let report = Simulator::new()?.launch(op!(first_half), &args![&x])?;
/// assert!(!report.is_clean() && report.to_string().contains("2 elements of `out` never written"));
/// assert_eq!(report.to_json()["faults"][0]["first"], "[2]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a kernel that went wrong says so only here"]
pub struct Report {
    op: &'static Op,
    checked: bool,
    profile: Profile,
    what_if: WhatIf,
    cores: Vec<CoreReport>,
    faults: Vec<Fault>,
    allowed: Vec<Allowed>,
    notes: Vec<Note>,
    kept: Result<Arc<Kept>, NotKept>,
    output: HbmTensor,
    timed: Option<(Modelled, Vec<Stream>)>,
    printed: Vec<Printed>,
    stacks: Vec<StackUse>,
    private_pages: u64,
}

impl Report {
    pub(crate) fn new<'l>(
        op: &'static Op,
        (checked, profile, what_if): (bool, Profile, WhatIf),
        logs: impl Iterator<Item = &'l Log> + Clone,
        (faults, allowed): (Vec<Fault>, Vec<Allowed>),
        notes: Vec<Note>,
        kept: Result<Arc<Kept>, NotKept>,
        output: HbmTensor,
    ) -> Self {
        let core = |(core, log): (u32, &Log)| CoreReport {
            core,
            outcome: log.outcome.clone(),
            counters: log.counters,
        };
        let private_pages = logs.clone().map(|log| log.copied).sum();
        let printed = (0..).zip(logs.clone()).filter(|(_, log)| log.console.has_printed());
        let printed = printed.map(|(core, log)| log.console.printed(core)).collect();
        let mut stacks = Vec::with_capacity(CORES as usize);
        stacks.extend(logs.clone().filter_map(|log| log.stack));
        let cores = (0..).zip(logs).map(core).collect();
        Self {
            op,
            checked,
            profile,
            what_if,
            cores,
            faults,
            allowed,
            notes,
            kept,
            output,
            private_pages,
            timed: None,
            printed,
            stacks,
        }
    }

    /// The same, with what it would take on the machine.
    pub(crate) fn timed<'l>(self, model: &CostModel, logs: impl Iterator<Item = &'l Log>) -> Self {
        let streams =
            logs.map(|log| log.clock.as_ref().map_or_else(Stream::new, |clock| clock.stream().clone()));
        let streams: Vec<Stream> = streams.collect();
        let modelled =
            model.replay(&streams).expect("the settings were checked when the simulator was built");
        Self { timed: Some((modelled, streams)), ..self }
    }

    /// What the launch would take on the machine, if its simulator has a
    /// [cost model](crate::SimulatorBuilder::cost_model): modelled, not measured.
    pub fn modelled(&self) -> Option<&Modelled> {
        self.timed.as_ref().map(|(modelled, _)| modelled)
    }

    /// What every core told the cost model, if there is one: to be priced by another.
    pub fn streams(&self) -> Option<&[Stream]> {
        self.timed.as_ref().map(|(_, streams)| &streams[..])
    }

    /// What happened when, in modelled time, if there is a cost model: a file for a viewer.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::cost::CostModel;
    /// use neuron_host_sim::{HostTensor, Simulator, args};
    /// # #[custom_op]
    /// # fn staged(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    /// #     let mut buffer = q7.tcm_malloc::<f32>(1024)?;
    /// #     for tile in q7.partition_flat(x.numel()).tiles(1024) {
    /// #         let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
    /// #         out.tcm_to_tensor(q7, tile.offset, values)?;
    /// #     }
    /// #     Ok(())
    /// # }
    /// // A kernel that copies, by tiles:
    /// let mut sim = Simulator::builder().cost_model(CostModel::default()).build()?;
    /// let report = sim.launch(op!(staged), &args![&HostTensor::zeros(Dtype::F32, &[8192])?])?;
    /// let mut file = Vec::new();
    /// report.timeline().unwrap().write(&mut file)?;
    /// assert!(String::from_utf8(file)?.contains("DMA to TCM"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn timeline(&self) -> Option<Timeline> {
        let (modelled, streams) = self.timed.as_ref()?;
        let timeline = modelled.model().timeline(streams);
        Some(timeline.expect("the settings were checked when the simulator was built").1)
    }

    /// The op that was launched.
    pub fn op(&self) -> &'static Op {
        self.op
    }

    /// Were the checks that cost time on? If not, coverage of the output was not judged.
    ///
    /// ```
    /// # use neuron_device::prelude::*;
    /// # use neuron_host_sim::{HostTensor, Simulator, args};
    /// // A kernel that writes nothing:
    /// #[custom_op]
    /// fn idle(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> {
    ///     Ok(())
    /// }
    /// let mut fast = Simulator::builder().unchecked().build()?;
    /// let report = fast.launch(op!(idle), &args![&HostTensor::scalar(1.0f32)])?;
    /// assert!(report.is_clean() && !report.is_checked());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_checked(&self) -> bool {
        self.checked
    }

    /// The profile of the simulator it ran in.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// How the machine was not the documented one.
    pub fn what_if(&self) -> WhatIf {
        self.what_if
    }

    /// What each core did, in the order of their numbers.
    pub fn cores(&self) -> &[CoreReport] {
        &self.cores
    }

    /// The faults, each once: those of accesses in the order of the cores, then those of the output.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The faults that are [meant](crate::Simulator::allow), each with the reason.
    pub fn allowed(&self) -> &[Allowed] {
        &self.allowed
    }

    /// What cores printed, in the order of their numbers; cores that printed nothing are left out.
    pub fn printed(&self) -> &[Printed] {
        &self.printed
    }

    /// What each core's kernel used of its stack, in the order of their numbers: an estimate, of which
    /// [`StackSettings`](crate::StackSettings) says what it is worth. As it depends on the build, it is in the report's text
    /// only if that is asked for with `{:#}`, and not in its JSON. A core whose kernel panicked, or did not begin, has none.
    pub fn stacks(&self) -> &[StackUse] {
        &self.stacks
    }

    /// The rules of the [`Documented`](crate::Profile::Documented) profile that the launch breaks; if there is none, it is
    /// portable to it. Under that profile each is a fault as well.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The launch's output, also after faults: what the kernel wrote, zeros where it wrote nothing into a new
    /// tensor, and of what several cores wrote, the last core's (any core's, if checks are off).
    pub fn output(&self) -> &HbmTensor {
        &self.output
    }

    /// Did every core return, without a fault? A warning is one; what is [allowed](Self::allowed) is none.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.cores.iter().all(|core| core.outcome == Outcome::Returned)
    }

    /// Panic with the report's text unless the launch was clean: for tests.
    ///
    /// # Panics
    /// If a core failed, panicked or was stopped, or there is a fault.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(self.is_clean(), "the launch was not clean\n{self}");
    }

    /// The launch, ready to be replayed up to any place: see [`Replay`]. What is kept for it are the tensors as they were
    /// before the launch.
    ///
    /// # Errors
    /// A clean launch or an unchecked one, unless the simulator [keeps](crate::SimulatorBuilder::keep_inputs) all, and one
    /// whose tensors hold more than 256 MiB that are not zero.
    pub fn to_replay(&self) -> Result<Replay, NotKept> {
        self.kept.clone().map(Replay::new)
    }

    /// Save the launch to a file, to be replayed by [`Replay::open`]. An older file of this name is replaced.
    ///
    /// # Errors
    /// As [`to_replay`](Self::to_replay); or the file cannot be written.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, Simulator, args, replay::Replay};
    ///
    /// #[custom_op]
    /// fn shifted(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    ///     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i + 1, src.get(i)));
    ///     Ok(())
    /// }
    /// neuron_library!(SHIFTS: "shifts" = [shifted]);
    ///
    /// let report = Simulator::new()?.launch(op!(shifted), &args![&HostTensor::scalar(1.0f32)])?;
    /// # let folder = std::env::temp_dir().join(format!("neuron-save-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let file = folder.join("shifted.replay");
    /// report.save(&file)?;
    /// let stop = Replay::open(&file)?.run(&[&SHIFTS], None, &"fault".parse()?)?;
    /// assert_eq!((stop.core, stop.fault.unwrap().first.as_str()), (0, "[1]"));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        self.to_replay()?.save(path)
    }

    /// The command that runs the launch again, saved to `FILE`, up to the first of the accesses of `faults()[fault]`. `None`
    /// if the launch was not kept, or no single run shows the fault: what moods found takes two.
    ///
    /// ```
    /// # use neuron_device::prelude::*;
    /// # use neuron_host_sim::{HostTensor, Simulator, args};
    /// # #[custom_op]
    /// # fn idle(_q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> { Ok(()) }
    /// // A kernel that writes nothing:
    /// let report = Simulator::new()?.launch(op!(idle), &args![&HostTensor::scalar(1.0f32)])?;
    /// assert_eq!(report.rerun(0).as_deref(), Some("cargo xtask replay FILE --until fault:1"));
    /// assert_eq!(report.rerun(1), None); // there is one fault
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rerun(&self, fault: usize) -> Option<String> {
        let shown = self.faults.get(fault).is_some_and(|fault| fault.verdict != Verdict::MoodsDiffer);
        (shown && self.kept.is_ok()).then(|| format!("cargo xtask replay FILE --until fault:{}", fault + 1))
    }

    /// Pages of the host's memory, of 4096 bytes, that were copied so that what a core wrote was its own until all had
    /// joined; they were given back then. As many in every run: those the cores wrote. None where no copy was needed, as
    /// where checks are off, or the cores of a clean launch could share memory; then cores have copies of scratch only.
    ///
    /// ```
    /// # use neuron_device::prelude::*;
    /// # use neuron_host_sim::{HostTensor, Simulator, args};
    /// # #[custom_op]
    /// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    /// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    /// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
    /// # }
    /// // A kernel that copies; eight cores write to one page, and each has a copy:
    /// let report = Simulator::new()?.launch(op!(same), &args![&HostTensor::zeros(Dtype::F32, &[17])?])?;
    /// assert_eq!(report.private_pages(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn private_pages(&self) -> u64 {
        self.private_pages
    }

    /// The counters of all cores added up.
    ///
    /// ```
    /// # use neuron_device::prelude::*;
    /// # use neuron_host_sim::{HostTensor, Simulator, args};
    /// # #[custom_op]
    /// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    /// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    /// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
    /// # }
    /// // A kernel that copies 17 elements:
    /// let x = HostTensor::from_slice(&[17], &[1.0f32; 17])?;
    /// let total = Simulator::new()?.launch(op!(same), &args![&x])?.total();
    /// assert_eq!((total.loads, total.stores, total.translations()), (17, 17, 34));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn total(&self) -> Counters {
        let mut total = Counters::default();
        for core in &self.cores {
            total.loads += core.counters.loads;
            total.stores += core.counters.stores;
            total.copies = total.copies.and(core.counters.copies);
            for (sum, window) in total.windows.iter_mut().zip(core.counters.windows) {
                sum.hits += window.hits;
                sum.misses += window.misses;
                sum.evictions += window.evictions;
            }
        }
        total
    }
}

/// Equal faults of several cores are one.
pub(crate) fn grouped<'l>(logs: impl Iterator<Item = &'l Log>) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for (core, log) in (0..).zip(logs) {
        for fault in log.faults.faults() {
            match faults.iter_mut().find(|known| known.is_like(fault)) {
                Some(known) => {
                    known.absorb(fault);
                    known.cores.push(core);
                }
                None => faults.push(Fault { cores: vec![core], ..fault.clone() }),
            }
        }
    }
    faults
}
