use proptest::prelude::*;

use super::*;

proptest! {
    /// Two that share a place, whatever indices they go to, existing or not, are told what each layout says.
    #[test]
    fn a_shared_place_mixes_nothing_up(steps in prop::collection::vec((any::<bool>(), 0u64..30), 0..60)) {
        let columns = Layout::contiguous(&[4, 6]).unwrap().transpose(0, 1).unwrap();
        let every_second = Layout::strided(&[2, 3, 2], &[20, 4, 2], 5).unwrap();
        let place = Place::new();
        for (which, index) in steps {
            let layout = if which { &columns } else { &every_second };
            let expected = (index < layout.numel()).then(|| layout.offset_of_flat(index));
            prop_assert_eq!(place.go(layout, index), expected);
        }
    }
}

/// Another layout may come to lie where one was.
#[test]
fn a_cleared_place_knows_no_layout() {
    let place = Place::new();
    let mut layout = Layout::strided(&[3], &[2], 0).unwrap();
    assert_eq!(place.go(&layout, 2), Some(4));
    layout = Layout::strided(&[3], &[5], 0).unwrap();
    place.clear();
    assert_eq!(place.go(&layout, 2), Some(10));
}
