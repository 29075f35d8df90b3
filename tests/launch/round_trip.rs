//! Any legal set of tensors and values: host, records, kernel, records, host, bit for bit.

use neuron_device::{ArgRecord, Dtype, SBUF_WINDOW, SbufAddresses, Scalar, Storage, bf16, f16, op};
use neuron_host_sim::{FaultKind, HbmTensor, HostTensor, Profile, Simulator, args};
use neuron_tests::kernels::packed;
use proptest::prelude::*;

/// A tensor of any dtype and bits, and a view of it.
fn any_tensor() -> impl Strategy<Value = HostTensor> {
    (prop::sample::select(&Dtype::ALL[..]), prop::collection::vec(0u32..5, 0..=4), any::<u64>(), 0u8..4)
        .prop_map(|(dtype, sizes, seed, view)| {
            let numel: u64 = sizes.iter().map(|&size| u64::from(size)).product();
            let mut state = seed | 1;
            let bytes: Vec<u8> = (0..numel * dtype.size())
                .map(|_| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 56) as u8
                })
                .collect();
            let whole = HostTensor::from_bytes(dtype, &sizes, &bytes).unwrap();
            match (view, sizes.len()) {
                (1, 2..) => whole.transpose(0, sizes.len() - 1).unwrap(),
                (2, 1..) => whole.slice(0, sizes[0] / 2, sizes[0], 2).unwrap(),
                (3, _) if numel == 1 => whole.reshape(&[1]).unwrap().expand(&[3]).unwrap(),
                _ => whole,
            }
        })
}

fn any_scalar() -> impl Strategy<Value = Scalar> {
    (prop::sample::select(&Dtype::ALL[..]), any::<u64>()).prop_map(|(dtype, bits)| match dtype {
        Dtype::I8 => Scalar::from(bits as i8),
        Dtype::U8 => Scalar::from(bits as u8),
        Dtype::I16 => Scalar::from(bits as i16),
        Dtype::BF16 => Scalar::from(bf16::from_bits(bits as u16)),
        Dtype::F16 => Scalar::from(f16::from_bits(bits as u16)),
        Dtype::I32 => Scalar::from(bits as i32),
        Dtype::F32 => Scalar::from(f32::from_bits(bits as u32)),
        Dtype::I64 => Scalar::from(bits as i64),
    })
}

/// The tensor a record and its extension say.
fn read_back(addresses: SbufAddresses, tensor: &HbmTensor) -> bool {
    let descriptor = tensor.descriptor().unwrap();
    let record = ArgRecord::from_bytes(descriptor.record.as_bytes());
    let parsed = record.parse_as(addresses, descriptor.view.as_ref()).unwrap();
    let there = match parsed.storage {
        Storage::Hbm(storage) => !tensor.is_in_sbuf() && storage == tensor.storage(),
        // A page of SBUF.
        Storage::Sbuf(local) => {
            let offset = local.get() - SBUF_WINDOW.get();
            tensor.is_in_sbuf() && u64::from(offset) == tensor.storage().get() % (64 << 20)
        }
    };
    there && (parsed.dtype, parsed.layout) == (tensor.dtype(), *tensor.layout())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_legal_set_of_tensors_and_values_comes_back(
        tensors in prop::array::uniform3(any_tensor()),
        (s, t) in (any_scalar(), any_scalar()),
        (i, f, l) in (any::<i32>(), any::<u32>(), any::<i64>()),
        (cores, checked, strict, placed) in (1u32..=8, any::<bool>(), any::<bool>(), 0u8..8),
    ) {
        // What `Documented` says of accessors on several cores and of i64 is not of how they travel.
        let profile = if strict { Profile::Documented } else { Profile::Observed };
        let addresses = if strict { SbufAddresses::Offsets } else { SbufAddresses::Local };
        // There, one core is told that there are eight.
        let cores = if strict { 8 } else { cores };
        let builder = Simulator::builder().cores(cores).host_threads(1).profile(profile);
        let builder = builder.without(FaultKind::Profile);
        let mut sim = if checked { builder.build() } else { builder.unchecked().build() }.unwrap();
        let [a, b, c] = &tensors;
        let f = f32::from_bits(f);
        let report = if placed > 0 {
            // Each in HBM or in SBUF.
            let [a, b, c] = [(a, 1), (b, 2), (c, 4)].map(|(tensor, bit)| {
                if placed & bit == 0 { sim.upload(tensor) } else { sim.to_sbuf(tensor) }.unwrap()
            });
            prop_assert!([&a, &b, &c].into_iter().all(|tensor| read_back(addresses, tensor)));
            sim.launch(op!(packed::pack), &args![&a, s, &b, t, i, f, &c, l])
        } else {
            sim.launch(op!(packed::pack), &args![a, s, b, t, i, f, c, l])
        };
        let report = report.unwrap();
        report.assert_clean();
        let mut expected: Vec<u8> = tensors.iter().flat_map(HostTensor::to_bytes).collect();
        for value in [s, t, i.into(), f.into(), l.into()] {
            expected.extend(value.to_bytes().0);
        }
        prop_assert_eq!(report.output().to_host().to_bytes(), expected);
    }
}
