//! From a function's path to its entry's.

use super::op;
use crate::messages as m;
use crate::testing::{half_typed, messages, tokens};

#[test]
fn paths() {
    let table = [
        ("relu", "(& __op_relu)"),
        ("relu::relu", "(& relu :: __op_relu)"),
        ("::kernels::relu", "(& :: kernels :: __op_relu)"),
        ("self::r#type", "(& self :: __op_type)"),
    ];
    for (path, expected) in table {
        assert_eq!(op(tokens(path)).to_string(), expected);
    }
}

#[test]
fn what_is_no_path() {
    for input in ["", "relu()", "&relu", "\"relu\"", "relu::<f32>", "relu, gelu", "relu::", "|x| x"] {
        assert_eq!(messages(op(tokens(input))), [m::ENTRY], "{input}");
    }
}

#[test]
fn nothing_panics() {
    for input in half_typed("::a::b::<c>(d), e") {
        op(input);
    }
}
