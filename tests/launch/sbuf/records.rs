//! Records of tensors in SBUF, in both profiles: what each takes for an address, and what it refuses.

use neuron_device::prelude::*;
use neuron_device::{ArgDescriptor, ArgRecord, Layout, NxAddr, SBUF_BYTES, SBUF_WINDOW, SbufAddresses};
use neuron_host_sim::{HbmTensor, LaunchError, Outcome, Profile, Rule, Simulator, args};

use super::{PROFILES, bits, of};
use crate::ramp;

/// The record of `x` with this word for its address, of 6 elements.
fn with_word(x: &HbmTensor, word: u32) -> ArgDescriptor {
    let mut bytes = *x.descriptor().unwrap().record.as_bytes();
    bytes[24..28].copy_from_slice(&word.to_le_bytes());
    ArgDescriptor { record: ArgRecord::from_bytes(&bytes), view: None }
}

/// What the core says of a launch with this record.
fn refusal(sim: &mut Simulator, record: ArgDescriptor) -> String {
    let report = sim.launch(op!(by_six), &args![record]).unwrap();
    match &report.cores()[0].outcome {
        Outcome::Failed(error) => error.to_string(),
        other => panic!("{other:?}\n{report}"),
    }
}

#[custom_op(shape = six)]
fn by_six(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_flat(src.numel()).into_iter().for_each(|i| dst.set(i, src.get(i)));
    Ok(())
}

fn six(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::F32, &[6])
}

/// A record is read as the profile says: what is good in one is refused, or elsewhere, in the other; and a launch that depends
/// on it is not portable.
#[test]
fn a_record_is_of_one_profile() {
    for (profile, addresses) in PROFILES {
        let mut sim = of(profile, 8);
        let x = sim.to_sbuf(&ramp(&[6])).unwrap();
        let descriptor = x.descriptor().unwrap();
        let at = NxAddr::new(SBUF_WINDOW.get());
        let record = ArgRecord::in_sbuf(at, addresses, Dtype::F32, x.layout(), 128).unwrap();
        assert_eq!(descriptor.record, record);
        let report = sim.launch(op!(by_six), &args![descriptor]).unwrap();
        report.assert_clean();
        assert_eq!(report.output().to_host().to_bytes(), ramp(&[6]).to_bytes());
        let note = report.notes().iter().find(|note| note.rule == Rule::SbufAddress);
        assert_eq!(note.is_some(), profile == Profile::Observed, "{report}");
        if let Some(note) = note {
            let start = "the record of `x`, in SBUF, has a local address: an offset from where SBUF begins";
            assert!(
                note.text.starts_with(start) && note.text.contains("Simulator::to_sbuf"),
                "{}",
                note.text
            );
        }
        let other = PROFILES.iter().find(|(other, _)| *other != profile).unwrap().1;
        let said = refusal(&mut sim, with_word(&x, other.written(at)));
        assert!(said.starts_with("`x` has a bad record: ") && said.contains("byte 24"), "{said}");
    }
}

/// Numbers that look alike, each in both profiles: byte and value, and what it is.
#[test]
fn addresses_that_are_not_in_sbuf() {
    let table: [(u32, [Option<&str>; 2]); 9] = [
        (
            0x0008_0000,
            [
                Some("local address 0x00080000 at byte 24 is in dataram, where tensors are staged (0x80000)"),
                None,
            ],
        ),
        (
            0x0200_0000,
            [
                Some(
                    "local address 0x02000000 at byte 24 is in the firmware's data (0x2000000), which no op reaches",
                ),
                Some(
                    "offset 0x02000000, byte 24, leave SBUF, which has 24 MiB: as a local address it would be in the firmware's data",
                ),
            ],
        ),
        (
            0x8400_0000,
            [
                Some("local address 0x84000000 at byte 24 is in the window onto hbm_scratch (0x84000000)"),
                Some(
                    "offset 0x84000000, byte 24, leave SBUF, which has 24 MiB: as a local address it would be in the window onto hbm_scratch",
                ),
            ],
        ),
        (
            0x8180_0000,
            [
                Some("24 bytes at local address 0x81800000, byte 24, leave SBUF"),
                Some("would be in the window onto SBUF"),
            ],
        ),
        (
            0x817F_FFEC,
            [Some("24 bytes at local address 0x817fffec, byte 24, leave SBUF"), Some("leave SBUF")],
        ),
        (
            0x017F_FFEC,
            [
                Some("is in no part of the address map"),
                Some("24 bytes at offset 0x017fffec, byte 24, leave SBUF"),
            ],
        ),
        (0x8000_0002, [Some("address 0x80000002 at byte 24 is not a multiple of the element size"); 2]),
        (0x0000_0001, [Some("address 0x1 at byte 24 is not a multiple of the element size"); 2]),
        (0x0900_0000, [Some("is in a window onto HBM"), Some("would be in a window onto HBM")]),
    ];
    for ((profile, _), column) in PROFILES.into_iter().zip(0..) {
        let mut sim = of(profile, 8);
        let x = sim.to_sbuf(&ramp(&[6])).unwrap();
        for (word, said) in table {
            match said[column] {
                Some(expected) => {
                    let found = refusal(&mut sim, with_word(&x, word));
                    assert!(found.contains(expected), "{found}\ninstead of\n{expected}");
                }
                // 512 KiB into SBUF, where the host put nothing: a record is believed.
                None => {
                    let report = sim.launch(op!(by_six), &args![with_word(&x, word)]).unwrap();
                    assert!(report.cores().iter().all(|core| core.outcome == Outcome::Returned), "{report}");
                    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [0.0; 6]);
                }
            }
        }
        for (location, expected) in [
            (0, "location INVALID (0) at byte 0 is no place for a tensor"),
            (
                3,
                "location 3 at byte 0 is neither HBM (2) nor SBUF (1), and a core reaches nothing else: PSUM",
            ),
        ] {
            let mut bytes = *x.descriptor().unwrap().record.as_bytes();
            bytes[0] = location;
            let record = ArgDescriptor { record: ArgRecord::from_bytes(&bytes), view: None };
            let found = refusal(&mut sim, record);
            assert!(found.contains(expected), "{found}");
        }
    }
}

/// What the host cannot describe it refuses itself.
#[test]
fn a_tensor_no_record_describes_is_refused() {
    let mut sim = of(Profile::Observed, 1);
    let x = sim.to_sbuf(&bits(Dtype::U8, &[70_000])).unwrap().reshape(&[1, 1, 1, 1, 70_000]).unwrap();
    let error = sim.launch(op!(super::by_elements), &args![&x]).unwrap_err();
    assert!(matches!(error, LaunchError::Record { argument: "x", .. }), "{error}");
    let layout = Layout::contiguous(&[SBUF_BYTES as u32 + 1]).unwrap();
    let error = ArgRecord::in_sbuf(SBUF_WINDOW, SbufAddresses::Local, Dtype::U8, &layout, 128).unwrap_err();
    assert!(error.to_string().starts_with("25165825 bytes at local address 0x80000000"), "{error}");
}
