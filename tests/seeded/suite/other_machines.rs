//! What other machines would make of kernels that are right on this one.

use neuron_device::prelude::*;
use neuron_host_sim::WhatIf;

use super::launch::{Launch, launch, ramp, ramp_of};
use super::raw::{begin, fill, free, further, share};

pub(super) fn launches() -> Vec<Launch> {
    let granule = WhatIf { dma_granule: Some(64), ..WhatIf::default() };
    let line = WhatIf { line_write_back: Some(64), ..WhatIf::default() };
    vec![
        launch(op!(d02_ends_at_different_places), |_| ramp_of::<u8>(&[128])).if_it_were(granule),
        launch(op!(d04_row_shorter_than_a_granule), |_| ramp_of::<f16>(&[3])).if_it_were(granule),
        launch(op!(d04_begun_by_hand), |_| ramp_of::<u8>(&[128])).if_it_were(granule),
        launch(op!(d16_two_cores_on_one_line), |_| ramp(&[16])).if_it_were(line),
    ]
}

/// D02: byte 65 to byte 1 is the same place of a granule, byte 65 to byte 0 is not.
#[custom_op]
fn d02_ends_at_different_places(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(64, 64)?;
    let from = x.q7_data_ptr::<u8>()?.add(65).unwrap();
    let legal = begin(q7, further(block, 1), from, 32)?;
    q7.neuron_memcpy_wait(legal);
    let shifted = begin(q7, block, from, 32)?; //~ transfer_misaligned tcm read 8
    q7.neuron_memcpy_wait(shifted);
    free(q7, block);
    fill(q7, out, 0_u8)
}

/// D04: a row of six bytes takes 58 more along.
#[custom_op]
fn d04_row_shorter_than_a_granule(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut buffer = q7.tcm_malloc::<f16>(3)?; //~ tcm_overrun tcm allocated 8
    let row = x.tensor_to_tcm(q7, Span { offset: 0, len: 3 }, &mut buffer)?; //~ tcm_overrun tcm read 8
    let first = row[0];
    fill(q7, out, first)
}

/// The end of a row that is longer.
#[custom_op]
fn d04_begun_by_hand(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(72, 64)?; //~ tcm_overrun tcm allocated 8
    let copy = begin(q7, block, x.q7_data_ptr::<u8>()?, 72)?; //~ tcm_overrun tcm read 8
    q7.neuron_memcpy_wait(copy);
    free(q7, block);
    fill(q7, out, 0_u8)
}

/// D16: sixteen elements on one line, two of each core. The last core's line is kept.
#[custom_op]
fn d16_two_cores_on_one_line(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<f32>(q7)?;
    share(q7, x).for_each(|i| dst.set(i, 1.0)); //~ lost_in_a_line out written 14
    Ok(())
}
