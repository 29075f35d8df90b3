//! The kernel, by every way.

use neuron_device::prelude::*;
use neuron_device::{Op, op};

#[inline(always)]
fn relu<T: Number>(v: T) -> T {
    if v < T::ZERO { T::ZERO } else { v }
}

/// By an accessor of rank 1.
#[custom_op]
pub fn by_accessor(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | bf16 | i8 as T => {
        let src = x.accessor::<T, 1>(q7)?;
        let dst = out.accessor_mut::<T, 1>(q7)?;
        for i in q7.partition(src.size(0)) {
            dst.set([i], relu(src.get([i])));
        }
        Ok(())
    })
}

/// By `elements`.
#[custom_op]
pub fn by_elements(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | bf16 | i8 as T => {
        let src = x.elements::<T>(q7)?;
        let dst = out.elements_mut::<T>(q7)?;
        for i in q7.partition_flat(x.numel()) {
            dst.set(i, relu(src.get(i)));
        }
        Ok(())
    })
}

/// By streams, element by element.
#[custom_op]
pub fn by_stream_elements(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | bf16 | i8 as T => {
        let share = q7.partition_flat(x.numel());
        let src = x.read_stream_accessor::<T>(q7, share)?;
        let mut dst = out.write_stream_accessor::<T>(q7, share)?;
        for v in src {
            dst.write(relu(v));
        }
        Ok(())
    })
}

/// By streams, chunk by chunk.
#[custom_op]
pub fn by_stream_chunks(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | bf16 | i8 as T => {
        let share = q7.partition_flat(x.numel());
        let mut src = x.read_stream_accessor::<T>(q7, share)?;
        let mut dst = out.write_stream_accessor::<T>(q7, share)?;
        while let Some(chunk) = src.next_chunk() {
            dst.write_map(chunk, relu);
        }
        Ok(())
    })
}

/// By tiles of 4 KiB, gathered in logical order from whatever strides the input has.
#[custom_op]
pub fn by_strided_tiles(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | bf16 | i8 as T => {
        let tile_len = 4096 / size_of::<T>() as u32;
        let mut buffer = q7.tcm_malloc::<T>(tile_len)?;
        for tile in q7.partition_flat(x.numel()).tiles(tile_len) {
            let values = x.strided_to_tcm(q7, tile, &mut buffer)?;
            values.iter_mut().for_each(|v| *v = relu(*v));
            out.tcm_to_tensor(q7, tile.offset, values)?;
        }
        Ok(())
    })
}

/// By tiles of `BYTES`.
fn tiled<const BYTES: u32>(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
    match_dtype!(x, f32 | bf16 | i8 as T => {
        let tile_len = BYTES / size_of::<T>() as u32;
        let mut buffer = q7.tcm_malloc::<T>(tile_len)?;
        for tile in q7.partition_flat(x.numel()).tiles(tile_len) {
            let values = x.tensor_to_tcm(q7, tile, &mut buffer)?;
            values.iter_mut().for_each(|v| *v = relu(*v));
            out.tcm_to_tensor(q7, tile.offset, values)?;
        }
        Ok(())
    })
}

macro_rules! tiles {
    ($($name:ident: $bytes:literal),+) => {
        $(
            #[doc = concat!("By tiles of ", $bytes, " bytes.")]
            #[custom_op]
            pub fn $name(q7: &Q7, x: &Tensor, out: &mut Tensor) -> Result<()> {
                tiled::<$bytes>(q7, x, out)
            }
        )+

        /// The sizes of tiles there are, in bytes.
        pub const TILES: &[u32] = &[$($bytes),+];

        /// The kernel by tiles of so many bytes.
        ///
        /// # Panics
        /// If they are none of [`TILES`].
        pub fn by_tiles(bytes: u32) -> &'static Op {
            match bytes {
                $($bytes => op!($name),)+
                _ => panic!("there are no tiles of {bytes} bytes"),
            }
        }
    };
}

tiles!(
    by_64: 64, by_128: 128, by_256: 256, by_512: 512, by_1024: 1024, by_2048: 2048, by_4096: 4096, by_8192: 8192,
    by_16384: 16384
);
