//! Ops that say `in_place`, over their own input.

use neuron_device::prelude::*;
use neuron_host_sim::{HbmTensor, HostTensor, Simulator};

use super::super::launch::{Given, Launch, launch, ramp};
use super::super::raw::{address, load, load_nx, share, store, store_nx};

pub(super) fn launches() -> Vec<Launch> {
    let over = |view: fn(HbmTensor) -> HbmTensor| {
        move |sim: &mut Simulator| {
            let x = view(sim.upload(&ramp(&[6, 8])).unwrap());
            Given::from(x.clone()).into_output(x)
        }
    };
    vec![
        launch(op!(halves), over(|all| all)),
        launch(op!(halves), over(|all| all.transpose(0, 1).unwrap())).labelled("of a transposed view"),
        launch(op!(halves), over(|all| all.slice(1, 0, 8, 3).unwrap())).labelled("of every third column"),
        launch(op!(halves), |_| ramp(&[6, 8])).labelled("apart"),
        launch(op!(halves), over(|all| all)).labelled("in every mood").in_moods(),
        launch(op!(halves_by_accessor), over(|all| all)),
        launch(op!(halves_by_pointer), over(|all| all)),
        launch(op!(halves_by_local_address), over(|all| all)),
        launch(op!(rotates_rows), over(|all| all)),
        launch(op!(sorts_rows), over(|all| all)),
        launch(op!(adds_the_other), |sim| {
            let x = sim.upload(&ramp(&[20])).unwrap();
            Given::from([x.clone().into(), x.clone().into()]).into_output(x)
        }),
        launch(op!(adds_the_other), |sim| {
            let x = sim.upload(&ramp(&[20])).unwrap();
            let y: HostTensor = ramp(&[20]);
            Given::from([x.clone().into(), y.into()]).into_output(x)
        })
        .labelled("from elsewhere"),
    ]
}

#[custom_op(in_place)]
fn halves(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    share(q7, x).for_each(|i| dst.set(i, src.get(i) / 2.0));
    Ok(())
}

#[custom_op(in_place)]
fn halves_by_accessor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    for i in q7.partition(src.size(0)) {
        (0..src.size(1)).for_each(|j| dst.set([i, j], src.get([i, j]) / 2.0));
    }
    Ok(())
}

/// The pointer of the input is that of the output.
#[custom_op(in_place)]
fn halves_by_pointer(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = out;
    let first = x.q7_data_ptr::<f32>()?;
    for i in share(q7, x) {
        let own = first.add(i).unwrap();
        store(q7, own, load(q7, own) / 2.0);
    }
    Ok(())
}

#[custom_op(in_place)]
fn halves_by_local_address(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let _ = out;
    for i in share(q7, x) {
        let own = q7.translate(address::<f32>(x, i));
        let value = load_nx::<f32>(q7, own);
        store_nx(q7, own, value / 2.0);
    }
    Ok(())
}

/// Each row one place on, by the core whose it is.
#[custom_op(in_place)]
fn rotates_rows(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.accessor::<f32, 2>(q7)?, out.accessor_mut::<f32, 2>(q7)?);
    for i in q7.partition(src.size(0)) {
        let mut carried = src.get([i, src.size(1) - 1]);
        for j in 0..src.size(1) {
            let here = src.get([i, j]);
            dst.set([i, j], carried);
            carried = here;
        }
    }
    Ok(())
}

/// Each row in falling order, exchanging elements of the output.
#[custom_op(in_place)]
fn sorts_rows(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let columns = x.size(1);
    let cells = out.accessor_mut::<f32, 2>(q7)?;
    for i in q7.partition(x.size(0)) {
        for end in (1..columns).rev() {
            for j in 0..end {
                let (left, right) = (cells.get([i, j]), cells.get([i, j + 1]));
                if left < right {
                    cells.set([i, j], right);
                    cells.set([i, j + 1], left);
                }
            }
        }
    }
    // An element in its place already is written too: coverage asks for it.
    for i in q7.partition(x.size(0)) {
        (0..columns).for_each(|j| cells.set([i, j], cells.get([i, j])));
    }
    Ok(())
}

#[custom_op(in_place)]
fn adds_the_other(q7: &Q7, x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    let (xs, ys, dst) = (x.elements::<f32>(q7)?, y.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    share(q7, x).for_each(|i| dst.set(i, xs.get(i) + ys.get(i)));
    Ok(())
}
