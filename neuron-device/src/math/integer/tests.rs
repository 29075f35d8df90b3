use super::Integer;
use crate::words::element::Element;

/// One bit after the other, as often as asked.
fn step_by_step<T: Integer>(x: T, by: u32) -> [T; 2] {
    let two = T::ONE.wrapping_add(T::ONE);
    let (up, down) = (|x: T| x.wrapping_mul(two), |x: T| x.floor_divide(two));
    [(0..by).fold(x, |x, _| up(x)), (0..by).fold(x, |x, _| down(x))]
}

fn shifts_agree<T: Integer>() {
    let bits = 8 * T::DTYPE.size() as u32;
    for value in [0, 1, -1, 5, -5, 100, i64::MIN, i64::MAX, i64::MIN >> 40, 0x5A5A_5A5A_5A5A_5A5A] {
        let x: T = value.cast();
        for by in (0..=bits + 1).chain([2 * bits, 100]) {
            assert_eq!([x.unbounded_shl(by), x.unbounded_shr(by)], step_by_step(x, by), "{x:?} by {by}");
        }
        assert_eq!([x.unbounded_shl(u32::MAX), x.unbounded_shr(u32::MAX)], step_by_step(x, bits));
    }
}

#[test]
fn a_shift_is_that_many_shifts_by_one() {
    shifts_agree::<i8>();
    shifts_agree::<u8>();
    shifts_agree::<i16>();
    shifts_agree::<i32>();
    shifts_agree::<i64>();
}
