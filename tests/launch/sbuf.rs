//! Tensors in SBUF: read and written by way of the pinned window, copied by DMA, checked as those in HBM are.

mod records;

use neuron_device::prelude::*;
use neuron_device::{CopyMethod, NxAddr, SBUF_BYTES, SBUF_WINDOW, SbufAddresses};
use neuron_host_sim::{
    DmaTiming, FaultKind, HbmError, HostTensor, LaunchError, Profile, Report, Rule, Simulator,
    SimulatorBuilder, Verdict, args,
};

use crate::{found, ramp, the};

const PROFILES: [(Profile, SbufAddresses); 2] =
    [(Profile::Observed, SbufAddresses::Local), (Profile::Documented, SbufAddresses::Offsets)];

/// The record of the window table that shows SBUF.
const PINNED: usize = 3;

fn builder(profile: Profile, cores: u32) -> SimulatorBuilder {
    // Accesses by element on eight cores, and i64, are what `Documented` does not like, wherever the tensor is.
    Simulator::builder().cores(cores).host_threads(1).profile(profile).without(FaultKind::Profile)
}

fn of(profile: Profile, cores: u32) -> Simulator {
    builder(profile, cores).build().unwrap()
}

/// Bytes of any value, the next not like the last.
fn bits(dtype: Dtype, sizes: &[u32]) -> HostTensor {
    let bytes: u64 = sizes.iter().map(|&size| u64::from(size)).product::<u64>() * dtype.size();
    let bytes: Vec<u8> = (0..bytes).map(|at| (at * 167 + at / 251) as u8).collect();
    HostTensor::from_bytes(dtype, sizes, &bytes).unwrap()
}

/// The bits of each element, one by one. A core of a machine that says it has eight takes the work of all it stands for.
#[custom_op]
fn by_elements(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    fn go<T: Element>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
        let (src, dst) = (x.elements::<T>(q7)?, out.elements_mut::<T>(q7)?);
        q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
        Ok(())
    }
    match_dtype!(x, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => go::<T>(q7, x, out))
}

/// The same by tiles through TCM, by the method of this number.
#[custom_op]
fn by_tiles(q7: &Q7, x: &Tensor, method: i32, out: &mut Tensor) -> Result<()> {
    fn go<T: Element>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
        let mut tile = q7.tcm_malloc::<T>(500)?;
        for span in q7.partition_tiles(x.numel(), 500) {
            let values = x.strided_to_tcm(q7, span, &mut tile)?;
            out.tcm_to_tensor(q7, span.offset, values)?;
        }
        Ok(())
    }
    q7.set_memcpy_method(CopyMethod::try_from(method as u32).map_err(Error::new)?);
    match_dtype!(x, i8 | u8 | i16 | bf16 | f16 | i32 | f32 | i64 as T => go::<T>(q7, x, out))
}

/// As many elements of the output as the cores had: one core of `Documented` is told that there are eight.
fn share(sim: &Simulator, numel: usize, tile: usize) -> usize {
    let alone = sim.cores() == 1 && sim.profile() == Profile::Documented;
    if alone { numel.div_ceil(tile).div_ceil(8) * tile } else { numel }
}

/// Every dtype, in both profiles, on one core and on eight, element by element and by every way of copying, from SBUF to HBM
/// and to SBUF.
#[test]
fn what_is_in_sbuf_comes_out_bit_for_bit() {
    let numel = 4003;
    for ((profile, _), cores) in PROFILES.into_iter().flat_map(|one| [(one, 1), (one, 8)]) {
        for timing in [DmaTiming::AtOnce, DmaTiming::AtWait] {
            let mut sim =
                builder(profile, cores).without(FaultKind::Coverage).dma_timing(timing).build().unwrap();
            for dtype in Dtype::ALL {
                let host = bits(dtype, &[numel]);
                let x = sim.to_sbuf(&host).unwrap();
                let reference = |share: usize| host.to_bytes()[..share * dtype.size() as usize].to_vec();
                let same = |report: &Report, share: usize| {
                    report.assert_clean();
                    let got = report.output().to_host().to_bytes();
                    assert_eq!(
                        got[..share * dtype.size() as usize],
                        reference(share),
                        "{dtype} {profile:?} {cores}"
                    );
                };
                let each = share(&sim, numel as usize, 1);
                let report = sim.launch(op!(by_elements), &args![&x]).unwrap();
                same(&report, each);
                let pinned = report.total().windows[PINNED];
                assert_eq!((pinned.hits, pinned.misses, pinned.evictions), (each as u64, 0, 0));
                assert_eq!(report.notes().iter().filter(|note| note.rule == Rule::SbufAddress).count(), 0);
                for method in 0..3i32 {
                    let whole = share(&sim, numel as usize, 500);
                    let report = sim.launch(op!(by_tiles), &args![&x, method]).unwrap();
                    same(&report, whole);
                    let out = sim.empty_in_sbuf(dtype, &[numel]).unwrap();
                    let report = sim.launch_into(op!(by_tiles), &args![&x, method], &out).unwrap();
                    assert!(report.output().is_in_sbuf());
                    same(&report, whole);
                }
            }
        }
    }
}

/// A clean launch whose cores share memory at first, an unchecked one, and one in every mood.
#[test]
fn every_way_to_launch() {
    let host = bits(Dtype::I32, &[300_000]);
    let check = |report: &Report| {
        report.assert_clean();
        assert_eq!(report.output().to_host().to_bytes(), host.to_bytes());
    };
    for mut sim in [of(Profile::Observed, 8), builder(Profile::Observed, 8).unchecked().build().unwrap()] {
        let x = sim.to_sbuf(&host).unwrap();
        check(&sim.launch(op!(by_elements), &args![&x]).unwrap());
        let out = sim.empty_in_sbuf(Dtype::I32, &[300_000]).unwrap();
        check(&sim.launch_into(op!(by_tiles), &args![&x, 2i32], &out).unwrap());
        check(&sim.launch(op!(by_elements), &args![&out]).unwrap());
        if sim.is_checked() {
            check(&sim.moods().launch_into(op!(by_tiles), &args![&x, 2i32], &out).unwrap());
        }
    }
}

#[test]
fn views_are_of_one_storage() {
    for (profile, _) in PROFILES {
        let mut sim = of(profile, 8);
        let host = ramp(&[6, 10]);
        let x = sim.to_sbuf(&host).unwrap();
        for (view, expected) in [
            (x.transpose(0, 1).unwrap(), host.transpose(0, 1).unwrap()),
            (x.slice(1, 1, 9, 3).unwrap(), host.slice(1, 1, 9, 3).unwrap()),
            (x.narrow(0, 2, 3).unwrap(), host.narrow(0, 2, 3).unwrap()),
            (x.select(1, 7).unwrap(), host.select(1, 7).unwrap()),
            (
                x.narrow(0, 1, 1).unwrap().expand(&[4, 10]).unwrap(),
                host.narrow(0, 1, 1).unwrap().expand(&[4, 10]).unwrap(),
            ),
        ] {
            for report in [
                sim.launch(op!(by_elements), &args![&view]).unwrap(),
                sim.launch(op!(by_tiles), &args![&view, 2i32]).unwrap(),
            ] {
                report.assert_clean();
                assert_eq!(report.output().to_host().to_bytes(), expected.to_bytes());
            }
        }
        // A view as the output, and what the host writes between launches.
        let all = sim.to_sbuf(&ramp(&[4, 4])).unwrap();
        all.select(0, 3).unwrap().copy_from(&HostTensor::scalar(7.0f32).expand(&[4]).unwrap()).unwrap();
        let row = sim.to_sbuf(&HostTensor::from_slice(&[4], &[-1.0f32; 4]).unwrap()).unwrap();
        let column = all.select(1, 2).unwrap();
        sim.launch_into(op!(by_elements), &args![&row], &column).unwrap().assert_clean();
        let expected =
            [0.0f32, 1.0, -1.0, 3.0, 4.0, 5.0, -1.0, 7.0, 8.0, 9.0, -1.0, 11.0, 7.0, 7.0, -1.0, 7.0];
        assert_eq!(all.to_host().to_vec::<f32>().unwrap(), expected);
    }
}

/// The first two elements by a local address, the third by a pointer, after windows were mapped.
#[custom_op]
fn by_addresses(q7: &Q7, x: &Tensor, far: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() > 0 {
        return Ok(());
    }
    let local = q7.translate(x.storage());
    assert_eq!(local.band(), neuron_device::Band::SbufWindow);
    let there = far.elements::<i32>(q7)?.get(0);
    let dst = out.elements_mut::<i32>(q7)?;
    // SAFETY: translated, in a window that is pinned; `x` is of i32, and has three elements.
    let first = unsafe { q7.load_nx::<i32>(local) };
    // SAFETY: as above.
    let second = unsafe { q7.load_nx::<i32>(NxAddr::new(local.get() + 4)) };
    let third = x.q7_data_ptr::<i32>()?.add(2).ok_or(Error::message("beyond"))?;
    // SAFETY: the third element.
    let third = unsafe { third.load(q7) };
    [first, second, third, there].into_iter().enumerate().for_each(|(i, value)| dst.set(i as u64, value));
    Ok(())
}

/// The window is pinned: nothing is stale after another translation.
#[test]
fn local_addresses_in_sbuf_stay_good() {
    for (profile, _) in PROFILES {
        let mut sim = of(profile, 1);
        let x = sim.to_sbuf(&HostTensor::from_slice(&[4], &[5, 6, 7, 8]).unwrap()).unwrap();
        let far = HostTensor::from_slice(&[1], &[9]).unwrap();
        let report = sim.launch(op!(by_addresses), &args![&x, &far]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().to_host().to_vec::<i32>().unwrap(), [5, 6, 7, 9]);
        // A translation, a pointer; by address nothing is translated.
        assert_eq!(report.total().windows[PINNED].hits, 2);
    }
}

#[custom_op]
fn one_too_far(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i + 1)));
    Ok(())
}

/// Every core writes the first element, and reads its own of `out`.
#[custom_op]
fn all_at_once(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    dst.set(0, src.get(0) + q7.get_cpu_id() as f32);
    Ok(())
}

#[test]
fn checks_are_those_of_hbm_and_name_sbuf() {
    for (profile, _) in PROFILES {
        let mut sim = of(profile, 8);
        let x = sim.to_sbuf(&ramp(&[64])).unwrap();
        let report = sim.launch(op!(one_too_far), &args![&x]).unwrap();
        let fault = the(&report, Verdict::PastTheEnd);
        assert_eq!((fault.argument, &*fault.first, &fault.cores[..]), ("x", "[64]", &[7][..]));
        assert!(fault.to_string().contains("past the end of `x` (f32 [64] in SBUF)"), "{fault}");
        assert_eq!(fault.window(), Some(x.storage()));
        assert_eq!(report.to_json()["faults"][0]["memory"], "SBUF");

        let out = sim.empty_in_sbuf(Dtype::F32, &[64]).unwrap();
        let report = sim.launch_into(op!(all_at_once), &args![&x], &out).unwrap();
        assert_eq!(
            found(&report),
            [(Verdict::WrittenBySeveralCores, "out", 1), (Verdict::NeverWritten, "out", 63)],
            "{report}"
        );
        assert!(report.to_string().matches("(f32 [64] in SBUF)").count() >= 2, "{report}");

        let empty = sim.empty_in_sbuf(Dtype::F32, &[64]).unwrap();
        let report = sim.launch(op!(by_elements), &args![&empty]).unwrap();
        let fault = the(&report, Verdict::NeverInitialised);
        assert_eq!((fault.argument, fault.count), ("x", 64), "{report}");
        assert!(fault.to_string().contains("(f32 [64] in SBUF)"), "{fault}");
        let report = sim.launch(op!(by_tiles), &args![&empty, 2i32]).unwrap();
        assert_eq!(the(&report, Verdict::NeverInitialised).count, 64, "{report}");
        // What a launch wrote there is there from then on.
        sim.launch_into(op!(by_elements), &args![&x], &empty).unwrap().assert_clean();
        sim.launch(op!(by_elements), &args![&empty]).unwrap().assert_clean();
    }
}

#[test]
fn two_tensors_in_sbuf_do_not_meet() {
    let mut sim = of(Profile::Observed, 8);
    let x = sim.to_sbuf(&ramp(&[1024])).unwrap();
    let _behind = sim.to_sbuf(&ramp(&[1024])).unwrap();
    let error = sim.launch_into(op!(by_elements), &args![&x], &x).unwrap_err();
    assert!(matches!(error, LaunchError::OutputAliases { .. }), "{error}");
    let error = of(Profile::Observed, 8).launch(op!(by_elements), &args![&x]).unwrap_err();
    assert!(matches!(error, LaunchError::OtherSimulator { argument: "x", .. }), "{error}");
}

#[test]
fn a_launch_with_sbuf_runs_again() {
    for (profile, _) in PROFILES {
        let mut sim = of(profile, 8);
        let x = sim.to_sbuf(&ramp(&[64])).unwrap();
        let out = sim.to_sbuf(&ramp(&[64])).unwrap();
        let report = sim.launch_into(op!(one_too_far), &args![&x], &out).unwrap();
        neuron_device::neuron_library!(AGAIN: "again" = [one_too_far]);
        let replay = report.to_replay().unwrap();
        let stop = replay.run(&[&AGAIN], Some(2), &"write:out[17]".parse().unwrap()).unwrap();
        let access = stop.access.unwrap();
        assert_eq!(
            (access.record, access.local),
            (Some(3), Some(NxAddr::new(SBUF_WINDOW.get() + 4096 + 4 * 17)))
        );
    }
}

/// SBUF is of one size, and what is dropped is free again, and holds zeros.
#[test]
fn sbuf_has_an_end() {
    let mut sim = of(Profile::Observed, 1);
    let all = SBUF_BYTES as u32;
    let whole = sim.to_sbuf(&bits(Dtype::U8, &[all])).unwrap();
    let error = sim.to_sbuf(&ramp(&[1])).unwrap_err();
    assert_eq!(error, HbmError::SbufExhausted { asked: 4, largest_free: 0 });
    assert!(error.to_string().contains("put some into HBM"), "{error}");
    // Its last element, and no further.
    let last = whole.narrow(0, all - 1, 1).unwrap();
    let report = sim.launch(op!(by_elements), &args![&last]).unwrap();
    assert_eq!(report.output().to_host().to_bytes(), last.to_host().to_bytes());
    drop((whole, last));
    let again = sim.empty_in_sbuf(Dtype::U8, &[all]).unwrap();
    assert_eq!(again.narrow(0, all - 9, 9).unwrap().to_host().to_bytes(), [0; 9]);
}
