//! Launches that are right, and must be silent.

mod examples;
mod heap;
mod inplace;
mod raw_layer;
mod scratch;
mod sharing;
mod splits;
mod staging;
mod views;

use super::launch::Launch;

pub(super) fn launches() -> Vec<Launch> {
    [
        sharing::launches(),
        splits::launches(),
        inplace::launches(),
        scratch::launches(),
        heap::launches(),
        views::launches(),
        raw_layer::launches(),
        staging::launches(),
        examples::launches(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
