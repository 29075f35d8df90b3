//! [`Stop`]: a core, stopped, and what is known there.

use neuron_device::{Access, Dtype, HbmAddr, NxAddr, Site};

use super::ask::Ask;
use super::error::ReplayError;
use super::scene::Scene;
use super::until::Until;
use crate::core::Outcome;
use crate::core::watch::{self, Target, Watch};
use crate::fault::Fault;

/// A core at the place where a replay stopped it. As text (`Display`) it is what `cargo xtask replay` prints, without the
/// lines of source, which [`to_text`](Self::to_text) adds.
///
/// ```
/// use neuron_device::prelude::*;
/// use neuron_host_sim::{HostTensor, Outcome, Simulator, args};
/// # #[custom_op]
/// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
/// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
/// # }
/// # neuron_library!(COPIES: "copies" = [same]);
/// // A kernel that copies, as it should:
/// let x = HostTensor::from_slice(&[17], &[1.0f32; 17])?;
/// let mut sim = Simulator::builder().keep_inputs().build()?;
/// let replay = sim.launch(op!(same), &args![&x])?.to_replay()?;
/// let stop = replay.run(&[&COPIES], Some(7), &"end".parse()?)?;
/// assert_eq!((stop.core, stop.cores, stop.outcome.as_ref()), (7, 8, Some(&Outcome::Returned)));
/// assert_eq!((stop.loads, stop.stores, stop.translations), (2, 2, 4));
/// assert!(stop.to_string().starts_with("same, core 7 of 8, at its end: it returned\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Stop {
    /// The op.
    pub op: &'static str,
    /// The core that was stopped.
    pub core: u32,
    /// How many cores the launch had.
    pub cores: u32,
    /// The place asked for.
    pub until: Until,
    /// The fault there, if that is the place: of an access, as this core had it.
    pub fault: Option<Fault>,
    /// The access there, if it is one; a write is made.
    pub access: Option<Step>,
    /// How the core ended, if it ran to its end.
    pub outcome: Option<Outcome>,
    /// Elements read from HBM so far, with the access there; those that were copied too.
    pub loads: u64,
    /// Elements written to HBM so far, with the access there; those that were copied too.
    pub stores: u64,
    /// Translations so far: one for every access, but for those at local addresses and by DMA, and every `translate`.
    pub translations: u64,
    /// What the three dynamic windows show.
    pub windows: [Option<HbmAddr>; 3],
    /// The element there, if there is one, and what this core did to it.
    pub value: Option<History>,
    /// The core's last accesses, at most 6, the one there too.
    pub last: Vec<Step>,
}

/// What a core did to an element.
///
/// ```
/// # use neuron_device::prelude::*;
/// # use neuron_host_sim::{HostTensor, Simulator, args};
/// # #[custom_op(in_place)]
/// # fn twice(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<i32>(q7)?, out.elements_mut::<i32>(q7)?);
/// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, 2 * src.get(i))))
/// # }
/// # neuron_library!(TWICE: "twice" = [twice]);
/// // A kernel that doubles its only tensor, where it is:
/// let mut sim = Simulator::builder().keep_inputs().build()?;
/// let x = sim.upload(&HostTensor::from_slice(&[2], &[5i32, 6])?)?;
/// let replay = sim.launch_into(op!(twice), &args![&x], &x)?.to_replay()?;
/// let history = replay.run(&[&TWICE], None, &"write:out[1]".parse()?)?.value.unwrap();
/// assert_eq!((history.before_launch.as_deref(), history.accesses.len()), (Some("6"), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct History {
    /// The tensor.
    pub argument: &'static str,
    /// Its element type.
    pub dtype: Option<Dtype>,
    /// The index of the element, one number a dimension.
    pub index: String,
    /// Where it is.
    pub address: HbmAddr,
    /// The value before the launch; `None` if nobody had written one.
    pub before_launch: Option<String>,
    /// This core's accesses to it up to the stop, at most the last 16.
    pub accesses: Vec<Step>,
    /// Older ones.
    pub left_out: u64,
}

/// An access a core made.
///
/// ```
/// # use neuron_device::prelude::*;
/// # use neuron_host_sim::{HostTensor, Simulator, args};
/// # #[custom_op]
/// # fn same(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
/// #     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
/// #     Ok(q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i))))
/// # }
/// # neuron_library!(COPIES: "copies" = [same]);
/// # let mut sim = Simulator::builder().keep_inputs().build()?;
/// // A kernel that copies 2.5, on its only core that has work:
/// let replay = sim.launch(op!(same), &args![&HostTensor::scalar(2.5f32)])?.to_replay()?;
/// let access = replay.run(&[&COPIES], None, &"write:out[]".parse()?)?.access.unwrap();
/// assert_eq!((access.nth, access.argument, access.value.as_str()), (2, "out", "2.5"));
/// assert_eq!((access.access, access.record), (Access::Write, Some(0)));
/// # use neuron_device::Access;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// Which of the core's accesses, from 1.
    pub nth: u64,
    /// Read or write.
    pub access: Access,
    /// The tensor or value, by its name in reports; empty where there is none.
    pub argument: &'static str,
    /// The index in it, one number a dimension; none of a value, and the address where there is no tensor.
    pub index: String,
    /// The address.
    pub address: HbmAddr,
    /// The record of the window table it went through.
    pub record: Option<usize>,
    /// The address in that window.
    pub local: Option<NxAddr>,
    /// The value read or written, as Rust prints it; of a NaN, also its bits.
    pub value: String,
    /// The value that was overwritten, if there was one.
    pub replaced: Option<String>,
    /// Was there a value: before the launch, or written by this core? If not, what is read means nothing.
    pub held: bool,
    /// The author's line.
    pub site: Site,
}

impl Scene<'_> {
    /// Run the core up to the place.
    pub(super) fn stop(&mut self, ask: Ask, until: &Until) -> Result<Stop, ReplayError> {
        let Ask { core, target, element, fault } = ask;
        let mut watch = self.watched(core, Watch::new(target.clone(), element.clone()));
        let mut element = element;
        if element.is_none() {
            let place = watch.halt.as_ref().and_then(|halt| match (&halt.step, &halt.fault) {
                (Some(step), _) => Some((step.addr, step.access)),
                (None, Some(fault)) => fault.address.map(|addr| (addr, fault.access)),
                (None, None) => None,
            });
            element = place.and_then(|(addr, access)| self.element_at(core, addr.get(), access));
            // Now that the element is known, its history can be told.
            if element.is_some() {
                watch = self.watched(core, Watch::new(target.clone(), element.clone()));
            }
        }
        match (&target, &watch.halt) {
            (Target::Access { access, bytes, nth }, None) => {
                return Err(ReplayError::Never(self.never(core, *access, bytes, (watch.met, *nth))));
            }
            (Target::Fault(_) | Target::Touch { .. }, None) => {
                let text = format!("core {core} does not come to the fault when it runs again");
                return Err(ReplayError::Never(text));
            }
            (Target::End, _) | (_, Some(_)) => {}
        }
        let ended = watch.halt.is_none().then(|| self.cores[core as usize].log.outcome.clone());
        let done = watch.halt.as_ref().map_or(watch.done, |halt| halt.done);
        let step = |step: &watch::Step| self.step(core, step);
        let halt = watch.halt.as_ref();
        let own = halt.and_then(|halt| halt.fault.clone()).map(|fault| Fault { cores: vec![core], ..fault });
        let access = halt.and_then(|halt| halt.step.as_ref());
        let direction = access.map(|step| step.access).or(fault.as_ref().map(|fault| fault.access));
        let direction = direction.or(own.as_ref().map(|fault| fault.access)).unwrap_or(Access::Read);
        let value = element.map(|at| {
            let (argument, index) = self.named(core, at.start, direction);
            History {
                argument,
                dtype: self.subjects(core).at(at.start, direction).map(|subject| subject.dtype),
                index,
                address: HbmAddr::new(at.start),
                before_launch: self.before_launch(core, &at, direction),
                accesses: watch.history.iter().map(step).collect(),
                left_out: watch.left_out,
            }
        });
        Ok(Stop {
            op: self.plan.op.name(),
            core,
            cores: self.cores.len() as u32,
            until: until.clone(),
            access: access.map(step),
            outcome: ended,
            loads: done.loads,
            stores: done.stores,
            translations: done.translations,
            windows: done.windows,
            value,
            last: watch.last.iter().map(step).collect(),
            fault: own.or(fault),
        })
    }

    fn watched(&mut self, core: u32, mut watch: Watch) -> Watch {
        self.cores[core as usize].run_watched(self.hbm, self.plan, &mut watch);
        watch
    }

    fn step(&self, core: u32, step: &watch::Step) -> Step {
        let (argument, index) = self.named(core, step.addr.get(), step.access);
        let before = self.printed(core, step.addr.get(), step.access, step.before.as_slice());
        let after =
            step.after.map(|after| self.printed(core, step.addr.get(), step.access, after.as_slice()));
        let start = step.addr.get();
        let held = step.own || self.held_before(&(start..start + step.bytes));
        let (value, replaced) = match after {
            Some(after) => (after, held.then_some(before)),
            None => (before, None),
        };
        Step {
            nth: step.nth,
            access: step.access,
            argument,
            index,
            address: step.addr,
            record: step.window.map(|(record, _)| record),
            local: step.window.map(|(_, local)| local),
            value,
            replaced,
            held,
            site: step.site,
        }
    }
}
