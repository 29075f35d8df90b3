//! As much of half as `kernel.rs` needs, its types defined where half defines them.

#![allow(non_camel_case_types)]

mod binary16 {
    #[derive(Clone, Copy)]
    pub struct f16(pub u16);

    impl f16 {
        pub fn max(self, _: Self) -> Self {
            self
        }
    }
}

mod bfloat {
    #[derive(Clone, Copy)]
    pub struct bf16(pub u16);

    impl bf16 {
        pub fn min(self, _: Self) -> Self {
            self
        }
    }
}

pub use bfloat::bf16;
pub use binary16::f16;
