use std::string::ToString;

use super::*;
use crate::port::rig::{Call, Rig, Timing};

/// What a core with so much TCM does to make a tensor: copies, and stores.
fn made(pool: u32, make: impl FnOnce(&Q7) -> Result<Tensor>) -> (usize, u64) {
    let mut rig = Rig::new(pool, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| make(q7).map(|_| ())).unwrap();
    let rings = rig.calls.iter().filter(|call| matches!(call, Call::Ring(..))).count();
    (rings / 2, rig.counters.unwrap().stores)
}

#[test]
fn six_elements_are_worth_a_copy() {
    let full = |pool, numel: u32| made(pool, |q7| q7.full(Dtype::I16, &[numel], 7));
    assert_eq!([0, 1, 5, 6].map(|numel| full(1024, numel)), [(0, 0), (0, 1), (0, 5), (1, 0)]);
    // 512 elements a block.
    assert_eq!([512, 513, 1537].map(|numel| full(1024, numel)), [(1, 0), (2, 0), (4, 0)]);
    // Nothing to stage in.
    assert_eq!(full(0, 100), (0, 100));
}

#[test]
fn ones_of_a_unit_matrix_are_stored() {
    assert_eq!(made(1024, |q7| q7.eye(Dtype::F32, 3, 40)), (1, 3));
    assert_eq!(made(1024, |q7| q7.eye(Dtype::F32, 1, 2)), (0, 2 + 1));
    assert_eq!(made(1024, |q7| q7.eye(Dtype::F32, 0, 9)), (0, 0));
}

/// The block is given back, whatever it was for.
#[test]
fn tcm_is_as_free_as_before() {
    let mut rig = Rig::new(1024, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| -> Result<()> {
        q7.zeros(Dtype::I64, &[1000])?;
        assert_eq!(q7.tcm_largest_free(), 1024);
        Ok(())
    })
    .unwrap();
}

#[test]
fn errors_are_at_the_authors_line() {
    let mut rig = Rig::new(1024, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| {
        let nine = [1; 9];
        let errors = [
            (q7.full(Dtype::I8, &nine, 1).unwrap_err(), line!(), "a tensor has at most 8"),
            (q7.zeros(Dtype::I64, &[u32::MAX, u32::MAX, 2]).unwrap_err(), line!(), "does not fit 64 bits"),
            (q7.ones(Dtype::I64, &[1 << 20]).unwrap_err(), line!(), "needs 8388608 bytes"),
            (q7.eye(Dtype::I64, 1 << 10, 1 << 10).unwrap_err(), line!(), "needs 8388608 bytes"),
            (q7.full(Dtype::U8, &[4], -0.5_f32).unwrap_err(), line!(), "-0.5, which u8 does not hold"),
        ];
        for (error, line, words) in errors {
            assert_eq!((error.site().file(), error.site().line()), (file!(), line), "{error}");
            assert!(error.to_string().contains(words), "no `{words}` in {error}");
        }
    });
}
