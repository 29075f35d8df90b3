//! A program run on the simulator and by the oracle.

mod compare;

use std::collections::{BTreeMap, BTreeSet};
use std::format;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use anyhow::{Context, Result};
use neuron_device::prelude::*;
use neuron_device::{Op, TensorSpec};
use neuron_host_sim::{Fault, HbmTensor, HostTensor, Simulator, Verdict, args};

use self::compare::{compare_cores, compare_findings, compare_memory, compare_pieces};
use super::core::Core;
use super::finding::{Finding, HOST_LINE};
use super::judge::judge;
use super::kernel;
use super::known::{Known, Role};
use super::program::{Form, Program, Start, View};
use super::world::World;

/// Bytes of scratch of a core.
const SCRATCH: u64 = 1 << 16;
/// Bytes a window shows.
const WINDOW: u64 = 1 << 24;

/// A simulator, and where things are in it.
#[derive(Debug)]
pub struct Machine {
    simulator: Simulator,
    scratch: Vec<u64>,
}

/// What came of a program.
#[derive(Debug)]
pub struct Outcomes {
    /// Everything that was found, by the oracle as by the simulator, if they agree.
    pub findings: Vec<Finding>,
    /// How they differ, in words.
    pub difference: Option<String>,
    /// A core wrote too many pieces of what it returns, and nothing after that was compared.
    pub cut_short: bool,
}

/// Where a core's scratch begins.
#[custom_op(shape = one_a_core)]
fn where_scratch_is(q7: &Q7, like: &Tensor, out: &mut Tensor) -> Result<(), Error> {
    let _ = like;
    let made = q7.empty(Dtype::U8, &[1])?;
    out.elements_mut::<i64>(q7)?.set(u64::from(q7.get_cpu_id()), made.storage().get() as i64);
    Ok(())
}

fn one_a_core(inputs: &[TensorSpec]) -> Result<TensorSpec, Error> {
    TensorSpec::new(Dtype::I64, inputs[0].sizes())
}

impl Machine {
    /// One with so many cores.
    ///
    /// # Errors
    /// A host that gives no memory.
    pub fn new(cores: u32) -> Result<Self> {
        let mut simulator = Simulator::builder().cores(cores).host_threads(1).scratch(SCRATCH).build()?;
        let like = HostTensor::zeros(Dtype::U8, &[cores])?;
        let report = simulator.launch(op!(where_scratch_is), &args![&like])?;
        report.assert_clean();
        let scratch = report.output().to_host().to_vec::<i64>()?;
        Ok(Self { simulator, scratch: scratch.into_iter().map(|addr| addr as u64).collect() })
    }

    /// Run a program, and compare.
    ///
    /// # Errors
    /// A program that cannot be launched: a mistake of who made it.
    pub fn run(&mut self, program: &Program) -> Result<Outcomes> {
        let mut spacers = Vec::new();
        let mut tensors = Vec::new();
        let mut world = World {
            memory: BTreeMap::new(),
            initialised: BTreeSet::new(),
            passed: Vec::new(),
            form: program.form,
            scratch: self.scratch.clone(),
            hbm: self.scratch[0]..self.scratch[0] + self.simulator.hbm_bytes(),
        };
        for (nth, storage) in (0..).zip(&program.storages) {
            let tensor = self.allocate(nth, storage, &mut world)?;
            let bytes = u64::from(storage.elems) * storage.dtype.size();
            if storage.apart {
                // The next one then begins at the same place of the next window.
                let rest = WINDOW - bytes.max(1).next_multiple_of(4096);
                spacers.push(self.simulator.zeros(Dtype::U8, &[rest as u32])?);
            }
            tensors.push(tensor);
        }
        let mut outcomes = Outcomes { findings: Vec::new(), difference: None, cut_short: false };
        for launch in 0..program.launches.len() {
            self.launch(program, launch, &tensors, &mut world, &mut outcomes)?;
            if outcomes.difference.is_some() || outcomes.cut_short {
                break;
            }
        }
        Ok(outcomes)
    }

    fn allocate(
        &mut self,
        nth: u64,
        storage: &super::program::Storage,
        world: &mut World,
    ) -> Result<HbmTensor> {
        let (dtype, elems) = (storage.dtype, storage.elems);
        let bytes = |elems: u32| -> Vec<u8> {
            (0..u64::from(elems) * dtype.size()).map(|byte| (nth * 53 + byte * 7 + 1) as u8).collect()
        };
        let filled = |elems: u32| HostTensor::from_bytes(dtype, &[elems], &bytes(elems));
        let (tensor, written) = match storage.start {
            Start::Values => (self.simulator.upload(&filled(elems)?)?, bytes(elems)),
            Start::Zeros => {
                (self.simulator.zeros(dtype, &[elems])?, vec![0; (u64::from(elems) * dtype.size()) as usize])
            }
            Start::Empty => (self.simulator.empty(dtype, &[elems])?, Vec::new()),
            Start::Part(part) => {
                let tensor = self.simulator.empty(dtype, &[elems])?;
                tensor.narrow(0, 0, part)?.copy_from(&filled(part)?)?;
                (tensor, bytes(part))
            }
        };
        world.write(tensor.storage().get(), &written);
        Ok(tensor)
    }

    fn launch(
        &mut self,
        program: &Program,
        launch: usize,
        storages: &[HbmTensor],
        world: &mut World,
        outcomes: &mut Outcomes,
    ) -> Result<()> {
        let numbers = program.script(launch);
        let script = HostTensor::from_slice(&[numbers.len() as u32], &numbers)?;
        let script = self.simulator.upload(&script)?;
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        world.write(script.storage().get(), &bytes);

        let view = |view: &View| {
            let strides: Vec<i64> = view.strides.iter().map(|&stride| stride as i64).collect();
            storages[view.storage].as_strided(&view.sizes, &strides, view.offset)
        };
        let [x, y, z] = program.arguments.each_ref().map(view);
        let (x, y, z) = (x?, y?, z?);
        let arguments = args![&x, &y, &z, &script];
        let op: &'static Op = if program.form == Form::InPlace {
            op!(kernel::scripted)
        } else {
            op!(kernel::scripted_returning)
        };
        let report = match &program.output {
            Some(output) => self.simulator.launch_into(op, &arguments, &view(output)?),
            None => self.simulator.launch(op, &arguments),
        };
        let report = report.context("the program cannot be launched")?;

        let output_name = if program.form == Form::InPlace { "out" } else { "result" };
        let output = report.output();
        world.passed = vec![
            known("x", Role::Argument, &x),
            known("y", Role::Argument, &y),
            known("z", Role::Argument, &z),
            known("script", Role::Argument, &script),
            known(output_name, Role::Output, output),
        ];
        let mut cores: Vec<Core<'_>> = (0..program.cores).map(|id| Core::new(id, world)).collect();
        cores.iter_mut().for_each(Core::run);
        let cut_short = report.faults().iter().filter(|fault| fault.verdict == Verdict::TooManyRuns);
        let cut_short: Vec<&Fault> = cut_short.collect();
        outcomes.difference =
            compare_pieces(&cut_short, &cores).map(|said| format!("launch {launch}: {said}\n{report}"));
        if !cut_short.is_empty() {
            // Which of the pieces are copied back is the core's own business.
            outcomes.findings.extend(cut_short.into_iter().map(Finding::of));
            outcomes.cut_short = true;
            return Ok(());
        }
        let findings = judge(world, &cores);
        let mut said = vec![compare_findings(&report, &findings), compare_cores(&report, &cores)?];
        outcomes.findings.extend(findings);
        let written: Vec<BTreeMap<u64, u8>> = cores.into_iter().map(|core| core.own).collect();
        let tensors = self.scratch[0] + (u64::from(program.cores) * SCRATCH).next_multiple_of(WINDOW);
        for (addr, byte) in written.into_iter().flatten().filter(|(addr, _)| *addr >= tensors) {
            world.write(addr, &[byte]);
        }
        for (name, tensor) in
            storages.iter().map(|storage| ("a storage", storage)).chain([("the script", &script)])
        {
            said.push(compare_memory(world, name, tensor));
        }
        said.push(compare_memory(world, "the output", output));
        let mut said: Vec<String> = said.into_iter().flatten().collect();
        if !said.is_empty() {
            said.push(report.to_string());
            outcomes.difference = Some(format!("launch {launch}: {}", said.join("\n")));
        }
        // It is gone before the next launch, and so is an output that was made for this one.
        forget(world, &script);
        if program.output.is_none() {
            forget(world, output);
        }
        Ok(())
    }
}

fn known(name: &'static str, role: Role, tensor: &HbmTensor) -> Known {
    Known {
        name,
        role,
        storage: tensor.storage().get(),
        storage_bytes: tensor.storage_elems() * tensor.dtype().size(),
        dtype: tensor.dtype(),
        sizes: tensor.sizes().to_vec(),
        strides: tensor.layout().strides().to_vec(),
        offset: tensor.layout().offset(),
        line: HOST_LINE,
    }
}

fn forget(world: &mut World, tensor: &HbmTensor) {
    let start = tensor.storage().get();
    for addr in start..start + tensor.storage_elems() * tensor.dtype().size() {
        world.memory.remove(&addr);
        world.initialised.remove(&addr);
    }
}

/// Every verdict a program can come to.
pub const VERDICTS: [Verdict; 19] = [
    Verdict::PastTheEnd,
    Verdict::PastADimension,
    Verdict::InAnotherTensor,
    Verdict::BeforeTheStart,
    Verdict::InAGap,
    Verdict::OtherWidth,
    Verdict::InNoTensor,
    Verdict::NoMemory,
    Verdict::NullPointer,
    Verdict::NoWindow,
    Verdict::Misaligned,
    Verdict::UsedAfterTranslation,
    Verdict::UsedAfterRemap,
    Verdict::InputWritten,
    Verdict::TooManyRuns,
    Verdict::WrittenBySeveralCores,
    Verdict::WrittenAndRead,
    Verdict::NeverInitialised,
    Verdict::NeverWritten,
];
