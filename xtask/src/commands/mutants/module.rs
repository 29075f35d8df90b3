//! The modules whose tests are tested: a name and files of the device crate.

use clap::ValueEnum;

/// A module, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Module {
    /// Layouts, their views, what a shape function speaks of, and places in them.
    Shape,
    /// Dtypes, element types and conversions. Most of it is written by macros, which cargo-mutants leaves alone.
    Dtype,
    /// The window table, its counters, and windows that are mapped, also in steps.
    Window,
    /// Partitions of the work, and runs of what was written.
    Partition,
    /// Arithmetic of the element types.
    Number,
}

impl Module {
    pub(super) const ALL: [Self; 5] = [Self::Shape, Self::Dtype, Self::Window, Self::Partition, Self::Number];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Dtype => "dtype",
            Self::Window => "window",
            Self::Partition => "partition",
            Self::Number => "number",
        }
    }

    /// Its files below the package's `src`.
    pub(super) const fn files(self) -> &'static [&'static str] {
        match self {
            Self::Shape => &[
                "words/layout.rs",
                "words/layout/error.rs",
                "words/layout/reshape.rs",
                "words/layout/stretch.rs",
                "words/layout/views.rs",
                "words/spec.rs",
                "core/place.rs",
            ],
            Self::Dtype => &["words/dtype.rs", "words/element.rs", "words/convert.rs", "words/scalar.rs"],
            Self::Window => &["policy/window.rs", "policy/counters.rs", "port/window.rs", "port/steps.rs"],
            Self::Partition => &["policy/partition.rs", "policy/runs.rs"],
            Self::Number => &["math/number.rs"],
        }
    }
}
