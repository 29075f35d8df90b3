//! Ops as boot code finds them: by the C symbols of this image, and by nothing else.

use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicUsize, Ordering};

use neuron_device::{Library, Platform, Result, neuron_image};
use neuron_tests::kernels::libraries;
use neuron_tests::runtime::Runtime;

neuron_image! {
    /// Where launchers find their core.
    STATION = loaded()
}

/// The library that is loaded. An image of a product has one; this one stands for those of all libraries.
static LOADED: AtomicUsize = AtomicUsize::new(0);

fn loaded() -> &'static Library {
    let number = LOADED.load(Ordering::Relaxed);
    libraries().nth(number).expect("only libraries there are get loaded")
}

type Launcher = extern "C-unwind" fn() -> i32;

unsafe extern "C" {
    safe fn get_func_cnt() -> u32;
    safe fn get_func_name(index: u32) -> *const c_char;
    safe fn get_func_ptr(index: u32) -> Option<Launcher>;
}

/// The op that boot code found.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    launcher: Option<Launcher>,
}

impl Runtime for Symbols {
    fn boot(&mut self, library: &'static Library, op: &str) -> bool {
        let number = libraries().position(|known| core::ptr::eq(known, library));
        LOADED.store(number.expect("a library of `libraries`"), Ordering::Relaxed);
        let is_it = |&index: &u32| {
            // SAFETY: the image's names end with a zero and live for ever.
            let name = unsafe { CStr::from_ptr(get_func_name(index)) };
            name.to_str() == Ok(op)
        };
        self.launcher = (0..get_func_cnt()).find(is_it).and_then(|index| get_func_ptr(index));
        self.launcher.is_some()
    }

    fn launch(&mut self, platform: &mut dyn Platform) -> Result<()> {
        let launcher = self.launcher.expect("a case is booted before it is launched");
        // SAFETY: this program plays cases on its one thread.
        match unsafe { STATION.lend(platform, || launcher()) } {
            (0, None) => Ok(()),
            (..0, Some(error)) => Err(error),
            (code, error) => panic!("the launcher gave {code} with {error:?}"),
        }
    }
}
