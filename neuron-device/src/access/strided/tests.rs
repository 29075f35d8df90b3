use std::vec;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::CopyMethod;
use crate::port::fault::{Fault, Index};
use crate::port::rig::{Rig, Timing, numbered, tensor};
use crate::words::layout::Layout;
use crate::words::layout::tests::{any_layout, offsets_by_walking};
use crate::{TcmBuf, prelude::*};

const POOL: u32 = 16 << 10;
const METHODS: [CopyMethod; 3] = [CopyMethod::CMemcpy, CopyMethod::VecMemcpy, CopyMethod::Dma];

/// Fill the storage with numbered elements.
fn store<T: Element>(rig: &Rig, len: u64) -> Vec<T> {
    let native = rig.native(Rig::SCRATCH.get(), len * size_of::<T>() as u64).unwrap().cast::<T>();
    let values: Vec<T> = (0..len).map(numbered).collect();
    // SAFETY: they are in the rig's memory, aligned, and no core runs.
    values.iter().enumerate().for_each(|(at, value)| unsafe { native.wrapping_add(at).write(*value) });
    values
}

fn stored<T: Element>(rig: &Rig, len: u64) -> Vec<T> {
    let native = rig.native(Rig::SCRATCH.get(), len * size_of::<T>() as u64).unwrap().cast::<T>();
    // SAFETY: as in `store`.
    (0..len as usize).map(|at| unsafe { native.wrapping_add(at).read() }).collect()
}

fn bytes<T: Element>(values: &[T]) -> &[u8] {
    bytemuck::cast_slice(values)
}

/// Pieces without gaps, of elements at these offsets in this order; `ends` says of an element whether a stretch of the
/// layout ends with it: where two stretches meet by chance, they are two pieces all the same.
fn pieces(offsets: &[u64], ends: impl Fn(usize) -> bool) -> u64 {
    let gaps =
        offsets.windows(2).enumerate().filter(|(at, pair)| pair[1] != pair[0] + 1 || ends(*at)).count();
    if offsets.is_empty() { 0 } else { gaps as u64 + 1 }
}

#[derive(Clone, Debug)]
struct Plan {
    layout: Layout,
    method: CopyMethod,
    timing: Timing,
    /// The first index, and how many; of the tensor's number of elements and some more, in thousandths.
    span: (u64, u64),
    /// In the order of the storage, whatever the strides.
    storage_order: bool,
}

fn any_plan() -> impl Strategy<Value = Plan> {
    let whole = any_layout().prop_filter("an index that fits the buffer", |layout| layout.extent() <= 2000);
    (
        whole,
        prop::sample::select(&METHODS[..]),
        prop::sample::select(&[Timing::AtOnce, Timing::AtPoll][..]),
        (prop_oneof![Just(0_u64), 0_u64..1100], 0_u64..1100),
        any::<bool>(),
    )
        .prop_map(|(layout, method, timing, span, storage_order)| Plan {
            layout,
            method,
            timing,
            span,
            storage_order,
        })
}

/// Staged in, changed, staged out: as `elements` would.
fn run<T: Element>(plan: &Plan) {
    let Plan { layout, method, timing, storage_order, .. } = *plan;
    let mut rig = Rig::new(POOL, timing);
    let extent = layout.extent() + 3;
    let mut model = store::<T>(&rig, extent);
    // Where the elements are that an index names.
    let offsets: Vec<u64> = if layout.numel() == 0 {
        Vec::new()
    } else if storage_order {
        (layout.offset()..layout.extent()).collect()
    } else {
        offsets_by_walking(&layout)
    };
    let numel = offsets.len() as u64;
    let start = numel * plan.span.0 / 1000;
    let asked = (numel * plan.span.1 / 1000).min(u64::from(POOL) / size_of::<T>() as u64).max(1) as u32;
    let there = numel.saturating_sub(start).min(asked.into()) as usize;
    let named = if there == 0 { &[] } else { &offsets[start as usize..start as usize + there] };
    let mut wanted: Vec<T> = named.iter().map(|&at| model[at as usize]).collect();
    wanted.resize(asked as usize, T::POISON);
    let fresh: Vec<T> = (0..asked.into()).map(|at| numbered(at + (1 << 30))).collect();
    let found = Q7::enter(&mut rig, |q7| -> Result<Vec<T>> {
        q7.set_memcpy_method(method);
        let mut x = tensor::<T>(q7, Rig::SCRATCH, layout);
        let mut buffer = q7.tcm_malloc::<T>(asked)?;
        let span = Span { offset: start, len: asked };
        let staged = if storage_order {
            x.tensor_to_tcm_storage_order(q7, span, &mut buffer)?
        } else {
            x.strided_to_tcm(q7, span, &mut buffer)?
        };
        let found = staged.to_vec();
        if !storage_order && layout.numel() <= 500 {
            let elements = x.elements::<T>(q7)?;
            let by_elements: Vec<T> = (start..start + there as u64).map(|i| elements.get(i)).collect();
            assert_eq!(bytes(&found[..there]), bytes(&by_elements));
        }
        let values = buffer.write_from(fresh.iter().copied());
        if storage_order {
            x.tcm_to_tensor_storage_order(q7, start, values)?;
        } else {
            x.tcm_to_strided(q7, start, values)?;
        }
        Ok(found)
    })
    .unwrap();
    assert_eq!(bytes(&found), bytes(&wanted));
    // Where several elements are in one place, the last one stays.
    named.iter().zip(&fresh).for_each(|(&at, value)| model[at as usize] = *value);
    assert_eq!(bytes(&stored::<T>(&rig, extent)), bytes(&model));
    let faults = rig.faults();
    let missing = asked as usize - there;
    assert_eq!(faults.len(), if missing > 0 { 2 } else { 0 }, "{faults:?}");
    for (fault, way) in faults.iter().zip([Access::Read, Access::Write]) {
        let Fault::OutOfBounds(fault) = fault else { panic!("{fault:?}") };
        assert_eq!((fault.access, fault.count, fault.copied), (way, missing as u64, true));
        assert_eq!(fault.index, Index::Flat(start.max(start + there as u64)));
    }
    let copies = rig.counters.unwrap().copies;
    let moved = (there * size_of::<T>()) as u64;
    assert_eq!((copies.bytes_in, copies.bytes_out), (moved, moved));
    if method == CopyMethod::Dma {
        let ends = |at: usize| {
            let index = start + at as u64;
            !storage_order && layout.stretch_at(index).unwrap().end() == index + 1
        };
        assert_eq!((copies.descriptors, copies.core_copies), (2 * pieces(named, ends), 0), "{named:?}");
        assert_eq!(copies.dma_calls == 0, there == 0);
    } else {
        assert_eq!((copies.descriptors, copies.dma_calls), (0, 0));
        assert_eq!(copies.core_copies == 0, there == 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_view_is_staged_as_elements_see_it(plan in any_plan(), dtype in 0..7) {
        match dtype {
            0 => run::<i8>(&plan),
            1 => run::<u8>(&plan),
            2 => run::<i16>(&plan),
            3 => run::<bf16>(&plan),
            4 => run::<i32>(&plan),
            5 => run::<f32>(&plan),
            _ => run::<i64>(&plan),
        }
    }
}

/// What a view costs: rows are a descriptor each, a whole tensor is one, a column is one an element.
#[test]
fn descriptors_are_the_pieces_without_gaps() {
    let table: [(&[u32], &[u64], u64, u64); 8] = [
        (&[6, 8], &[8, 1], 1, 1),
        (&[6, 8], &[10, 1], 6, 1),
        (&[6, 8], &[1, 10], 48, 6),
        (&[3, 2, 4], &[8, 4, 1], 1, 1),
        (&[3, 2, 4], &[20, 10, 1], 6, 1),
        (&[3, 2, 4], &[30, 10, 1], 6, 3),
        (&[5], &[0], 5, 1),
        (&[0, 4], &[4, 1], 0, 0),
    ];
    for (sizes, strides, descriptors, calls) in table {
        let mut rig = Rig::new(POOL, Timing::AtPoll);
        let layout = Layout::strided(sizes, strides, 0).unwrap();
        Q7::enter(&mut rig, |q7| -> Result<()> {
            let x = tensor::<f32>(q7, Rig::SCRATCH, layout);
            let mut buffer = q7.tcm_malloc::<f32>(64)?;
            x.strided_to_tcm(q7, Span { offset: 0, len: layout.numel() as u32 }, &mut buffer).map(drop)
        })
        .unwrap();
        let copies = rig.counters.unwrap().copies;
        assert_eq!((copies.descriptors, copies.dma_calls), (descriptors, calls), "{layout:?}");
    }
}

/// What is refused, by name: the buffer is too short, the slice not in TCM, the dtype another.
#[test]
fn bad_input_moves_nothing() {
    let mut rig = Rig::new(POOL, Timing::AtOnce);
    Q7::enter(&mut rig, |q7| {
        let mut x = tensor::<i32>(q7, Rig::SCRATCH, Layout::strided(&[4, 5], &[1, 4], 0).unwrap());
        let mut buffer: TcmBuf<'_, i32> = q7.tcm_malloc(4).unwrap();
        let mut floats = q7.tcm_malloc::<f32>(20).unwrap();
        let all = Span { offset: 0, len: 20 };
        let errors = [
            x.strided_to_tcm(q7, all, &mut buffer).map(drop),
            x.strided_to_tcm(q7, all, &mut floats).map(drop),
            x.tcm_to_strided(q7, 0, &[1, 2]),
            x.tcm_to_strided(q7, 0, floats.fill(1.0)),
        ];
        let texts = [
            "`t` needs 20 elements of TCM, but the buffer holds 4",
            "`t` has dtype i32, but the access asks for f32",
            "`t` is written from a slice that is not in the core's TCM",
            "`t` has dtype i32, but the access asks for f32",
        ];
        for (error, text) in errors.into_iter().zip(texts) {
            let error = std::format!("{}", error.unwrap_err());
            assert!(error.starts_with(text), "{error}");
        }
        // Nothing of no elements is asked where it comes from.
        assert!(x.tcm_to_strided::<i32>(q7, 0, &[]).is_ok());
    });
    let copies = rig.counters.unwrap().copies;
    assert_eq!((rig.calls, copies.bytes()), (vec![], 0));
}
