//! Ops that end with an error, one for each way there is.

use neuron_device::prelude::*;

/// How many ways [`refuse`] knows.
pub const WAYS: i32 = 10;

/// How many ways [`refuse_result`] knows.
pub const RESULT_WAYS: i32 = 3;

/// Ends with the error number `way`, over a tensor of f32 and rank 2. The output is not written.
#[custom_op]
pub fn refuse(q7: &Q7, x: &Tensor, way: i32, out: &mut Tensor) -> Result<()> {
    match way {
        0 => return Err(Error::message("is not wanted").about("x")),
        1 => {
            x.accessor::<f32, 3>(q7)?;
        }
        2 => {
            x.elements::<i64>(q7)?;
        }
        3 => {
            x.clone().elements_mut::<f32>(q7)?;
        }
        4 => {
            x.slice(0, 5, 3, 1)?;
        }
        5 => {
            x.transpose(0, 9)?;
        }
        6 => {
            q7.empty(Dtype::F32, &[1; 9])?;
        }
        7 => {
            q7.empty(Dtype::I64, &[1 << 20])?;
        }
        8 => loop {
            q7.empty(Dtype::I8, &[1])?;
        },
        // One core alone.
        _ if q7.get_cpu_id() == q7.get_cpu_count() - 1 => {
            out.accessor_mut::<f32, 1>(q7)?;
        }
        _ => {}
    }
    Ok(())
}

/// Returns a tensor that cannot be the output, of f32: the input itself, one of another dtype, one of other sizes.
#[custom_op]
pub fn refuse_result(q7: &Q7, x: &Tensor, way: i32) -> Result<Tensor> {
    match way {
        0 => Ok(x.clone()),
        1 => q7.empty(Dtype::I32, x.sizes()),
        _ => q7.empty(Dtype::F32, &[3]),
    }
}
