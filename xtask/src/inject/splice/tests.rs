use super::*;
use crate::inject::find::find;

const KERNEL: &str = "\
#[custom_op]
pub fn turned(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | i64 as T => {
        let (src, dst) = (x.accessor::<T, 2>(q7)?, out.accessor_mut::<T, 2>(q7)?);
        let columns = dst.size(1);
        for row in q7.partition(dst.size(0)) {
            for column in 0..columns {
                dst.set([row, column], src.get([column, row]));
            }
        }
        Ok(())
    })
}
";

const INSTRUMENTED: &str = "\
#[custom_op]
pub fn turned(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | i64 as T => {
        let (src, dst) = (x.accessor::<T, 2>(q7)?, out.accessor_mut::<T, 2>(q7)?);
        let columns = ::neuron_mutant::bound(7, dst.size(::neuron_mutant::dimension(8, 1)));
        for row in ::neuron_mutant::share(9, q7, |q7| q7.partition(::neuron_mutant::bound(10, \
dst.size(::neuron_mutant::dimension(11, 0))))) {
            for column in ::neuron_mutant::bound(12, 0)..::neuron_mutant::bound(13, columns) {
                dst.set(::neuron_mutant::order(14, [::neuron_mutant::index(15, row), \
::neuron_mutant::index(16, column)]), src.get(::neuron_mutant::order(17, [::neuron_mutant::index(18, column), \
::neuron_mutant::index(19, row)])));
            }
        }
        Ok(())
    })
}
";

#[test]
fn golden_text() {
    let sites = find(KERNEL).unwrap();
    assert_eq!(splice(KERNEL, &sites, 7), INSTRUMENTED);
}

#[test]
fn a_wait_has_the_core() {
    let kernel = "fn f(q7: &Q7) { left.map(|copy| copy.wait().into_buf()); }";
    let expected = "fn f(q7: &Q7) { left.map(|copy| ::neuron_mutant::wait(1, q7, copy).wait().into_buf()); }";
    assert_eq!(splice(kernel, &find(kernel).unwrap(), 1), expected);
}

/// A fault's line in the copy is the line in the tree.
#[test]
fn lines_stay() {
    assert_eq!(KERNEL.lines().count(), INSTRUMENTED.lines().count());
}

#[test]
fn a_literal_has_no_operator_twice() {
    let operators = |source: &str| find(source).unwrap()[0].operators();
    assert_eq!(operators("fn f() { x.get(i) }"), [1, 2, 3, 4]);
    assert_eq!(operators("fn f() { x.get(0) }"), [1, 2]);
    assert_eq!(operators("fn f() { x.get(1) }"), [1, 2]);
    assert_eq!(operators("fn f() { x.tiles(0) }"), [1]);
    assert_eq!(operators("fn f() { x.tiles(5) }"), [1, 2, 3, 4]);
    assert_eq!(operators("fn f() { x.size(0) }"), [1]);
}
