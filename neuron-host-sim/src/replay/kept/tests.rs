use neuron_device::Dtype;

use super::*;
use crate::{HostTensor, Simulator};

/// A tensor of 4 GiB, a page of which holds something and another only zeros, takes a page.
#[test]
fn only_what_is_not_zero_is_kept() {
    let mut sim = Simulator::builder().cores(1).host_threads(1).build().unwrap();
    let large = sim.zeros(Dtype::F32, &[1 << 30]).unwrap();
    let put = |at: u64, value: f32| {
        large.narrow(0, at as u32, 1).unwrap().copy_from(&HostTensor::from_slice(&[1], &[value]).unwrap())
    };
    put(1 << 29, 2.5).unwrap();
    put(1 << 20, 0.0).unwrap();
    put(1 << 25, -0.0).unwrap();
    let mut room = 2 * PAGE;
    let kept = storage(&sim.hbm, large.allocation(), &mut room).unwrap();
    assert_eq!((kept.bytes, kept.initialised.as_ref(), room), (4 << 30, None, 0));
    assert_eq!(kept.pages.runs, [((1 << 27) / PAGE, 1), ((1 << 31) / PAGE, 1)]);
    assert_eq!(kept.pages.data[..4], (-0.0f32).to_le_bytes());
    assert_eq!(kept.pages.data[PAGE as usize..][..4], 2.5f32.to_le_bytes());
    assert_eq!(
        storage(&sim.hbm, large.allocation(), &mut (2 * PAGE - 1)).unwrap_err(),
        NotKept::TooLarge { most: MOST }
    );
}

/// Which bytes hold a value counts too, also where the value is 0.
#[test]
fn what_holds_a_value_is_kept() {
    let mut sim = Simulator::builder().cores(1).host_threads(1).build().unwrap();
    let x = sim.empty(Dtype::I32, &[2048]).unwrap();
    x.narrow(0, 1024, 2).unwrap().copy_from(&HostTensor::from_slice(&[2], &[0i32, 0]).unwrap()).unwrap();
    let mut room = BITS as u64;
    let kept = storage(&sim.hbm, x.allocation(), &mut room).unwrap();
    assert_eq!((kept.pages, room), (Pages::default(), 0));
    let initialised = kept.initialised.unwrap();
    assert_eq!((&initialised.runs[..], &initialised.data[..2]), (&[(1, 1)][..], &[0xFF, 0][..]));
    assert!(storage(&sim.hbm, x.allocation(), &mut (BITS as u64 - 1)).is_err());
}
