//! What is wrong when all cores have joined: found by asking of every byte who read and who wrote it.

use std::collections::{BTreeMap, BTreeSet};
use std::format;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use neuron_device::{Access, Dtype, HbmAddr, bf16, f16};
use neuron_host_sim::{Part, Severity, Verdict};

use super::core::Core;
use super::finding::{Finding, grouped, sort};
use super::known::{Known, owner};
use super::world::World;

/// Who touched a byte, and from which lines.
#[derive(Debug, Default)]
struct Touched {
    writers: BTreeSet<(u32, i32)>,
    readers: BTreeSet<(u32, i32)>,
}

/// Everything the cores did wrong.
pub(super) fn judge(world: &World, cores: &[Core<'_>]) -> Vec<Finding> {
    let mut touched: BTreeMap<u64, Touched> = BTreeMap::new();
    for core in cores {
        for event in &core.events {
            for byte in event.addr..event.addr + event.bytes {
                let touched = touched.entry(byte).or_default();
                let who =
                    if event.access == Access::Write { &mut touched.writers } else { &mut touched.readers };
                who.insert((core.id, event.line));
            }
        }
    }
    let contended: BTreeSet<u64> =
        touched.iter().filter(|(_, touched)| is_contended(touched)).map(|(byte, _)| *byte).collect();
    let mut findings = grouped(cores.iter().flat_map(|core| core.findings.iter().cloned()));
    findings.extend(races(world, cores, &touched, &contended));
    findings.extend(uninitialised(world, cores, &contended));
    findings.extend(coverage(world, cores, &touched));
    for finding in &mut findings {
        finding.lines.sort_unstable();
    }
    sort(&mut findings);
    findings
}

fn is_contended(touched: &Touched) -> bool {
    let writes = |core: u32| touched.writers.iter().any(|(writer, _)| *writer == core);
    let touchers = touched.writers.iter().chain(&touched.readers);
    let touchers: BTreeSet<u32> = touchers.map(|(core, _)| *core).collect();
    touchers.len() > 1 && touchers.into_iter().any(writes)
}

/// Every tensor of the launch.
fn all<'w>(world: &'w World, cores: &'w [Core<'_>]) -> Vec<&'w Known> {
    world.passed.iter().chain(cores.iter().flat_map(|core| &core.made)).collect()
}

/// The elements these bytes are part of: each with its tensor, in rising order.
fn elements<'w>(bytes: &BTreeSet<u64>, tensors: &[&'w Known]) -> Vec<(Option<&'w Known>, u64, u64)> {
    let mut elements: Vec<(Option<&Known>, u64, u64)> = Vec::new();
    for &byte in bytes {
        if elements.last().is_some_and(|(_, _, end)| byte < *end) {
            continue;
        }
        let tensor = owner(tensors.iter().copied(), byte, Access::Write);
        elements.push(match tensor {
            Some(tensor) => {
                let start = byte - (byte - tensor.storage) % tensor.size();
                (Some(tensor), start, start + tensor.size())
            }
            None => (None, byte, byte + 1),
        });
    }
    elements
}

/// A finding about an element, found after the launch.
fn about(tensor: Option<&Known>, addr: u64, finding: Finding) -> Finding {
    let address = Some(addr);
    match tensor {
        Some(tensor) => Finding {
            argument: tensor.name.into(),
            tensor: Some((tensor.dtype, tensor.sizes.clone())),
            first: tensor.words(addr),
            address,
            ..finding
        },
        None => Finding { first: HbmAddr::new(addr).to_string(), address, ..finding },
    }
}

fn races(
    world: &World,
    cores: &[Core<'_>],
    touched: &BTreeMap<u64, Touched>,
    contended: &BTreeSet<u64>,
) -> Vec<Finding> {
    let mut of_storage: BTreeMap<u64, Vec<Finding>> = BTreeMap::new();
    for (tensor, start, end) in elements(contended, &all(world, cores)) {
        let bytes = || touched.range(start..end).map(|(_, touched)| touched);
        let writing: BTreeSet<(u32, i32)> = bytes().flat_map(|touched| touched.writers.clone()).collect();
        let writers: BTreeSet<u32> = writing.iter().map(|(core, _)| *core).collect();
        let reading: BTreeSet<(u32, i32)> = bytes()
            .flat_map(|touched| touched.readers.clone())
            .filter(|(core, _)| !writers.contains(core))
            .collect();
        let written = writing.iter().map(|(_, line)| (Part::Written, *line));
        let read = reading.iter().map(|(_, line)| (Part::Read, *line));
        let lines = |lines: &mut dyn Iterator<Item = (Part, i32)>| {
            lines.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        };
        let findings = of_storage.entry(tensor.map_or(start, |tensor| tensor.storage)).or_default();
        if writers.len() > 1 {
            let value = |core: &u32| -> Vec<u8> {
                (start..end).map(|byte| cores[*core as usize].own.get(&byte).copied().unwrap_or(0)).collect()
            };
            let values: Vec<(u32, Vec<u8>)> = writers.iter().map(|core| (*core, value(core))).collect();
            let differ = values.iter().any(|(_, value)| *value != values[0].1);
            let lines = lines(&mut written.clone());
            let finding = Finding::new(Verdict::WrittenBySeveralCores, Access::Write, &lines);
            let print = |(core, value): (u32, Vec<u8>)| (core, printed(tensor, &value));
            findings.push(Finding {
                severity: if differ { Severity::Error } else { Severity::Warning },
                cores: writers.iter().copied().collect(),
                values: if differ { values.into_iter().map(print).collect() } else { Vec::new() },
                ..about(tensor, start, finding)
            });
        }
        if !reading.is_empty() && !writers.is_empty() {
            let lines = lines(&mut written.chain(read));
            let finding = Finding::new(Verdict::WrittenAndRead, Access::Write, &lines);
            let readers = reading.iter().map(|(core, _)| *core);
            let both: BTreeSet<u32> = writers.iter().copied().chain(readers).collect();
            findings.push(Finding { cores: both.into_iter().collect(), ..about(tensor, start, finding) });
        }
    }
    of_storage.into_values().flat_map(grouped).collect()
}

/// An element as Rust prints it.
fn printed(tensor: Option<&Known>, bytes: &[u8]) -> String {
    let Some(tensor) = tensor else { return format!("{bytes:02x?}") };
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(wide);
    match tensor.dtype {
        Dtype::I8 => format!("{:?}", bits as i8),
        Dtype::U8 => format!("{:?}", bits as u8),
        Dtype::I16 => format!("{:?}", bits as i16),
        Dtype::I32 => format!("{:?}", bits as i32),
        Dtype::I64 => format!("{:?}", bits as i64),
        Dtype::F16 => format!("{:?}", f16::from_bits(bits as u16)),
        Dtype::BF16 => format!("{:?}", bf16::from_bits(bits as u16)),
        Dtype::F32 => format!("{:?}", f32::from_bits(bits as u32)),
    }
}

/// Reads of bytes that nobody had written, unless they are a race anyhow. What is in no tensor is read by a local address
/// that is too old, which is fault enough.
fn uninitialised(world: &World, cores: &[Core<'_>], contended: &BTreeSet<u64>) -> Vec<Finding> {
    let tensors = all(world, cores);
    let mut findings = Vec::new();
    for core in cores {
        let mut written: BTreeSet<u64> = BTreeSet::new();
        let mut read: BTreeMap<i32, BTreeSet<u64>> = BTreeMap::new();
        for event in &core.events {
            for byte in event.addr..event.addr + event.bytes {
                if event.access == Access::Write {
                    written.insert(byte);
                } else if !written.contains(&byte)
                    && !contended.contains(&byte)
                    && !world.initialised.contains(&byte)
                    && tensors.iter().any(|tensor| tensor.holds(byte))
                {
                    read.entry(event.line).or_default().insert(byte);
                }
            }
        }
        for (line, bytes) in read {
            for (tensor, start, _) in elements(&bytes, &tensors) {
                let mut lines = vec![(Part::Read, line)];
                lines.extend(tensor.map(|tensor| (Part::Allocated, tensor.line)));
                let finding = Finding::new(Verdict::NeverInitialised, Access::Read, &lines);
                findings.push(Finding { cores: vec![core.id], ..about(tensor, start, finding) });
            }
        }
    }
    // Tensors made by one line are one to a report, whatever their sizes.
    let mut groups: Vec<Finding> = Vec::new();
    for finding in findings {
        let is_like =
            |group: &&mut Finding| (&group.argument, &group.lines) == (&finding.argument, &finding.lines);
        match groups.iter_mut().find(is_like) {
            Some(group) => {
                group.count += 1;
                group.cores.extend(finding.cores);
                group.cores.dedup();
            }
            None => groups.push(finding),
        }
    }
    groups
}

/// Elements of the output no core wrote, if every core came to its end.
fn coverage(world: &World, cores: &[Core<'_>], touched: &BTreeMap<u64, Touched>) -> Option<Finding> {
    let output = world.output();
    let is_written = |&flat: &u64| {
        let start = output.flat_addr(flat);
        touched.range(start..start + output.size()).any(|(_, touched)| !touched.writers.is_empty())
    };
    if cores.iter().any(|core| core.failed) {
        return None;
    }
    let missing: Vec<u64> = (0..output.numel()).filter(|flat| !is_written(flat)).collect();
    let first = *missing.first()?;
    let opened: BTreeSet<(Part, i32)> =
        cores.iter().flat_map(|core| &core.openings).map(|line| (Part::Opened, *line)).collect();
    let lines: Vec<_> = opened.into_iter().collect();
    let finding = Finding::new(Verdict::NeverWritten, Access::Write, &lines);
    Some(Finding {
        count: missing.len() as u64,
        cores: cores.iter().filter(|core| !core.openings.is_empty()).map(|core| core.id).collect(),
        ..about(Some(output), output.flat_addr(first), finding)
    })
}
