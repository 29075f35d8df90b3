//! Every misuse of `neuron_library!` has its message, and the static is there all the same.

use super::neuron_library;
use crate::messages as m;
use crate::testing::{half_typed, messages, tokens};

fn told(input: &str) -> Vec<String> {
    messages(neuron_library(tokens(input)))
}

#[test]
fn accepted_forms() {
    for input in [
        "pub OPS: \"ops\" = [relu::relu, gelu::gelu]",
        "OPS: \"ops\" = [relu,];",
        "/// Mine.\n#[cfg(a)] pub(crate) OPS: \"ops\" = [crate::relu::relu, ::other::relu]",
        "crate = my::device; pub OPS: \"ops\" = [r#type]",
    ] {
        assert!(told(input).is_empty(), "{input}: {:?}", told(input));
    }
}

#[test]
fn mistakes() {
    let eleven = (0..11).map(|k| format!("op{k},")).collect::<String>();
    let table: &[(&str, &[&str])] = &[
        ("pub OPS: \"builtin\" = [a]", &[m::LIBRARY_BUILTIN]),
        ("pub OPS: \"\" = [a]", &[m::LIBRARY_NAME_EMPTY]),
        ("pub OPS: \"ops\" = []", &[m::LIBRARY_EMPTY]),
        (&format!("pub OPS: \"ops\" = [{eleven}]"), &[m::LIBRARY_OPS]),
        ("pub OPS: \"ops\" = [a::b, c, a :: b]", &[&m::duplicate_op("a::b")]),
        (
            "pub OPS: \"ops\" = [a(), b::<f32>, &c, \"d\", e f]",
            &[m::ENTRY, m::ENTRY, m::ENTRY, m::ENTRY, m::ENTRY],
        ),
        ("pub OPS: \"builtin\" = [a, a, 1]", &[m::ENTRY, m::LIBRARY_BUILTIN, &m::duplicate_op("a")]),
        ("pub OPS = [a]", &[m::LIBRARY]),
        ("pub OPS: ops = [a]", &[m::LIBRARY]),
        ("pub OPS: \"ops\" = (a)", &[m::LIBRARY]),
        ("pub OPS: \"ops\" = [a] [b]", &[m::LIBRARY]),
        ("\"ops\": [a]", &[m::LIBRARY]),
        ("", &[m::LIBRARY]),
        ("crate = \"my\"; pub OPS: \"ops\" = [a]", &[m::LIBRARY_CRATE]),
        ("crate = my pub OPS: \"ops\" = [a]", &[m::LIBRARY_CRATE]),
    ];
    for (input, expected) in table {
        assert_eq!(told(input), *expected, "{input}");
    }
}

#[test]
fn a_library_with_mistakes_is_still_there() {
    let output = neuron_library(tokens("pub OPS: \"builtin\" = [a, 1, a]")).to_string();
    assert!(output.contains("pub static OPS") && output.contains("[& __op_a]"), "{output}");
}

#[test]
fn nothing_panics() {
    for input in half_typed("crate = a::b; #[doc = \"c\"] pub OPS: \"ops\" = [a, b::c, d()];") {
        neuron_library(input);
    }
}
