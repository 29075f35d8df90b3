//! Local addresses used when their window shows something else.

use neuron_device::HbmAddr;
use neuron_device::prelude::*;
use neuron_host_sim::{Simulator, Verdict, args};

use crate::{found, ramp};

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
