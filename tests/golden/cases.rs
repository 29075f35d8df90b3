//! Cases read from a file of tensors.

use std::collections::BTreeMap;
use std::path::Path;

use neuron_device::{Dtype, Op, ParameterKind, Scalar, match_dtype};
use neuron_host_sim::{Arg, HostTensor};
use safetensors::SafeTensors;

/// What torch was asked and what it answered.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// By the name of the op's parameter.
    inputs: BTreeMap<String, HostTensor>,
    pub(crate) out: HostTensor,
}

/// Every case of a file, in the order of their names.
///
/// # Panics
/// If the file is none, or a case has no answer.
pub(crate) fn read(path: &Path) -> Vec<Case> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let tensors =
        SafeTensors::deserialize(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut cases = BTreeMap::<String, BTreeMap<String, HostTensor>>::new();
    for (key, view) in tensors.iter() {
        let (case, name) = key.split_once('/').expect("a tensor's name is CASE/PARAMETER");
        let sizes: Vec<u32> = view.shape().iter().map(|&size| size as u32).collect();
        let tensor = HostTensor::from_bytes(dtype(view.dtype()), &sizes, view.data()).unwrap();
        cases.entry(case.to_owned()).or_default().insert(name.to_owned(), tensor);
    }
    let case = |(name, mut inputs): (String, BTreeMap<_, _>)| {
        let out = inputs.remove("out").unwrap_or_else(|| panic!("case {name} has no answer"));
        Case { name, inputs, out }
    };
    cases.into_iter().map(case).collect()
}

fn dtype(of: safetensors::Dtype) -> Dtype {
    match of {
        safetensors::Dtype::I8 => Dtype::I8,
        safetensors::Dtype::U8 => Dtype::U8,
        safetensors::Dtype::I16 => Dtype::I16,
        safetensors::Dtype::I32 => Dtype::I32,
        safetensors::Dtype::I64 => Dtype::I64,
        safetensors::Dtype::F16 => Dtype::F16,
        safetensors::Dtype::BF16 => Dtype::BF16,
        safetensors::Dtype::F32 => Dtype::F32,
        other => panic!("no dtype of a core: {other:?}"),
    }
}

/// What a launch passes, in the order of the op's parameters.
pub(crate) struct Arguments(Vec<Argument>);

enum Argument {
    Tensor(HostTensor),
    Value(Scalar),
}

impl Case {
    /// The input of this name.
    pub(crate) fn input(&self, name: &str) -> &HostTensor {
        &self.inputs[name]
    }

    /// The case's inputs as the op takes them, the tensors laid out by `layout`.
    ///
    /// # Panics
    /// If one is missing, or has another type than the op takes, or is too many.
    pub(crate) fn arguments(&self, op: &Op, layout: fn(&HostTensor) -> HostTensor) -> Arguments {
        let place = || format!("case {} of {}", self.name, op.name());
        assert_eq!(op.parameters().len(), self.inputs.len(), "{}: number of inputs", place());
        let argument = |name: &str, kind| {
            let input = self.inputs.get(name).unwrap_or_else(|| panic!("{}: no `{name}`", place()));
            if kind == ParameterKind::Tensor {
                Argument::Tensor(layout(input))
            } else {
                Argument::Value(value(input))
            }
        };
        Arguments(op.parameters().iter().map(|parameter| argument(parameter.name, parameter.kind)).collect())
    }
}

impl Arguments {
    pub(crate) fn as_args(&self) -> Vec<Arg<'_>> {
        let arg = |argument| match argument {
            &Argument::Value(value) => Arg::from(value),
            Argument::Tensor(tensor) => Arg::from(tensor),
        };
        self.0.iter().map(arg).collect()
    }
}

/// The one element.
fn value(tensor: &HostTensor) -> Scalar {
    match_dtype!(tensor.dtype(), f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
        Ok::<_, neuron_device::Error>(Scalar::from(tensor.to_vec::<T>().unwrap()[0]))
    })
    .unwrap()
}
