use core::panic::Location;

use proptest::prelude::*;

use super::{Coherency, STORAGES, TooManyStorages};
use crate::words::handle::Handle;

const HANDLES: [Handle; 3] = [Handle::Accessor, Handle::ReadStream, Handle::WriteStream];

#[test]
fn the_matrix() {
    let site = Location::caller();
    for (open, row) in
        [(Handle::ReadStream, [false, true, false]), (Handle::WriteStream, [false, false, false])]
    {
        let mut coherency = Coherency::new();
        coherency.open(64, open, site).unwrap();
        for (handle, allowed) in HANDLES.into_iter().zip(row) {
            assert_eq!(coherency.conflict(64, handle).is_none(), allowed, "{handle} beside {open}");
            assert!(coherency.conflict(128, handle).is_none(), "another storage");
        }
    }
}

#[test]
fn there_is_an_end_to_what_a_core_remembers() {
    let mut coherency = Coherency::new();
    let open =
        |coherency: &mut Coherency, storage| coherency.open(storage, Handle::ReadStream, Location::caller());
    for storage in 0..STORAGES as u64 {
        open(&mut coherency, storage).unwrap();
    }
    assert_eq!(open(&mut coherency, 99), Err(TooManyStorages));
    open(&mut coherency, 3).unwrap();
    coherency.close(4, Handle::ReadStream);
    open(&mut coherency, 99).unwrap();
}

proptest! {
    /// Against a list of what is open.
    #[test]
    fn as_a_list_of_what_is_open(steps in proptest::collection::vec((0_u64..4, 0_usize..2, any::<bool>()), 0..100)) {
        let mut coherency = Coherency::new();
        let mut open: std::vec::Vec<(u64, Handle)> = std::vec::Vec::new();
        for (storage, which, opens) in steps {
            let handle = HANDLES[1 + which];
            if opens {
                coherency.open(storage, handle, Location::caller()).unwrap();
                open.push((storage, handle));
            } else if let Some(at) = open.iter().position(|&entry| entry == (storage, handle)) {
                coherency.close(storage, handle);
                open.remove(at);
            }
            for storage in 0..4 {
                for handle in HANDLES {
                    let meets = |entry: &(u64, Handle)| entry.0 == storage && !entry.1.gets_along_with(handle);
                    let expected = open.iter().any(meets);
                    prop_assert_eq!(coherency.conflict(storage, handle).is_some(), expected);
                }
            }
        }
    }
}
