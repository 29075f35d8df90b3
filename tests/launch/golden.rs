//! Reports word for word. `cargo xtask bless` records them anew.

use neuron_device::{Op, op};
use neuron_host_sim::cost::CostModel;
use neuron_host_sim::{HostTensor, Simulator, args};

use crate::{kernels, ramp, simulator};

fn text(op: &'static Op, x: &HostTensor) -> String {
    simulator().launch(op, &args![x]).unwrap().to_string()
}

#[test]
fn clean() {
    insta::assert_snapshot!(text(op!(neuron_examples::relu::relu), &ramp(&[17])));
}

#[test]
fn buggy_relu() {
    insta::assert_snapshot!(text(op!(neuron_examples::buggy_relu::buggy_relu), &ramp(&[17])));
}

#[test]
fn buggy_relu_json() {
    let report =
        simulator().launch(op!(neuron_examples::buggy_relu::buggy_relu), &args![&ramp(&[17])]).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&report.to_json()["faults"]).unwrap());
}

#[test]
fn racing() {
    insta::assert_snapshot!(text(op!(kernels::racing), &ramp(&[17])));
}

#[test]
fn past_a_dimension() {
    insta::assert_snapshot!(text(op!(kernels::column_too_far), &ramp(&[3, 4])));
}

#[test]
fn cores_that_fell() {
    insta::assert_snapshot!(text(op!(kernels::two_fall), &ramp(&[16])));
}

#[test]
fn too_many_pieces() {
    insta::assert_snapshot!(text(op!(kernels::strided_return), &ramp(&[65])));
}

#[test]
fn never_opened() {
    insta::assert_snapshot!(text(op!(kernels::nothing), &ramp(&[2, 2])));
}

#[test]
fn modelled() {
    let mut sim = Simulator::builder().host_threads(1).cost_model(CostModel::default()).build().unwrap();
    let x = ramp(&[20_000]);
    let report = sim.launch(op!(neuron_examples::relu_staged::relu_staged), &args![&x]).unwrap();
    insta::assert_snapshot!(report.to_string());
}

#[test]
fn modelled_json() {
    let mut sim = Simulator::builder().cores(1).cost_model(CostModel::default()).build().unwrap();
    let x = ramp(&[2000]);
    let report = sim.launch(op!(neuron_examples::relu_streamed::relu_streamed), &args![&x]).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&report.to_json()["modelled"]).unwrap());
}
