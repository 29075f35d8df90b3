//! Shape functions: what they say of the examples' outputs, and what is said when an op does something else.

use neuron_device::{Dtype, Op, TensorSpec, op};
use neuron_examples::{PLACES, ROWS, argmax, cumsum, gather, row_sum, top_k, transpose};
use neuron_host_sim::args;

use crate::{kernels, ramp, simulator};

fn spec(dtype: Dtype, sizes: &[u32]) -> TensorSpec {
    TensorSpec::new(dtype, sizes).unwrap()
}

/// What the op's shape function says of these inputs.
fn shape(op: &Op, inputs: &[TensorSpec]) -> Result<TensorSpec, String> {
    op.shape().expect("a shape function")(inputs).map_err(|error| error.to_string())
}

#[test]
fn outputs_of_another_shape_or_dtype() {
    for dtype in Dtype::ALL {
        let sum = if dtype.is_float() { dtype } else { Dtype::I64 };
        for [rows, columns] in [[3, 9], [1, 8], [0, 8], [0xFFFF, 0xFFFF]] {
            let x = [spec(dtype, &[rows, columns])];
            for (op, expected) in [
                (op!(transpose::transpose), spec(dtype, &[columns, rows])),
                (op!(row_sum::row_sum), spec(sum, &[rows])),
                (op!(cumsum::cumsum), spec(sum, &[rows, columns])),
                (op!(argmax::argmax), spec(Dtype::I64, &[rows])),
                (op!(top_k::top_1), spec(Dtype::I64, &[rows, 1])),
                (op!(top_k::top_4), spec(Dtype::I64, &[rows, 4])),
                (op!(top_k::top_8), spec(Dtype::I64, &[rows, 8])),
            ] {
                assert_eq!(shape(op, &x), Ok(expected), "{} of {x:?}", op.name());
            }
            for sizes in [[rows, 0], [0, 5], [rows, 5]] {
                let inputs = [x[0], spec(Dtype::I32, &sizes)];
                assert_eq!(shape(op!(gather::gather), &inputs), Ok(spec(dtype, &sizes)));
            }
        }
        let empty = [spec(dtype, &[3, 0])];
        assert_eq!(shape(op!(transpose::transpose), &empty), Ok(spec(dtype, &[0, 3])));
        assert_eq!(shape(op!(row_sum::row_sum), &empty), Ok(spec(sum, &[3])));
        assert_eq!(shape(op!(cumsum::cumsum), &empty), Ok(spec(sum, &[3, 0])));
    }
}

/// Every one of them, given anything but a matrix, says which argument it is about.
#[test]
fn what_is_no_matrix_is_refused_by_name() {
    let ops = ROWS.ops().iter().chain(PLACES.ops()).filter(|op| op.shape().is_some());
    let words = "must have 2 dimensions: reshape it before the launch (at ";
    let matrix = spec(Dtype::F32, &[9, 9]);
    for op in ops {
        for sizes in [&[][..], &[9], &[9, 9, 9]] {
            let text = shape(op, &[spec(Dtype::F32, sizes), matrix]).unwrap_err();
            assert!(text.starts_with(&format!("`x`: {words}")), "{}: {text}", op.name());
        }
    }
    let text = shape(op!(gather::gather), &[matrix, spec(Dtype::I64, &[9])]).unwrap_err();
    assert!(text.starts_with(&format!("`index`: {words}")), "{text}");
}

#[test]
fn too_few_columns_or_too_many_rows_are_refused_by_name() {
    for (op, columns) in [(op!(top_k::top_1), 0), (op!(top_k::top_4), 3), (op!(top_k::top_8), 7)] {
        let text = shape(op, &[spec(Dtype::I8, &[2, columns])]).unwrap_err();
        assert!(text.starts_with("`x`: must have at least as many columns as the op finds"), "{text}");
    }
    let text = shape(op!(argmax::argmax), &[spec(Dtype::I8, &[0, 0])]).unwrap_err();
    assert!(text.starts_with("`x`: must have columns"), "{text}");
    let inputs = [spec(Dtype::I8, &[2, 3]), spec(Dtype::I64, &[3, 3])];
    let text = shape(op!(gather::gather), &inputs).unwrap_err();
    assert!(text.starts_with("`index`: must not have more rows than `x`"), "{text}");
}

/// A kernel that returns another shape than its shape function promised, and one that is given another destination.
#[test]
fn a_broken_promise_names_both_shapes() {
    let report = simulator().launch(op!(kernels::promises_half), &args![&ramp(&[6])]).unwrap();
    let words =
        "cores 0 to 7 returned an error: `scratch` was returned with sizes [6], but the output has [3]";
    assert!(report.to_string().contains(words), "{report}");

    let mut sim = simulator();
    let out = sim.zeros(Dtype::F32, &[2, 3]).unwrap();
    let error = sim.launch_into(op!(transpose::transpose), &args![&ramp(&[2, 3])], &out).unwrap_err();
    assert!(error.to_string().contains("[2, 3]") && error.to_string().contains("[3, 2]"), "{error}");
}
