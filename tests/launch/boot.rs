//! Boot: what a library registers, and which core's code a core runs.

use neuron_device::{CoreImage, Entry, Library, MAX_OPS, Registered, WrongImage, prelude::*};
use neuron_host_sim::{HostTensor, LaunchError, Simulator, Target, args};

use crate::{ramp, simulator};

#[custom_op]
fn add_one(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i) + 1.0));
    Ok(())
}

mod another {
    use neuron_device::prelude::*;

    /// Of the same name as the other library's, and not the same.
    #[custom_op]
    pub(super) fn add_one(q7: &Q7, x: &Tensor) -> Result<Tensor> {
        let mut made = q7.empty_like(x)?;
        let (src, dst) = (x.elements::<f32>(q7)?, made.elements_mut::<f32>(q7)?);
        q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i) + 1.5));
        Ok(made)
    }
}

neuron_library!(FIRST: "first" = [add_one]);
neuron_library!(SECOND: "second" = [another::add_one, neuron_examples::relu::relu]);

/// What boot code sees of a library.
fn walked(library: &Library) -> Vec<(&str, bool)> {
    let op = |index| (library.get_func_name(index).to_str().unwrap(), library.get_func_ptr(index).is_some());
    (0..library.get_func_cnt()).map(op).collect()
}

#[test]
fn two_libraries_of_one_program_do_not_clash() {
    assert_eq!(walked(&FIRST), [("add_one", true)]);
    assert_eq!(walked(&SECOND), [("add_one", true), ("relu", true)]);
    let mut sim = simulator();
    for _ in 0..2 {
        for (library, expected) in [(&FIRST, [1.0, 2.0, 3.0]), (&SECOND, [1.5, 2.5, 3.5])] {
            let report = sim.launch((library, "add_one"), &args![&ramp(&[3])]).unwrap();
            report.assert_clean();
            assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), expected);
        }
    }
    let error = sim.launch((&FIRST, "relu"), &args![&ramp(&[3])]).unwrap_err();
    assert_eq!(error.to_string(), "library \"first\" has no op \"relu\": it has add_one");
}

#[test]
fn past_the_last_op_the_name_is_error_and_the_pointer_is_0() {
    for library in [&FIRST, &SECOND].into_iter().chain(neuron_examples::LIBRARIES.iter().copied()) {
        let count = library.get_func_cnt();
        assert!((1..=MAX_OPS as u32).contains(&count));
        assert_eq!(count, library.ops().len() as u32);
        for index in [count, count + 1, 1 << 20, u32::MAX] {
            assert_eq!(library.get_func_name(index), c"error");
            assert!(library.get_func_ptr(index).is_none());
        }
        let registered = Registered::walk(library);
        assert!(registered.names().eq(library.ops().iter().map(|op| op.name())));
        assert!(registered.entry("error").is_none());
    }
    // A pointer that is 0 in memory where there is none.
    assert_eq!(size_of::<Option<&'static Entry>>(), size_of::<fn()>());
}

#[test]
fn a_bare_op_is_a_library_of_itself() {
    let alone = Library::of_one(op!(neuron_examples::relu::relu));
    assert_eq!((alone.name(), walked(&alone)), ("relu", vec![("relu", true)]));
    assert_eq!(alone.get_func_name(1), c"error");
    let report = simulator().launch(Target::Op(op!(another::add_one)), &args![&ramp(&[2])]).unwrap();
    assert_eq!(report.output().to_host().to_vec::<f32>().unwrap(), [1.5, 2.5]);
}

#[test]
fn a_core_that_runs_the_code_of_another_is_refused() {
    let x = HostTensor::scalar(1.0f32);
    for threads in [1, 3] {
        let builder = Simulator::builder().host_threads(threads).linked_as(6, 2);
        let mut sim = builder.build().unwrap();
        for target in [Target::Op(op!(add_one)), Target::Named(&SECOND, "relu")] {
            let error = sim.launch(target, &args![&x]).unwrap_err();
            let expected = WrongImage { image: CoreImage::of_core(2), prid: 6 };
            assert_eq!(error, LaunchError::WrongImage(expected));
            let text = "core 6 runs the image linked at 0x84400000 in hbm_scratch, which is that of core 2: load the one linked at 0x84c00000";
            assert_eq!(error.to_string(), text);
        }
        // Mended, or of a core that is not there, it is no mistake.
        let mut mended = builder.linked_as(6, 6).build().unwrap();
        mended.launch(op!(add_one), &args![&x]).unwrap().assert_clean();
        let mut few = builder.cores(2).build().unwrap();
        few.launch(op!(add_one), &args![&x]).unwrap().assert_clean();
    }
}
