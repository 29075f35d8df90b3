use super::*;

/// Against every access of the run, one by one.
#[test]
fn what_meets_is_found_without_going_through_all() {
    for step in [-7, -4, -1, 0, 1, 3, 4, 9] {
        for each in [1, 2, 4, 8] {
            for count in 1..6 {
                for (from, to) in [(90, 90), (90, 91), (96, 100), (97, 98), (100, 140), (60, 99), (0, 300)] {
                    let site = std::panic::Location::caller();
                    let start = HbmAddr::new(100);
                    let run = Run { access: Access::Read, start, step, count, bytes: each, site };
                    let starts = (0..count as i64).map(|at| (100 + at * step) as u64);
                    let met: Vec<u64> = starts.filter(|&at| at.max(from) < (at + each).min(to)).collect();
                    let wanted = met.first().map(|&first| (first, met.len() as u64));
                    assert_eq!(meeting(&run, &(from..to)), wanted, "{run:?} {from}..{to}");
                }
            }
        }
    }
}

/// Rows of 8 bytes, 32 bytes apart, and what lies between them.
#[test]
fn a_copy_meets_what_its_pieces_do() {
    let site = std::panic::Location::caller();
    let hbm = Run { access: Access::Read, start: HbmAddr::new(0), step: 32, count: 4, bytes: 8, site };
    let local = neuron_device::Dataram::BASE;
    let method = neuron_device::CopyMethod::Dma;
    let copy = Copied { hbm, local, element: 4, method, descriptors: 4, pending: None, counted: false };
    let accesses = Accesses::of_copy(&copy);
    assert_eq!(accesses.meeting(&(0..128)), Some((0, 32)));
    assert_eq!(accesses.meeting(&(36..70)), Some((36, 12)));
    assert_eq!(accesses.meeting(&(40..64)), None);
}
