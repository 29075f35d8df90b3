//! [`neuron_image!`](crate::neuron_image): a library under the C names that boot code knows.

use super::entry::Entry;
use crate::core::q7::Q7;
use crate::port::station::Station;
use crate::words::error::ErrorKind;

/// Exports a library as the code of a core: for the one crate that becomes a core's image, and for no other.
///
/// It defines the vendor's three functions under their C names, so that a program has at most one image
/// (`docs/machine.md`, section 9):
///
/// | symbol | answer | past the last op |
/// |---|---|---|
/// | `get_func_cnt() -> u32` | how many ops there are | |
/// | `get_func_name(index: u32) -> *const c_char` | the op's name | `"error"` |
/// | `get_func_ptr(index: u32) -> Option<extern "C-unwind" fn() -> i32>` | the op's launcher | `None`, which is 0 |
///
/// and a static [`Station`], by which the image lends its launchers the core they run on. A launcher gives 0, or
///
/// | code | why |
/// |---|---|
/// | -1 | no core was lent, or it is in use |
/// | -2 | the library has no such op any more |
/// | -3 | an argument is missing, or its record is bad |
/// | -4 | a tensor or a view is not as the kernel needs it |
/// | -5 | a heap is exhausted |
/// | -6 | the returned tensor is not of this core's scratch |
/// | -7 | a stream does not go with another handle |
/// | -8 | the kernel's own error |
/// | -9 | the op asks for more stack than there can be, or needed more than it has |
///
/// and [`Station::lend`] has the error itself.
///
/// ```
/// use core::ffi::CStr;
/// use neuron_device::{FlatPlatform, neuron_image, prelude::*};
/// # #[custom_op]
/// # fn fussy(q7: &Q7) -> Result<Tensor> { let _ = q7; Err(Error::message("not today")) }
/// neuron_library!(MOODS: "moods" = [fussy]);
/// neuron_image!(STATION = &MOODS);
///
/// // What boot code sees:
/// unsafe extern "C" {
///     safe fn get_func_name(index: u32) -> *const core::ffi::c_char;
///     safe fn get_func_ptr(index: u32) -> Option<extern "C-unwind" fn() -> i32>;
/// }
/// // SAFETY: names end with a zero and live for ever.
/// assert_eq!([0, 1].map(|index| unsafe { CStr::from_ptr(get_func_name(index)) }), [c"fussy", c"error"]);
/// let launcher = get_func_ptr(0).unwrap();
/// assert_eq!((launcher(), get_func_ptr(1)), (-1, None));
///
/// let mut core = FlatPlatform::new(0, 1, &mut []);
/// // SAFETY: this program has one thread.
/// let (code, error) = unsafe { STATION.lend(&mut core, || launcher()) };
/// assert_eq!(code, -8);
/// assert!(error.unwrap().to_string().starts_with("not today (at "));
/// ```
#[macro_export]
macro_rules! neuron_image {
    ($(#[$attribute:meta])* $visibility:vis $station:ident = $library:expr) => {
        $(#[$attribute])*
        $visibility static $station: $crate::Station = $crate::Station::new();

        const _: () = {
            type Launcher = extern "C-unwind" fn() -> i32;

            fn library() -> &'static $crate::Library {
                $library
            }

            extern "C-unwind" fn launcher<const INDEX: u32>() -> i32 {
                $station.launch(library().get_func_ptr(INDEX))
            }

            static LAUNCHERS: [Launcher; $crate::MAX_OPS] = [
                launcher::<0>, launcher::<1>, launcher::<2>, launcher::<3>, launcher::<4>,
                launcher::<5>, launcher::<6>, launcher::<7>, launcher::<8>, launcher::<9>,
            ];

            #[unsafe(no_mangle)]
            extern "C" fn get_func_cnt() -> u32 {
                library().get_func_cnt()
            }

            #[unsafe(no_mangle)]
            extern "C" fn get_func_name(index: u32) -> *const ::core::ffi::c_char {
                library().get_func_name(index).as_ptr()
            }

            #[unsafe(no_mangle)]
            extern "C" fn get_func_ptr(index: u32) -> ::core::option::Option<Launcher> {
                library().get_func_ptr(index).map(|_| LAUNCHERS[index as usize])
            }
        };
    };
}

/// No core was lent, or it is in use.
const NO_CORE: i32 = -1;
/// The library has no such op.
const NO_OP: i32 = -2;

impl Station {
    /// What a launcher does.
    #[doc(hidden)]
    pub fn launch(&self, entry: Option<&'static Entry>) -> i32 {
        let Some(entry) = entry else { return NO_OP };
        match self.with(|platform| Q7::enter(platform, |q7| entry.launch(q7))) {
            None => NO_CORE,
            Some(Ok(())) => 0,
            Some(Err(error)) => {
                self.failed(error);
                code(error.kind())
            }
        }
    }
}

const fn code(kind: &ErrorKind) -> i32 {
    match kind {
        ErrorKind::NoArgument { .. } | ErrorKind::Record(_) => -3,
        ErrorKind::HeapExhausted { .. } => -5,
        ErrorKind::NotScratch => -6,
        ErrorKind::Incoherent { .. } | ErrorKind::TooManyStreams { .. } => -7,
        ErrorKind::Message(_) => -8,
        ErrorKind::StackSize { .. } | ErrorKind::StackOverflow { .. } => -9,
        _ => -4,
    }
}
