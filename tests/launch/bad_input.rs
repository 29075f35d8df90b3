//! Bad input is an error that says what, where and what to do, and leaves the simulator usable.

use neuron_device::{Dtype, op};
use neuron_host_sim::{
    Arg, HbmError, HbmTensor, HostTensor, LaunchError, Simulator, SimulatorError, TensorError, args,
};

use crate::{kernels, ramp};

/// Each refusal, word for word, on one simulator, which afterwards still works.
#[test]
fn launches_that_do_not_begin() {
    let mut sim = Simulator::new().unwrap();
    let mut other = Simulator::new().unwrap();
    let theirs = other.upload(&ramp(&[3])).unwrap();
    let (x, y) = (ramp(&[3]), ramp(&[4]));
    let wide = sim.zeros(Dtype::F32, &[1]).unwrap().as_strided(&[65536, 1, 1, 1, 1], &[0; 5], 0).unwrap();
    let relu = op!(neuron_examples::relu::relu);
    let add = op!(neuron_examples::vector_add::vector_add);
    let table: Vec<(Result<_, LaunchError>, &str)> = vec![
        (
            sim.launch((&kernels::LAUNCHES, "nothin"), &args![&x]),
            "library \"launches\" has no op \"nothin\": it has nothing, pair_sums, numbers",
        ),
        (sim.launch(relu, &args![]), "op `relu` takes 1 argument (x), but 0 were passed"),
        (sim.launch(add, &args![&x]), "op `vector_add` takes 3 arguments (x, y, alpha), but 1 were passed"),
        (
            sim.launch(relu, &args![1.0f32]),
            "argument 0 of op `relu`, `x`, must be a tensor, not a value of type f32",
        ),
        (
            sim.launch(add, &args![&x, &y, 1i32]),
            "argument 2 of op `vector_add`, `alpha`, must be a value of type f32, not a value of type i32",
        ),
        (
            sim.launch(add, &args![&x, &y, &y]),
            "argument 2 of op `vector_add`, `alpha`, must be a value of type f32, not a tensor of f32",
        ),
        (
            sim.launch(relu, &args![&theirs]),
            "`x` of op `relu` is in another simulator's memory: upload it to this one",
        ),
        (
            sim.launch_into(relu, &args![&x], &theirs),
            "`out` of op `relu` is in another simulator's memory: upload it to this one",
        ),
        (
            sim.launch(relu, &args![&wide]),
            "`x` of op `relu` cannot be passed: sizes [65536, 1, 1, 1, 1] do not fit: at most 8 dimensions of at most 65535, or at most 4 of at most 4294967295",
        ),
        (
            sim.launch(op!(kernels::pair_sums), &args![&x]),
            "the shape function of op `pair_sums` refused: `x`: must have one dimension of even size",
        ),
    ];
    for (result, expected) in table {
        let text = result.unwrap_err().to_string();
        assert!(text.starts_with(expected), "{text}\ninstead of\n{expected}");
    }
    let error = sim.launch(op!(kernels::badly_shaped), &args![&x]).unwrap_err();
    let text = "the shape function of op `badly_shaped` panicked: index out of bounds: the len is 1 but the index is 1";
    assert!(error.to_string().starts_with(text), "{error}");
    let out = sim.zeros(Dtype::F32, &[4]).unwrap();
    let error = sim.launch_into(relu, &args![&x], &out).unwrap_err();
    assert_eq!(error.to_string(), "the output of op `relu` must be [3] of f32, not [4] of f32");
    sim.launch(relu, &args![&x]).unwrap().assert_clean();
}

#[test]
fn exhausted_hbm_says_how_much_there_is() {
    let mut sim = Simulator::new().unwrap();
    let mut held: Vec<HbmTensor> = Vec::new();
    let error = loop {
        match sim.zeros(Dtype::U8, &[1 << 31]) {
            Ok(tensor) => held.push(tensor),
            Err(error) => break error,
        }
        assert!(held.len() < 100, "HBM never runs out");
    };
    let HbmError::Exhausted { asked, largest_free } = error else { panic!("{error}") };
    assert!(asked == 1 << 31 && largest_free < asked);
    held.clear();
    sim.zeros(Dtype::U8, &[1 << 31]).unwrap();
    let error = sim.zeros(Dtype::I64, &[u32::MAX, u32::MAX]).unwrap_err();
    assert!(matches!(error, HbmError::Exhausted { .. }), "{error}");
    sim.launch(op!(neuron_examples::relu::relu), &args![&ramp(&[9])]).unwrap().assert_clean();
}

#[test]
fn simulators_that_cannot_be_built() {
    assert!(matches!(Simulator::builder().cores(0).build(), Err(SimulatorError::Cores(0))));
    assert!(matches!(Simulator::builder().cores(9).build(), Err(SimulatorError::Cores(9))));
    assert!(matches!(Simulator::builder().host_threads(0).build(), Err(SimulatorError::HostThreads)));
    let error = Simulator::builder().scratch(1 << 40).build().unwrap_err();
    assert!(error.to_string().starts_with("1099511627776 bytes of scratch a core are too many"), "{error}");
}

#[test]
fn host_tensors_that_cannot_be() {
    let x = ramp(&[2, 3]);
    let table = [
        (
            HostTensor::from_slice(&[2], &[1.0f32]).unwrap_err(),
            "1 values for a tensor of sizes [2], which has 2 elements",
        ),
        (HostTensor::from_slice(&[1; 9], &[1.0f32]).unwrap_err(), "9 dimensions: a tensor has at most 8"),
        (x.as_strided(&[2], &[-1], 1).unwrap_err(), "stride -1 of dimension 0 is negative"),
        (x.as_strided(&[2], &[6], 0).unwrap_err(), "the view reaches 7 elements into a storage of 6"),
        (x.to_vec::<i32>().unwrap_err(), "the tensor has dtype f32, not i32"),
        (HostTensor::zeros(Dtype::I64, &[u32::MAX; 2]).unwrap_err(), "147573952520972926992 bytes"),
    ];
    for (error, expected) in table {
        // Sizes of more bytes than 64 bits count are given as the largest there is.
        let fits =
            error.to_string().starts_with(expected) || matches!(error, TensorError::TooLarge(u64::MAX));
        assert!(fits, "{error}\ninstead of\n{expected}");
    }
}

#[test]
fn ops_without_tensors_run_and_too_many_values_do_not() {
    let mut sim = Simulator::new().unwrap();
    let report = sim.launch((&kernels::LAUNCHES, "numbers"), &args![7]).unwrap();
    report.assert_clean();
    assert_eq!(report.output().to_host().to_vec::<i32>().unwrap(), [7, 8, 9, 10, 11]);
    let eleven: Vec<Arg<'_>> = (0..11).map(Arg::from).collect();
    assert!(matches!(
        sim.launch((&kernels::LAUNCHES, "numbers"), &eleven),
        Err(LaunchError::ArgumentCount { .. })
    ));
}

/// An unchecked simulator says that it has no moods, rather than to find none different.
#[test]
fn moods_of_an_unchecked_simulator_are_refused() {
    let mut sim = Simulator::builder().unchecked().build().unwrap();
    let error = sim.moods().launch(op!(neuron_examples::relu::relu), &args![&ramp(&[3])]).unwrap_err();
    assert_eq!(error, LaunchError::UncheckedMoods);
}
