//! An accessor of any kind and element type, read and written as bits.

use neuron_device::prelude::*;
use neuron_device::{Accessor, AccessorMut, Element, Elements, ElementsMut, match_dtype};

use super::kernel::{bits, value};
use super::program::Way;

macro_rules! kinds {
    ($($ranked:ident $ranked_mut:ident $rank:literal: $($at:literal)+;)+) => {
        /// An accessor for elements of type `T`.
        pub(super) enum Typed<'a, T: Element> {
            Elements(Elements<'a, T>),
            ElementsMut(ElementsMut<'a, T>),
            $($ranked(Accessor<'a, T, $rank>), $ranked_mut(AccessorMut<'a, T, $rank>),)+
        }

        impl<'a, T: Element> Typed<'a, T> {
            /// As the kernel opens it; `None` if it cannot be.
            #[track_caller]
            fn open(q7: &'a Q7, tensor: &'a mut Tensor, way: Way) -> Option<Self> {
                match (way, tensor.dim()) {
                    (Way::Elements, _) => match tensor.elements(q7) {
                        Ok(open) => Some(Self::Elements(open)),
                        Err(_) => None,
                    },
                    (Way::ElementsMut, _) => match tensor.elements_mut(q7) {
                        Ok(open) => Some(Self::ElementsMut(open)),
                        Err(_) => None,
                    },
                    $((Way::Accessor, $rank) => match tensor.accessor(q7) {
                        Ok(open) => Some(Self::$ranked(open)),
                        Err(_) => None,
                    },
                    (Way::AccessorMut, $rank) => match tensor.accessor_mut(q7) {
                        Ok(open) => Some(Self::$ranked_mut(open)),
                        Err(_) => None,
                    },)+
                    _ => None,
                }
            }

            #[track_caller]
            fn get(&self, index: [u32; 4]) -> T {
                match self {
                    Self::Elements(open) => open.get(index[0].into()),
                    Self::ElementsMut(open) => open.get(index[0].into()),
                    $(Self::$ranked(open) => open.get([$(index[$at]),+]),
                    Self::$ranked_mut(open) => open.get([$(index[$at]),+]),)+
                }
            }

            #[track_caller]
            fn set(&self, index: [u32; 4], value: T) {
                match self {
                    Self::ElementsMut(open) => open.set(index[0].into(), value),
                    $(Self::$ranked_mut(open) => open.set([$(index[$at]),+], value),)+
                    _ => {}
                }
            }
        }
    };
}

kinds! {
    One OneMut 1: 0;
    Two TwoMut 2: 0 1;
    Three ThreeMut 3: 0 1 2;
    Four FourMut 4: 0 1 2 3;
}

macro_rules! handles {
    ($($name:ident $type:ident)+) => {
        /// An accessor for elements of any type.
        pub(super) enum Handle<'a> {
            $($name(Typed<'a, $type>),)+
        }

        impl Handle<'_> {
            /// The bits of an element.
            #[track_caller]
            pub(super) fn get(&self, index: [u32; 4]) -> u64 {
                match self {
                    $(Self::$name(open) => bits(open.get(index)),)+
                }
            }

            /// Write an element, if it is an accessor that writes.
            #[track_caller]
            pub(super) fn set(&self, index: [u32; 4], to: u64) {
                match self {
                    $(Self::$name(open) => open.set(index, value(to)),)+
                }
            }
        }

        $(impl<'a> From<Typed<'a, $type>> for Handle<'a> {
            fn from(open: Typed<'a, $type>) -> Self {
                Self::$name(open)
            }
        })+
    };
}

handles! { F32 f32 F16 f16 BF16 bf16 I8 i8 U8 u8 I16 i16 I32 i32 I64 i64 }

impl<'a> Handle<'a> {
    /// As the kernel opens it; `None` if it cannot be.
    #[track_caller]
    pub(super) fn open(q7: &'a Q7, tensor: &'a mut Tensor, way: Way) -> Option<Self> {
        let dtype = tensor.dtype();
        let opened: Result<Option<Self>> = match_dtype!(dtype, f32 | f16 | bf16 | i8 | u8 | i16 | i32 | i64 as T => {
            match Typed::<T>::open(q7, tensor, way) {
                Some(open) => Ok(Some(open.into())),
                None => Ok(None),
            }
        });
        opened.ok().flatten()
    }
}
