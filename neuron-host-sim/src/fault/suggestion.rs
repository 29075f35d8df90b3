//! What to do about a fault.

use neuron_device::Access;

use super::{Fault, Severity, Verdict};

impl Fault {
    /// What to do about it, in a sentence.
    ///
    /// ```
    /// use neuron_device::prelude::*;
    /// use neuron_host_sim::{HostTensor, Simulator, args};
    /// #[custom_op]
    /// fn shifted(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    ///     let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    ///     q7.partition_flat(dst.numel()).into_iter().for_each(|i| dst.set(i, src.get(i + 1)));
    ///     Ok(())
    /// }
    /// let report = Simulator::new()?.launch(op!(shifted), &args![&HostTensor::zeros(Dtype::F32, &[9])?])?;
    /// assert!(report.faults()[0].suggestion().starts_with("read `x` below its 9 elements"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn suggestion(&self) -> String {
        let (access, argument) = (self.access.name(), self.argument);
        match self.verdict {
            Verdict::PastTheEnd | Verdict::InAnotherTensor => match &self.tensor {
                Some(tensor) => {
                    let numel: u64 = tensor.sizes.iter().map(|&size| u64::from(size)).product();
                    format!(
                        "{access} `{argument}` below its {numel} elements: check the start and the length of the share"
                    )
                }
                None => format!("{access} `{argument}` inside its sizes"),
            },
            Verdict::PastADimension => format!(
                "compare each index with `size(dim)`: on the chip this {access} reaches another element of `{argument}`"
            ),
            Verdict::BeforeTheStart | Verdict::InAGap => {
                format!("{access} `{argument}` at its elements only: check the pointer's arithmetic")
            }
            Verdict::OtherWidth => format!(
                "{access} whole elements of `{argument}`, as what they are: convert the value, not the pointer"
            ),
            Verdict::InNoTensor => "derive pointers from a tensor, with `q7_data_ptr`".to_owned(),
            Verdict::UsedAfterFree => {
                format!(
                    "{access} `{argument}` before it is given back: the next allocation may get the same bytes"
                )
            }
            Verdict::FreedTwice => {
                "give a block back once: what was allocated there since would be lost".to_owned()
            }
            Verdict::FreedNoBlock if self.argument == "tcm" || self.local.is_some() => {
                "give back the addresses that `neuron_dataram_allocate` gave, and no others: a `TcmBuf` is given back \
                 when it is dropped"
                    .to_owned()
            }
            Verdict::FreedNoBlock => {
                "give back the addresses that `neuron_hbm_allocate` gave, and no others: a tensor is \
                                      given back when the op ends"
                    .to_owned()
            }
            Verdict::NeverFreed if self.local.is_some() => {
                "give it back with `neuron_dataram_free` on every way out; a `TcmBuf` is given back when it is dropped"
                    .to_owned()
            }
            Verdict::NeverFreed => {
                let free = if self.argument == "tcm" { "neuron_dataram_free" } else { "neuron_hbm_free" };
                format!("give it back with `{free}` on every way out, that of an error too")
            }
            Verdict::NullPointer => {
                "a tensor without elements has the null pointer: ask `is_null` first".to_owned()
            }
            Verdict::NoWindow => "use local addresses that `translate` gave on this core".to_owned(),
            Verdict::Misaligned => "count in whole elements from the tensor's pointer".to_owned(),
            Verdict::UsedAfterTranslation | Verdict::UsedAfterRemap => {
                "translate again right before each use: a local address is good until the next translation"
                    .to_owned()
            }
            Verdict::InputWritten => format!(
                "write to the destination: whoever launches the op does not expect `{argument}` to change"
            ),
            Verdict::TcmOverrun => "stay inside the block: it has the bytes that were asked for, and no more".to_owned(),
            Verdict::InNoBlock => {
                format!("{access} TCM inside blocks only, from `tcm_malloc` or `neuron_dataram_allocate`")
            }
            Verdict::OutsideTcm => {
                "stay inside the core's TCM pool: use addresses of blocks, from `tcm_malloc` or `neuron_dataram_allocate`"
                    .to_owned()
            }
            Verdict::NotInDataram => {
                "copy to and from blocks of TCM, from `tcm_malloc` or `neuron_dataram_allocate`: nothing else of the core \
                 can be copied"
                    .to_owned()
            }
            Verdict::NeverAwaited => {
                "wait for the copy before the op ends: its bytes may arrive later, or never".to_owned()
            }
            Verdict::TouchedInFlight => {
                "wait for the copy before touching its memory, however soon it is over as a rule".to_owned()
            }
            Verdict::FreedInFlight => {
                "wait for the copy before giving its memory back: the next block may get the same bytes".to_owned()
            }
            Verdict::NoSuchCopy => "wait with the number that `neuron_memcpy_async` gave".to_owned(),
            Verdict::PastTheStream => {
                format!("{access} no more elements than the stream was opened for: ask `remaining`")
            }
            Verdict::AfterClose => format!("{access} before the stream is closed, or open another one"),
            Verdict::NeverClosed if self.access == Access::Write => {
                "close the stream, or drop it: what it buffers is in HBM only then".to_owned()
            }
            Verdict::NeverClosed => "close the stream, or drop it, which gives its buffer back".to_owned(),
            Verdict::Incoherent if self.severity == Severity::Warning => {
                "close the stream first: the device does not promise what either sees while both are in use".to_owned()
            }
            Verdict::Incoherent => {
                "close the stream first: it keeps elements that other accesses do not see".to_owned()
            }
            Verdict::OpenedBeside => {
                "close the stream first: what is opened beside it does not see the elements it keeps".to_owned()
            }
            Verdict::LostInALine => format!(
                "share `{argument}` out in whole lines: a core that writes back a line writes all of it, old values too"
            ),
            Verdict::TransferMisaligned => {
                "begin both ends of the copy at the same place of a granule, or copy element by element".to_owned()
            }
            Verdict::TransferSpilled => {
                "end what is copied to HBM at whole granules, or write the rest element by element".to_owned()
            }
            Verdict::NotYetVisible => {
                "call `q7.fence()` before reading or writing what was copied to HBM; a copy by DMA fences by itself".to_owned()
            }
            Verdict::BehindTheCache => {
                "have the core copy what it wrote, with `set_memcpy_method(CopyMethod::VecMemcpy)`: it sees its cache".to_owned()
            }
            Verdict::DroppedWithALine => {
                "keep lines that are copied to free of anything else, or copy with `CopyMethod::VecMemcpy`".to_owned()
            }
            Verdict::NoMemory => "use addresses of tensors of this launch only".to_owned(),
            Verdict::OtherValue => format!(
                "pass `{}` as the type the kernel takes, or take it as a `Scalar`, which keeps its type",
                self.argument
            ),
            Verdict::TooManyRuns => format!(
                "write `{argument}` in place: take `out: &mut Tensor` and return `Result<()>`, or write it in fewer pieces"
            ),
            Verdict::ReturnIgnored => format!(
                "return the tensor of `get_dst_tensor`: once it was taken, it is the output, and `{argument}` goes nowhere"
            ),
            Verdict::OutputUndefined => format!(
                "write `{argument}`: register the op with `#[custom_op]`, whose wrapper takes the destination or copies \
                 back what the kernel returns"
            ),
            Verdict::WrittenBySeveralCores if self.values.is_empty() => format!(
                "let one core write each element of `{argument}`: they wrote the same, but no core knows that of another"
            ),
            Verdict::WrittenBySeveralCores => format!(
                "let one core write each element of `{argument}`: no core waits for another, so the last one wins by luck"
            ),
            Verdict::WrittenAndRead => format!(
                "read `{argument}` in a launch after the one that writes it: no core waits for another, so whether the \
                 old or the new value is read is luck"
            ),
            Verdict::NeverInitialised if self.local.is_some() => {
                "write TCM before reading it: nothing clears a block that is allocated".to_owned()
            }
            Verdict::NeverInitialised => {
                format!("write every element of `{argument}` that is read before reading it")
            }
            Verdict::StackOverflow => "keep large arrays in HBM or TCM, and recursion shallow; or ask for what the kernel needs, \
                 `#[custom_op(stack_size = N)]`, which gives it a stack in HBM"
                .to_owned(),
            Verdict::NoProgress => format!(
                "do not wait for another core: none sees what another writes before the launch is over; split the launch \
                 where `{argument}` is ready, or raise the simulator's patience"
            ),
            Verdict::MoodsDiffer => {
                "mend the races and the reads of unwritten memory first: without them no mood can tell"
                    .to_owned()
            }
            Verdict::NotDocumented => self.rule.map_or_else(String::new, |rule| {
                format!("{}; `Profile::Observed` allows it", rule.to_do())
            }),
            Verdict::NeverWritten => format!(
                "write every element of `{argument}`: share it out with `q7.partition_flat`, which leaves no remainder"
            ),
        }
    }
}
