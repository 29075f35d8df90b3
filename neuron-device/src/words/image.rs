//! [`CoreImage`]: where the code of a core is linked, which says once more which core it is.

use core::fmt;

use super::addr::NxAddr;

/// The code of one core, by where it is linked: image `i` at `0x8400_0000 + i * 2 MiB`, in hbm_scratch
/// (`docs/machine.md`, section 2). The one image of a single-core launch is linked where that of core 0 is.
///
/// A core learns its number twice: from the address its code was linked at, and from PRID when it runs. Boot compares them,
/// as a core that ran another one's code would do its work, and nobody would do its own.
///
/// ```
/// use neuron_device::{CoreImage, NxAddr};
/// let image = CoreImage::of_core(3);
/// assert_eq!((image.base(), image.core()), (NxAddr::new(0x8460_0000), Some(3)));
/// assert!(image.expect_core(3).is_ok());
/// let error = image.expect_core(2).unwrap_err();
/// let text = "core 2 runs the image linked at 0x84600000 in hbm_scratch, which is that of core 3: load the one linked at 0x84400000";
/// assert_eq!(error.to_string(), text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreImage(NxAddr);

impl CoreImage {
    /// Where the first one is linked.
    pub const FIRST: NxAddr = NxAddr::new(0x8400_0000);
    /// Bytes from one to the next.
    pub const BYTES: u32 = 2 << 20;
    /// How many there are.
    pub const COUNT: u32 = 8;

    /// The image of core `core`.
    ///
    /// # Panics
    /// If there is no such core.
    #[track_caller]
    pub const fn of_core(core: u32) -> Self {
        assert!(core < Self::COUNT, "the machine has cores 0 to 7, and this is the image of none of them");
        Self(NxAddr::new(Self::FIRST.get() + core * Self::BYTES))
    }

    /// The image linked at this address, whether a linker would have put it there or not.
    pub const fn at(base: NxAddr) -> Self {
        Self(base)
    }

    /// The address it is linked at.
    pub const fn base(self) -> NxAddr {
        self.0
    }

    /// The core it is linked for; `None` if no core's image begins there.
    pub const fn core(self) -> Option<u32> {
        let offset = self.0.get().wrapping_sub(Self::FIRST.get());
        if offset.is_multiple_of(Self::BYTES) && offset / Self::BYTES < Self::COUNT {
            Some(offset / Self::BYTES)
        } else {
            None
        }
    }

    /// Ok if it is the one that core `prid` has to run.
    ///
    /// # Errors
    /// It is another core's, or none's.
    pub const fn expect_core(self, prid: u32) -> Result<(), WrongImage> {
        match self.core() {
            Some(core) if core == prid => Ok(()),
            _ => Err(WrongImage { image: self, prid }),
        }
    }
}

/// A core whose code was linked for another one; see [`CoreImage::expect_core`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongImage {
    /// What it runs.
    pub image: CoreImage,
    /// Its number when it runs.
    pub prid: u32,
}

impl fmt::Display for WrongImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { image, prid } = self;
        write!(f, "core {prid} runs the image linked at {} in hbm_scratch, which is that of ", image.base())?;
        match image.core() {
            Some(core) => write!(f, "core {core}")?,
            None => f.write_str("no core")?,
        }
        match prid {
            0..CoreImage::COUNT => write!(f, ": load the one linked at {}", CoreImage::of_core(*prid).base()),
            _ => f.write_str(": the machine has cores 0 to 7"),
        }
    }
}

impl core::error::Error for WrongImage {}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::{CoreImage, NxAddr};

    #[test]
    fn images_tile_16_mib_of_hbm_scratch() {
        for core in 0..8 {
            let image = CoreImage::of_core(core);
            assert_eq!(image.core(), Some(core));
            assert_eq!(CoreImage::at(NxAddr::new(image.base().get() + 64)).core(), None);
            (0..8).for_each(|prid| assert_eq!(image.expect_core(prid).is_ok(), prid == core));
        }
        assert_eq!(CoreImage::of_core(7).base().get() + CoreImage::BYTES, 0x8500_0000);
        for base in [0, 0x8000_0000, 0x83E0_0000, 0x8500_0000] {
            assert_eq!(CoreImage::at(NxAddr::new(base)).core(), None);
        }
    }

    #[test]
    fn what_is_no_image_and_what_is_no_core_are_told_so() {
        let error = CoreImage::at(NxAddr::new(0x8410_0000)).expect_core(1).unwrap_err();
        let text = "core 1 runs the image linked at 0x84100000 in hbm_scratch, which is that of no core: load the one \
                    linked at 0x84200000";
        assert_eq!(error.to_string(), text);
        let error = CoreImage::of_core(0).expect_core(9).unwrap_err();
        assert!(error.to_string().ends_with("that of core 0: the machine has cores 0 to 7"));
    }
}
