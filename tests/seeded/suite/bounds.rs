//! Accesses outside a tensor by `elements` and by accessor.

use neuron_device::prelude::*;

use super::launch::{Given, Launch, launch, ramp};
use super::raw::{fill, share};

pub(super) fn launches() -> Vec<Launch> {
    let halves = |sizes: &'static [u32]| {
        move |_: &mut _| {
            let both = ramp(&[2 * sizes[0], sizes.get(1).copied().unwrap_or(1)]);
            let half = |nth: u32| both.narrow(0, nth * sizes[0], sizes[0]).unwrap();
            let flat = |half: neuron_host_sim::HostTensor| match sizes {
                [_, _] => half,
                _ => half.flatten().unwrap(),
            };
            Given::from([flat(half(0)).into(), flat(half(1)).into()])
        }
    };
    let output_before_another = |sizes: &'static [u32]| {
        move |sim: &mut neuron_host_sim::Simulator| {
            let (out, behind) = in_a_row(sim, sizes);
            Given::from([ramp(sizes).into(), behind.into()]).into_output(out)
        }
    };
    vec![
        launch(op!(reads_past), |_| ramp(&[17])),
        launch(op!(writes_past), |_| ramp(&[17])),
        launch(op!(s11_reads_tile_1_of_1), |_| ramp(&[1, 4])),
        launch(op!(writes_tile_1_of_1), |_| ramp(&[1, 4])),
        launch(op!(reads_a_column_too_far), |_| ramp(&[3, 4])),
        launch(op!(writes_a_column_too_far), |_| ramp(&[3, 4])),
        launch(op!(reads_between_elements), |_| ramp(&[4, 6]).narrow(1, 0, 4).unwrap()),
        launch(op!(reads_past_a_view), |_| ramp(&[3, 4]).transpose(0, 1).unwrap()),
        launch(op!(reads_past_nothing), |_| ramp(&[0])),
        launch(op!(reads_the_neighbour), halves(&[4])),
        launch(op!(reads_the_neighbours_row), halves(&[3, 4])),
        launch(op!(l30_writes_the_neighbour), output_before_another(&[8])),
        launch(op!(writes_the_neighbours_row), output_before_another(&[3, 4])),
        launch(op!(reads_past_scratch), |_| ramp(&[16])),
        launch(op!(writes_past_scratch), |_| ramp(&[16])),
        launch(op!(reads_the_scratch_behind), |_| ramp(&[16])),
        launch(op!(reads_past_the_second_scratch), |_| ramp(&[16])),
        launch(op!(one_core_fails_one_reads_past), |_| ramp(&[16])),
    ]
}

/// Two tensors of one storage, the second right behind the first.
fn in_a_row(
    sim: &mut neuron_host_sim::Simulator,
    sizes: &[u32],
) -> (neuron_host_sim::HbmTensor, neuron_host_sim::HbmTensor) {
    let mut both = sizes.to_vec();
    both[0] *= 2;
    let both = sim.zeros(Dtype::F32, &both).unwrap();
    (both.narrow(0, 0, sizes[0]).unwrap(), both.narrow(0, sizes[0], sizes[0]).unwrap())
}

/// The last core reads the element behind the last.
#[custom_op]
fn reads_past(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, src.get(i + 1)); //~ past_the_end x read 1
    }
    Ok(())
}

/// Every element is written one too far.
#[custom_op]
fn writes_past(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<f32>(q7)?;
    let dst = out.elements_mut::<f32>(q7)?; //~ never_written out opened 1
    for i in share(q7, x) {
        dst.set(i + 1, src.get(i)); //~ past_the_end out written 1
    }
    Ok(())
}

/// S11: tile 1 of a dimension that has one.
#[custom_op]
fn s11_reads_tile_1_of_1(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    for j in q7.partition(src.size(1)) {
        dst.set([0, j], src.get([1, j])); //~ past_the_end x read 4
    }
    Ok(())
}

/// The same of the output.
#[custom_op]
fn writes_tile_1_of_1(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.accessor::<f32, 2>(q7)?;
    let dst = out.accessor_mut::<f32, 2>(q7)?; //~ never_written out opened 4
    for j in q7.partition(src.size(1)) {
        dst.set([1, j], src.get([0, j])); //~ past_the_end out written 4
    }
    Ok(())
}

/// A column too far is the next row, but of the last row it is behind the tensor.
#[custom_op]
fn reads_a_column_too_far(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    for i in q7.partition(src.size(0)) {
        for j in 0..src.size(1) {
            dst.set([i, j], src.get([i, j + 1])); //~ past_a_dimension x read 2; past_the_end x read 1
        }
    }
    Ok(())
}

/// The same of the output: its first column is not written.
#[custom_op]
fn writes_a_column_too_far(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.accessor::<f32, 2>(q7)?;
    let dst = out.accessor_mut::<f32, 2>(q7)?; //~ never_written out opened 3
    for i in q7.partition(src.size(0)) {
        for j in 0..src.size(1) {
            dst.set([i, j + 1], src.get([i, j])); //~ past_a_dimension out written 2; past_the_end out written 1
        }
    }
    Ok(())
}

/// A column too far of a view with gaps is in a gap.
#[custom_op]
fn reads_between_elements(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    for i in q7.partition(src.size(0)) {
        for j in 0..src.size(1) {
            dst.set([i, j], src.get([i, j + 1])); //~ past_a_dimension x read 3; past_the_end x read 1
        }
    }
    Ok(())
}

/// The last core reads the element behind the last of a transposed view.
#[custom_op]
fn reads_past_a_view(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for i in share(q7, x) {
        dst.set(i, src.get(i + 1)); //~ past_the_end x read 1
    }
    Ok(())
}

/// Every core takes it that there is a first element.
#[custom_op]
fn reads_past_nothing(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let first = x.elements::<f32>(q7)?.get(0); //~ past_the_end x read 8
    fill(q7, out, first)
}

/// M02: what is behind `x` is `y`, which does not make it right.
#[custom_op]
fn reads_the_neighbour(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let _ = y;
    for i in share(q7, x) {
        dst.set(i, src.get(i + 1)); //~ in_another_tensor x read 1
    }
    Ok(())
}

/// The row behind the last of `x` is the first of `y`.
#[custom_op]
fn reads_the_neighbours_row(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    let _ = y;
    for i in q7.partition(src.size(0)) {
        for j in 0..src.size(1) {
            dst.set([i, j], src.get([i + 1, j])); //~ in_another_tensor x read 4
        }
    }
    Ok(())
}

/// L30: the element behind the output is the first of `behind`.
#[custom_op]
fn l30_writes_the_neighbour(q7: &Q7, x: &Tensor, behind: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.elements::<f32>(q7)?;
    let dst = out.elements_mut::<f32>(q7)?; //~ never_written out opened 1
    let _ = behind;
    for i in share(q7, x) {
        dst.set(i + 1, src.get(i)); //~ in_another_tensor out written 1
    }
    Ok(())
}

/// The row behind the output is the first of `behind`.
#[custom_op]
fn writes_the_neighbours_row(q7: &Q7, x: &Tensor, behind: &Tensor, out: &mut Tensor) -> Result<()> {
    let src = x.accessor::<f32, 2>(q7)?;
    let dst = out.accessor_mut::<f32, 2>(q7)?; //~ never_written out opened 4
    let _ = behind;
    for i in q7.partition(src.size(0)) {
        for j in 0..src.size(1) {
            dst.set([i + 1, j], src.get([i, j])); //~ in_another_tensor out written 4
        }
    }
    Ok(())
}

/// Every core reads behind its scratch.
#[custom_op]
fn reads_past_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?;
    let cells = scratch.elements_mut::<f32>(q7)?;
    let behind = cells.get(x.numel()); //~ past_the_end scratch read 8
    fill(q7, out, behind)
}

/// Every core writes behind its scratch.
#[custom_op]
fn writes_past_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let mut scratch = q7.empty_like(x)?;
    let cells = scratch.accessor_mut::<f32, 1>(q7)?;
    cells.set([16], 1.0); //~ past_the_end scratch written 8
    fill(q7, out, 0.0_f32)
}

/// Behind the first tensor a core made lies the second: 16 elements are 64 bytes, to which scratch is aligned.
#[custom_op]
fn reads_the_scratch_behind(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (first, mut second) = (q7.empty_like(x)?, q7.empty_like(x)?);
    fill(q7, &mut second, 1.0_f32)?;
    let behind = first.elements::<f32>(q7)?.get(16); //~ in_another_tensor scratch read 8
    fill(q7, out, behind)
}

/// The second tensor a core made, of another size than the first.
#[custom_op]
fn reads_past_the_second_scratch(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _first = q7.empty_like(x)?;
    let second = q7.empty(x.dtype(), &[3])?;
    let behind = second.elements::<f32>(q7)?.get(3); //~ past_the_end scratch read 8
    fill(q7, out, behind)
}

/// Core 3 fails, so what is missing is not judged; what core 5 reads is.
#[custom_op]
fn one_core_fails_one_reads_past(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    if q7.get_cpu_id() == 3 {
        return Err(Error::message("is not for core 3").about("x"));
    }
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    let ahead = if q7.get_cpu_id() == 5 { 10 } else { 0 };
    for i in share(q7, x) {
        dst.set(i, src.get(i + ahead)); //~ past_the_end x read 2
    }
    Ok(())
}
