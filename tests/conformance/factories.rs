//! The cases of tensors that a core makes and fills.

use neuron_device::{Dtype, Element, Scalar, bf16, f16, op};
use neuron_host_sim::HostTensor;
use neuron_tests::kernels::factories;

use crate::harness::{Given, Harness, Wanted};

fn like(x: &HostTensor) -> Wanted {
    Wanted::contiguous(x.dtype(), x.sizes())
}

fn zeros(dtype: Dtype, sizes: &[u32]) -> HostTensor {
    HostTensor::zeros(dtype, sizes).unwrap()
}

/// `value` everywhere, around the size from which it is copied there.
fn filled<T: Element + PartialEq>(harness: &mut impl Harness, value: Scalar, expected: T) {
    for numel in [0, 1, 5, 6, 17, 4103] {
        let x = zeros(T::DTYPE, &[numel]);
        let ran = harness.run(op!(factories::full), &[(&x).into(), Given::Value(value)], like(&x));
        assert_eq!(ran.values::<T>(), vec![expected; numel as usize], "{numel} of {value}");
    }
}

/// No core fills a tensor with this.
fn refused(harness: &mut impl Harness, dtype: Dtype, value: Scalar) {
    let x = zeros(dtype, &[6]);
    let ran = harness.run(op!(factories::full), &[(&x).into(), Given::Value(value)], like(&x));
    let words = format!("cannot be filled with {value}, which {dtype} does not hold");
    assert!(ran.cores.iter().all(|core| core.as_ref().is_err_and(|text| text.contains(&words))), "{ran:?}");
}

/// torch 2.15's answers to `full`, `zeros`, `ones` and `eye`.
pub(crate) fn factories_fill_what_they_make(harness: &mut impl Harness) {
    filled::<i32>(harness, 2.7_f32.into(), 2);
    filled::<i32>(harness, (-2.7_f32).into(), -2);
    filled::<i32>(harness, (-2_147_483_648.0_f32).into(), i32::MIN);
    filled::<u8>(harness, (-1).into(), 255);
    filled::<u8>(harness, (-255).into(), 1);
    filled::<u8>(harness, 255.9_f32.into(), 255);
    filled::<i8>(harness, 127.9_f32.into(), 127);
    filled::<i16>(harness, i16::MIN.into(), i16::MIN);
    filled::<f16>(harness, 65_504.0_f32.into(), f16::MAX);
    filled::<f16>(harness, f32::INFINITY.into(), f16::INFINITY);
    filled::<bf16>(harness, 2.71_f32.into(), bf16::from_f32(2.703_125));
    filled::<f32>(harness, 16_777_217.into(), 16_777_216.0);
    filled::<f32>(harness, 9_007_199_254_740_993_i64.into(), 9_007_199_254_740_992.0);
    filled::<i64>(harness, i64::MAX.into(), i64::MAX);
    for (dtype, value) in [
        (Dtype::I8, 300.into()),
        (Dtype::I8, (-129).into()),
        (Dtype::I8, Scalar::from(-128.9_f32)),
        (Dtype::U8, (-256).into()),
        (Dtype::U8, 256.into()),
        (Dtype::U8, (-0.5_f32).into()),
        (Dtype::I32, f32::NAN.into()),
        (Dtype::I32, f32::INFINITY.into()),
        (Dtype::I32, 2_147_483_648.0_f32.into()),
        (Dtype::I64, 9_223_372_036_854_775_808.0_f32.into()),
        (Dtype::F16, 70_000.0_f32.into()),
        (Dtype::F16, 65_520.0_f32.into()),
        (Dtype::F16, 65_519.0_f32.into()),
        (Dtype::F16, (-70_000).into()),
        (Dtype::BF16, f32::MAX.into()),
    ] {
        refused(harness, dtype, value);
    }
    let x = zeros(Dtype::F16, &[3, 5]);
    let ran = harness.run(op!(factories::zeros_and_ones), &[(&x).into()], like(&x));
    let expected: Vec<f16> = (0..15).map(|i| if i % 2 == 0 { f16::ZERO } else { f16::ONE }).collect();
    assert_eq!(ran.values::<f16>(), expected);
    for (n, m) in [(0, 3), (3, 0), (1, 1), (2, 4), (4, 2), (33, 34)] {
        let x = zeros(Dtype::I64, &[n, m]);
        let ran = harness.run(op!(factories::eye), &[(&x).into()], like(&x));
        let cells = (0..n).flat_map(|i| (0..m).map(move |j| i64::from(i == j)));
        assert_eq!(ran.values::<i64>(), cells.collect::<Vec<_>>(), "{n} × {m}");
    }
    for room in [0, 64, 192] {
        let x = zeros(Dtype::I16, &[100]);
        let ran = harness.run(op!(factories::full_in_a_corner), &[(&x).into(), room.into()], like(&x));
        assert_eq!(ran.values::<i16>(), [3; 100], "{room} bytes of TCM");
    }
}
