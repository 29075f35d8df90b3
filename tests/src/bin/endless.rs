//! A launch that never ends, which is what the watchdog is for; or, `endless drop`, one whose panic never ends. Either ends the
//! process.

use std::time::Duration;

use neuron_device::prelude::*;
use neuron_host_sim::{HostTensor, Simulator, args};

/// Core 1 goes round for ever and accesses nothing.
#[custom_op]
fn endless(q7: &Q7, _x: &Tensor, _out: &mut Tensor) -> Result<()> {
    while q7.get_cpu_id() == 1 {
        std::hint::spin_loop();
    }
    Ok(())
}

/// Overflows its stack when it is dropped.
struct Deep(u64);

impl Drop for Deep {
    fn drop(&mut self) {
        let left = std::hint::black_box([self.0; 8]);
        if left[0] > 0 {
            drop(Deep(left[0] - 1));
        }
        // No loop can take the place of this.
        std::hint::black_box(&left);
    }
}

#[custom_op]
fn panicking(_q7: &Q7, x: &Tensor, _out: &mut Tensor) -> Result<()> {
    let _deep = Deep(u64::MAX);
    assert_eq!(x.numel(), 0, "about to be dropped");
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x = HostTensor::scalar(1.0_f32);
    let report = if std::env::args().nth(1).is_some_and(|way| way == "drop") {
        Simulator::builder().cores(3).build()?.launch(op!(panicking), &args![&x])?
    } else {
        let limit = Duration::from_millis(100);
        Simulator::builder().cores(3).watchdog(limit).build()?.launch(op!(endless), &args![&x])?
    };
    println!("{report}");
    Ok(())
}
