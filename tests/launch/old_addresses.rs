//! Local addresses used when their window shows something else.

use neuron_device::prelude::*;
use neuron_device::{HbmAddr, NxAddr};
use neuron_host_sim::{Simulator, Verdict, args};

use crate::by_hand::load;
use crate::{found, ramp, simulator, the};

/// Reads by a local address whose window shows the core's scratch by now, far behind what the core made there.
#[custom_op]
fn reads_where_its_scratch_is_free(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = (x, out);
    let old = q7.translate(HbmAddr::new(0x8000));
    (1..3).for_each(|window| {
        q7.translate(HbmAddr::new(window << 24));
    });
    let made = q7.empty(Dtype::F32, &[4])?;
    q7.translate(made.storage());
    // SAFETY: the simulator makes a fault of it.
    let read: f32 = unsafe { q7.load_nx(old) };
    if read == 0.0 { Ok(()) } else { Err(Error::message("free scratch is not zero")) }
}

/// What is read there is in no tensor: the age of the address is the one fault, and no tensor without a name was never
/// written.
#[test]
fn an_old_address_that_leads_to_no_tensor_is_one_fault() {
    let mut sim = Simulator::builder().cores(1).build().unwrap();
    let report = sim.launch(op!(reads_where_its_scratch_is_free), &args![&ramp(&[3])]).unwrap();
    let expected = [
        (Verdict::NoMemory, "", 1),
        (Verdict::NoMemory, "", 2),
        (Verdict::UsedAfterRemap, "", 1),
        (Verdict::NeverWritten, "out", 3),
    ];
    assert_eq!(found(&report), expected, "{report}");
}

/// An element at a local address.
#[custom_op]
fn reads_at(q7: &Q7, x: &Tensor, local: i64, out: &mut Tensor) -> Result<()> {
    let found: f32 = load(q7, NxAddr::new(local as u32));
    let own = q7.partition_flat(x.numel());
    out.write_stream_accessor::<f32>(q7, own)?.write_from(own.into_iter().map(|_| found));
    Ok(())
}

/// Numbers that look alike are told apart.
#[test]
fn what_shows_no_hbm_is_named_by_its_band() {
    for (local, band) in [
        (0x0000_0040, "instruction RAM"),
        (0x0010_0218, "the window registers"),
        (0x0200_0000, "the firmware's data"),
        // The arguments are read through the first.
        (0x0A00_0000, "a window"),
        // Behind what is memory there.
        (0x8180_0000_i64, "the window onto SBUF"),
        (0x8400_0000, "the window onto hbm_scratch"),
        (0xFFFF_FF00, "no part of the address map"),
    ] {
        let report = simulator().launch(op!(reads_at), &args![&ramp(&[8]), local]).unwrap();
        let fault = the(&report, Verdict::NoWindow);
        assert!(fault.first.starts_with(&format!("{local:#010x}, in {band}")), "{report}");
    }
    let report = simulator().launch(op!(reads_at), &args![&ramp(&[8]), 0x8000_0000_i64]).unwrap();
    let fault = the(&report, Verdict::InNoTensor);
    assert!(fault.first.ends_with(", in SBUF at 0x80000000"), "{report}");
}
