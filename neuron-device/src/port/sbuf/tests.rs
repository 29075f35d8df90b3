use core::ptr::NonNull;
use std::string::ToString;

use super::*;
use crate::port::fault::{Access, Fault};
use crate::port::platform::ArgDescriptor;
use crate::words::addr::NxAddr;
use crate::words::error::ErrorKind;
use crate::words::layout::Layout;
use crate::words::method::CopyMethod;
use crate::words::record::ArgRecord;
use crate::words::sbuf::SBUF_WINDOW;
use crate::{FlatPlatform, Tcm, prelude::*};

const BOTH: [SbufAddresses; 2] = [SbufAddresses::Local, SbufAddresses::Offsets];

/// Every other element of the first half, by elements, and the second half by a copy.
#[custom_op]
fn halves(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let half = x.numel() / 2;
    let (src, dst) = (x.elements::<i64>(q7)?, out.elements_mut::<i64>(q7)?);
    (0..half).step_by(2).for_each(|i| dst.set(i, src.get(i)));
    let mut tile = q7.tcm_malloc::<i64>(half as u32)?;
    let values = x.tensor_to_tcm(q7, Span { offset: half, len: half as u32 }, &mut tile)?;
    out.tcm_to_tensor(q7, half, values)
}

/// The descriptor of eight i64 in SBUF, from this byte on.
fn eight(addresses: SbufAddresses, offset: u32) -> ArgDescriptor {
    let (at, layout) = (NxAddr::new(SBUF_WINDOW.get() + offset), Layout::contiguous(&[8]).unwrap());
    let record = ArgRecord::in_sbuf(at, addresses, Dtype::I64, &layout, 1).unwrap();
    ArgDescriptor { record, view: None }
}

#[test]
fn a_tensor_there_is_read_written_and_copied() {
    for (addresses, method) in BOTH.into_iter().flat_map(|addresses| {
        [CopyMethod::CMemcpy, CopyMethod::VecMemcpy, CopyMethod::Dma].map(|method| (addresses, method))
    }) {
        let mut sbuf: [u64; 32] = core::array::from_fn(|word| word as u64);
        let (mut memory, mut tcm) = ([], Tcm::new());
        let mut core = FlatPlatform::new(0, 1, &mut memory)
            .with_tcm(&mut tcm)
            .with_sbuf(&mut sbuf, addresses)
            .with_argument(eight(addresses, 8 * 4))
            .with_destination(eight(addresses, 8 * 20));
        Q7::enter(&mut core, |q7| {
            q7.set_memcpy_method(method);
            op!(halves).launch(q7)
        })
        .unwrap();
        assert_eq!(sbuf[20..28], [4, 21, 6, 23, 8, 9, 10, 11], "{addresses:?} {method:?}");
    }
}

/// As with HBM, a record is believed; where it ends, there is no memory.
#[test]
fn where_memory_ends_is_a_fault() {
    let (mut memory, mut sbuf, mut tcm) = ([0; 8], [7; 8], Tcm::new());
    let out = ArgRecord::new(FlatPlatform::BASE, Dtype::I64, &Layout::contiguous(&[8]).unwrap()).unwrap();
    let mut core = FlatPlatform::new(0, 1, &mut memory)
        .with_tcm(&mut tcm)
        .with_sbuf(&mut sbuf, SbufAddresses::Offsets)
        .with_argument(eight(SbufAddresses::Offsets, 8 * 6))
        .with_destination(ArgDescriptor { record: out, view: None })
        .with_faults_kept();
    Q7::enter(&mut core, |q7| op!(halves).launch(q7)).unwrap();
    let missing = |fault: &Fault| matches!(fault, Fault::NoMemory { addr, .. } if *addr > FlatPlatform::SBUF);
    assert!(core.faults().len() == 2 && core.faults().iter().all(missing), "{:?}", core.faults());
}

#[test]
fn without_memory_there_it_is_refused() {
    let mut memory = [0; 8];
    let mut core = FlatPlatform::new(0, 1, &mut memory).with_argument(eight(SbufAddresses::Local, 64));
    let error = Q7::enter(&mut core, |q7| op!(halves).launch(q7)).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::InSbuf { local: NxAddr::new(0x8000_0040) });
    assert!(error.to_string().starts_with("`x` is in SBUF, at local address 0x80000040"), "{error}");

    let mut core = FlatPlatform::new(0, 1, &mut memory).with_faults_kept();
    // SAFETY: there is nothing, which is a fault.
    Q7::enter(&mut core, |q7| unsafe { q7.store_nx(SBUF_WINDOW, 1_i64) });
    let none = |fault: &Fault| matches!(fault, Fault::NoWindow { access: Access::Write, .. });
    assert!(core.faults().iter().all(none) && core.faults().len() == 1, "{:?}", core.faults());
}

#[test]
#[should_panic(expected = "the pinned window must show SBUF from its first byte")]
fn the_window_begins_where_sbuf_does() {
    let (base, mut memory) = (HbmAddr::new(1 << 26), [0_u64; 8]);
    let start = base.checked_add(8).unwrap();
    // SAFETY: the memory is borrowed meanwhile, and nobody accesses it.
    let window = unsafe { MappedWindow::new(start, 64, NonNull::from(&mut memory).cast()) };
    Sbuf::new(base, window, SbufAddresses::Local);
}
