//! One tensor, its elements in other places: a kernel must not notice.

use neuron_host_sim::HostTensor;

/// As many as there are numbers of cores to try.
pub(crate) const LAYOUTS: [fn(&HostTensor) -> HostTensor; 3] = [HostTensor::clone, turned, spaced];

/// The same elements in column-major order.
fn turned(tensor: &HostTensor) -> HostTensor {
    let order: Vec<usize> = (0..tensor.sizes().len()).rev().collect();
    contiguous(&tensor.permute(&order).unwrap()).permute(&order).unwrap()
}

/// The same elements, each followed by another that no one asked for, behind one more.
fn spaced(tensor: &HostTensor) -> HostTensor {
    let size = tensor.dtype().size() as usize;
    let mut bytes = vec![0x7F; size];
    for element in tensor.to_bytes().chunks_exact(size) {
        bytes.extend_from_slice(element);
        bytes.extend(std::iter::repeat_n(0x7F, size));
    }
    let elems = (bytes.len() / size) as u32;
    let storage = HostTensor::from_bytes(tensor.dtype(), &[elems], &bytes).unwrap();
    let strides: Vec<i64> = tensor.layout().strides().iter().map(|&stride| 2 * stride as i64).collect();
    storage.as_strided(tensor.sizes(), &strides, 1).unwrap()
}

fn contiguous(tensor: &HostTensor) -> HostTensor {
    HostTensor::from_bytes(tensor.dtype(), tensor.sizes(), &tensor.to_bytes()).unwrap()
}
