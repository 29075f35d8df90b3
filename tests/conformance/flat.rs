//! The flat platform as a harness: the cores run one after the other over one memory.

use std::panic::{AssertUnwindSafe, catch_unwind};

use neuron_device::{
    ArgDescriptor, ArgRecord, FlatPlatform, HbmAddr, Layout, Op, Q7, Tcm, ViewExtension, WINDOW_BYTES,
};
use neuron_host_sim::HostTensor;
use neuron_tests::watched::Watched;

use crate::harness::{Given, Harness, Ran, Wanted};

/// Scratch of each core, in bytes.
const SCRATCH: u64 = 64 << 10;

/// Flat memory, big enough to hold a window edge.
pub(crate) struct Flat {
    cores: u32,
    launches: u64,
    memory: Vec<u64>,
    /// Bytes handed out of it.
    used: usize,
}

impl Flat {
    /// Put bytes into the memory at the next multiple of 8, and say where.
    fn place(&mut self, bytes: &[u8]) -> HbmAddr {
        let at = self.used.next_multiple_of(8);
        let memory: &mut [u8] = bytemuck::cast_slice_mut(&mut self.memory);
        memory[at..at + bytes.len()].copy_from_slice(bytes);
        self.used = at + bytes.len();
        HbmAddr::new(FlatPlatform::BASE.get() + at as u64)
    }

    fn describe(&self, at: HbmAddr, tensor: &HostTensor, storage: u64) -> ArgDescriptor {
        let record = ArgRecord::new(at, tensor.dtype(), tensor.layout()).unwrap();
        ArgDescriptor { record, view: Some(ViewExtension::new(tensor.layout(), storage)) }
    }
}

/// The storage of a tensor, as a tensor of one dimension.
fn storage_of(tensor: &HostTensor) -> HostTensor {
    tensor.as_strided(&[tensor.storage_elems() as u32], &[1], 0).unwrap()
}

/// A value as a tensor of one element.
fn as_tensor(given: &Given<'_>) -> HostTensor {
    match given {
        Given::Tensor(tensor) => (*tensor).clone(),
        Given::Value(value) => {
            let (bytes, len) = value.to_bytes();
            HostTensor::from_bytes(value.dtype(), &[1], &bytes[..len]).unwrap()
        }
    }
}

impl Harness for Flat {
    fn new(cores: u32) -> Self {
        Self { cores, launches: 0, memory: vec![0; (WINDOW_BYTES as usize + (8 << 20)) / 8], used: 0 }
    }

    fn cores(&self) -> u32 {
        self.cores
    }

    fn run(&mut self, op: &'static Op, arguments: &[Given<'_>], wanted: Wanted) -> Ran {
        self.launches += 1;
        self.used = (SCRATCH * u64::from(self.cores)) as usize;
        let descriptors: Vec<ArgDescriptor> = arguments
            .iter()
            .map(|given| {
                let tensor = as_tensor(given);
                let at = self.place(&storage_of(&tensor).to_bytes());
                self.describe(at, &tensor, tensor.storage_elems())
            })
            .collect();
        let Wanted { dtype, storage, layout } = wanted;
        let zeros = HostTensor::zeros(dtype, &[storage as u32]).unwrap();
        let at = self.place(&zeros.to_bytes());
        let record = ArgRecord::new(at, dtype, &layout).unwrap();
        let destination = ArgDescriptor { record, view: Some(ViewExtension::new(&layout, storage)) };
        let mut counters = Vec::new();
        let cores: Vec<_> = (0..self.cores)
            .map(|core| {
                let mut tcm = Tcm::new();
                let mut platform = FlatPlatform::new(core, self.cores, &mut self.memory)
                    .in_launch(self.launches)
                    .with_scratch(SCRATCH * u64::from(core), SCRATCH * u64::from(core + 1))
                    .with_tcm(&mut tcm)
                    .with_destination(destination);
                for descriptor in &descriptors {
                    platform = platform.with_argument(*descriptor);
                }
                let mut platform = Watched::new(platform, false);
                let ended = catch_unwind(AssertUnwindSafe(|| Q7::enter(&mut platform, |q7| op.launch(q7))));
                counters.push(platform.watch().counters);
                match ended {
                    Ok(result) => result.map_err(|error| error.to_string()),
                    Err(payload) => {
                        Err(payload.downcast_ref::<&str>().map_or("(text)", |text| text).to_owned())
                    }
                }
            })
            .collect();
        let start = (at.get() - FlatPlatform::BASE.get()) as usize;
        let bytes = bytemuck::cast_slice::<u64, u8>(&self.memory);
        let bytes = &bytes[start..start + (storage * dtype.size()) as usize];
        let storage = HostTensor::from_bytes(dtype, &[storage as u32], bytes).unwrap();
        let strides: Vec<i64> = Layout::strides(&layout).iter().map(|&stride| stride as i64).collect();
        let output = storage.as_strided(layout.sizes(), &strides, layout.offset()).unwrap();
        Ran { storage, output, cores, counters }
    }
}
