//! Races on purpose, for ThreadSanitizer: `cargo xtask tsan` builds and runs it.
//!
//! Without an argument all of them are between accesses that the device crate makes, element by element, in bulk, by DMA and by streams, so
//! nothing may be reported. `races plain` has plain writes as well, which must be.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::AtomicU64;
use std::thread;

use anyhow::{anyhow, bail};
use neuron_device::{
    ArgDescriptor, CopyMethod, Fault, FlatPlatform, HbmAddr, MappedWindow, Platform, bulk, prelude::*,
};
use neuron_host_sim::{HostTensor, Simulator, args};

/// Elements all cores write.
const ELEMENTS: u32 = 256;

/// How often each core does everything.
const ROUNDS: u32 = 50;

/// Every core writes every element of `out` and reads what others left there.
#[custom_op]
fn scramble(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let (src, dst) = (x.elements::<f32>(q7)?, out.elements_mut::<f32>(q7)?);
    for _ in 0..ROUNDS {
        for i in 0..x.numel() {
            dst.set(i, src.get(i) + dst.get(x.numel() - 1 - i));
        }
    }
    Ok(())
}

/// The same by copies of every kind, between elements: every core stages, streams and copies all of `out`.
#[custom_op]
fn scramble_staged(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    let all = Span { offset: 0, len: x.numel() as u32 };
    let mut buffer = q7.tcm_malloc::<f32>(all.len)?;
    for method in [CopyMethod::Dma, CopyMethod::VecMemcpy, CopyMethod::CMemcpy] {
        q7.set_memcpy_method(method);
        for _ in 0..ROUNDS / 3 {
            let values = out.tensor_to_tcm(q7, all, &mut buffer)?;
            values.iter_mut().for_each(|value| *value += 1.0);
            out.tcm_to_tensor(q7, 0, values)?;
            out.write_stream_accessor::<f32>(q7, ..)?.write_from(x.read_stream_accessor::<f32>(q7, ..)?);
            let elements = out.elements_mut::<f32>(q7)?;
            (0..x.numel()).for_each(|i| elements.set(i, elements.get(x.numel() - 1 - i)));
            let pending = out.tensor_to_tcm_async(q7, all, buffer)?;
            buffer = pending.wait().into_buf();
        }
    }
    Ok(())
}

/// A core whose HBM is a page that other cores have too, all of it scratch.
struct Sharing<'m> {
    page: &'m [AtomicU64],
    identity: FlatPlatform<'m>,
}

// SAFETY: windows show `page`, which is borrowed for as long as the platform lives. (Under `plain` a race is what is wanted.)
unsafe impl Platform for Sharing<'_> {
    fn core_id(&self) -> u32 {
        self.identity.core_id()
    }

    fn core_count(&self) -> u32 {
        self.identity.core_count()
    }

    fn launch_stamp(&self) -> u64 {
        self.identity.launch_stamp()
    }

    fn map_window(&mut self, _record: usize, base: HbmAddr) -> Option<MappedWindow> {
        let native = std::ptr::NonNull::from(self.page).cast();
        let shown = base == FlatPlatform::BASE.window_base();
        // SAFETY: the page is this long, and others access it only by elements and bulk copies, which are atomic.
        shown.then(|| unsafe { MappedWindow::new(FlatPlatform::BASE, size_of_val(self.page) as u64, native) })
    }

    fn fence(&mut self) {}

    fn scratch(&self) -> (HbmAddr, u64) {
        (FlatPlatform::BASE, size_of_val(self.page) as u64)
    }

    fn argument(&self, _position: usize) -> Option<ArgDescriptor> {
        None
    }

    fn destination(&self) -> Option<ArgDescriptor> {
        None
    }

    fn fault(&mut self, fault: &Fault) {
        self.identity.fault(fault);
    }
}

/// What a core does to memory that every other core does the same to, at the same time.
fn mix(q7: &Q7, page: &[AtomicU64], plain: bool) -> Result<()> {
    // Scratch begins at the same place for all.
    let mut tensor = q7.empty(Dtype::F32, &[ELEMENTS])?;
    let bytes = 4 * ELEMENTS as usize;
    let mut tile = vec![q7.get_cpu_id() as u8; bytes];
    let shared = page.as_ptr().cast_mut().cast::<u8>();
    for round in 0..ROUNDS {
        let elements = tensor.elements_mut::<f32>(q7)?;
        (0..ELEMENTS.into()).for_each(|i| elements.set(i, elements.get(i) + round as f32));
        // Ends off a word's boundary, so that every width takes part.
        let skipped = round as usize % 8;
        let there = shared.wrapping_add(skipped);
        // SAFETY: so much is left of the tensor, which all access atomically, and the tile is this core's.
        unsafe { bulk::copy_to_shared(tile.as_ptr(), there, bytes - skipped) };
        // SAFETY: as above.
        unsafe { bulk::copy_from_shared(there, tile.as_mut_ptr(), bytes - skipped) };
        if plain {
            // SAFETY: there is none. It is the race to be found.
            unsafe { black_box(shared.cast::<u32>()).write(round) };
        }
    }
    black_box(tile);
    Ok(())
}

/// Two threads, a core each, over one page.
fn over_one_page(plain: bool) -> anyhow::Result<()> {
    let page: Vec<AtomicU64> = (0..512).map(|_| AtomicU64::new(0)).collect();
    let (page, start) = (page.as_slice(), Barrier::new(2));
    let run = &|core| {
        let mut platform = Sharing { page, identity: FlatPlatform::new(core, 2, &mut []) };
        start.wait();
        Q7::enter(&mut platform, |q7| mix(q7, page, plain)).map_err(|error| error.to_string())
    };
    let ends: Vec<_> = thread::scope(|scope| {
        let cores = [0, 1].map(|core| scope.spawn(move || run(core)));
        cores.into_iter().map(|core| core.join()).collect()
    });
    ends.into_iter()
        .try_for_each(|end| end.map_err(|_| anyhow!("a core panicked"))?.map_err(|error| anyhow!(error)))
}

/// Two threads, two cores each, in the simulator without its checks, where cores share HBM as it is.
fn in_the_simulator() -> anyhow::Result<()> {
    let mut simulator = Simulator::builder().cores(4).host_threads(2).unchecked().build()?;
    let x = HostTensor::from_slice(&[ELEMENTS], &[1.0_f32; ELEMENTS as usize])?;
    for _ in 0..10 {
        simulator.launch(op!(scramble), &args![&x])?.assert_clean();
        simulator.launch(op!(scramble_staged), &args![&x])?.assert_clean();
    }
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            in_the_simulator()?;
            over_one_page(false)
        }
        ["plain"] => over_one_page(true),
        _ => bail!("usage: races [plain]"),
    }
}
