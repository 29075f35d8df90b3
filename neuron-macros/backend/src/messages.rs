//! Every message of the macros. Each states the rule and the way out.

mod every;

pub(crate) use every::every;

/// Ends a message about an argument with the accepted forms.
macro_rules! accepted {
    ($($part:expr),*) => {
        concat!($($part,)* " (an argument is `&Tensor`, `Scalar`, `i32`, `i64` or `f32`)")
    };
}

// What `#[custom_op]` stands on.

pub(crate) const NOT_A_FUNCTION: &str =
    "`#[custom_op]` goes on a free function, `fn name(q7: &Q7, …) -> Result<…> { … }`: put it above one";
pub(crate) const NO_BODY: &str = "a kernel needs a body: end the signature with `{ … }`";
pub(crate) const TWICE: &str = "one `#[custom_op]` makes one op: remove the second";

// The function itself.

pub(crate) const ASYNC: &str =
    "a core runs a kernel from start to end, with nothing to wait in between: remove `async`";
pub(crate) const CONST: &str =
    "a kernel runs on a core, never at compile time: remove `const`, and keep it on helper functions";
pub(crate) const UNSAFE: &str = concat!(
    "the launch calls a kernel with no contract to uphold: ",
    "remove `unsafe` here and put an `unsafe` block with its proof into the body",
);
pub(crate) const EXTERN: &str =
    "a kernel is called through its table entry, with Rust's own calling convention: remove `extern`";
pub(crate) const GENERIC_TYPE: &str = concat!(
    "the runtime finds an op by name, so there is no type to choose: ",
    "remove the parameter; take a `Scalar` or ask `x.dtype()`, and call a generic helper from here",
);
pub(crate) const GENERIC_CONST: &str = concat!(
    "the runtime finds an op by name, so there is no constant to choose: ",
    "remove the parameter; take an `i32`, or write one op for each value around a generic helper",
);
pub(crate) const GENERIC_LIFETIME: &str = concat!(
    "an op names no lifetimes, all of them end with the launch: ",
    "remove the parameter and write `&Tensor`, `&Q7`",
);
pub(crate) const WHERE: &str =
    "an op has nothing to bound: remove the `where` clause, and keep it on helper functions";
pub(crate) const METHOD: &str = concat!(
    "an op is a free function, the runtime has no `self` to pass: ",
    "move it out of the `impl` and start with `q7: &Q7`",
);
pub(crate) const VARIADIC: &str =
    "an op has a fixed list of arguments: write each of them out, at most 10, or pass a tensor of values";

// The core.

pub(crate) const Q7_MISSING: &str =
    "a kernel takes the core it runs on first: add `q7: &Q7` as the first parameter";
pub(crate) const Q7_FIRST: &str = "the core comes first: move this to the front, `(q7: &Q7, …)`";
pub(crate) const Q7_TWICE: &str = "a kernel runs on one core: keep the first `q7: &Q7` and remove this one";
pub(crate) const Q7_REFERENCE: &str =
    "the core is lent to a kernel for one launch, shared with its tensors: write `&Q7`";

// An argument's name.

pub(crate) const PATTERN: &str = concat!(
    "reports name arguments, so a parameter is a plain identifier: ",
    "give it a name and take it apart in the body",
);
pub(crate) const UNNAMED: &str =
    "reports name arguments, so even an unused one has a name: write `_name` instead of `_`";
pub(crate) const CFG_ARGUMENT: &str =
    "an op has one list of arguments in every build: put `#[cfg]` on the function, once for each signature";

// An argument's type.

pub(crate) const TENSOR_BY_VALUE: &str =
    "the launch keeps its tensors and lends them: write `&Tensor`, or `&mut Tensor` for the destination";
pub(crate) const SLICE: &str = accepted!(
    "slices and arrays do not cross, device memory gives values and never references: ",
    "take a `&Tensor`, or `out: &mut Tensor` to write, ",
    "and reach its elements through `x.elements::<f32>(q7)?`"
);
pub(crate) const STRING: &str =
    accepted!("text does not cross: pass a number that stands for the choice, or write one op for each");
pub(crate) const OPTIONAL: &str =
    accepted!("every argument is passed at every launch: write a second op for the shorter list");
pub(crate) const POINTER: &str =
    accepted!("addresses do not cross: take a `&Tensor`, whose accessors check where they reach");
pub(crate) const TUPLE: &str =
    accepted!("an argument is one value: pass each part as an argument of its own");
pub(crate) const CODE: &str = accepted!(
    "traits, closures and functions do not cross: ",
    "write one op for each choice around a generic helper"
);
pub(crate) const INFERRED: &str = accepted!("an op's arguments are written out: name the type");
pub(crate) const NESTED: &str = accepted!("one reference is enough: remove a `&`");
pub(crate) const LIFETIME: &str =
    "an op names no lifetimes, all of them end with the launch: remove this one, as in `&Tensor`";
pub(crate) const ARGUMENTS: &str = concat!(
    "an op has at most 10 arguments, the core and the destination not counted: ",
    "pass the rest as one tensor of values",
);

// The destination.

pub(crate) const SECOND_DESTINATION: &str =
    "an op has one result: keep one `&mut Tensor`, and write one op for each further result";
pub(crate) const NO_DESTINATION: &str = concat!(
    "an op has one result: take the destination as `out: &mut Tensor` and return `Result<()>`, ",
    "or return `Result<Tensor>`",
);
pub(crate) const TWO_RESULTS: &str = concat!(
    "an op has one result, and `&mut Tensor` already is one: ",
    "return `Result<()>`, or remove the destination and return `Result<Tensor>`",
);
pub(crate) const SHAPE_UNKNOWN: &str = concat!(
    "without a tensor argument nothing gives the destination its shape: ",
    "add a host function that says it, `#[custom_op(shape = my_shape)]`",
);

// What comes back.

pub(crate) const RETURN_IN_PLACE: &str = concat!(
    "a kernel can fail at any access, so one that writes in place returns `Result<()>`: ",
    "write `-> Result<()>`",
);
pub(crate) const RETURN_BARE_TENSOR: &str =
    "a kernel can fail at any access: return `Result<Tensor>`, and `Ok(tensor)` at the end";
pub(crate) const RETURN_OPTION: &str = concat!(
    "an op always has its result: return `Result<()>` or `Result<Tensor>`, ",
    "with `Err(Error::message(…))` where there is none",
);
pub(crate) const RETURN_SEVERAL: &str =
    "an op has exactly one result: return one tensor, and write one op for each further result";
pub(crate) const RETURN_VALUE: &str = concat!(
    "an op's result is a tensor: return `Result<Tensor>`, of one element where it is one number, ",
    "or write to `out: &mut Tensor` and return `Result<()>`",
);

// Options.

pub(crate) const OPTIONS: &str = concat!(
    "the options are `name = \"…\"`, `shape = path`, `stack_size = bytes`, `crate = path` and `in_place`, ",
    "as in `#[custom_op(name = \"relu\")]`",
);
pub(crate) const OPTION_NAME: &str = "an op's name is a string: write `name = \"relu\"`";
pub(crate) const OPTION_SHAPE: &str =
    "the shape is given by a host function over metadata: write its path, `shape = my_shape`";
pub(crate) const OPTION_CRATE: &str = concat!(
    "`crate` says where `neuron_device` is re-exported: ",
    "write that path without quotes, `crate = my_crate::device`",
);
pub(crate) const OPTION_STACK: &str = concat!(
    "`stack_size` is the bytes of stack the kernel needs, a number from 1 to 4194304: ",
    "write `stack_size = 8192`, and keep larger arrays in HBM or TCM",
);
pub(crate) const OPTION_IN_PLACE: &str =
    "`in_place` is a word without a value: write `#[custom_op(in_place)]`, or leave it out";
pub(crate) const IN_PLACE_RETURNING: &str = concat!(
    "`in_place` lets the destination be an argument's memory, and this op has no destination: ",
    "add `out: &mut Tensor` and return `Result<()>`, or remove `in_place`",
);

// Names.

pub(crate) const NAME_EMPTY: &str =
    "an op is found by its name: write one, or leave `name` out to take the function's";
pub(crate) const NAME_LETTERS: &str = concat!(
    "an op's name is made of ASCII letters, digits and `_`, and starts with no digit: ",
    "choose one with `name = \"…\"`",
);

// Libraries and table entries.

pub(crate) const LIBRARY: &str =
    "a library is written `neuron_library!(pub NAME: \"name\" = [path::of_op, …])`: this part does not fit";
pub(crate) const LIBRARY_CRATE: &str =
    "`crate` says where `neuron_device` is re-exported: write it first, `crate = my_crate::device;`";
pub(crate) const LIBRARY_NAME_EMPTY: &str = "a library is loaded by its name: write one between the quotes";
pub(crate) const LIBRARY_BUILTIN: &str = "\"builtin\" is the runtime's own library: choose another name";
pub(crate) const LIBRARY_EMPTY: &str =
    "a library without ops cannot be loaded: list the path of at least one `#[custom_op]` function";
pub(crate) const LIBRARY_OPS: &str =
    "a library has at most 10 ops: remove the rest, one model loads one library";
pub(crate) const ENTRY: &str = concat!(
    "an op is named by the path of its function: ",
    "write `relu` or `module::relu`, without a call, type or reference",
);

/// A scalar type that does not cross, and which to use instead.
pub(crate) fn scalar(written: &str) -> String {
    let way_out = match written {
        "usize" | "isize" => {
            ", its width differs between laptop and device: take an `i64`, or ask the tensor, `x.numel()`"
        }
        "f64" | "f128" => ", the device has no such number: take an `f32`",
        "u32" | "u64" | "i128" | "u128" => ": take an `i64`",
        "bool" => ": take an `i32` and test it with `!= 0`",
        "char" => ": take an `i32`",
        "f16" | "bf16" => ": take an `f32`, or a `Scalar`, which carries any of the 8 element types",
        _ => ": take an `i32`, or a `Scalar`, which carries any of the 8 element types",
    };
    format!(accepted!("`{}` does not cross{}"), written, way_out)
}

/// A scalar behind a reference.
pub(crate) fn scalar_reference(written: &str, mutable: bool) -> String {
    if mutable {
        format!(
            "an op's only result is its destination: take `{written}` by value and write to `out: &mut Tensor`"
        )
    } else {
        format!("scalars are passed by value: write `{written}`")
    }
}

/// An option that does not exist.
pub(crate) fn unknown_option(written: &str) -> String {
    format!("there is no option `{written}`: {OPTIONS}")
}

/// An option given again.
pub(crate) fn duplicate_option(written: &str) -> String {
    format!("`{written}` is given already: remove one of the two")
}

/// A name the table has no room for.
pub(crate) fn name_long(name: &str, limit: usize) -> String {
    let length = name.len();
    format!("an op's name has at most {limit} characters, this one {length}: shorten it with `name = \"…\"`")
}

/// A path that is listed already.
pub(crate) fn duplicate_op(path: &str) -> String {
    format!("`{path}` is listed already: remove one of the two")
}

/// A signature that is no Rust, in the parser's words.
pub(crate) fn signature(parser: &str) -> String {
    let form = "`fn name(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> { … }`";
    format!("the signature does not parse ({parser}): write {form}")
}
