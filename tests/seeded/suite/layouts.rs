//! Tensors with something beside their elements: gaps, other elements of their storage, another tensor.

use neuron_device::prelude::*;
use neuron_host_sim::{HbmTensor, HostTensor, Simulator};

use super::launch::{Given, ramp};

/// Two arguments of a page each: the second lies right behind the first.
pub(super) fn pages(_: &mut Simulator) -> Given {
    [ramp(&[1024]).into(), ramp(&[1024]).into()].into()
}

/// An argument that begins at the second element of its storage.
pub(super) fn from_one(_: &mut Simulator) -> HostTensor {
    ramp(&[9]).narrow(0, 1, 8).unwrap()
}

/// An argument of stride 2.
pub(super) fn every_second(_: &mut Simulator) -> HostTensor {
    ramp(&[16]).slice(0, 0, 16, 2).unwrap()
}

/// An output of elements 4 to 11 of its storage.
pub(super) fn in_the_middle(sim: &mut Simulator) -> Given {
    into(storage(sim).narrow(0, 4, 8).unwrap())
}

/// An output of stride 2.
pub(super) fn with_gaps(sim: &mut Simulator) -> Given {
    into(storage(sim).slice(0, 0, 16, 2).unwrap())
}

fn storage(sim: &mut Simulator) -> HbmTensor {
    sim.zeros(Dtype::F32, &[18]).unwrap()
}

fn into(output: HbmTensor) -> Given {
    Given::from(ramp(&[8])).into_output(output)
}
