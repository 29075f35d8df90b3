//! From a launch's arguments to records.

use std::sync::Arc;

use neuron_device::{
    ArgDescriptor, ArgRecord, HbmAddr, Layout, MAX_ARGUMENTS, Op, Parameter, ParameterKind, ParsedRecord,
    RecordError, SbufAddresses, Scalar, Storage, TensorSpec, ViewExtension,
};

use crate::arg::Arg;
use crate::contain::contained;
use crate::error::{HbmError, LaunchError};
use crate::hbm::allocation::Allocation;
use crate::hbm::map::{is_in_sbuf, shown_in_sbuf};
use crate::simulator::Simulator;
use crate::subjects::{Role, Subject};
use crate::tensor::hbm::HbmTensor;
use crate::tensor::host::HostTensor;

/// Distance between the values of a launch: each has a 64-byte line.
pub(crate) const VALUE_BYTES: u64 = 64;
/// Room for the values of a launch.
pub(crate) const VALUES_BYTES: u64 = VALUE_BYTES * MAX_ARGUMENTS as u64;

/// The arguments of a launch, ready for the cores.
#[derive(Debug)]
pub(crate) struct Marshalled {
    pub(crate) descriptors: Vec<ArgDescriptor>,
    pub(crate) output: HbmTensor,
    pub(crate) destination: ArgDescriptor,
    /// The tensors, with the names the kernel has for them.
    pub(crate) subjects: Vec<Subject>,
    /// The names of those whose record, in SBUF, was passed as it is.
    pub(crate) sbuf_records: Vec<&'static str>,
    /// What they lie in, which lives as long as the launch.
    pub(crate) allocations: Vec<Arc<Allocation>>,
}

impl Simulator {
    /// Check the arguments against the op's signature, put tensors and values into HBM, and describe them.
    #[track_caller]
    pub(crate) fn marshal(
        &mut self,
        op: &'static Op,
        arguments: &[Arg<'_>],
        output: Option<&HbmTensor>,
    ) -> Result<Marshalled, LaunchError> {
        check_signature(op, arguments)?;
        let output_spec = output_spec(op, arguments)?;
        let mut descriptors = Vec::with_capacity(arguments.len());
        let mut copies: Vec<(&HostTensor, HbmTensor)> = Vec::new();
        let mut tensors: Vec<(&'static str, Role, HbmTensor)> = Vec::new();
        let mut described: Vec<Subject> = Vec::new();
        for (position, (argument, parameter)) in arguments.iter().zip(op.parameters()).enumerate() {
            let refused = |error| LaunchError::Record { op: op.name(), argument: parameter.name, error };
            let tensor = match argument {
                Arg::Hbm(tensor) => {
                    self.check_ours(op, parameter.name, tensor)?;
                    (*tensor).clone()
                }
                Arg::Host(tensor) => self.copy_once(tensor, &mut copies)?,
                Arg::Scalar(scalar) => {
                    descriptors.push(self.place(position, *scalar).map_err(refused)?);
                    continue;
                }
                Arg::Record(descriptor) => {
                    descriptors.push(*descriptor);
                    described.extend(subject_of_record(parameter.name, descriptor, self.hbm.sbuf_addresses));
                    continue;
                }
            };
            descriptors.push(tensor.descriptor().map_err(refused)?);
            tensors.push((parameter.name, Role::Argument, tensor));
        }
        let name = op.form().output();
        let refused = |error| LaunchError::Record { op: op.name(), argument: name, error };
        let output = match output {
            Some(output) => {
                self.check_ours(op, name, output)?;
                check_output(op, &output_spec, output)?;
                check_apart(op, arguments, output)?;
                output.clone()
            }
            None => {
                // Refused before it takes memory.
                let layout = Layout::contiguous(output_spec.sizes()).map_err(HbmError::from)?;
                ArgRecord::new(HbmAddr::new(0), output_spec.dtype(), &layout).map_err(refused)?;
                self.empty(output_spec.dtype(), output_spec.sizes())?
            }
        };
        let destination = output.descriptor().map_err(refused)?;
        tensors.push((name, Role::Output, output.clone()));
        let mut allocations: Vec<Arc<Allocation>> = Vec::new();
        for (_, _, tensor) in &tensors {
            if !allocations.iter().any(|known| Arc::ptr_eq(known, tensor.allocation())) {
                allocations.push(Arc::clone(tensor.allocation()));
            }
        }
        let of_record = described.iter().filter(|subject| is_in_sbuf(subject.storage));
        let sbuf_records = of_record.map(|subject| subject.name).collect();
        let subjects = tensors.iter().map(|(name, role, tensor)| subject(name, *role, tensor));
        let subjects = subjects.chain(described).collect();
        Ok(Marshalled { descriptors, output, destination, subjects, sbuf_records, allocations })
    }

    fn check_ours(
        &self,
        op: &'static Op,
        argument: &'static str,
        tensor: &HbmTensor,
    ) -> Result<(), LaunchError> {
        if tensor.is_in(&self.hbm) {
            Ok(())
        } else {
            Err(LaunchError::OtherSimulator { op: op.name(), argument })
        }
    }

    /// The tensor in HBM; views of one storage are views of one copy.
    #[track_caller]
    fn copy_once<'a>(
        &mut self,
        tensor: &'a HostTensor,
        copies: &mut Vec<(&'a HostTensor, HbmTensor)>,
    ) -> Result<HbmTensor, LaunchError> {
        let copy = match copies.iter().find(|(copied, _)| copied.shares_storage_with(tensor)) {
            Some((_, copy)) => copy.clone(),
            None => {
                let copy = self.upload(tensor)?;
                copies.push((tensor, copy.clone()));
                copy
            }
        };
        Ok(copy.with_layout(*tensor.layout()))
    }

    /// A value travels as a tensor of one element.
    fn place(&mut self, position: usize, scalar: Scalar) -> Result<ArgDescriptor, RecordError> {
        let (bytes, _) = scalar.to_bytes();
        let at = HbmAddr::new(self.values.start().get() + VALUE_BYTES * position as u64);
        // The zeros too: a kernel that takes a wider type reads them.
        self.values.write_at(VALUE_BYTES * position as u64, &bytes);
        let layout = Layout::contiguous(&[1])?;
        let record = ArgRecord::new(at, scalar.dtype(), &layout)?;
        Ok(ArgDescriptor { record, view: Some(ViewExtension::new(&layout, 1)) })
    }
}

/// A tensor, as faults speak of it.
fn subject(name: &'static str, role: Role, tensor: &HbmTensor) -> Subject {
    Subject {
        name,
        role,
        storage: tensor.storage(),
        bytes: tensor.storage_elems() * tensor.dtype().size(),
        dtype: tensor.dtype(),
        layout: *tensor.layout(),
        allocated: tensor.allocation().site(),
        freed: None,
    }
}

/// What a record describes, if it describes a tensor.
fn subject_of_record(
    name: &'static str,
    descriptor: &ArgDescriptor,
    addresses: SbufAddresses,
) -> Option<Subject> {
    let ArgDescriptor { record, view } = descriptor;
    let parsed = record.parse_as(addresses, view.as_ref()).ok()?;
    let ParsedRecord { storage, storage_elems, dtype, layout } = parsed;
    Some(Subject {
        name,
        role: Role::Argument,
        storage: match storage {
            Storage::Hbm(storage) => storage,
            Storage::Sbuf(local) => shown_in_sbuf(local),
        },
        bytes: storage_elems * dtype.size(),
        dtype,
        layout,
        allocated: None,
        freed: None,
    })
}

/// As many arguments as the op takes, each of its form.
fn check_signature(op: &'static Op, arguments: &[Arg<'_>]) -> Result<(), LaunchError> {
    let parameters = op.parameters();
    if parameters.len() > MAX_ARGUMENTS {
        let (wanted, most) = (parameters.len(), MAX_ARGUMENTS);
        return Err(LaunchError::TooManyArguments { op: op.name(), wanted, most });
    }
    if parameters.len() != arguments.len() {
        return Err(LaunchError::ArgumentCount {
            op: op.name(),
            wanted: parameters.len(),
            names: parameters.iter().map(|parameter| parameter.name).collect(),
            passed: arguments.len(),
        });
    }
    for (position, (argument, Parameter { name, kind })) in arguments.iter().zip(parameters).enumerate() {
        if let Arg::Record(_) = argument {
            continue;
        }
        let (fits, wanted) = match (kind, argument.value_dtype()) {
            (ParameterKind::Tensor, value) => (value.is_none(), "a tensor".to_owned()),
            (ParameterKind::Scalar, value) => (value.is_some(), "a value".to_owned()),
            (ParameterKind::Value(dtype), value) => {
                (value == Some(*dtype), format!("a value of type {dtype}"))
            }
        };
        if !fits {
            let (op, argument, found) = (op.name(), *name, argument.describe());
            return Err(LaunchError::ArgumentKind { op, argument, position, wanted, found });
        }
    }
    Ok(())
}

/// What the op's output is like.
fn output_spec(op: &'static Op, arguments: &[Arg<'_>]) -> Result<TensorSpec, LaunchError> {
    let refused = |error| LaunchError::Shape { op: op.name(), error };
    let specs = arguments.iter().filter_map(|argument| match argument {
        Arg::Host(tensor) => Some(TensorSpec::new(tensor.dtype(), tensor.sizes())),
        Arg::Hbm(tensor) => Some(TensorSpec::new(tensor.dtype(), tensor.sizes())),
        Arg::Scalar(_) | Arg::Record(_) => None,
    });
    match op.shape() {
        Some(shape) => {
            let specs = specs.collect::<Result<Vec<_>, _>>().map_err(refused)?;
            contained(|| shape(&specs))
                .map_err(|panic| LaunchError::ShapePanicked { op: op.name(), message: panic.into_message() })?
                .map_err(refused)
        }
        None => specs.into_iter().next().ok_or(LaunchError::NoShape(op.name()))?.map_err(refused),
    }
}

/// Is the output given like the one the op makes, and does it have a place for every element?
fn check_output(op: &'static Op, wanted: &TensorSpec, output: &HbmTensor) -> Result<(), LaunchError> {
    if (output.dtype(), output.sizes()) != (wanted.dtype(), wanted.sizes()) {
        return Err(LaunchError::Output {
            op: op.name(),
            wanted: wanted.sizes().to_vec(),
            wanted_dtype: wanted.dtype(),
            found: output.sizes().to_vec(),
            found_dtype: output.dtype(),
        });
    }
    if output.layout().overlaps_itself() {
        return Err(LaunchError::OutputOverlaps {
            op: op.name(),
            strides: output.layout().strides().to_vec(),
        });
    }
    Ok(())
}

/// Does every tensor argument lie apart from the output, unless the op says that it need not?
fn check_apart(op: &'static Op, arguments: &[Arg<'_>], output: &HbmTensor) -> Result<(), LaunchError> {
    let output_at = output.reach();
    for (argument, parameter) in arguments.iter().zip(op.parameters()) {
        let Arg::Hbm(tensor) = argument else { continue };
        let argument_at = tensor.reach();
        let meet = argument_at.start.max(output_at.start) < argument_at.end.min(output_at.end);
        if !op.may_alias() && meet && tensor.storage() == output.storage() {
            let (op, argument) = (op.name(), parameter.name);
            return Err(LaunchError::OutputAliases { op, argument, argument_at, output_at });
        }
    }
    Ok(())
}
