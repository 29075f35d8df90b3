//! [`Work`]: compute that a kernel declares.

/// Where operations are made (`docs/machine.md`, section 13).
///
/// ```
/// use neuron_device::Unit;
/// assert_eq!(Unit::VectorFma.words(), "vector float multiply-add");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Additions, comparisons, shifts, addresses: of one value each.
    ScalarAlu,
    /// Products of one pair of values each.
    ScalarMul,
    /// Additions, comparisons, selections, of all lanes at once.
    VectorAlu,
    /// Multiply-accumulate of integers, of all lanes at once.
    VectorMac,
    /// Multiply-add of floats, of all lanes at once.
    VectorFma,
}

impl Unit {
    /// How many there are.
    pub const COUNT: usize = 5;

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::ScalarAlu => "scalar ALU",
            Self::ScalarMul => "scalar multiplication",
            Self::VectorAlu => "vector ALU",
            Self::VectorMac => "vector multiply-accumulate",
            Self::VectorFma => "vector float multiply-add",
        }
    }

    /// Does it work on all lanes at once?
    pub const fn is_vector(self) -> bool {
        matches!(self, Self::VectorAlu | Self::VectorMac | Self::VectorFma)
    }
}

/// Compute that a kernel declares, by [`Q7::declare`](crate::Q7::declare): a simulator sees accesses, and not what happens
/// between them. It costs nothing, and changes nothing but modelled time.
///
/// ```
/// use neuron_device::{Unit, Work};
/// let work = Work::independent(Unit::VectorFma, 32, 1024);
/// assert_eq!((work.operations(), work.is_chain()), (1024, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    unit: Unit,
    bits: u8,
    chained: bool,
    operations: u64,
}

impl Work {
    /// `operations` operations on values of `bits` bits, counted by lane, none of which waits for another's result.
    /// `bits` matters to vectors only; it is at least 8.
    pub const fn independent(unit: Unit, bits: u8, operations: u64) -> Self {
        Self { unit, bits: if bits < 8 { 8 } else { bits }, chained: false, operations }
    }

    /// The same, where every operation, or every vector of them, needs the result of the one before.
    pub const fn chain(unit: Unit, bits: u8, operations: u64) -> Self {
        Self { chained: true, ..Self::independent(unit, bits, operations) }
    }

    /// Where.
    pub const fn unit(&self) -> Unit {
        self.unit
    }

    /// Bits of a value.
    pub const fn bits(&self) -> u8 {
        self.bits
    }

    /// How many operations, counted by lane.
    pub const fn operations(&self) -> u64 {
        self.operations
    }

    /// Does each need the result of the one before?
    pub const fn is_chain(&self) -> bool {
        self.chained
    }
}
