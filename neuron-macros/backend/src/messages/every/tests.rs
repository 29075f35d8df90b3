use super::*;

/// A message that is not in the list could never be missed.
#[test]
fn the_list_is_complete() {
    let source = include_str!("../../messages.rs");
    assert_eq!(FIXED.len(), source.matches("pub(crate) const ").count());
    // One of the functions has two texts.
    assert_eq!(WORDED.len(), source.matches("pub(crate) fn ").count() + 1);
}

#[test]
fn the_worded_ones_have_their_words() {
    let told = [
        scalar("u32"),
        scalar_reference("f32", false),
        scalar_reference("f32", true),
        unknown_option("colour"),
        duplicate_option("name"),
        name_long("a", 0),
        duplicate_op("a"),
        signature("no"),
    ];
    for ((name, part), told) in WORDED.iter().zip(told) {
        assert!(told.contains(part), "{name}: {told}");
    }
}
