//! [`Site`]: an expression of a kernel that mutants change.

use std::ops::Range;

/// What an expression is for, and with that the ways in which it is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// One index of an access, or a core's number.
    Index,
    /// All indices of an access.
    Order,
    /// An end of a range, a length, a step, a number of elements or of cores.
    Bound,
    /// What a number is kept below by `min`.
    Limit,
    /// The number of a dimension.
    Dimension,
    /// The elements of a copy.
    Span,
    /// A core's share of the work.
    Share,
    /// A copy under way that is waited for.
    Wait,
}

impl Kind {
    /// The function of neuron-mutant that stands around the expression.
    pub(crate) fn function(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Order => "order",
            Self::Bound => "bound",
            Self::Limit => "limit",
            Self::Dimension => "dimension",
            Self::Span => "span",
            Self::Share => "share",
            Self::Wait => "wait",
        }
    }

    /// What is done to it; neuron-mutant counts the operators from 1, in this order.
    pub(crate) fn operators(self) -> &'static [&'static str] {
        match self {
            Self::Index | Self::Bound => &["one more", "one less", "double", "zero"],
            Self::Order => &["reversed"],
            Self::Limit => &["dropped"],
            Self::Dimension => &["the other dimension"],
            Self::Span => &["one further", "one back", "one longer", "one shorter", "from the start"],
            Self::Share => &[
                "all to every core",
                "as if of one core more",
                "as if of one core less",
                "core 0 does its neighbour's",
            ],
            Self::Wait => &["left out"],
        }
    }
}

/// An expression that mutants change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site {
    /// What it is for.
    pub(crate) kind: Kind,
    /// Its bytes in the file.
    pub(crate) range: Range<usize>,
    /// Its line, from 1.
    pub(crate) line: usize,
    /// Its value, if it is a literal.
    pub(crate) literal: Option<u64>,
}

impl Site {
    /// The operators that change it, by number; of a literal, those that do not do what another one does.
    pub(crate) fn operators(&self) -> Vec<usize> {
        let saturates = self.kind == Kind::Bound;
        let differs = |operator: &usize| match (self.literal, operator) {
            (Some(0), 2) => !saturates,
            (Some(0 | 1), 3 | 4) => false,
            _ => true,
        };
        (1..=self.kind.operators().len()).filter(differs).collect()
    }
}
