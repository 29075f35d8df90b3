//! Every misuse has its message, and all of them are reported at once.

use proc_macro2::TokenStream;

use super::custom_op;
use crate::messages as m;
use crate::testing::{half_typed, messages, tokens};

/// The messages of a function, which must come back as it is.
fn told(options: &str, item: &str) -> Vec<String> {
    let output = custom_op(tokens(options), tokens(item));
    assert!(output.to_string().starts_with(&tokens(item).to_string()), "changed: {item}");
    messages(output)
}

#[track_caller]
fn check(table: &[(&str, &[&str])]) {
    for (signature, expected) in table {
        assert_eq!(told("", &format!("{signature} {{ let = ?; }}")), *expected, "{signature}");
    }
}

#[test]
fn accepted_forms() {
    check(&[
        ("fn f(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()>", &[]),
        ("pub(crate) fn f(q7: &Q7, out: &mut Tensor, x: &Tensor) -> Result<()>", &[]),
        ("fn f(q7: &Q7, a: Scalar, mut b: i32, c: f32, d: i64, x: &Tensor) -> Result<Tensor>", &[]),
        ("fn f(_: &Q7, x: &'_ Tensor) -> nd::Result<nd::Tensor>", &[]),
        (
            "fn f(q7: &nd::Q7, x: &nd::Tensor, out: &mut nd::Tensor) -> core::result::Result<(), nd::Error>",
            &[],
        ),
        ("fn f(q7: &Core, x: &Array, factor: Float, out: &mut Array) -> Outcome", &[]),
        ("fn f(q7: &Core, x: &Array) -> Outcome", &[]),
        ("fn f(q7: &Q7, x: (&Tensor), y: kind!(), out: &mut kind!()) -> Result", &[]),
        ("fn r#type(q7: &Q7, r#in: &Tensor) -> Result<Tensor>", &[]),
        ("fn f(q7: &Q7) -> Result<Tensor>", &[]),
        (
            "fn f(q7: &Q7, a: i32, b: i32, c: i32, d: i32, e: i32, f: i32, g: i32, h: i32, i: i32, x: &Tensor, \
             out: &mut Tensor) -> Result<()>",
            &[],
        ),
    ]);
}

#[test]
fn in_place_is_said_of_a_destination() {
    let returning = "fn f(q7: &Q7, x: &Tensor) -> Result<Tensor> { let = ?; }";
    assert_eq!(told("in_place", returning), [m::IN_PLACE_RETURNING]);
    let in_place = "fn f(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> { let = ?; }";
    assert!(told("in_place", in_place).is_empty());
}

#[test]
fn qualifiers_and_generics() {
    check(&[
        ("async fn f(q7: &Q7, x: &Tensor) -> Result<Tensor>", &[m::ASYNC]),
        ("const fn f(q7: &Q7, x: &Tensor) -> Result<Tensor>", &[m::CONST]),
        ("unsafe fn f(q7: &Q7, x: &Tensor) -> Result<Tensor>", &[m::UNSAFE]),
        ("extern \"C\" fn f(q7: &Q7, x: &Tensor) -> Result<Tensor>", &[m::EXTERN]),
        ("fn f<T>(q7: &Q7, x: &Tensor) -> Result<Tensor>", &[m::GENERIC_TYPE]),
        ("fn f<const N: usize>(q7: &Q7, x: &Tensor) -> Result<Tensor>", &[m::GENERIC_CONST]),
        ("fn f<'a>(q7: &Q7, x: &Tensor) -> Result<Tensor>", &[m::GENERIC_LIFETIME]),
        ("fn f(q7: &Q7, x: &Tensor) -> Result<Tensor> where i32: Copy", &[m::WHERE]),
        ("fn f(q7: &Q7, x: &Tensor, ...) -> Result<Tensor>", &[m::VARIADIC]),
        ("fn f(&self, q7: &Q7, x: &Tensor) -> Result<Tensor>", &[m::METHOD]),
        ("fn f(&self) -> Result<Tensor>", &[m::METHOD]),
        ("#[custom_op] fn f(q7: &Q7, x: &Tensor) -> Result<Tensor>", &[m::TWICE]),
        (
            "#[neuron_device::custom_op(name = \"g\")] fn f(q7: &Q7, x: &Tensor) -> Result<Tensor>",
            &[m::TWICE],
        ),
    ]);
}

#[test]
fn the_core() {
    check(&[
        ("fn f() -> Result<Tensor>", &[m::Q7_MISSING]),
        ("fn f(x: &Tensor) -> Result<Tensor>", &[m::Q7_MISSING]),
        ("fn f(n: i32, x: &Tensor) -> Result<Tensor>", &[m::Q7_MISSING]),
        ("fn f(out: &mut Tensor, x: &Tensor) -> Result<()>", &[m::Q7_MISSING]),
        ("fn f(x: &Tensor, q7: &Q7) -> Result<Tensor>", &[m::Q7_FIRST]),
        ("fn f(x: &Array, q7: &Q7) -> Result<Tensor>", &[m::Q7_FIRST]),
        ("fn f(q7: &Q7, x: &Tensor, other: &Q7) -> Result<Tensor>", &[m::Q7_TWICE]),
        ("fn f(q7: Q7, x: &Tensor) -> Result<Tensor>", &[m::Q7_REFERENCE]),
        ("fn f(q7: &mut Q7, x: &Tensor) -> Result<Tensor>", &[m::Q7_REFERENCE]),
        ("fn f(q7: &'static Q7, x: &Tensor) -> Result<Tensor>", &[m::LIFETIME]),
        ("fn f((a, b): &Q7, x: &Tensor) -> Result<Tensor>", &[m::PATTERN]),
    ]);
}

#[test]
fn names_of_arguments() {
    check(&[
        ("fn f(q7: &Q7, _: &Tensor) -> Result<Tensor>", &[m::UNNAMED]),
        ("fn f(q7: &Q7, (x, y): &Tensor) -> Result<Tensor>", &[m::PATTERN]),
        ("fn f(q7: &Q7, ref x: &Tensor) -> Result<Tensor>", &[m::PATTERN]),
        ("fn f(q7: &Q7, x @ _: &Tensor) -> Result<Tensor>", &[m::PATTERN]),
        ("fn f(q7: &Q7, #[cfg(test)] x: &Tensor) -> Result<Tensor>", &[m::CFG_ARGUMENT]),
        ("fn f(q7: &Q7, #[allow(unused)] x: &Tensor) -> Result<Tensor>", &[]),
    ]);
}

#[test]
fn types_of_arguments() {
    let table: &[(&str, &str)] = &[
        ("Tensor", m::TENSOR_BY_VALUE),
        ("nd::Tensor", m::TENSOR_BY_VALUE),
        ("&[f32]", m::SLICE),
        ("[f32; 4]", m::SLICE),
        ("&[f32; 4]", m::SLICE),
        ("Vec<f32>", m::SLICE),
        ("&Vec<f32>", m::SLICE),
        ("&str", m::STRING),
        ("String", m::STRING),
        ("&String", m::STRING),
        ("Option<&Tensor>", m::OPTIONAL),
        ("*const f32", m::POINTER),
        ("(i32, f32)", m::TUPLE),
        ("impl Into<Scalar>", m::CODE),
        ("&dyn Platform", m::CODE),
        ("fn(f32) -> f32", m::CODE),
        ("_", m::INFERRED),
        ("!", m::INFERRED),
        ("&&Tensor", m::NESTED),
        ("&'a Tensor", m::LIFETIME),
        ("&'static Tensor", m::LIFETIME),
        ("View<'a>", m::LIFETIME),
        ("View<'_>", ""),
        ("&Array", ""),
    ];
    for (ty, expected) in table {
        let told = told("", &format!("fn f(q7: &Q7, y: &Tensor, x: {ty}) -> Result<Tensor> {{}}"));
        let expected: &[&str] = if expected.is_empty() { &[] } else { &[expected] };
        assert_eq!(told, expected, "{ty}");
    }
}

#[test]
fn scalars() {
    let all = [
        "usize", "isize", "i8", "u8", "i16", "u16", "u32", "u64", "i128", "u128", "f16", "bf16", "f64",
        "f128", "bool", "char",
    ];
    for ty in all {
        let expected = m::scalar(ty);
        assert!(
            expected.starts_with(&format!("`{ty}` does not cross")) && expected.contains("take an `"),
            "{expected}"
        );
        for written in [ty, &format!("core::primitive::{ty}"), &format!("&{ty}")] {
            let told = told("", &format!("fn f(q7: &Q7, y: &Tensor, x: {written}) -> Result<Tensor> {{}}"));
            assert_eq!(told, [&*expected], "{written}");
        }
    }
    check(&[
        ("fn f(q7: &Q7, x: &Tensor, a: &f32) -> Result<Tensor>", &[&m::scalar_reference("f32", false)]),
        ("fn f(q7: &Q7, x: &Tensor, a: &Scalar) -> Result<Tensor>", &[&m::scalar_reference("Scalar", false)]),
        ("fn f(q7: &Q7, x: &Tensor, a: &mut i32) -> Result<()>", &[&m::scalar_reference("i32", true)]),
    ]);
}

#[test]
fn numbers_of_arguments() {
    let ten = (0..10).map(|k| format!(", x{k}: &Tensor")).collect::<String>();
    let op = |more: &str| told("", &format!("fn f(q7: &Q7{ten}{more}, out: &mut Tensor) -> Result<()> {{}}"));
    assert!(op("").is_empty());
    assert_eq!(op(", y: i32"), [m::ARGUMENTS]);
    assert_eq!(op(", y: i32, z: i32"), [m::ARGUMENTS]);
}

#[test]
fn destinations_and_results() {
    check(&[
        ("fn f(q7: &Q7, x: &Tensor, a: &mut Tensor, b: &mut Tensor) -> Result<()>", &[m::SECOND_DESTINATION]),
        ("fn f(q7: &Q7, x: &Tensor)", &[m::NO_DESTINATION]),
        ("fn f(q7: &Q7, x: &Tensor) -> ()", &[m::NO_DESTINATION]),
        ("fn f(q7: &Q7, x: &Tensor) -> Result<()>", &[m::NO_DESTINATION]),
        ("fn f(q7: &Q7, x: &Tensor, out: &mut Tensor)", &[m::RETURN_IN_PLACE]),
        ("fn f(q7: &Q7, x: &Tensor, out: &mut Tensor) -> ()", &[m::RETURN_IN_PLACE]),
        ("fn f(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<Tensor>", &[m::TWO_RESULTS]),
        ("fn f(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Tensor", &[m::TWO_RESULTS]),
        ("fn f(q7: &Q7, x: &Tensor, out: &mut [f32]) -> Result<()>", &[m::SLICE]),
        ("fn f(q7: &Q7, n: i32, out: &mut Tensor) -> Result<()>", &[m::SHAPE_UNKNOWN]),
        ("fn f(q7: &Q7, x: &Tensor) -> Tensor", &[m::RETURN_BARE_TENSOR]),
        ("fn f(q7: &Q7, x: &Tensor) -> Option<Tensor>", &[m::RETURN_OPTION]),
        ("fn f(q7: &Q7, x: &Tensor) -> Result<Option<Tensor>>", &[m::RETURN_OPTION]),
        ("fn f(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Option<()>", &[m::RETURN_OPTION]),
        ("fn f(q7: &Q7, x: &Tensor) -> Result<(Tensor, Tensor)>", &[m::RETURN_SEVERAL]),
        ("fn f(q7: &Q7, x: &Tensor) -> Result<Vec<Tensor>>", &[m::RETURN_SEVERAL]),
        ("fn f(q7: &Q7, x: &Tensor) -> f32", &[m::RETURN_VALUE]),
        ("fn f(q7: &Q7, x: &Tensor) -> Result<f32>", &[m::RETURN_VALUE]),
        ("fn f(q7: &Q7, x: &Tensor) -> Result<usize>", &[m::RETURN_VALUE]),
        ("fn f(q7: &Q7, x: &Tensor) -> impl Sized", &[m::RETURN_VALUE]),
        ("fn f(q7: &Q7, x: &Tensor) -> !", &[m::RETURN_VALUE]),
    ]);
    let shaped = told("shape = s", "fn f(q7: &Q7, n: i32, out: &mut Tensor) -> Result<()> {}");
    assert!(shaped.is_empty());
}

#[test]
fn names_of_ops() {
    let f = "fn f(q7: &Q7, x: &Tensor) -> Result<Tensor> {}";
    let given = |name: &str| told(&format!("name = {name:?}"), f);
    let function = |name: &str| told("", &format!("fn {name}(q7: &Q7, x: &Tensor) -> Result<Tensor> {{}}"));
    let (fits, long) = ("a".repeat(31), "a".repeat(32));
    assert!(given(&fits).is_empty() && function(&fits).is_empty());
    assert_eq!(given(&long), [m::name_long(&long, 31)]);
    assert_eq!(function(&long), [m::name_long(&long, 31)]);
    assert_eq!(given(""), [m::NAME_EMPTY]);
    for name in ["2d", "my op", "a::b", "größe", "a-b"] {
        assert_eq!(given(name), [m::NAME_LETTERS], "{name}");
    }
    assert_eq!(function("größe"), [m::NAME_LETTERS]);
}

#[test]
fn all_at_once() {
    let item = "async fn f<T>(x: Tensor, n: usize, (a, b): &[f32]) -> Option<T> {}";
    let expected = [
        m::unknown_option("nam"),
        m::ASYNC.into(),
        m::GENERIC_TYPE.into(),
        m::Q7_MISSING.into(),
        m::TENSOR_BY_VALUE.into(),
        m::scalar("usize"),
        m::PATTERN.into(),
        m::SLICE.into(),
        m::RETURN_OPTION.into(),
    ];
    assert_eq!(told("nam = \"g\"", item), expected);
}

#[test]
fn what_is_no_function() {
    for item in
        ["struct S;", "const X: i32 = 1;", "impl S { fn f() {} }", "mod m { }", "static F: fn() = f;", ""]
    {
        assert_eq!(told("", item), [m::NOT_A_FUNCTION], "{item}");
    }
    assert_eq!(told("", "fn f(q7: &Q7, x: &Tensor) -> Result<Tensor>;"), [m::NO_BODY]);
    assert_eq!(told("", "fn f(q7: &Q7, x: &Tensor) -> Result<Tensor>"), [m::NO_BODY]);
    let told = told("", "fn f(q7: &Q7, x) -> Result<Tensor> {}");
    assert_eq!(told, [m::signature("expected `:`")]);
}

/// A kernel with mistakes still has an entry, so that a library that lists it adds no errors; a method has none, since
/// an `impl` has no room for it.
#[test]
fn entries_of_kernels_with_mistakes() {
    let output = custom_op(TokenStream::new(), tokens("fn f(q7: &Q7) {}"));
    assert!(output.to_string().contains("static __op_f"));
    let output = custom_op(TokenStream::new(), tokens("fn f(&self) {}"));
    assert!(!output.to_string().contains("static"));
}

#[test]
fn nothing_panics_and_the_item_comes_back() {
    let source = "#[cfg(a)] pub(crate) const unsafe extern \"C\" fn f<'a, T: B>(&self, q7: &'a Q7, mut x: &Tensor, \
                  y: [f32; 2], out: &mut Tensor, ...) -> Result<(), E> where T: C { let x = 1; }";
    for item in half_typed(source) {
        let output = custom_op(TokenStream::new(), item.clone());
        assert!(output.to_string().starts_with(&item.to_string()), "changed: {item}");
    }
}
