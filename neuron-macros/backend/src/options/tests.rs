//! Options are read one by one: a bad one is reported, and the others still count.

use super::Options;
use crate::errors::Errors;
use crate::messages as m;
use crate::testing::{half_typed, messages, tokens};

fn read(options: &str) -> (Options, Vec<String>) {
    let mut errors = Errors::default();
    let options = Options::parse(tokens(options), &mut errors);
    (options, messages(errors.into_tokens()))
}

#[test]
fn every_option() {
    let (options, told) =
        read("name = \"scale2\", shape = shapes::same, crate = my::device, in_place, stack_size = 0x2000");
    assert!(told.is_empty(), "{told:?}");
    assert_eq!(options.name.unwrap().value(), "scale2");
    assert!(options.shape.is_some() && options.in_place.is_some());
    assert_eq!(options.stack_size.unwrap().base10_parse::<u32>().unwrap(), 8192);
    let root = options.root.at(proc_macro2::Span::call_site());
    assert_eq!(root.to_string(), "my :: device :: __private");
}

#[test]
fn mistakes() {
    let table: &[(&str, &[&str])] = &[
        ("", &[]),
        ("name", &[m::OPTION_NAME]),
        ("name =", &[m::OPTION_NAME]),
        ("name = relu", &[m::OPTION_NAME]),
        ("name(\"relu\")", &[m::OPTION_NAME]),
        ("shape = \"same\"", &[m::OPTION_SHAPE]),
        ("shape = |x| x", &[m::OPTION_SHAPE]),
        ("crate = \"my::device\"", &[m::OPTION_CRATE]),
        ("shape = f(x)", &[m::OPTIONS]),
        ("\"relu\"", &[m::OPTIONS]),
        ("= , ,", &[m::OPTIONS, m::OPTIONS]),
        ("name = \"a\" shape = b", &[m::OPTIONS]),
        ("nam = \"a\"", &[&m::unknown_option("nam")]),
        ("inplace", &[&m::unknown_option("inplace")]),
        ("in_place", &[]),
        ("stack_size", &[m::OPTION_STACK]),
        ("stack_size =", &[m::OPTION_STACK]),
        ("stack_size = \"8192\"", &[m::OPTION_STACK]),
        ("stack_size = SIZE", &[m::OPTION_STACK]),
        ("stack_size = -1", &[m::OPTION_STACK]),
        ("stack_size = 0", &[m::OPTION_STACK]),
        ("stack_size = 1", &[]),
        ("stack_size = 8_192u32", &[]),
        ("stack_size = 8192u64", &[m::OPTION_STACK]),
        ("stack_size = 8192.0", &[m::OPTION_STACK]),
        ("stack_size = 4194304", &[]),
        ("stack_size = 4194305", &[m::OPTION_STACK]),
        ("stack_size = 4294967296", &[m::OPTION_STACK]),
        ("stack_size = 4 << 10", &[m::OPTIONS]),
        ("stack_size = 8192, stack_size = 8192", &[&m::duplicate_option("stack_size")]),
        ("in_place = true", &[m::OPTION_IN_PLACE]),
        ("in_place(out)", &[m::OPTION_IN_PLACE]),
        ("in_place shape = f", &[m::OPTIONS]),
        ("in_place, shape = f, in_place", &[&m::duplicate_option("in_place")]),
        ("name = \"a\", name = \"b\"", &[&m::duplicate_option("name")]),
        ("shape = 3, crate = 4, tile = 5", &[m::OPTION_SHAPE, m::OPTION_CRATE, &m::unknown_option("tile")]),
    ];
    for (options, expected) in table {
        assert_eq!(read(options).1, *expected, "{options}");
    }
}

#[test]
fn a_mistake_hides_nothing() {
    let (options, told) = read("nam = \"a\", name = \"b\"");
    assert_eq!((options.name.unwrap().value().as_str(), told.len()), ("b", 1));
}

#[test]
fn nothing_panics() {
    for options in half_typed("name = \"a\", in_place, shape = b::c, crate = d, e(f, [g]), , =") {
        Options::parse(options, &mut Errors::default());
    }
}
