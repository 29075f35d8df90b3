//! [`Way`]: how a kernel reaches its elements.

use std::format;
use std::string::String;
use std::vec::Vec;

use neuron_device::{Op, op};

use super::kernels;

/// How a kernel reaches its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `accessor`: each element is translated.
    Accessor,
    /// `elements`: each is, by its flat index.
    Elements,
    /// Streams of 4 KiB, element by element.
    StreamElements,
    /// Streams of 4 KiB, chunk by chunk.
    StreamChunks,
    /// Tiles in TCM, of so many bytes.
    Tiles(u32),
    /// Tiles of 4 KiB, gathered in logical order.
    Strided,
}

impl Way {
    /// Every way.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::from([Self::Accessor, Self::Elements, Self::StreamElements, Self::StreamChunks]);
        all.extend(kernels::TILES.iter().copied().map(Self::Tiles));
        all.push(Self::Strided);
        all
    }

    /// In words.
    pub fn name(self) -> String {
        match self {
            Self::Accessor => "accessor".into(),
            Self::Elements => "elements".into(),
            Self::StreamElements => "stream, by element".into(),
            Self::StreamChunks => "stream, by chunk".into(),
            Self::Tiles(bytes @ 0..1024) => format!("TCM tiles, {bytes} B"),
            Self::Tiles(bytes) => format!("TCM tiles, {} KiB", bytes / 1024),
            Self::Strided => "strided tiles, 4 KiB".into(),
        }
    }

    /// The kernel.
    pub fn op(self) -> &'static Op {
        match self {
            Self::Accessor => op!(kernels::by_accessor),
            Self::Elements => op!(kernels::by_elements),
            Self::StreamElements => op!(kernels::by_stream_elements),
            Self::StreamChunks => op!(kernels::by_stream_chunks),
            Self::Tiles(bytes) => kernels::by_tiles(bytes),
            Self::Strided => op!(kernels::by_strided_tiles),
        }
    }

    /// Does it copy to TCM first? If not, it translates each element's address.
    pub fn stages(self) -> bool {
        !matches!(self, Self::Accessor | Self::Elements)
    }

    /// Does it take a tensor whose elements do not lie side by side?
    pub fn takes_strides(self) -> bool {
        matches!(self, Self::Accessor | Self::Elements | Self::Strided)
    }
}
