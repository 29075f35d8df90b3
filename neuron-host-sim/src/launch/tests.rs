//! What a launch takes of the host's memory: copies of pages, and bitmaps.

use std::sync::{Arc, MutexGuard};

use neuron_device::Op;
use neuron_device::prelude::*;

use crate::core::Core;
use crate::{Arg, HbmTensor, HostTensor, Simulator, args};

const ELEMENTS: u32 = 1 << 20;

#[custom_op]
fn relu(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i).max(0.0)));
    Ok(())
}

#[custom_op(in_place)]
fn relu_in_place(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i).max(0.0)));
    Ok(())
}

#[custom_op]
fn relu_returned(q7: &Q7, x: &Tensor) -> Result<Tensor> {
    let mut result = q7.empty_like(x)?;
    let (src, dst) = (x.elements::<f32>(q7)?, result.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i).max(0.0)));
    Ok(result)
}

/// Every core writes all of scratch and of the output, which is a race, from scratch that nobody wrote; one panics.
#[custom_op]
fn all_wrong(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut spare = q7.empty_like(x)?;
    let (cells, dst) = (spare.elements_mut::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in 0..x.numel() {
        let before = cells.get(i);
        cells.set(i, before + q7.get_cpu_id() as f32);
        dst.set(i, cells.get(i));
    }
    assert_ne!(q7.get_cpu_id(), 3, "core 3 is broken");
    Ok(())
}

/// Run the op on every core and look at them when all have joined, before what they wrote is merged.
fn joined<T>(
    sim: &mut Simulator,
    op: &'static Op,
    arguments: &[Arg<'_>],
    output: Option<&HbmTensor>,
    look: impl FnOnce(&[MutexGuard<'_, Core>]) -> T,
) -> T {
    let marshalled = sim.marshal(op, arguments, output).unwrap();
    let plan = Arc::new(sim.plan((op, op.entry()), &marshalled));
    sim.threads.run(&plan);
    let mut cores: Vec<_> = sim.cores.iter().map(crate::threads::locked).collect();
    let seen = look(&cores);
    cores.iter_mut().for_each(|core| core.forget(&sim.hbm));
    seen
}

/// Of each core: bits of its bitmaps for each byte it touched.
fn bits_a_byte(op: &'static Op, in_place: bool) -> Vec<f64> {
    let mut sim = Simulator::builder().host_threads(1).build().unwrap();
    let x = sim.zeros(Dtype::F32, &[ELEMENTS]).unwrap();
    let output = in_place.then_some(&x);
    joined(&mut sim, op, &args![&x], output, |cores| {
        let shadows = cores.iter().map(|core| &core.log.shadow);
        shadows.map(|shadow| shadow.memory() as f64 * 8.0 / shadow.touched() as f64).collect()
    })
}

#[test]
fn bitmaps_take_at_most_four_bits_a_touched_byte() {
    for (op, in_place) in [(op!(relu), false), (op!(relu_in_place), true), (op!(relu_returned), false)] {
        let bits = bits_a_byte(op, in_place);
        assert!(bits.len() == 8 && bits.iter().all(|&bits| bits <= 4.0), "{}: {bits:?}", op.name());
    }
}

/// Pages of the host's that are a core's alone, of each core, as the kernel counts them.
#[cfg(target_os = "linux")]
fn copied(cores: &[MutexGuard<'_, Core>]) -> Vec<u64> {
    let smaps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut kilobytes = vec![0; cores.len()];
    let mut owner = None;
    for line in smaps.lines() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        if let Some((start, end)) = first.split_once('-') {
            let number = |hex| usize::from_str_radix(hex, 16).unwrap();
            let (start, end) = (number(start), number(end));
            let holds = |core: &MutexGuard<'_, Core>| {
                let mapping = core.view.on_host();
                mapping.start <= start && end <= mapping.end
            };
            owner = cores.iter().position(holds);
        } else if let (Some(core), "Anonymous:" | "Swap:") = (owner, first) {
            kilobytes[core] += words.next().unwrap().parse::<u64>().unwrap();
        }
    }
    kilobytes.into_iter().map(|kilobytes| kilobytes / 4).collect()
}

#[cfg(target_os = "linux")]
fn freed(sim: &Simulator) {
    let cores: Vec<_> = sim.cores.iter().map(crate::threads::locked).collect();
    assert_eq!(copied(&cores), [0; 8]);
}

#[cfg(target_os = "linux")]
#[test]
fn private_pages_are_those_the_host_copies_and_are_given_back() {
    let mut sim = Simulator::builder().keep_inputs().build().unwrap();
    let x = HostTensor::zeros(Dtype::F32, &[1 << 14]).unwrap();
    for (op, pages) in [(op!(relu), 16), (op!(relu_returned), 2 * 16), (op!(all_wrong), 8 * 2 * 16)] {
        let mine = |core: &MutexGuard<'_, Core>| core.log.private_pages().len() as u64;
        let both =
            |cores: &[MutexGuard<'_, Core>]| (copied(cores), cores.iter().map(mine).collect::<Vec<_>>());
        let (copied, counted) = joined(&mut sim, op, &args![&x], None, both);
        assert_eq!((&copied, copied.iter().sum::<u64>()), (&counted, pages), "{}", op.name());
        freed(&sim);
        assert_eq!(sim.launch(op, &args![&x]).unwrap().private_pages(), pages, "{}", op.name());
        freed(&sim);
        assert_eq!(sim.moods().launch(op, &args![&x]).unwrap().private_pages(), pages, "{}", op.name());
        freed(&sim);
    }
}

#[test]
fn pages_are_counted_where_cores_had_their_own() {
    let x = HostTensor::zeros(Dtype::F32, &[1 << 14]).unwrap();
    let pages = |sim: &mut Simulator, op| sim.launch(op, &args![&x]).unwrap().private_pages();
    // Tried together, cores of a clean launch have copies of scratch only.
    let mut sim = Simulator::new().unwrap();
    assert_eq!((pages(&mut sim, op!(relu)), pages(&mut sim, op!(relu_returned))), (0, 16));
    assert_eq!(pages(&mut sim, op!(all_wrong)), 8 * 2 * 16);
    #[cfg(target_os = "linux")]
    freed(&sim);
    let mut unchecked = Simulator::builder().unchecked().build().unwrap();
    assert_eq!((pages(&mut unchecked, op!(relu)), pages(&mut unchecked, op!(relu_returned))), (0, 0));
}
