//! Random chains of views, the same for every kind of tensor: each step follows from four numbers and the sizes so far.

use neuron_device::Tensor;
use neuron_host_sim::{HbmTensor, HostTensor};

/// Four numbers a step.
pub(crate) type Seed = [u32; 4];

/// One view, with its arguments.
#[derive(Debug)]
pub(crate) enum View {
    Transpose(usize, usize),
    Permute(Vec<usize>),
    Slice(usize, u32, u32, u32),
    Narrow(usize, u32, u32),
    Select(usize, u32),
    Expand(Vec<u32>),
    Reshape(Vec<u32>),
    Squeeze,
    SqueezeDim(usize),
    Unsqueeze(usize),
    Flatten,
    FlattenDims(usize, usize),
}

impl View {
    /// A view that a tensor of these sizes has; reshapes and flattenings only if it is contiguous.
    pub(crate) fn of(sizes: &[u32], [kind, a, b, c]: Seed, expands: bool) -> Self {
        let rank = sizes.len();
        let numel = sizes.iter().product();
        match kind % 12 {
            0 => return Self::Squeeze,
            1 => return Self::Flatten,
            2 => return Self::Reshape(sizes_of(numel, a, b)),
            3 if expands && numel < 200 => return Self::Expand(expanded(sizes, a, b)),
            4 if rank < 8 => return Self::Unsqueeze(a as usize % (rank + 1)),
            _ if rank == 0 => return Self::Reshape(vec![1; b as usize % 3]),
            _ => {}
        }
        let (dim, other) = (a as usize % rank, b as usize % rank);
        let size = sizes[dim];
        match kind % 12 {
            5 | 6 => {
                let start = b % (size + 1);
                Self::Slice(dim, start, start + c % (size - start + 1), 1 + c % 3)
            }
            7 => Self::Narrow(dim, b % 2 * size.min(1), size - size.min(1)),
            8 if size > 0 => Self::Select(dim, b % size),
            9 => Self::SqueezeDim(dim),
            10 => Self::FlattenDims(dim.min(other), dim.max(other)),
            11 => {
                let mut dims: Vec<usize> = (0..rank).collect();
                dims.rotate_left(other);
                dims.swap(dim, c as usize % rank);
                Self::Permute(dims)
            }
            _ => Self::Transpose(dim, other),
        }
    }
}

/// Sizes of so many elements.
fn sizes_of(numel: u32, a: u32, b: u32) -> Vec<u32> {
    if numel == 0 {
        return vec![a % 3, 0, b % 3];
    }
    let outer = (1 + a % numel..=numel).find(|size| numel.is_multiple_of(*size)).unwrap();
    if b.is_multiple_of(2) { vec![outer, numel / outer] } else { vec![numel / outer, 1, outer] }
}

/// Every dimension of size 1 repeated, and perhaps a new one in front.
fn expanded(sizes: &[u32], a: u32, b: u32) -> Vec<u32> {
    let repeated = sizes.iter().map(|&size| if size == 1 { a % 4 } else { size });
    let new = (sizes.len() < 8 && b.is_multiple_of(2)).then_some(b % 3);
    new.into_iter().chain(repeated).collect()
}

/// What has views.
pub(crate) trait Viewed: Clone {
    fn sizes(&self) -> &[u32];

    /// This view, unless it is refused.
    fn viewed(&self, view: &View) -> Option<Self>;

    /// One view of another. One that is refused is left out.
    fn chained(&self, seeds: &[Seed], expands: bool) -> Self {
        seeds.iter().fold(self.clone(), |tensor, &seed| {
            tensor.viewed(&View::of(tensor.sizes(), seed, expands)).unwrap_or(tensor)
        })
    }
}

macro_rules! viewed {
    ($($tensor:ty),*) => {$(
        impl Viewed for $tensor {
            fn sizes(&self) -> &[u32] {
                self.sizes()
            }

            fn viewed(&self, view: &View) -> Option<Self> {
                match view {
                    View::Transpose(a, b) => self.transpose(*a, *b),
                    View::Permute(dims) => self.permute(dims),
                    View::Slice(dim, start, end, step) => self.slice(*dim, *start, *end, *step),
                    View::Narrow(dim, start, len) => self.narrow(*dim, *start, *len),
                    View::Select(dim, index) => self.select(*dim, *index),
                    View::Expand(sizes) => self.expand(sizes),
                    View::Reshape(sizes) => self.reshape(sizes),
                    View::Squeeze => Ok(self.squeeze()),
                    View::SqueezeDim(dim) => self.squeeze_dim(*dim),
                    View::Unsqueeze(dim) => self.unsqueeze(*dim),
                    View::Flatten => self.flatten(),
                    View::FlattenDims(first, last) => self.flatten_dims(*first, *last),
                }
                .ok()
            }
        }
    )*};
}
viewed!(Tensor, HostTensor, HbmTensor);
