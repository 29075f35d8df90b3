//! `neuron_memcpy` in the simulator: every size, alignment and method, and what is refused.

use neuron_device::prelude::*;
use neuron_device::{CopyEnd, CopyMethod, Dataram, HbmAddr, NxAddr, Q7Ptr, TensorSpec, WINDOW_BYTES};
use neuron_host_sim::{DmaTiming, FaultKind, HostTensor, Report, Simulator, Verdict, args};

/// Bytes of a tensor in which a window edge is, more than 1 MiB from its start.
const EDGE_BYTES: u32 = 18 << 20;

/// The largest pool there can be.
const MOST: usize = 64 << 10;

/// Bytes on either side of a copy to HBM that are looked at.
const MARGIN: usize = 16;

/// Byte `at` of everything, from any multiple of 256 on.
static PATTERN: [u8; MOST + 256] = {
    let (mut bytes, mut at) = ([0; MOST + 256], 0_usize);
    while at < bytes.len() {
        bytes[at] = ((at % 256) * 167 + 13) as u8;
        at += 1;
    }
    bytes
};

static UNTOUCHED: [u8; MOST] = [0xEE; MOST];

fn pattern(from: u64, bytes: u32) -> &'static [u8] {
    &PATTERN[(from % 256) as usize..][..bytes as usize]
}

fn method_of(method: i32) -> CopyMethod {
    CopyMethod::try_from(method as u32).unwrap()
}

fn one_more_than_the_pool(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::U8, &[MOST as u32 + 64])
}

/// Copies of `first`, `first + step`, … bytes, up to the whole pool, from around a window edge of `x` to TCM, and from there
/// to the output and back; two alignments of each size, which in eight sizes are all pairs there are. The core looks at
/// what came, and around it.
#[custom_op(shape = one_more_than_the_pool)]
fn every_size(q7: &Q7, x: &Tensor, method: i32, first: i32, step: i32, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() > 0 {
        return Ok(());
    }
    q7.set_memcpy_method(method_of(method));
    let start = x.storage().get();
    let edge = (start + (1 << 20)).next_multiple_of(WINDOW_BYTES) - start;
    let (from, to) = (x.q7_data_ptr::<u8>()?, out.q7_data_ptr::<u8>()?);
    let pool = q7.tcm_largest_free();
    let mut tile = q7.tcm_malloc::<u8>(pool)?.filled_with(0);
    let at = |pointer: Q7Ptr<u8>, offset: u64| pointer.add(offset).ok_or(Error::message("beyond HBM"));
    for bytes in (first as u32..=pool).step_by(step as usize) {
        for number in 0..2 {
            let pair = (bytes * 2 + number + bytes / 32 * 5) % 64;
            let hbm = ((edge - u64::from(bytes / 2)) & !7) + u64::from(pair % 8);
            let local = (pair / 8).min(pool - bytes);
            let nx = NxAddr::new(tile.addr().get() + local);
            let range = local as usize..(local + bytes) as usize;
            tile.copy_from_slice(&UNTOUCHED[..pool as usize]);
            // SAFETY: the bytes are in `x` and in the tile, of which there is no slice meanwhile.
            unsafe { q7.neuron_memcpy(nx, at(from, hbm)?, bytes)? };
            let (before, behind) = (&tile[..range.start], &tile[range.end..]);
            if [before, behind].iter().any(|rest| **rest != UNTOUCHED[..rest.len()]) {
                return Err(Error::message("a copy touched its neighbours in TCM"));
            }
            if tile[range.clone()] != *pattern(hbm, bytes) {
                return Err(Error::message("a copy brought other bytes"));
            }
            let there = at(to, (MARGIN as u32 + pair % 8) as u64)?;
            // SAFETY: the bytes are in the tile and in `out`, `MARGIN` bytes from its ends.
            unsafe { q7.neuron_memcpy(there, nx, bytes)? };
            tile.copy_from_slice(&UNTOUCHED[..pool as usize]);
            // SAFETY: as above.
            unsafe { q7.neuron_memcpy(nx, there, bytes)? };
            if tile[range.clone()] != *pattern(hbm, bytes) {
                return Err(Error::message("a copy came back with other bytes"));
            }
        }
    }
    Ok(())
}

/// Both ways for all sizes: the core that says whether they are right is the kernel.
fn sweep(sim: &mut Simulator, pool: usize, step: i32) {
    let period: Vec<u8> = (0..256).map(|at| PATTERN[at]).collect();
    let x = HostTensor::from_slice(&[EDGE_BYTES], &period.repeat(EDGE_BYTES as usize / 256)).unwrap();
    for method in [CopyMethod::CMemcpy, CopyMethod::VecMemcpy, CopyMethod::Dma] {
        let out = sim.zeros(Dtype::U8, &[MOST as u32 + 64]).unwrap();
        let first = (pool as i32) % step;
        let arguments = args![&x, method as i32, first, step];
        let report = sim.launch_into(op!(every_size), &arguments, &out).unwrap();
        assert!(
            report.cores().iter().all(|core| core.outcome == neuron_host_sim::Outcome::Returned),
            "{report}"
        );
        assert_eq!(report.faults(), [], "{report}");
        let bytes = out.to_host().to_bytes();
        let touched = MARGIN..MARGIN + 7 + pool;
        let around = bytes[..touched.start].iter().chain(&bytes[touched.end..]);
        assert!(around.copied().all(|byte| byte == 0), "a copy touched its neighbours in HBM");
        let counters = report.total();
        assert_eq!(counters.copies.bytes_in, 2 * counters.copies.bytes_out);
    }
}

/// All of them unchecked, and every seventh checked.
#[test]
fn every_size_by_every_method() {
    let checked = Simulator::builder().cores(1).without(FaultKind::Coverage);
    sweep(&mut checked.build().unwrap(), 16 << 10, 7);
    let late = Simulator::builder().cores(1).unchecked().dma_timing(DmaTiming::AtWait);
    sweep(&mut late.build().unwrap(), 16 << 10, 1);
}

#[test]
fn a_pool_of_the_whole_dataram() {
    for timing in [DmaTiming::AtOnce, DmaTiming::AtWait] {
        let sim = Simulator::builder().cores(1).without(FaultKind::Coverage).tcm(MOST as u32);
        let sim = sim.dma_timing(timing);
        sweep(&mut sim.build().unwrap(), MOST, 499);
    }
}

/// One copy of `bytes` bytes between the start of x, or of the output, and `local`.
#[custom_op]
fn one_copy(
    q7: &Q7,
    x: &Tensor,
    method: i32,
    local: i64,
    bytes: i64,
    inwards: i32,
    out: &mut Tensor,
) -> Result<()> {
    q7.set_memcpy_method(method_of(method));
    // The pool is one block, so that what is told is about the pool.
    let _pool = if q7.tcm_largest_free() > 0 {
        Some(q7.neuron_dataram_allocate(q7.tcm_largest_free(), 64)?)
    } else {
        None
    };
    let local = NxAddr::new(local as u32);
    let (to, from): (CopyEnd, CopyEnd) = if inwards == 1 {
        (local.into(), x.q7_data_ptr::<u8>()?.into())
    } else {
        (out.q7_data_ptr::<u8>()?.into(), local.into())
    };
    // SAFETY: what is refused touches nothing.
    unsafe { q7.neuron_memcpy(to, from, bytes as u32) }
}

/// How often, and where.
fn told(report: &Report, verdict: Verdict) -> (u64, String) {
    let those: Vec<_> = report.faults().iter().filter(|fault| fault.verdict == verdict).collect();
    let [fault] = those[..] else { panic!("{report}") };
    (fault.count, fault.first.clone())
}

/// More than the pool, or a place that is not in it: by every method, either way, a fault of each core and no byte moved.
#[test]
fn what_is_not_in_the_pool_is_refused() {
    let x = HostTensor::zeros(Dtype::U8, &[70_000]).unwrap();
    let base = i64::from(Dataram::BASE.get());
    for cores in [1, 8] {
        for pool in [16_i64 << 10, 64 << 10] {
            let mut sim = Simulator::builder().cores(cores).tcm(pool as u32).build().unwrap();
            for method in [CopyMethod::CMemcpy, CopyMethod::VecMemcpy, CopyMethod::Dma] {
                for (local, bytes, verdict, text) in [
                    (base, pool + 1, Verdict::OutsideTcm, "of a pool of"),
                    (base + 1, pool, Verdict::OutsideTcm, "of a pool of"),
                    (base + pool - 8, 9, Verdict::OutsideTcm, "of a pool of"),
                    (0x40, 4, Verdict::NotInDataram, "instruction RAM"),
                    (0x0200_0000, 4, Verdict::NotInDataram, "firmware"),
                    (0x8400_0000, 4, Verdict::NotInDataram, "hbm_scratch"),
                    (0x0700_0000, 4, Verdict::NotInDataram, "window"),
                ] {
                    for inwards in [0, 1] {
                        let arguments = args![&x, method as i32, local, bytes, inwards];
                        let report = sim.launch(op!(one_copy), &arguments).unwrap();
                        let (count, first) = told(&report, verdict);
                        assert_eq!(count, u64::from(cores), "{report}");
                        assert!(first.contains(text), "{first}");
                        assert_eq!(report.total().copies.bytes(), 0);
                        assert_eq!(report.total().copies.dma_calls + report.total().copies.core_copies, 0);
                    }
                }
            }
        }
    }
}

/// The null pointer, and HBM that is none: told, and nothing is copied.
#[test]
fn pointers_that_lead_nowhere() {
    #[custom_op]
    fn nowhere(q7: &Q7, x: &Tensor, method: i32, out: &mut Tensor) -> Result<()> {
        assert_eq!(x.numel(), out.numel());
        q7.set_memcpy_method(method_of(method));
        let block = q7.neuron_dataram_allocate(64, 64)?;
        for pointer in [Q7Ptr::<u8>::null(), Q7Ptr::new(HbmAddr::new(0x77))] {
            // SAFETY: what leads nowhere is not copied.
            unsafe { q7.neuron_memcpy(block, pointer, 8)? }
        }
        // SAFETY: nothing uses the block any more.
        unsafe { q7.neuron_dataram_free(block) }
        Ok(())
    }
    let x = HostTensor::zeros(Dtype::U8, &[8]).unwrap();
    for method in 0..3 {
        for timing in [DmaTiming::AtOnce, DmaTiming::AtWait] {
            let mut sim = Simulator::builder().cores(1).dma_timing(timing).build().unwrap();
            let report = sim.launch(op!(nowhere), &args![&x, method]).unwrap();
            let errors = report.faults().iter().filter(|fault| fault.access == neuron_device::Access::Read);
            assert_eq!(errors.count(), 2, "{report}");
            assert_eq!(report.total().copies.bytes(), 0);
        }
    }
}
