//! As much of num_traits as `kernel.rs` needs: clippy looks at paths, not at where a crate comes from.

/// Floats.
pub trait Float: Copy {
    fn exp(self) -> Self;
    fn max(self, other: Self) -> Self;
}
