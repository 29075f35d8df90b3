//! Elements that lie one after the other.

use neuron_device::Layout;

/// Elements of each row of a layout: as many of its last dimensions as lie without gaps, all of them if it is contiguous.
/// Row `n` begins at the element with flat index `n` times this.
pub(crate) fn row_elements(layout: &Layout) -> u64 {
    let mut row = 1;
    if layout.numel() > 0 {
        let dims = layout.sizes().iter().zip(layout.strides()).rev();
        for (&size, &stride) in dims.filter(|&(&size, _)| size > 1) {
            if stride != row {
                break;
            }
            row *= u64::from(size);
        }
    }
    row
}

#[cfg(test)]
mod tests;
