//! What host tensors and tensors in HBM have in common: type, layout, and views of one storage.

/// The common methods of a tensor with the fields `dtype`, `layout` and `elems`, the elements of its storage.
macro_rules! views {
    ($tensor:ty) => {
        impl $tensor {
            /// Element type.
            pub fn dtype(&self) -> neuron_device::Dtype {
                self.dtype
            }

            /// Sizes, strides and offset, in elements.
            pub fn layout(&self) -> &neuron_device::Layout {
                &self.layout
            }

            /// Size of each dimension, in elements.
            pub fn sizes(&self) -> &[u32] {
                self.layout.sizes()
            }

            /// Number of elements.
            pub fn numel(&self) -> u64 {
                self.layout.numel()
            }

            /// Elements of storage, of which a view may show some.
            pub fn storage_elems(&self) -> u64 {
                self.elems
            }

            neuron_device::__forward_views!(Result<Self, $crate::TensorError>);

            /// A view of the same storage with these sizes, strides and offset, in elements from the storage's start.
            ///
            /// # Errors
            /// A negative stride, more than 8 dimensions, sizes and strides of different number, or a reach beyond
            /// the storage.
            ///
            /// ```
            /// use neuron_host_sim::HostTensor;
            /// let x = HostTensor::from_slice(&[6], &[0, 1, 2, 3, 4, 5])?;
            /// let diagonal = x.as_strided(&[2], &[4], 1)?;
            /// assert_eq!(diagonal.to_vec::<i32>()?, [1, 5]);
            /// assert!(x.as_strided(&[2], &[5], 1).is_err(), "it reaches element 6");
            /// # Ok::<(), neuron_host_sim::TensorError>(())
            /// ```
            pub fn as_strided(
                &self,
                sizes: &[u32],
                strides: &[i64],
                offset: u64,
            ) -> Result<Self, $crate::TensorError> {
                let layout = neuron_device::Layout::strided_signed(sizes, strides, offset)?;
                let (extent, storage) = (layout.extent(), self.elems);
                if extent > storage {
                    return Err($crate::TensorError::Extent { extent, storage });
                }
                Ok(Self { layout, ..self.clone() })
            }

            fn viewed(
                &self,
                layout: Result<neuron_device::Layout, neuron_device::LayoutError>,
            ) -> Result<Self, $crate::TensorError> {
                Ok(Self { layout: layout?, ..self.clone() })
            }
        }
    };
}

pub(super) use views;
