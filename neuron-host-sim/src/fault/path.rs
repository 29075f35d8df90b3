//! By which way a kernel reached an element.

/// How the author's line accessed memory.
///
/// ```
/// # use neuron_device::prelude::*;
/// # use neuron_host_sim::{HostTensor, Path, Simulator, args};
/// #[custom_op]
/// fn shifted(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
///     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
///     q7.partition_flat(x.numel()).into_iter().for_each(|i| dst.set(i, src.get(i + 1)));
///     Ok(())
/// }
/// let x = HostTensor::from_slice(&[4], &[1.0f32; 4])?;
/// let report = Simulator::new()?.launch(op!(shifted), &args![&x])?;
/// let fault = &report.faults()[0];
/// assert_eq!((fault.path, fault.flat), (Some(Path::Elements), None)); // there is no element 4
/// assert_eq!(fault.window(), fault.address.map(|address| address.window_base()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Path {
    /// By `accessor`.
    Accessor,
    /// By `elements`.
    Elements,
    /// By a copy between HBM and TCM.
    Copy,
    /// By a stream.
    Stream,
    /// Through a [`Q7Ptr`](neuron_device::Q7Ptr).
    Pointer,
    /// At a local address: [`load_nx`](neuron_device::Q7::load_nx), [`store_nx`](neuron_device::Q7::store_nx).
    LocalAddress,
}

impl Path {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accessor => "accessor",
            Self::Elements => "elements",
            Self::Copy => "copy",
            Self::Stream => "stream",
            Self::Pointer => "pointer",
            Self::LocalAddress => "local_address",
        }
    }
}
