//! What every platform must do alike, stamped for each: one suite, always on more than one core.

mod factories;
mod flat;
mod harness;
mod kernels;
mod simulator;
mod staged;
mod staging;
mod suite;

/// The whole suite for one harness.
macro_rules! stamp {
    ($platform:ident: $harness:ty => $($case:ident),* $(,)?) => {
        mod $platform {
            use super::harness::Harness;

            $(#[test]
            fn $case() {
                for cores in [2, 3, 8] {
                    super::suite::$case(&mut <$harness>::new(cores));
                }
            })*
        }
    };
}

/// Every case, for every harness: a case added here is added for all.
macro_rules! stamp_all {
    ($($cases:tt)*) => {
        stamp!(on_the_simulator: crate::simulator::Checked => $($cases)*);
        stamp!(on_the_unchecked_simulator: crate::simulator::Unchecked => $($cases)*);
        stamp!(on_the_flat_platform: crate::flat::Flat => $($cases)*);
    };
}

stamp_all! {
    every_core_knows_its_number,
    shares_cover_each_element_once,
    every_dtype_is_copied_bit_for_bit,
    views_are_read_as_they_lie,
    views_are_written_as_they_lie,
    ranks_one_to_three_by_accessor,
    tensors_without_dimensions_or_elements,
    values_of_every_type_arrive,
    the_destination_may_stand_anywhere,
    returned_tensors_are_copied_back,
    returned_pieces_are_copied_back,
    a_window_edge_is_crossed,
    wrong_dtype_and_rank_are_errors,
    inputs_cannot_be_written,
    scratch_runs_out_with_an_error,
    kept_tensors_are_refused,
    errors_are_the_kernels_own,
    panics_are_contained,
    staged_ops_give_the_bits_of_those_by_accessor,
    staged_kernels_are_right_at_every_size,
    copies_cross_a_window_edge,
    copies_are_counted,
    streams_go_through_shares_of_views,
    copies_under_way_arrive,
    scattered_elements_are_staged,
    factories_fill_what_they_make,
}
