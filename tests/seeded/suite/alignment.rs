//! Addresses that are no multiple of the element's size.

use neuron_device::prelude::*;
use neuron_device::{HbmAddr, Q7Ptr, WINDOW_BYTES};

use super::launch::{Launch, launch, ramp};
use super::raw::{fill, further, load, load_nx, store, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    vec![
        launch(op!(pointer_reads_misaligned), |_| ramp(&[8])),
        launch(op!(pointer_writes_misaligned), |_| ramp(&[8])),
        launch(op!(local_reads_misaligned), |_| ramp(&[8])),
        launch(op!(local_writes_misaligned), |_| ramp(&[8])),
        launch(op!(d18_reads_across_the_edge), |sim| sim.zeros(Dtype::F32, &[8 << 20]).unwrap()).on(2),
    ]
}

fn two_bytes_in<T>(tensor: &Tensor) -> Q7Ptr<T> {
    Q7Ptr::new(HbmAddr::new(tensor.storage().get() + 2))
}

/// Two bytes into an element.
#[custom_op]
fn pointer_reads_misaligned(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let value = load(q7, two_bytes_in::<f32>(x)); //~ misaligned x read 8
    fill(q7, out, value)
}

/// The same of the output.
#[custom_op]
fn pointer_writes_misaligned(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    store(q7, two_bytes_in(out), 1.0_f32); //~ misaligned out written 8
    fill(q7, out, 0.0_f32)
}

/// Two bytes into an element, as the core sees it.
#[custom_op]
fn local_reads_misaligned(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = q7.translate(x.storage());
    let value = load_nx(q7, further(first, 2)); //~ misaligned x read 8
    fill::<f32>(q7, out, value)
}

/// The same of the output.
#[custom_op]
fn local_writes_misaligned(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = x;
    let first = q7.translate(out.storage());
    store_nx(q7, further(first, 2), 1.0_f32); //~ misaligned out written 8
    fill(q7, out, 0.0_f32)
}

/// D18: eight bytes of which the first four are in one window and the last four in the next: never half of each.
#[custom_op(shape = one_number)]
fn d18_reads_across_the_edge(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let edge = x.storage().window_base().get() + WINDOW_BYTES;
    let across = Q7Ptr::<i64>::new(HbmAddr::new(edge - 4));
    let both = load(q7, across); //~ misaligned x read 2
    fill(q7, out, both)
}

fn one_number(_: &[TensorSpec]) -> Result<TensorSpec> {
    TensorSpec::new(Dtype::I64, &[1])
}
