use super::{DmaRing, Progress, SLOTS};

#[test]
fn each_lap_has_the_other_phase() {
    let ring = DmaRing::new();
    for number in 0..5 * SLOTS {
        assert_eq!(ring.post(16, number, 2 * number), number);
        assert_eq!(ring.progress(number), Progress::Pending, "pair {number}");
        let (transmit, receive) = ring.pair(number);
        assert_eq!((transmit.buffer(), receive.buffer()), (number, 2 * number));
        assert_eq!(transmit.phase(), receive.phase());
        assert_eq!(transmit.phase(), (number / SLOTS).is_multiple_of(2));
        ring.complete(number, number % 3 != 0);
        let ended = if number % 3 == 0 { Progress::Failed } else { Progress::Done };
        assert_eq!(ring.progress(number), ended, "pair {number}");
    }
    assert_eq!(ring.posted(), 5 * SLOTS);
}

#[test]
fn pairs_complete_in_any_order() {
    let ring = DmaRing::new();
    (0..SLOTS).for_each(|number| _ = ring.post(1, number, 0));
    ring.complete(2, true);
    let states: std::vec::Vec<_> = (0..SLOTS).map(|number| ring.progress(number)).collect();
    assert_eq!(states, [Progress::Pending, Progress::Pending, Progress::Done, Progress::Pending]);
}

#[test]
#[should_panic(expected = "the ring is full")]
fn a_pair_in_flight_is_not_overwritten() {
    let ring = DmaRing::new();
    (0..=SLOTS).for_each(|number| _ = ring.post(1, number, 0));
}
