//! Between the index of an element and its place in the storage.

use neuron_device::{Layout, MAX_RANK};

/// The index of the element with this flat index, one number a dimension.
pub(crate) fn coordinates(layout: &Layout, index: u64) -> Vec<u64> {
    let mut rest = index;
    let mut at: Vec<u64> = layout
        .sizes()
        .iter()
        .rev()
        .map(|&size| {
            let here = rest % u64::from(size.max(1));
            rest /= u64::from(size.max(1));
            here
        })
        .collect();
    at.reverse();
    at
}

/// The flat index of an element with this storage offset; of several, the one with the lowest index in each dimension
/// that repeats. `None` where the layout has no element.
pub(crate) fn index_of(layout: &Layout, offset: u64) -> Option<u64> {
    if layout.is_contiguous() {
        return offset.checked_sub(layout.offset()).filter(|&index| index < layout.numel());
    }
    let mut order: Vec<usize> = (0..layout.rank()).filter(|&dim| layout.sizes()[dim] > 1).collect();
    order.sort_by_key(|&dim| std::cmp::Reverse(layout.strides()[dim]));
    let mut at = [0; MAX_RANK];
    if !search(layout, &order, offset.checked_sub(layout.offset())?, &mut at) {
        return None;
    }
    Some(layout.sizes().iter().zip(at).fold(0, |index, (&size, at)| index * u64::from(size) + at))
}

/// Find indices whose strides add up to `rest`: the dimensions in `order`, by falling stride.
fn search(layout: &Layout, order: &[usize], rest: u64, at: &mut [u64; MAX_RANK]) -> bool {
    let Some((&dim, order)) = order.split_first() else { return rest == 0 };
    let (size, stride) = (u64::from(layout.sizes()[dim]), layout.strides()[dim]);
    if stride == 0 {
        at[dim] = 0;
        return search(layout, order, rest, at);
    }
    // What the dimensions after this one reach at most; so far this one has to come near.
    let reach = order.iter().fold(0u64, |reach, &dim| {
        let last = u64::from(layout.sizes()[dim]) - 1;
        reach.saturating_add(last.saturating_mul(layout.strides()[dim]))
    });
    let most = (rest / stride).min(size - 1);
    let least = rest.saturating_sub(reach).div_ceil(stride);
    for here in (least..=most).rev() {
        at[dim] = here;
        if search(layout, order, rest - here * stride, at) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
