//! What other machines would make of kernels that are right on this one.

use neuron_device::prelude::*;
use neuron_host_sim::WhatIf;

use super::launch::{Launch, launch, ramp, ramp_of};
use super::raw::{begin, block_of, fill, free, further, load_nx, memcpy, share, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    let granule = WhatIf { dma_granule: Some(64), ..WhatIf::default() };
    let late = WhatIf { done_before_visible: true, ..WhatIf::default() };
    let cache = WhatIf { tcm_write_back: Some(64), ..WhatIf::default() };
    let line = WhatIf { line_write_back: Some(64), ..WhatIf::default() };
    vec![
        launch(op!(d02_ends_at_different_places), |_| ramp_of::<u8>(&[128])).if_it_were(granule),
        launch(op!(d04_row_shorter_than_a_granule), |_| ramp_of::<f16>(&[3])).if_it_were(granule),
        launch(op!(d04_begun_by_hand), |_| ramp_of::<u8>(&[128])).if_it_were(granule),
        launch(op!(d04_end_of_a_tensor), |_| ramp(&[128])).if_it_were(granule),
        launch(op!(d12_read_back_too_soon), |_| ramp(&[8])).if_it_were(late),
        launch(op!(d12_written_too_soon), |_| ramp(&[8])).if_it_were(late),
        launch(op!(d12_stream_read_back), |_| ramp(&[8])).if_it_were(late),
        launch(op!(d15_copied_behind_the_cache), |_| ramp(&[8])).if_it_were(cache),
        launch(op!(d15_line_written_beside_a_copy), |_| ramp_of::<u8>(&[128])).if_it_were(cache),
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

/// A share of sixteen elements, of which three are copied and thirteen taken along.
#[custom_op]
fn d04_end_of_a_tensor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = block_of(q7, &[1.0_f32; 16])?;
    let to = out.q7_data_ptr::<f32>()?.add(16 * u64::from(q7.get_cpu_id())).unwrap();
    memcpy(q7, to, block, 12)?; //~ transfer_spilled out written 8
    free(q7, block);
    fill(q7, out, x.dim() as f32)
}

/// D12: done, and read where nobody sees it yet.
#[custom_op]
fn d12_read_back_too_soon(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut kept = q7.empty(x.dtype(), &[1])?;
    kept.elements_mut::<f32>(q7)?.set(0, 1.0);
    let tile = q7.tcm_malloc::<f32>(1)?.filled_with(2.0);
    let copy = kept.tcm_to_tensor_async(q7, 0, tile)?; //~ not_yet_visible scratch started 8
    let tile = copy.wait();
    let seen = kept.elements::<f32>(q7)?.get(0); //~ not_yet_visible scratch read 8
    q7.fence();
    fill(q7, out, seen + tile[0] + kept.elements::<f32>(q7)?.get(0))
}

/// What is written there meanwhile is written over.
#[custom_op]
fn d12_written_too_soon(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut kept = q7.empty(x.dtype(), &[1])?;
    kept.elements_mut::<f32>(q7)?.set(0, 1.0);
    kept.tcm_to_tensor(q7, 0, q7.tcm_malloc::<f32>(1)?.fill(2.0))?; //~ not_yet_visible scratch started 8
    kept.elements_mut::<f32>(q7)?.set(0, 3.0); //~ not_yet_visible scratch written 8
    q7.fence();
    fill(q7, out, kept.elements::<f32>(q7)?.get(0))
}

/// A stream that is closed has made its last copy, and no more.
#[custom_op]
fn d12_stream_read_back(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut kept = q7.empty(x.dtype(), &[2])?;
    let zeros = kept.elements_mut::<f32>(q7)?;
    (0..2).for_each(|i| zeros.set(i, 0.0));
    kept.write_stream_accessor::<f32>(q7, ..)?.write_from([1.0, 2.0]); //~ not_yet_visible scratch started 16
    let ones = kept.elements::<f32>(q7)?;
    let sum = (0..2).map(|i| ones.get(i)).sum::<f32>(); //~ not_yet_visible scratch read 16
    fill(q7, out, sum)
}

/// D15: what the core wrote is in its cache, and the engine copies what was there before.
#[custom_op]
fn d15_copied_behind_the_cache(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let share = q7.partition_flat(x.numel());
    let mut buffer = q7.tcm_malloc::<f32>(8)?;
    for tile in share.tiles(8) {
        let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
        values.iter_mut().for_each(|value| *value += 1.0);
        out.tcm_to_tensor(q7, tile.offset, values)?; //~ behind_the_cache tcm written 8
    }
    Ok(())
}

/// The line is invalid after the copy, and with it what was written beside.
#[custom_op]
fn d15_line_written_beside_a_copy(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let block = q7.neuron_dataram_allocate(64, 64)?;
    store_nx(q7, further(block, 40), 7_u8);
    memcpy(q7, block, x.q7_data_ptr::<u8>()?, 32)?; //~ dropped_with_a_line tcm read 8
    let (copied, beside) = (load_nx::<u8>(q7, further(block, 31)), load_nx::<u8>(q7, further(block, 40)));
    free(q7, block);
    fill(q7, out, copied + beside)
}

/// D16: sixteen elements on one line, two of each core. The last core's line is kept.
#[custom_op]
fn d16_two_cores_on_one_line(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let dst = out.elements_mut::<f32>(q7)?;
    share(q7, x).for_each(|i| dst.set(i, 1.0)); //~ lost_in_a_line out written 14
    Ok(())
}
