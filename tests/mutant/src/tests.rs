extern crate std;

use std::vec::Vec;

use neuron_device::prelude::*;
use neuron_device::{FlatPlatform, Tcm};

use super::*;

/// One test for all: the choice is the process's.
#[test]
fn every_operator() {
    let values = |of: &dyn Fn(usize) -> u32, operators| {
        let mutants = (0..=operators).map(|operator| {
            choose(7, operator);
            of(7)
        });
        mutants.collect::<Vec<_>>()
    };
    assert_eq!(values(&|site| index(site, 5), 4), [5, 6, 4, 10, 0]);
    assert_eq!(values(&|site| index(site, 0), 4), [0, 1, u32::MAX, 0, 0]);
    assert_eq!(values(&|site| bound(site, 5), 4), [5, 6, 4, 10, 0]);
    assert_eq!(values(&|site| bound(site, u32::MAX), 4), [u32::MAX, u32::MAX, u32::MAX - 1, u32::MAX, 0]);
    assert_eq!(values(&|site| bound(site, 0), 4), [0, 1, 0, 0, 0]);
    assert_eq!(values(&|site| 9.min(limit(site, 5)), 1), [5, 9]);
    assert_eq!(values(&|site| dimension(site, 0) as u32, 1), [0, 1]);
    assert_eq!(values(&|site| dimension(site, 3) as u32, 1), [3, 2]);
    assert_eq!(values(&|site| order(site, [1, 2, 3])[0], 1), [1, 3]);

    let spans = (0..=5).map(|operator| {
        choose(7, operator);
        let Span { offset, len } = span(7, Span { offset: 6, len: 3 });
        (offset, len)
    });
    assert_eq!(spans.collect::<Vec<_>>(), [(6, 3), (7, 3), (5, 3), (6, 4), (6, 2), (0, 3)]);

    let shares = |operator| {
        choose(7, operator);
        let share = |core| {
            Q7::enter(&mut FlatPlatform::new(core, 4, &mut []), |q7| {
                share(7, q7, |q7| q7.partition(20)).into_iter()
            })
        };
        (0..4).map(share).collect::<Vec<_>>()
    };
    assert_eq!(shares(0), [0..5, 5..10, 10..15, 15..20]);
    assert_eq!(shares(1), [0..20, 0..20, 0..20, 0..20]);
    assert_eq!(shares(2), [0..4, 4..8, 8..12, 12..16]);
    assert_eq!(shares(3), [0..7, 7..14, 14..20, 0..7]);
    assert_eq!(shares(4), [5..10, 5..10, 10..15, 15..20]);

    // A copy of two elements, and one more that finds room for nothing else.
    let waits = |operator| {
        choose(7, operator);
        let (mut memory, mut tcm) = ([0; 64], Tcm::new());
        Q7::enter(&mut FlatPlatform::new(0, 1, &mut memory).with_tcm(&mut tcm), |q7| -> Result<_> {
            let mut x = q7.empty(Dtype::I32, &[2])?;
            x.write_stream_accessor::<i32>(q7, ..)?.write_from([3, 4]);
            let all = Span { offset: 0, len: 2 };
            let tile = wait(7, q7, x.tensor_to_tcm_async(q7, all, q7.tcm_malloc(2)?)?).wait();
            let copy = x.tensor_to_tcm_async(q7, all, q7.tcm_malloc(2)?)?;
            let _rest = q7.tcm_malloc::<u8>(q7.tcm_largest_free())?;
            let other = wait(7, q7, copy).wait();
            Ok((tile.to_vec(), other.to_vec()))
        })
    };
    assert_eq!(waits(0).unwrap(), ([3, 4].into(), [3, 4].into()));
    assert_eq!(waits(1).unwrap(), ([i32::POISON; 2].into(), [3, 4].into()));

    // Another site's mutant changes nothing; both were reached.
    choose(8, 1);
    assert_eq!((index(9, 5), index(8, 5)), (5, 6));
    choose(0, 0);
    assert!(reached().eq([7, 8, 9]) && reached().next().is_none());
}
