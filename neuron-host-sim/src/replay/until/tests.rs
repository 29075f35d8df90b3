use proptest::prelude::*;

use super::*;

#[test]
fn what_is_no_place_says_why() {
    let reason = |text: &str| text.parse::<Until>().unwrap_err().reason;
    assert!(reason("").starts_with("say fault"));
    assert!(reason("fault:0").starts_with("faults are counted from 1"));
    assert!(reason("fault:x").starts_with("faults are counted from 1"));
    assert!(reason("copy:out[1]").starts_with("say fault"));
    assert!(reason("write:out[1]#0").starts_with("accesses are counted from 1"));
    assert!(reason("write:[1]").starts_with("an access needs a tensor"));
    assert!(reason("write:out[1").starts_with("an access needs an index"));
    assert!(reason("write:out[-1]").starts_with("indices are whole numbers"));
    assert!(reason("read:out[1,]").starts_with("indices are whole numbers"));
}

proptest! {
    #[test]
    fn a_place_is_what_its_text_says(
        write in any::<bool>(),
        tensor in "[a-z_]{1,8}",
        index in prop::collection::vec(any::<u64>(), 0..9),
        nth in 1u64..,
    ) {
        let access = if write { Access::Write } else { Access::Read };
        let until = Until::Access { access, tensor, index, nth };
        prop_assert_eq!(until.to_string().parse::<Until>(), Ok(until));
    }

    #[test]
    fn no_text_panics(text in "(read|write|fault|end)?:?.{0,12}") {
        let _ = text.parse::<Until>();
    }
}
